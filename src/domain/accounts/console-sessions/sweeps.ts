import type { Context } from '../../../context.ts';
import { defineDeletion, type Sweep } from '../../../queue/worker/sweep.ts';
import { sweepExpired } from './queries.ts';

/** Returns the sweep that deletes expired console sessions and sign-in links. */
export function consoleSweeps({ db }: Pick<Context, 'db'>): Sweep[] {
  return [defineDeletion({ db, name: 'console_sessions', remove: (rowsMax) => sweepExpired(db, rowsMax) })];
}
