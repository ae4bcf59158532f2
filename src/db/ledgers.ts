import type { Ledger, Mode } from '../lib/scope.ts';
import type { Db } from './database.ts';
import { statement } from './statement.ts';

const FIND = statement('ledgers_find', 'select account_id, mode from ledgers where id = $1');

// The ledgers that were read. A ledger's account and mode never change, and every job reads them.
const known = new WeakMap<Db, Map<number, Ledger>>();

/** Returns the ledger with this id; undefined if there is none. */
export async function findLedger(db: Db, ledgerId: number): Promise<Ledger | undefined> {
  const ofDb = known.get(db) ?? new Map<number, Ledger>();
  known.set(db, ofDb);
  const found = ofDb.get(ledgerId);
  if (found !== undefined) return found;
  const [row] = await db.query<{ account_id: string; mode: Mode }>(FIND, [ledgerId]);
  if (row === undefined) return undefined;
  const ledger = { ledgerId, accountId: row.account_id, mode: row.mode };
  ofDb.set(ledgerId, ledger);
  return ledger;
}

/**
 * Returns SQL for FROM. Its column `at` is the time of the ledger that the SQL `ledger` names. So PostgreSQL reads the
 * clock once for the whole statement. Without `offset 0` it reads the clock at each use, and a row gets two times.
 */
export const nowOf = (ledger: string): string => `(select ledger_now(${ledger}) as at offset 0)`;

/** A statement with `:ledger_id` lists this in FROM, and reads the ledger's time as `now.at`. */
export const LEDGER_NOW = `${nowOf(':ledger_id::int')} now`;

const NOW = statement('ledgers_now', 'select ledger_now($1) as now');

/** Returns the ledger's present moment. */
export async function ledgerNow(db: Db, ledgerId: number): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(NOW, [ledgerId]);
  return (row as { now: Date }).now;
}
