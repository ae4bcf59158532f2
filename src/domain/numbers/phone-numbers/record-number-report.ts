import type { NumberReport } from '../../../carriers/ports/numbers.ts';
import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { emitEvents } from '../../events/index.ts';
import { recordPortOut } from './record-port-out.ts';
import { statusChanged } from './release-number.ts';
import { lockReported, moveReported } from './report-queries.ts';

/**
 * Records that the carrier has suspended or restored a number, or that the number was ported away. A ported number ends
 * like a released one, without a request to the carrier. A report that is repeated, out of order, or about a number of
 * another ledger changes nothing.
 */
export async function recordNumberReport(tx: Tx, ledger: Ledger, report: NumberReport): Promise<void> {
  const { type, occurredAt } = report;
  const number = await lockReported(tx, ledger, report);
  if (number === undefined) return;
  const { id, status: before } = number;
  if (type === 'number.ported_out') {
    const unsaid = { carrierRef: null, carrierName: null, reason: null };
    await recordPortOut(tx, ledger, { ...unsaid, phoneNumber: number.phone_number, status: 'ported', occurredAt });
    return;
  }
  const to = type === 'number.suspended' ? 'suspended' : 'active';
  // Also recorded if the status does not change: an older report that arrives later must not undo this one.
  const moved = await moveReported(tx, ledger, { id, to, occurredAt });
  if (before !== to) await emitEvents(tx, ledger.ledgerId, [statusChanged(moved, before)]);
}
