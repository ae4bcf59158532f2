import type { Outcome } from '../../../carriers/ports/outcome.ts';
import type { NumberAssignment, RegistryPort } from '../../../carriers/ports/registry.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import type { Settlement, TwoPhases } from '../../../http/writes/phases.ts';
import type { ApiError } from '../../../lib/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { cancelIdleJobs, enqueue } from '../../../queue/jobs/enqueue.ts';
import { lockNumber } from '../phone-numbers/queries.ts';
import { findMissing } from '../phone-numbers/references.ts';
import type { PhoneNumber } from '../phone-numbers/schema.ts';
import { applyChange, type Change, lockChangeable, numberReleased } from '../phone-numbers/update-number.ts';
import { assignFailed, assignmentFor } from './assignment.ts';
import { assignmentJob, assignmentJobName } from './assignment-job.ts';

type AttachContext = Pick<Context, 'carriers'>;

/** What the carrier is asked, where it is asked anything. */
type Question = {
  readonly registry: RegistryPort;
  readonly assignment: NumberAssignment;
  /** The campaign that the number had. */
  readonly before: string | null;
  /** The finishing job is this request's own: nobody else was at the number's assignment when it began. */
  readonly ownsJob: boolean;
};
type AttachIntent = { readonly question: Question | null };

/**
 * The steps of a change that attaches a campaign: the carrier is asked first, and all of the change is stored once it
 * has registered the number. Errors: as `updateNumber`, and carrier_unavailable, carrier_assign_failed.
 */
export function attachCampaign(
  { carriers }: AttachContext,
  scope: Scope,
  change: Change,
): TwoPhases<AttachIntent, object, PhoneNumber> {
  return {
    begin: async (tx) => {
      const number = await lockChangeable(tx, scope, change);
      const campaignId = change.change.campaign_id ?? null;
      const { campaign_id: before, phone_number: phoneNumber } = number;
      // A number on order is registered when it has come.
      if (campaignId === null || campaignId === before || number.status === 'pending') return { question: null };
      const assignment = await assignmentFor(tx, scope, { phoneNumber, campaignId });
      if (assignment === null) return { question: null };
      const registry = carriers.registry(scope);
      const ownsJob = (await enqueue(tx, [assignmentJob(scope, number.id, 'unless_finished')])) > 0;
      return { question: { registry, assignment, before, ownsJob } };
    },
    ask: async ({ question }) =>
      question === null ? { outcome: 'accepted' } : question.registry.assignNumber(scope, question.assignment),
    settle: async (tx, { question }, outcome) => settleAttach(tx, scope, { change, question, outcome }),
  };
}

type Attached = { change: Change; question: Question | null; outcome: Outcome<object> };

async function settleAttach(
  tx: Tx,
  scope: Scope,
  { change, question, outcome }: Attached,
): Promise<Settlement<PhoneNumber>> {
  const number = await lockNumber(tx, scope, change.id);
  const obstacle = await findObstacle(tx, scope, change, number);
  const isClear = outcome.outcome !== 'unknown' && obstacle === null;
  if (question !== null) await settleJob(tx, scope, { id: change.id, question, number, isClear });
  if (obstacle !== null) return { refusal: obstacle };
  if (outcome.outcome !== 'accepted') return { refusal: assignFailed() };
  const settled = { number: number as PhoneNumber, change: change.change, isAssigned: question !== null };
  return { result: await applyChange(tx, scope, settled) };
}

/** What stands against the change by now: the number, or what it is to refer to, may have gone while the carrier was asked. */
async function findObstacle(
  tx: Tx,
  scope: Scope,
  { change, references }: Change,
  number: PhoneNumber | undefined,
): Promise<ApiError | null> {
  if (number === undefined || number.status === 'released') return numberReleased();
  return findMissing(tx, scope, references, { tenantId: number.tenant_id, ...change });
}

/**
 * The job is not needed where the carrier gave a clear answer that can be stored, and nobody else was at the number
 * meanwhile. Otherwise it is left, or planned anew, to bring the carrier to what is stored.
 */
async function settleJob(
  tx: Tx,
  scope: Scope,
  {
    id,
    question,
    number,
    isClear,
  }: { id: string; question: Question; number: PhoneNumber | undefined; isClear: boolean },
): Promise<void> {
  if (isClear && question.ownsJob && number?.campaign_id === question.before) {
    await cancelIdleJobs(tx, scope.ledgerId, [assignmentJobName(id)]);
  } else {
    await enqueue(tx, [assignmentJob(scope, id)]);
  }
}
