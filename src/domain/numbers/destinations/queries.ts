import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';

const HIGH_COST = statement('high_cost_prefixes_list', 'select prefix from high_cost_prefixes');

/** The operators' list: digits, country code first. */
export async function listHighCostPrefixes(db: Db): Promise<string[]> {
  const rows = await db.query<{ prefix: string }>(HIGH_COST, []);
  return rows.map((row) => row.prefix);
}
