import type { Database } from '../../db/database.ts';
import { defineSweep, type Sweep } from '../../queue/worker/sweep.ts';
import { sweepRequests } from './queries.ts';

const EVERY_MS = 15 * 60_000;
const ROWS_PER_ROUND = 1_000;

/** Returns the sweep that deletes requests which were settled long ago. */
export function bookSweeps({ db }: { db: Database }): Sweep[] {
  const run = async () => (await sweepRequests(db, ROWS_PER_ROUND)) === ROWS_PER_ROUND;
  return [defineSweep({ db, name: 'carrier-requests', everyMs: EVERY_MS, run })];
}
