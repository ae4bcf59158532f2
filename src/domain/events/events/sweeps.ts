import type { Context } from '../../../context.ts';
import { defineDeletion, type Sweep } from '../../../queue/worker/sweep.ts';
import { sweepEvents } from './queries.ts';

/** Returns the sweep that deletes events past their retention. */
export function eventSweeps({ db }: Pick<Context, 'db'>): Sweep[] {
  return [defineDeletion({ db, name: 'events', rowsMax: 500, remove: (rowsMax) => sweepEvents(db, rowsMax) })];
}
