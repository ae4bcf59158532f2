import type { CarrierEvent } from '../../carriers/ports/carrier.ts';
import type { Tx } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';
import { recordReport } from './port-ins/record-report.ts';

/** Records the carrier's reports about port-ins, in the order given. Ignores other events. */
export async function applyPortingEvents(tx: Tx, ledger: Ledger, events: readonly CarrierEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type === 'port_in.report') await recordReport(tx, ledger, event);
  }
}
