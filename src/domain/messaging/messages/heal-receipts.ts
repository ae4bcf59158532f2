/**
 * Asks carriers for receipts that they have not reported. The first request comes 15 minutes after the text was
 * accepted (a scheduled text: after its time). More requests follow at growing intervals for a day. Most late receipts
 * arrive soon, and some carriers never have one.
 */
import type { Context } from '../../../context.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { heal } from '../../../queue/worker/heal.ts';
import { listUnreported, type UnreportedText } from './heal-queries.ts';
import type { Receipt } from './queries.ts';
import { receiptOf, recordReceipts } from './record-receipts.ts';

/** The time between two rounds. It is also the width of a window of ages, so a text is in each window once. */
export const RECEIPT_ROUND_MS = 300_000;
/** When a receipt is requested. The ages of the text, in rounds: 15 and 30 minutes, 1, 2, 4, 8, 16 and 24 hours. */
const AGES = [3, 6, 12, 24, 48, 96, 192, 288];
/** Most texts of one ledger that are asked about in a round, for each age. */
const TEXTS_MAX = 200;

type HealContext = Pick<Context, 'db' | 'carriers' | 'log'>;

/** Runs one round over all live ledgers. */
export async function healReceipts(context: HealContext): Promise<void> {
  const { db, log } = context;
  const windows = AGES.map((rounds) => rounds * RECEIPT_ROUND_MS);
  const texts = await listUnreported(db, { windows, widthMs: RECEIPT_ROUND_MS, rows: TEXTS_MAX });
  await heal(texts, {
    ...{ db, log, what: 'receipts' },
    ask: (text, ledger) => findReceipt(context, ledger, text),
    apply: (tx, ledger, receipt) => recordReceipts(tx, ledger, [receipt]),
  });
}

/** Returns the receipt of a text, or undefined if the carrier has none that is new. */
async function findReceipt(
  { carriers }: HealContext,
  ledger: Ledger,
  { id: messageId, connection_id: connectionId, status: known }: UnreportedText,
): Promise<Receipt | undefined> {
  const answer = await carriers.messaging(ledger, connectionId).findSend(ledger, messageId);
  const receipt = answer.found === 'accepted' ? answer.receipt : undefined;
  if (receipt === undefined || receipt.status === known) return undefined;
  return receiptOf(messageId, receipt);
}
