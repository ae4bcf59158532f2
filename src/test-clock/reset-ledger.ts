import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Tx } from '../db/database.ts';
import { emptyLedger } from '../db/ledger-tables.ts';
import { ledgerNow } from '../db/ledgers.ts';
import { statement } from '../db/statement.ts';
import { withLedgerLock } from './ledger-clock.ts';

// A claim that has run out is work that somebody dropped.
const DROP_RESTING = statement(
  'ledger_reset_drop_resting',
  'delete from jobs where ledger_id = $1 and (lease_token is null or run_at <= statement_timestamp())',
);

const IN_HAND = statement(
  'ledger_reset_in_hand',
  'select count(*)::integer as jobs from jobs where ledger_id = $1 and lease_token is not null',
);

/** How long a handler may take to finish before the ledger is emptied under it. */
const IN_HAND_WAIT_MS = 5_000;
const LOOK_MS = 10;

/**
 * Empties a test ledger and sets its clock back to the wall, when no advance of the clock is under way. Jobs in hand
 * end first, and what they leave behind is emptied with the rest: one that had just spoken to the carrier would
 * otherwise write into the empty ledger.
 * @returns the ledger's time after it
 */
export async function resetLedger(options: {
  db: Database;
  log: Logger;
  ledgerId: number;
  /** Runs in the transaction that empties the ledger, before its rows go: plans what is to go elsewhere. */
  beforeEmptying?: (tx: Tx) => Promise<void>;
}): Promise<Date> {
  const { db, ledgerId, beforeEmptying } = options;
  return withLedgerLock(options, async () => {
    const deadline = performance.now() + IN_HAND_WAIT_MS;
    for (;;) {
      await db.query(DROP_RESTING, [ledgerId]);
      const [inHand] = await db.query<{ jobs: number }>(IN_HAND, [ledgerId]);
      if ((inHand?.jobs ?? 0) === 0 || performance.now() > deadline) break;
      await sleep(LOOK_MS);
    }
    await db.transaction(async (tx) => {
      await beforeEmptying?.(tx);
      await emptyLedger(tx, ledgerId);
    });
    return ledgerNow(db, ledgerId);
  });
}
