import type { Logger } from 'pino';
import type { Database, Tx } from '../db/database.ts';
import { emptyLedger } from '../db/ledger-tables.ts';
import { ledgerNow } from '../db/ledgers.ts';
import { monotonicMs, sleep } from '../lib/time/time.ts';
import { dropIdleJobs } from '../queue/worker/ledger-work.ts';
import { withLedgerLock } from './ledger-lock.ts';

/** How long running handlers may take to finish before the ledger is emptied. */
const FINISH_WAIT_MS = 5_000;
const LOOK_MS = 10;

/**
 * Empties a test ledger and sets its clock back to wall time. No advance of the clock runs in the meantime. Claimed
 * jobs end first, so that their writes are emptied too. Otherwise a job that has just called the carrier would write
 * into the empty ledger.
 * @returns the ledger's time after the reset
 */
export function resetLedger(options: {
  db: Database;
  log: Logger;
  ledgerId: number;
  /**
   * Runs in the transaction that empties the ledger, before its rows are deleted: plans deletions outside of the
   * ledger.
   */
  beforeEmptying?: (tx: Tx) => Promise<void>;
}): Promise<Date> {
  const { db, ledgerId, beforeEmptying } = options;
  return withLedgerLock(options, async () => {
    const deadline = monotonicMs() + FINISH_WAIT_MS;
    while ((await dropIdleJobs(db, ledgerId)) > 0 && monotonicMs() <= deadline) await sleep(LOOK_MS);
    await db.transaction(async (tx) => {
      await beforeEmptying?.(tx);
      await emptyLedger(tx, ledgerId);
    });
    return ledgerNow(db, ledgerId);
  });
}
