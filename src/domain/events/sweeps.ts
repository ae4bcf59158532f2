import type { Context } from '../../context.ts';
import { defineDeletion, type Sweep } from '../../queue/worker/sweep.ts';
import { sweepEvents } from './events/queries.ts';
import { sweepReplays } from './replays/queries.ts';

/** Returns the sweep that deletes events past their retention. */
export function eventSweeps({ db }: Pick<Context, 'db'>): Sweep[] {
  return [defineDeletion({ db, name: 'events', rowsMax: 500, remove: (rowsMax) => sweepEvents(db, rowsMax) })];
}

/** Returns the sweep that deletes replays whose events are all deleted. */
export function replaySweeps({ db }: Pick<Context, 'db'>): Sweep[] {
  return [
    defineDeletion({ db, name: 'replays', everyMs: 24 * 3_600_000, remove: (rowsMax) => sweepReplays(db, rowsMax) }),
  ];
}
