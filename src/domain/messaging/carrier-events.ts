import type { CarrierEvent } from '../../carriers/ports/carrier.ts';
import type { Tx } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';
import { receiveMessage } from './messages/receive-message.ts';
import { receiptOf, recordReceipts } from './messages/record-receipts.ts';
import { recordOptOut } from './opt-outs/change-opt-out.ts';

type Receipt = Extract<CarrierEvent, { type: 'message.receipt' }>;

/** Applies the carrier's events of texts: all receipts first, then the texts received and the opt-outs, in order. */
export async function applyMessagingEvents(tx: Tx, ledger: Ledger, events: readonly CarrierEvent[]): Promise<void> {
  const receipts = events.filter((event): event is Receipt => event.type === 'message.receipt');
  await recordReceipts(
    tx,
    ledger,
    receipts.map(({ ref, ...receipt }) => receiptOf(ref, receipt)),
  );
  for (const event of events) {
    if (event.type === 'message.received') await receiveMessage(tx, ledger, event);
    else if (event.type === 'opt_out.reported') await recordOptOut(tx, ledger, event);
  }
}
