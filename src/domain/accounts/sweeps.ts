import type { Context } from '../../context.ts';
import { defineDeletion, type Sweep } from '../../queue/worker/sweep.ts';
import { sweepSessions } from './browser-sessions/queries.ts';
import { sweepExpired } from './console-sessions/queries.ts';

/** Returns the sweep that deletes expired browser sessions. */
export function browserSessionSweeps({ db }: Pick<Context, 'db'>): Sweep[] {
  return [defineDeletion({ db, name: 'browser_sessions', remove: (rowsMax) => sweepSessions(db, rowsMax) })];
}

/** Returns the sweep that deletes expired console sessions and sign-in links. */
export function consoleSweeps({ db }: Pick<Context, 'db'>): Sweep[] {
  return [defineDeletion({ db, name: 'console_sessions', remove: (rowsMax) => sweepExpired(db, rowsMax) })];
}
