import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

/** Failures that a real carrier may have. The first four affect receipts. */
export const FAULT_KINDS = [
  'delay',
  'duplicate',
  'reorder',
  'drop',
  'assign_failed',
  'send_unavailable',
  'send_unknown',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/**
 * How many times a fault applies by default. Faults without an entry apply until they are set to 0. A failed assignment
 * is not retried automatically, so that fault applies once.
 */
export const FAULT_TIMES: Partial<Record<FaultKind, number>> = { assign_failed: 1 };

/** How long `delay` delays a receipt by default. */
export const FAULT_DELAY_S = 5;

export type Fault = {
  kind: FaultKind;
  /** Seconds, for `delay`. */
  delay_seconds: number | null;
  /** How many more times the fault applies. Null means until the ledger is reset or the fault is set to 0. */
  times: number | null;
};

const SET = statement(
  'simulated_faults_set',
  `insert into simulated_faults (ledger_id, kind, settings, remaining) values ($1, $2, $3, $4)
   on conflict (ledger_id, kind) do update set settings = excluded.settings, remaining = excluded.remaining`,
);

export async function setFault(db: Db, ledgerId: number, fault: Fault): Promise<void> {
  const settings = JSON.stringify({ delay_seconds: fault.delay_seconds });
  await db.query(SET, [ledgerId, fault.kind, settings, fault.times]);
}

const LIST = statement(
  'simulated_faults_list',
  `select kind, remaining as times, (settings->>'delay_seconds')::float8 as delay_seconds
   from simulated_faults where ledger_id = $1 and (remaining is null or remaining > 0) order by kind`,
);

/** Returns the faults of the ledger that still apply. */
export function listFaults(db: Db, ledgerId: number): Promise<Fault[]> {
  return db.query(LIST, [ledgerId]);
}

const USE = statement(
  'simulated_faults_use',
  `update simulated_faults f set remaining = remaining - 1,
     settings = (f.settings::jsonb || jsonb_build_object('struck', coalesce((f.settings->>'struck')::integer, 0) + 1))::json
   where ledger_id = $1 and kind = any($2::text[]) and (remaining is null or remaining > 0)
   returning kind, (settings->>'delay_seconds')::float8 as delay_seconds, (settings->>'struck')::integer as struck`,
);

/** The faults that apply to this use. `count` is 1 for the first use after the fault was set. */
export type UsedFaults = ReadonlyMap<FaultKind, { delaySeconds: number | null; count: number }>;

/** Returns the faults among `kinds` that apply to this use, and counts the use. */
export async function useFaults(db: Db, ledgerId: number, kinds: readonly FaultKind[]): Promise<UsedFaults> {
  type Row = { kind: FaultKind; delay_seconds: number | null; struck: number };
  const rows = await db.query<Row>(USE, [ledgerId, kinds]);
  return new Map(rows.map((row) => [row.kind, { delaySeconds: row.delay_seconds, count: row.struck }]));
}

const FAULTY = statement(
  'simulated_faults_faulty_ledgers',
  `select distinct ledger_id from simulated_faults
   where ledger_id = any($1::integer[]) and (remaining is null or remaining > 0)`,
);

/** Returns the ledgers of `ledgerIds` that have a fault. */
export async function listFaultyLedgers(db: Db, ledgerIds: readonly number[]): Promise<Set<number>> {
  const rows = await db.query<{ ledger_id: number }>(FAULTY, [ledgerIds]);
  return new Set(rows.map((row) => row.ledger_id));
}
