/**
 * Asks carriers for receipts that they have not reported. A text that its carrier has is asked about 15 minutes after it
 * was accepted, and then at growing intervals for a day: most receipts that are late come soon after, and some carriers
 * never have one.
 */
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { listUnreported, type UnreportedText } from './heal-queries.ts';
import type { Receipt } from './queries.ts';
import { recordReceipts } from './record-receipts.ts';

/** The time between two rounds, which is also how wide a window of ages is: a text is in each window once. */
export const RECEIPT_ROUND_MS = 300_000;
/** Ages at which a text is asked about, in rounds: 15, 30 minutes, 1, 2, 4, 8, 16 and 24 hours. */
const AGES = [3, 6, 12, 24, 48, 96, 192, 288];
/** Most texts of one ledger that are asked about in a round, for each age. */
const TEXTS_MAX = 200;
const QUESTIONS_MAX = 10;

type HealContext = Pick<Context, 'db' | 'carriers' | 'log'>;

/** Runs one round over all live ledgers. */
export async function healReceipts(context: HealContext): Promise<void> {
  const { db, log } = context;
  const windows = AGES.map((rounds) => rounds * RECEIPT_ROUND_MS);
  const texts = await listUnreported(db, { windows, widthMs: RECEIPT_ROUND_MS, rows: TEXTS_MAX });
  let healed = 0;
  for (let start = 0; start < texts.length; start += QUESTIONS_MAX) {
    const asked = texts.slice(start, start + QUESTIONS_MAX);
    const found = await Promise.all(asked.map((text) => findReceipt(context, text)));
    const ends = found.filter((end) => end !== undefined);
    for (const { ledger, receipt } of ends) {
      await db.transaction((tx) => recordReceipts(tx, ledger, [receipt]));
      healed++;
    }
  }
  if (healed > 0) log.warn({ texts: healed }, 'receipts that carriers had not reported were asked for');
}

type Healed = { readonly ledger: Ledger; readonly receipt: Receipt };

/** Returns the end of a text, or undefined if the carrier has none, or does not answer. */
async function findReceipt({ carriers, log }: HealContext, text: UnreportedText): Promise<Healed | undefined> {
  const { id: messageId, ledger_id: ledgerId, account_id: accountId, connection_id: connectionId } = text;
  const ledger: Ledger = { ledgerId, accountId, mode: 'live' };
  try {
    const answer = await carriers.messaging(ledger, connectionId).findSend(ledger, messageId);
    const receipt = answer.found === 'accepted' ? answer.receipt : undefined;
    if (receipt === undefined || receipt.status === 'sent') return undefined;
    const { status, failureReason = 'carrier_rejected' } = receipt;
    return { ledger, receipt: { messageId, status, errorCode: status === 'failed' ? failureReason : null } };
  } catch (error) {
    if (!(error instanceof ApiError)) {
      log.warn({ err: error, message: messageId }, 'a receipt could not be asked for; the next round asks again');
    }
    return undefined;
  }
}
