import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';

/** The operator's lists of prefixes: digits, country code first. */
export type Prefixes = {
  /** Prefixes that no text or call may go to, because of the cost. */
  readonly highCost: readonly string[];
  /** Prefixes outside of the United States and Canada that live keys may text and call. */
  readonly allowed: readonly string[];
};

/** The columns of `Prefixes`. */
export const PREFIX_COLUMNS = `array(select prefix from high_cost_prefixes) as "highCost",
  array(select prefix from allowed_prefixes) as allowed`;

const LIST = statement('destination_prefixes_list', `select ${PREFIX_COLUMNS}`);

/** Reads the operator's lists. */
export async function listPrefixes(db: Db): Promise<Prefixes> {
  const [lists] = await db.query<Prefixes>(LIST, []);
  return lists as Prefixes;
}
