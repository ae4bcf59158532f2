import type { PortInReport } from '../../../carriers/ports/porting.ts';
import type { Tx } from '../../../db/database.ts';
import { canMove, sourcesOf } from '../../../lib/machine.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { emitEvent } from '../../events/index.ts';
import { listTakenAmong } from '../phone-numbers/queries.ts';
import { isAnyones } from './check-portability.ts';
import { holdNumbers, lockPortIn, movePortIn } from './queries.ts';
import { ALREADY_HERE, carrierMachine } from './rules.ts';
import type { PortIn } from './schema.ts';
import { portInStatusChanged } from './status-changed.ts';
import { takeOverNumbers } from './take-over-numbers.ts';

export type ReportedPortIn = { readonly ref: string; readonly attempt: number; readonly report: PortInReport };

/**
 * Moves a port-in to where the carrier says it is. A report that comes twice, late, out of order, or about an earlier
 * submission changes nothing: then the result is undefined. With `completed` the numbers become the tenant's, unless
 * somebody here has one of them by now: then the port-in needs action.
 */
export async function recordReport(
  tx: Tx,
  ledger: Ledger,
  { ref: id, attempt, report: told }: ReportedPortIn,
): Promise<PortIn | undefined> {
  const before = await lockPortIn(tx, ledger, id);
  if (before === undefined || before.hidden.attempt !== attempt) return undefined;
  const { status, tenant_id: tenantId, foc_date } = before.portIn;
  if (!canMove(carrierMachine, status, told.status)) return undefined;
  const report = await admissible(tx, ledger, told);
  const { status: to, detail } = report;
  const focDate = to === 'foc_confirmed' ? report.focDate : to === 'completed' ? foc_date : null;
  const moved = await movePortIn(tx, ledger, { id, to, from: sourcesOf(carrierMachine, to), detail, focDate });
  if (moved === undefined) return undefined;
  await emitEvent(tx, ledger.ledgerId, portInStatusChanged(moved, status));
  if (report.status === 'completed') await takeOverNumbers(tx, ledger, { tenantId, ported: report.numbers });
  return moved;
}

/** The report, or in place of a completion that cannot be: the same report would fail for ever, however often it came. */
async function admissible(tx: Tx, ledger: Ledger, report: PortInReport): Promise<PortInReport> {
  if (report.status !== 'completed') return report;
  const phoneNumbers = report.numbers.map(({ phoneNumber }) => phoneNumber);
  await holdNumbers(tx, ledger, phoneNumbers);
  const contested = phoneNumbers.filter((phoneNumber) => !isAnyones(ledger, phoneNumber));
  const [taken] = await listTakenAmong(tx, ledger, contested);
  return taken === undefined ? report : { status: 'action_needed', detail: `${taken}: ${ALREADY_HERE}` };
}
