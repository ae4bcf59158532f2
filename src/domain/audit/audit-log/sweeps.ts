import type { Context } from '../../../context.ts';
import { defineDeletion, type Sweep } from '../../../queue/worker/sweep.ts';
import { sweepEntries } from './queries.ts';

/** Returns the sweep that deletes entries past their retention. */
export function auditSweeps({ db }: Pick<Context, 'db'>): Sweep[] {
  return [
    defineDeletion({ db, name: 'audit_log', everyMs: 60 * 60_000, remove: (rowsMax) => sweepEntries(db, rowsMax) }),
  ];
}
