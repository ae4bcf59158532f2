import type { Context } from '../../../context.ts';
import { defineSweep, type Sweep } from '../../../queue/worker/sweep.ts';
import { endLostLegs } from './lost-leg-queries.ts';

const EVERY_MS = 10_000;
const ROWS_MAX = 500;

/**
 * Returns the sweep that frees agents of ended calls. Without it, an agent whose end report was lost would stay busy.
 */
export function queueSweep({ db }: Pick<Context, 'db'>): Sweep {
  return defineSweep({
    ...{ db, name: 'lost_agent_legs', everyMs: EVERY_MS, queue: 'voice' },
    run: async () => (await endLostLegs(db, ROWS_MAX)) >= ROWS_MAX,
  });
}
