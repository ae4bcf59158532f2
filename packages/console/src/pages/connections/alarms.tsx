import type { CarrierConnection } from '../../api/generated/operator-types.ts';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CAPABILITY_NAMES } from './capability-names.ts';

/** The features that the carrier has blocked for the account. Shows nothing if there are none. */
export function Alarms({ alarms }: { alarms: CarrierConnection['alarms'] }) {
  if (alarms.length === 0) return null;
  return (
    <Notice tone="bad" title="The account at the carrier is not in order">
      <p>
        The carrier refuses requests. Look at the account in its portal. Texts wait for up to four hours. Calls wait for
        up to 15 seconds, or take the next trunk.
      </p>
      <ul>
        {alarms.map(({ capability, carrier_code, title, since, last_at }) => (
          <li key={`${capability} ${carrier_code}`}>
            {CAPABILITY_NAMES[capability]}: {title} <code>{carrier_code}</code>, since{' '}
            <Moment at={since} format="long" />, last at <Moment at={last_at} format="long" />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
