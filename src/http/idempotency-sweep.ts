import type { Context } from '../context.ts';
import { defineSweep, type Sweep } from '../jobs/sweep.ts';
import { sweepKeys } from './idempotency-queries.ts';

const EVERY_MS = 15 * 60_000;
const KEYS_PER_ROUND = 1_000;

/** Removes Idempotency-Keys that are past their window. */
export function idempotencySweep({ db }: Pick<Context, 'db'>): Sweep {
  return defineSweep({
    db,
    name: 'idempotency_keys',
    everyMs: EVERY_MS,
    run: async () => (await sweepKeys(db, KEYS_PER_ROUND)) === KEYS_PER_ROUND,
  });
}
