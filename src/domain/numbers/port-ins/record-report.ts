import type { PortInReport } from '../../../carriers/ports/porting.ts';
import type { Tx } from '../../../db/database.ts';
import { ledgerNow } from '../../../db/ledgers.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { canMove, sourcesOf } from '../../../lib/machine.ts';
import { type Ledger, type Scope, visible } from '../../../lib/scope.ts';
import { emitEvent } from '../../events/index.ts';
import { listTakenAmong } from '../phone-numbers/queries.ts';
import { expireDocuments } from '../port-in-documents/delete-documents.ts';
import { nameMissing } from '../port-in-documents/rules.ts';
import { addPortedNumbers } from './add-ported-numbers.ts';
import { isShareable } from './check-portability.ts';
import { lockPortIn, movePortIn, serializePortIns } from './queries.ts';
import { ALREADY_HERE, carrierMachine, hasEnded, type PortInStatus } from './rules.ts';
import { type PortIn, portInStatusChanged } from './schema.ts';

export type ReportedPortIn = { readonly ref: string; readonly attempt: number; readonly report: PortInReport };

/**
 * Moves a port-in to the status that the carrier reports. A report that is repeated, late, out of order, or about an
 * earlier submission changes nothing and returns undefined. `completed` gives the numbers to the tenant. If one of the
 * numbers has another owner at that time, the port-in becomes `action_needed` instead.
 */
export async function recordReport(
  tx: Tx,
  ledger: Ledger,
  { ref: id, attempt, report: received }: ReportedPortIn,
): Promise<PortIn | undefined> {
  const before = await lockPortIn(tx, ledger, id);
  if (before === undefined || before.hidden.attempt !== attempt) return undefined;
  const { status, tenant_id: tenantId, foc_date } = before.portIn;
  if (!canMove(carrierMachine, status, received.status)) return undefined;
  const report = await admissible(tx, ledger, received);
  const { status: to } = report;
  const detail = to === 'action_needed' ? nameMissing(report.detail, report.missingDocuments) : report.detail;
  const focDate = to === 'foc_confirmed' ? report.focDate : to === 'completed' ? foc_date : null;
  const moved = await movePortIn(tx, ledger, { id, to, from: sourcesOf(carrierMachine, to), detail, focDate });
  if (moved === undefined) return undefined;
  await emitEvent(tx, ledger.ledgerId, portInStatusChanged(moved, status));
  if (hasEnded(to)) await expireDocuments(tx, ledger, id);
  const { connectionId } = before.hidden;
  if (report.status === 'completed')
    await addPortedNumbers(tx, ledger, { tenantId, connectionId, ported: report.numbers });
  return moved;
}

/**
 * Returns the report, or `action_needed` in place of a completion for a number that already has an owner. With an error
 * instead, every repeat of the report would fail too.
 */
async function admissible(tx: Tx, ledger: Ledger, report: PortInReport): Promise<PortInReport> {
  if (report.status !== 'completed') return report;
  const phoneNumbers = report.numbers.map(({ phoneNumber }) => phoneNumber);
  await serializePortIns(tx, ledger, phoneNumbers);
  const contested = phoneNumbers.filter((phoneNumber) => !isShareable(ledger, phoneNumber));
  const [taken] = await listTakenAmong(tx, ledger, contested);
  return taken === undefined ? report : { status: 'action_needed', detail: `${taken}: ${ALREADY_HERE}` };
}

/** The data for the next report that a simulated carrier makes. `now` is ledger time. */
type Reportable = { readonly portIn: PortIn; readonly attempt: number; readonly now: Date };

type Simulation = { readonly to: PortInStatus; makeReport(reportable: Reportable): Promise<PortInReport> };

/**
 * Records a report that a caller makes in the carrier's place. Errors: port_in_not_found, tenant_restricted_key,
 * review_not_pending for a status that the carrier could not report now.
 */
export async function simulatePortInReport(
  tx: Tx,
  scope: Scope,
  id: string,
  { to, makeReport }: Simulation,
): Promise<PortIn> {
  const whole = await lockPortIn(tx, scope, id);
  const portIn = visible(scope, whole?.portIn, 'port_in_not_found');
  if (!canMove(carrierMachine, portIn.status, to)) throw new ApiError('review_not_pending');
  const attempt = whole?.hidden.attempt ?? 0;
  const report = await makeReport({ portIn, attempt, now: await ledgerNow(tx, scope.ledgerId) });
  const moved = await recordReport(tx, scope, { ref: id, attempt, report });
  if (moved === undefined) throw new ApiError('review_not_pending');
  return moved;
}
