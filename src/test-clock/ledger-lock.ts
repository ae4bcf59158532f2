import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { isLockTimeout, toApiError } from '../db/error-codes.ts';
import { createSingleFlight, type SingleFlight } from '../lib/concurrency/single-flight.ts';
import { ApiError } from '../lib/errors/errors.ts';
import { ignoreError } from '../lib/errors/ignore-error.ts';

// The first key of the session locks that serialise advances. The second key is the ledger.
const LOCK_CLASS = 7_244_002;

/** How long a request waits for earlier requests that move the ledger's clock or empty the ledger. */
const LOCK_WAIT_MS = 60_000;

type LockOptions = {
  db: Database;
  log: Logger;
  ledgerId: number;
  /** How long to wait for earlier holders, in this process and then in others; 60 s by default. */
  waitMs?: number;
};

/** Callers in one process wait here in memory, so that they hold no database connections. */
const queues = new WeakMap<Database, SingleFlight>();

/**
 * Runs `work` while no other caller moves the clock or empties the ledger. The lock ends with its connection, so the
 * death of a process frees it. Errors: rate_limited if earlier callers have the lock for too long.
 */
export async function withLedgerLock<T>(
  options: LockOptions,
  work: (assertLocked: () => void) => Promise<T>,
): Promise<T> {
  const { db, ledgerId, waitMs = LOCK_WAIT_MS } = options;
  const queue = queues.get(db) ?? createSingleFlight();
  queues.set(db, queue);
  const flight = await queue.run(String(ledgerId), waitMs, () => lockAcrossProcesses(options, work));
  if (flight.late) throw inUse();
  return flight.result;
}

async function lockAcrossProcesses<T>(
  { db, log, ledgerId, waitMs = LOCK_WAIT_MS }: LockOptions,
  work: (assertLocked: () => void) => Promise<T>,
): Promise<T> {
  const client = await db.connect('clock');
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
  });
  try {
    await client.query(`set lock_timeout = ${waitMs}`);
    await client.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, ledgerId]).catch((error: unknown) => {
      throw isLockTimeout(error) ? inUse(error) : error;
    });
    return await work(() => {
      if (lost !== undefined) throw lost;
    });
  } catch (error) {
    throw toApiError(error);
  } finally {
    ignoreError(client.end(), log, 'the lock ends with its connection in any case');
  }
}

function inUse(cause?: unknown): ApiError {
  const message = 'The clock of this ledger is still being moved, or the ledger emptied, by an earlier request.';
  return new ApiError('rate_limited', { message, retryAfterS: 5, cause });
}
