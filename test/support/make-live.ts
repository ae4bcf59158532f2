import type { Db } from '../../src/db/database.ts';
import { sql } from './jobs.ts';

/** Makes the test ledger of an account its live ledger, with all its content. For tests that need no live carrier. */
export async function makeLive(db: Db, accountId: string): Promise<void> {
  const live = `in (select id from ledgers where account_id = $1 and mode = 'live')`;
  for (const table of ['api_keys', 'audit_log']) {
    await sql(db, `delete from ${table} where ledger_id ${live}`, [accountId]);
  }
  await sql(db, "delete from ledgers where account_id = $1 and mode = 'live'", [accountId]);
  await sql(db, "update ledgers set mode = 'live' where account_id = $1", [accountId]);
}
