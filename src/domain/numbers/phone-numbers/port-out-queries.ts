import type { PortOutReport, PortOutStatus } from '../../../carriers/ports/numbers.ts';
import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { NUMBER_COLUMNS } from './queries.ts';
import type { PhoneNumber } from './schema.ts';

/** The newest request of another carrier for a number. */
export type PortOut = {
  /** Null if the carrier named none. */
  readonly carrierRef: string | null;
  readonly status: PortOutStatus;
  readonly carrierName: string | null;
  readonly reportedAt: Date;
};

const LOCK = statement(
  'phone_numbers_lock_leaving',
  `select ${NUMBER_COLUMNS} from phone_numbers p
   where ledger_id = $1 and phone_number = $2 and status in ('active', 'suspended') and created_at <= $3 for update`,
);

const FIND = statement(
  'number_port_outs_find',
  `select carrier_ref as "carrierRef", status, carrier_name as "carrierName", reported_at as "reportedAt"
   from number_port_outs where ledger_id = $1 and number_id = $2`,
);

/**
 * Locks the number with these digits that is in service, and returns it with its newest request. Undefined if the
 * report is older than the number.
 */
export async function lockLeaving(
  tx: Tx,
  { ledgerId }: Ledger,
  { phoneNumber, occurredAt }: Pick<PortOutReport, 'phoneNumber' | 'occurredAt'>,
): Promise<{ readonly number: PhoneNumber; readonly before: PortOut | undefined } | undefined> {
  const [number] = await tx.query<PhoneNumber>(LOCK, [ledgerId, phoneNumber, occurredAt]);
  if (number === undefined) return undefined;
  const [before] = await tx.query<PortOut>(FIND, [ledgerId, number.id]);
  return { number, before };
}

const PUT = statement(
  'number_port_outs_put',
  `insert into number_port_outs (ledger_id, number_id, carrier_ref, status, carrier_name, reported_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (ledger_id, number_id) do update set carrier_ref = excluded.carrier_ref, status = excluded.status,
     carrier_name = excluded.carrier_name, reported_at = excluded.reported_at`,
);

export async function putPortOut(tx: Tx, { ledgerId }: Ledger, numberId: string, portOut: PortOut): Promise<void> {
  const { carrierRef, status, carrierName, reportedAt } = portOut;
  await tx.query(PUT, [ledgerId, numberId, carrierRef, status, carrierName, reportedAt]);
}
