import type { AssignmentReport } from '../../carriers/ports/outcome.ts';
import type { Tx } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';
import { enqueue } from '../../queue/jobs/enqueue.ts';
import { emitEvents } from '../events/index.ts';
import { assignmentJob } from './campaign-assignments/new-jobs.ts';
import { confirmCampaign, refuseCampaign } from './campaign-assignments/settle-assignment.ts';
import { assignJob } from './e911-addresses/new-jobs.ts';
import { setAddressPending } from './e911-addresses/number-queries.ts';
import { updateNumberRow } from './phone-numbers/queries.ts';
import { statusChanged } from './phone-numbers/release-number.ts';
import { lockHeldNumber } from './phone-numbers/report-queries.ts';
import type { PhoneNumber } from './phone-numbers/schema.ts';

/**
 * Records the end of an assignment that the carrier had accepted as pending. A confirmation makes the number ready.
 * After a refusal the number no longer shows the campaign or the address, because the carrier does not have it there. A
 * report that is repeated, or about an earlier campaign or address of the number, changes nothing.
 */
export async function recordAssignment(tx: Tx, ledger: Ledger, report: AssignmentReport): Promise<void> {
  const number = await lockHeldNumber(tx, ledger, report.phoneNumber);
  if (number === undefined) return;
  const { kind, ref } = report.to;
  const end: AssignmentEnd = { number, ref, isConfirmed: report.type === 'number.assigned' };
  if (kind === 'campaign' && number.campaign_id === ref) await endAtCampaign(tx, ledger, end);
  if (kind === 'e911_address' && number.e911_address_id === ref) await endAtAddress(tx, ledger, end);
}

/** `ref` names the campaign or the address that the number has. */
type AssignmentEnd = { readonly number: PhoneNumber; readonly ref: string; readonly isConfirmed: boolean };

async function endAtCampaign(tx: Tx, ledger: Ledger, { number, ref, isConfirmed }: AssignmentEnd): Promise<void> {
  const { id } = number;
  if (isConfirmed) return confirmCampaign(tx, ledger, { id, campaignId: ref });
  // The job removes the number from any campaign that the carrier still has it in.
  if (await refuseCampaign(tx, ledger, number)) await enqueue(tx, [assignmentJob(ledger, id)]);
}

async function endAtAddress(tx: Tx, ledger: Ledger, { number, ref, isConfirmed }: AssignmentEnd): Promise<void> {
  const { id: numberId } = number;
  const wasPending = await setAddressPending(tx, ledger, { numberId, addressId: ref, isPending: false });
  if (isConfirmed || !wasPending) return;
  const left = await updateNumberRow(tx, ledger, { ...number, e911_address_id: null });
  await emitEvents(tx, ledger.ledgerId, [statusChanged(left, left.status)]);
  await enqueue(tx, [assignJob(ledger, numberId)]);
}
