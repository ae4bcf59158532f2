import type { PortInReport } from '../../../carriers/ports/porting.ts';
import type { Tx } from '../../../db/database.ts';
import { ledgerNow } from '../../../db/ledgers.ts';
import { ApiError } from '../../../lib/errors.ts';
import { canMove } from '../../../lib/machine.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { lockPortIn } from './queries.ts';
import { recordReport } from './record-report.ts';
import { carrierMachine, type PortInStatus } from './rules.ts';
import type { PortIn } from './schema.ts';

/** What a simulation needs to know to make the carrier's next report. `now` is ledger time. */
export type Reportable = { readonly portIn: PortIn; readonly attempt: number; readonly now: Date };

type Play = { readonly to: PortInStatus; makeReport(reportable: Reportable): Promise<PortInReport> };

/**
 * Takes a report that somebody plays for the carrier. Errors: port_in_not_found, tenant_restricted_key,
 * review_not_pending for a step that the carrier could not take now.
 */
export async function playPortInReport(tx: Tx, scope: Scope, id: string, { to, makeReport }: Play): Promise<PortIn> {
  const whole = await lockPortIn(tx, scope, id);
  const portIn = visible(scope, whole?.portIn, 'port_in_not_found');
  if (!canMove(carrierMachine, portIn.status, to)) throw new ApiError('review_not_pending');
  const attempt = whole?.hidden.attempt ?? 0;
  const report = await makeReport({ portIn, attempt, now: await ledgerNow(tx, scope.ledgerId) });
  const moved = await recordReport(tx, scope, { ref: id, attempt, report });
  if (moved === undefined) throw new ApiError('review_not_pending');
  return moved;
}
