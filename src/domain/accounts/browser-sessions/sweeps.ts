import type { Context } from '../../../context.ts';
import { defineDeletion, type Sweep } from '../../../queue/worker/sweep.ts';
import { sweepSessions } from './queries.ts';

/** Returns the sweep that deletes expired browser sessions. */
export function browserSessionSweeps({ db }: Pick<Context, 'db'>): Sweep[] {
  return [defineDeletion({ db, name: 'browser_sessions', remove: (rowsMax) => sweepSessions(db, rowsMax) })];
}
