import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { InLedger } from './queries.ts';

const LIST = statement(
  'calls_held',
  `select id from calls where ledger_id = $1 and id = any($2::text[]) and (state -> 'hold' ->> 'playing')::boolean`,
);

/** Returns those of the calls (ids) whose customer hears hold audio. */
export async function listHeldCalls(
  db: Db,
  { ledgerId }: InLedger,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(LIST, [ledgerId, ids]);
  return new Set(rows.map(({ id }) => id));
}
