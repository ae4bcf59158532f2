import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';

/** What operators have listed: digits, country code first. */
export type Prefixes = {
  /** Where nobody may text or call, because of what it costs. */
  readonly highCost: readonly string[];
  /** Where live keys may text and call besides the United States and Canada. */
  readonly allowed: readonly string[];
};

const LIST = statement(
  'destination_prefixes_list',
  `select array(select prefix from high_cost_prefixes) as "highCost", array(select prefix from allowed_prefixes) as allowed`,
);

/** The operators' lists. */
export async function listPrefixes(db: Db): Promise<Prefixes> {
  const [lists] = await db.query<Prefixes>(LIST, []);
  return lists as Prefixes;
}
