import type { Context } from '../../../context.ts';
import { defineSweep, type Sweep } from '../../../queue/worker/sweep.ts';
import { sweepEvents } from './queries.ts';

const EVERY_MS = 15 * 60_000;
const EVENTS_PER_ROUND = 500;

/** Returns the sweep that deletes events past their retention. */
export function eventSweeps({ db }: Pick<Context, 'db'>): Sweep[] {
  return [
    defineSweep({
      db,
      name: 'events',
      everyMs: EVERY_MS,
      run: async () => (await sweepEvents(db, EVENTS_PER_ROUND)) === EVENTS_PER_ROUND,
    }),
  ];
}
