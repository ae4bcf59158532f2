import type { Context } from '../../../context.ts';
import { defineDeletion, type Sweep } from '../../../queue/worker/sweep.ts';
import { sweepReplays } from './queries.ts';

/** Returns the sweep that deletes replays whose events are all deleted. */
export function replaySweeps({ db }: Pick<Context, 'db'>): Sweep[] {
  return [
    defineDeletion({ db, name: 'replays', everyMs: 24 * 3_600_000, remove: (rowsMax) => sweepReplays(db, rowsMax) }),
  ];
}
