import type { Database } from '../../db/database.ts';
import { defineSweep, type Sweep } from '../../queue/worker/sweep.ts';
import { deleteExpiredKeys } from './idempotency-queries.ts';

const EVERY_MS = 10 * 60_000;
const BATCH_ROWS = 1_000;

/** Removes idempotency keys whose window, in the time of their ledger, is over. Batches keep their locks short. */
export function createIdempotencySweep(db: Database): Sweep {
  return defineSweep({
    db,
    name: 'idempotency_keys',
    everyMs: EVERY_MS,
    run: async () => (await deleteExpiredKeys(db, BATCH_ROWS)) >= BATCH_ROWS,
  });
}
