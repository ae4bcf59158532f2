import type { Context } from '../../../context.ts';
import { defineSweep, type Sweep } from '../../../queue/worker/sweep.ts';
import { sweepEntries } from './queries.ts';

const EVERY_MS = 60 * 60_000;
const ENTRIES_PER_ROUND = 1_000;

/** Returns the sweep that deletes entries past their retention. */
export function auditSweeps({ db }: Pick<Context, 'db'>): Sweep[] {
  return [
    defineSweep({
      db,
      name: 'audit_log',
      everyMs: EVERY_MS,
      run: async () => (await sweepEntries(db, ENTRIES_PER_ROUND)) === ENTRIES_PER_ROUND,
    }),
  ];
}
