import type { CarrierConnection } from '../../api/generated/operator-types.ts';
import { texts } from '../../texts/connections.ts';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { rich } from '../../ui/rich.tsx';
import { CAPABILITY_NAMES } from './capability-names.ts';

const t = texts.alarms;

/** The features that the carrier has blocked for the account. Shows nothing if there are none. */
export function Alarms({ alarms }: { alarms: CarrierConnection['alarms'] }) {
  if (alarms.length === 0) return null;
  return (
    <Notice tone="bad" title={t.accountCarrierNot}>
      <p>{t.carrierRefusesRequests}</p>
      <ul>
        {alarms.map(({ capability, carrier_code, title, since, last_at }) => (
          <li key={`${capability} ${carrier_code}`}>
            {rich(
              t.sinceLastAt,
              CAPABILITY_NAMES[capability],
              title,
              <code>{carrier_code}</code>,
              <Moment at={since} format="long" />,
              <Moment at={last_at} format="long" />,
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
