import type { Ledger, Mode } from '../lib/scope.ts';
import type { Db } from './database.ts';
import { statement } from './statement.ts';

const FIND = statement('ledgers_find', 'select account_id, mode from ledgers where id = $1');

/** The ledger with this id; undefined if there is none. */
export async function findLedger(db: Db, ledgerId: number): Promise<Ledger | undefined> {
  const [row] = await db.query<{ account_id: string; mode: Mode }>(FIND, [ledgerId]);
  return row === undefined ? undefined : { ledgerId, accountId: row.account_id, mode: row.mode };
}

const NOW = statement('ledgers_now', 'select ledger_now($1) as now');

/** The ledger's present moment. */
export async function ledgerNow(db: Db, ledgerId: number): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(NOW, [ledgerId]);
  return (row as { now: Date }).now;
}
