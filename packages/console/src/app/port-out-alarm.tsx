import type { ReactNode } from 'react';
import { useRead } from '../api/queries.ts';
import { formatNumber } from '../lib/numbers.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Moment } from '../ui/moment.tsx';
import { Notice } from '../ui/notice.tsx';
import { ledgerPath, useLedger } from './ledger.ts';
import { useNumber } from './number-field.tsx';

const EVENTS_MAX = 100;

/**
 * Alarms for numbers that another carrier asks for: a thief may have ordered that. Without an id for those of the whole
 * account. An alarm ends when the request is rejected or carried out, or the number is released.
 */
export function PortOutAlarms({ numberId }: { numberId?: string }) {
  const query = { type: 'number.port_out' as const, limit: EVENTS_MAX, resource_id: numberId };
  const { data } = useRead(['events', query], (api) => api.events.list(query));
  // The newest event of a number comes first.
  const newest = [...Map.groupBy(data?.data ?? [], ({ resource_id }) => resource_id).values()].flatMap((all) =>
    all.slice(0, 1),
  );
  return newest.map(({ id, resource_id, created_at, tenant_id, data: leaving }) => {
    const portOut = 'port_out' in leaving ? leaving.port_out : undefined;
    if (portOut?.status !== 'pending') return null;
    return (
      <Alarm
        key={id}
        numberId={resource_id}
        carrier={portOut.carrier_name}
        since={<Moment at={created_at} tenantId={tenant_id} format="long" />}
        isLinked={numberId === undefined}
      />
    );
  });
}

type AlarmProps = {
  numberId: string;
  carrier: string | null;
  since: ReactNode;
  isLinked: boolean;
};

function Alarm({ numberId, carrier, since, isLinked }: AlarmProps) {
  const ledger = useLedger();
  const { data: number } = useNumber(numberId);
  if (number === undefined || number.status === 'released') return null;
  return (
    <Notice
      tone="bad"
      title={`Another carrier asks for ${formatNumber(number.phone_number)}`}
      action={isLinked && <ButtonLink to={ledgerPath(ledger, `numbers/${numberId}`)}>Open the number</ButtonLink>}
    >
      <p>
        {carrier ?? 'A carrier that is not named'} has asked for it since {since}. When the request is carried out, the
        number leaves, with its texts and calls.
      </p>
      <p>If its tenant has not ordered that, have your carrier refuse the request now.</p>
    </Notice>
  );
}
