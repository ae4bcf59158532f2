import type { CarrierEvent } from '../../carriers/ports/carrier.ts';
import type { Tx } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';
import { recordNumberReport } from './phone-numbers/record-number-report.ts';
import { recordPortOut } from './phone-numbers/record-port-out.ts';
import { recordReport } from './port-ins/record-report.ts';
import { recordAssignment } from './record-assignment.ts';

/** Records the carrier's reports about numbers and port-ins, in the order given. Ignores other events. */
export async function applyNumberEvents(tx: Tx, ledger: Ledger, events: readonly CarrierEvent[]): Promise<void> {
  for (const event of events) {
    switch (event.type) {
      case 'port_in.report':
        await recordReport(tx, ledger, event);
        break;
      case 'number.suspended':
      case 'number.restored':
      case 'number.ported_out':
        await recordNumberReport(tx, ledger, event);
        break;
      case 'number.port_out':
        await recordPortOut(tx, ledger, event);
        break;
      case 'number.assigned':
      case 'number.assignment_failed':
        await recordAssignment(tx, ledger, event);
        break;
      default:
    }
  }
}
