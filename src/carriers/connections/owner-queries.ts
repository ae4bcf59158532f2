import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Ledger } from '../../lib/scope.ts';

const FIND = statement(
  'live_numbers_find_owner',
  `select l.id as "ledgerId", l.account_id as "accountId", l.mode from live_numbers n
   join ledgers l on l.id = n.ledger_id where n.phone_number = $1`,
);

/** Returns the live ledger that has a number (E.164): the one that a call or text to it is for. */
export async function findNumberOwner(db: Db, phoneNumber: string): Promise<Ledger | undefined> {
  const [row] = await db.query<Ledger>(FIND, [phoneNumber]);
  return row;
}

const FILTER = statement(
  'live_numbers_filter',
  `select phone_number as "phoneNumber" from live_numbers where phone_number = any($1)`,
);

/** Returns which of these numbers (E.164) live ledgers have. */
export async function filterLiveNumbers(db: Db, phoneNumbers: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ phoneNumber: string }>(FILTER, [phoneNumbers]);
  return new Set(rows.map(({ phoneNumber }) => phoneNumber));
}
