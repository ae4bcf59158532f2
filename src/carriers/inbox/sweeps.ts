import type { Database } from '../../db/database.ts';
import { defineSweep, type Sweep } from '../../queue/worker/sweep.ts';
import { sweepNotices } from './queries.ts';

const EVERY_MS = 15 * 60_000;
const ROWS_PER_ROUND = 1_000;

/** Returns the sweep that deletes notices past their time. */
export function inboxSweeps({ db }: { db: Database }): Sweep[] {
  const run = async () => (await sweepNotices(db, ROWS_PER_ROUND)) === ROWS_PER_ROUND;
  return [defineSweep({ db, name: 'carrier-inbox', everyMs: EVERY_MS, run })];
}
