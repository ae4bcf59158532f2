import type { PortInReport } from '../../../carriers/port.ts';
import type { Tx } from '../../../db/database.ts';
import { canMove, sourcesOf } from '../../../lib/machine.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { emitEvent } from '../../events/index.ts';
import { lockPortIn, movePortIn } from './queries.ts';
import { carrierMachine } from './rules.ts';
import type { PortIn } from './schema.ts';
import { portInStatusChanged } from './status-changed.ts';
import { takeOverNumbers } from './take-over-numbers.ts';

export type ReportedPortIn = { readonly ref: string; readonly attempt: number; readonly report: PortInReport };

/**
 * Moves a port-in to where the carrier says it is. A report that comes twice, late, out of order, or about an earlier
 * submission changes nothing: then the result is undefined. With `completed` the numbers become the tenant's.
 */
export async function recordReport(
  tx: Tx,
  ledger: Ledger,
  { ref: id, attempt, report }: ReportedPortIn,
): Promise<PortIn | undefined> {
  const before = await lockPortIn(tx, ledger, id);
  if (before === undefined || before.hidden.attempt !== attempt) return undefined;
  const { status, tenant_id: tenantId, foc_date } = before.portIn;
  const { status: to, detail } = report;
  if (!canMove(carrierMachine, status, to)) return undefined;
  const focDate = to === 'foc_confirmed' ? report.focDate : to === 'completed' ? foc_date : null;
  const moved = await movePortIn(tx, ledger, { id, to, from: sourcesOf(carrierMachine, to), detail, focDate });
  if (moved === undefined) return undefined;
  await emitEvent(tx, ledger.ledgerId, portInStatusChanged(moved, status));
  if (to === 'completed') await takeOverNumbers(tx, ledger, { tenantId, ported: report.numbers });
  return moved;
}
