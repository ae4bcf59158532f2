import type { Assigned, Outcome } from '../../../carriers/ports/outcome.ts';
import type { NumberAssignment, RegistryPort } from '../../../carriers/ports/registry.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import type { Settlement, TwoPhases } from '../../../http/writes/phases.ts';
import type { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger, Scope } from '../../../lib/scope.ts';
import { cancelIdleJobs, enqueue } from '../../../queue/jobs/enqueue.ts';
import { assignFailed } from '../carrier-errors.ts';
import { lockNumber } from '../phone-numbers/queries.ts';
import { findMissing } from '../phone-numbers/references.ts';
import { setCampaignPending } from '../phone-numbers/report-queries.ts';
import type { PhoneNumber } from '../phone-numbers/schema.ts';
import { applyChange, type Change, lockChangeable, numberReleased } from '../phone-numbers/update-number.ts';
import { assignmentFor } from './assignment.ts';
import { assignmentJob, assignmentJobId } from './new-jobs.ts';
import { findAssignment } from './queries.ts';

type AttachContext = Pick<Context, 'carriers'>;

/** The request to the carrier. */
type CarrierRequest = {
  readonly registry: RegistryPort;
  readonly assignment: NumberAssignment;
  /** The number's campaign when the request began. */
  readonly before: string | null;
  /** True if this request queued the finishing job: no other assignment of the number was under way when it began. */
  readonly ownsJob: boolean;
};
/** `request` is null if the carrier need not be asked. */
type AttachIntent = { readonly request: CarrierRequest | null };

/**
 * Returns the steps of a change that attaches a campaign. The carrier registers the number first; then the whole change
 * is stored. Errors: the errors of `updateNumber`, carrier_unavailable, carrier_assign_failed.
 */
export function attachCampaign(
  { carriers }: AttachContext,
  scope: Scope,
  change: Change,
): TwoPhases<AttachIntent, Assigned, PhoneNumber> {
  return {
    begin: async (tx) => {
      const number = await lockChangeable(tx, scope, change);
      const campaignId = change.change.campaign_id ?? null;
      const { campaign_id: before, phone_number: phoneNumber } = number;
      // A number on order is registered when it becomes active.
      if (campaignId === null || campaignId === before || number.status === 'pending') return { request: null };
      const assignment = await assignmentFor(tx, scope, { phoneNumber, campaignId });
      if (assignment === null) return { request: null };
      const connection = (await findAssignment(tx, scope, number.id))?.messaging_connection_id ?? null;
      carriers.requireOpen('registry', scope, connection);
      const registry = carriers.registry(scope, connection);
      const ownsJob = (await enqueue(tx, [assignmentJob(scope, number.id, 'unless_finished')])) > 0;
      return { request: { registry, assignment, before, ownsJob } };
    },
    ask: async ({ request }) =>
      request === null ? { outcome: 'accepted' } : request.registry.assignNumber(scope, request.assignment),
    settle: async (tx, { request }, outcome) => settleAttach(tx, scope, { change, request, outcome }),
  };
}

type Attached = { change: Change; request: CarrierRequest | null; outcome: Outcome<Assigned> };

async function settleAttach(
  tx: Tx,
  scope: Scope,
  { change, request, outcome }: Attached,
): Promise<Settlement<PhoneNumber>> {
  const number = await lockNumber(tx, scope, change.id);
  const obstacle = await findObstacle(tx, scope, change, number);
  const isClear = outcome.outcome !== 'unknown' && obstacle === null;
  if (request !== null) await settleJob(tx, scope, { id: change.id, request, number, isClear });
  if (obstacle !== null) return { refusal: obstacle };
  if (outcome.outcome !== 'accepted') return { refusal: assignFailed() };
  const settled = { number: number as PhoneNumber, change: change.change, isAssigned: request !== null };
  const changed = await applyChange(tx, scope, settled);
  if (request === null) return { result: changed };
  return { result: await settlePending(tx, scope, changed, outcome.pending === true) };
}

/**
 * Stores whether the carrier has yet to confirm the assignment. Returns the number as it is then; before the
 * confirmation it is not ready for texts.
 */
export async function settlePending(
  tx: Tx,
  ledger: Ledger,
  number: PhoneNumber,
  isPending: boolean,
): Promise<PhoneNumber> {
  const { id, campaign_id: campaignId } = number;
  if (campaignId === null) return number;
  if (isPending) await enqueue(tx, [assignmentJob(ledger, id, 'while_pending')]);
  return (await setCampaignPending(tx, ledger, { id, campaignId, isPending })) ?? number;
}

/**
 * Checks the change again, because the number or a resource of the change may be removed during the request to the
 * carrier. Returns the error, or null.
 */
async function findObstacle(
  tx: Tx,
  scope: Scope,
  { change, references }: Change,
  number: PhoneNumber | undefined,
): Promise<ApiError | null> {
  if (number === undefined || number.status === 'released') return numberReleased();
  return await findMissing(tx, scope, references, { tenantId: number.tenant_id, ...change });
}

/**
 * Cancels the finishing job if the carrier's answer is clear and can be stored, and no other request changed the
 * number's assignment. Otherwise keeps the job or queues it again, so that the carrier gets the stored assignment.
 */
async function settleJob(
  tx: Tx,
  scope: Scope,
  {
    id,
    request,
    number,
    isClear,
  }: { id: string; request: CarrierRequest; number: PhoneNumber | undefined; isClear: boolean },
): Promise<void> {
  if (isClear && request.ownsJob && number?.campaign_id === request.before) {
    await cancelIdleJobs(tx, scope.ledgerId, [assignmentJobId(id)]);
  } else {
    await enqueue(tx, [assignmentJob(scope, id)]);
  }
}
