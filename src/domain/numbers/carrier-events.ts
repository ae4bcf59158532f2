import type { CarrierEvent } from '../../carriers/ports/carrier.ts';
import type { Tx } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';
import { recordReport } from './port-ins/record-report.ts';

/** Takes what happened to port-ins at the carrier into the domain, in the order given. */
export async function applyPortingEvents(tx: Tx, ledger: Ledger, events: readonly CarrierEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type === 'port_in.report') await recordReport(tx, ledger, event);
  }
}
