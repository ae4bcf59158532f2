import type { Db, Tx } from '../../../db/database.ts';
import { inputOf } from '../../../db/input.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { RatedKind } from '../kinds.ts';

const LEDGERS = statement(
  'usage_hours_uncharged_ledgers',
  `select l.id as ledger_id, l.account_id from ledgers l
   where l.mode = 'live' and exists (select 1 from usage_hours h where h.ledger_id = l.id and h.uncharged > 0)
   order by l.id`,
);

/** Lists the live ledgers with usage that is added up but not charged. */
export async function listUnchargedLedgers(db: Db): Promise<Ledger[]> {
  const rows = await db.query<{ ledger_id: number; account_id: string }>(LEDGERS, []);
  return rows.map((row) => ({ ledgerId: row.ledger_id, accountId: row.account_id, mode: 'live' }));
}

const LIST = statement(
  'usage_hours_uncharged',
  `select kind, hour, uncharged::text, charges, hour + interval '1 hour' + make_interval(secs => $2::float8 / 1000)
     <= ledger_now($1) as is_over
   from usage_hours where ledger_id = $1 and scope = '' and uncharged > 0 order by hour, kind for update`,
);

/** Uncharged usage of one kind in one hour. */
export type UnchargedHour = {
  readonly kind: RatedKind;
  readonly hour: Date;
  readonly quantity: bigint;
  /** The number of charges for this hour until now. */
  readonly charges: number;
  /** True once no more usage is expected in the hour. */
  readonly isOver: boolean;
};

/** Locks and returns the uncharged usage. An hour is over `graceMs` after its end. */
export async function lockUnchargedHours(tx: Tx, { ledgerId }: Ledger, graceMs: number): Promise<UnchargedHour[]> {
  type Row = { kind: RatedKind; hour: Date; uncharged: string; charges: number; is_over: boolean };
  const rows = await tx.query<Row>(LIST, [ledgerId, graceMs]);
  return rows.map(({ kind, hour, uncharged, charges, is_over }) => ({
    kind,
    hour,
    quantity: BigInt(uncharged),
    charges,
    isOver: is_over,
  }));
}

const HOURS = inputOf<UnchargedHour>('charged_hours', {
  kind: ['text', ({ kind }) => kind],
  hour: ['timestamptz', ({ hour }) => hour],
  quantity: ['bigint', ({ quantity }) => quantity],
});

const MARK = statement<{ readonly ledger_id: number; readonly charged_hours: readonly UnchargedHour[] }>(
  'usage_hours_mark_charged',
  `update usage_hours h set uncharged = h.uncharged - c.quantity, charges = h.charges + 1
   from ${HOURS.rows('c')}
   where h.ledger_id = :ledger_id and h.scope = '' and h.kind = c.kind and h.hour = c.hour`,
);

export async function markCharged(tx: Tx, { ledgerId }: Ledger, hours: readonly UnchargedHour[]): Promise<void> {
  await tx.query(MARK, { ledger_id: ledgerId, charged_hours: hours });
}
