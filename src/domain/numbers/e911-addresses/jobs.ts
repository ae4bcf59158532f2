import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Assigned, Outcome } from '../../../carriers/ports/outcome.ts';
import type { Context } from '../../../context.ts';
import { answerPending } from '../../../http/writes/idempotency.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { CARRIER_JOBS_LINGERING, type Job, type JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { PENDING_CHECK_MS } from '../phone-numbers/rules.ts';
import {
  ASSIGN_JOB,
  type AssignPayload,
  assignJob,
  REGISTER_JOB,
  REMOVE_JOB,
  type RegisterPayload,
  type RemovePayload,
} from './new-jobs.ts';
import {
  detachAddress,
  findRegistration,
  type NumberRegistration,
  setAddressPending,
  storeHolder,
} from './number-queries.ts';
import { type AddressOutcome, settleAddress } from './settle-address.ts';

/** An address in the form that its carrier needs. */
type Place = { readonly ref: string; readonly carrierRef: string };

type JobContext = Pick<Context, 'db' | 'cipher' | 'carriers' | 'log' | 'settings'>;

/** Returns the job handlers of emergency addresses. */
export function e911Jobs(context: JobContext): JobHandler[] {
  const shared = { queue: 'default', lingeringMax: CARRIER_JOBS_LINGERING } as const;
  return [
    { ...shared, kind: REGISTER_JOB, run: ([job]) => reconcile(context, job as Job<RegisterPayload>) },
    { ...shared, kind: REMOVE_JOB, run: ([job]) => requestRemoval(context, job as Job<RemovePayload>) },
    { ...shared, kind: ASSIGN_JOB, run: ([job]) => assign(context, job as Job<AssignPayload>) },
  ];
}

/** Finishes a registration whose request ended without an outcome, and stores the reply for the Idempotency-Key. */
async function reconcile(context: JobContext, job: Job<RegisterPayload>): Promise<void> {
  const { ledger, addressId, connectionId = null, pending } = job.payload;
  const outcome = await outcomeOf(context, job.payload);
  await context.db.transaction(async (tx) => {
    const settlement = await settleAddress(tx, { ledger, addressId, connectionId, by: 'reconciler' }, outcome);
    await completeJobs(tx, [job]);
    if (pending !== null) await answerPending(context, tx, pending, settlement);
  });
}

async function outcomeOf({ carriers }: JobContext, payload: RegisterPayload): Promise<AddressOutcome> {
  const { ledger, addressId: ref, address, connectionId = null } = payload;
  const carrier = carriers.e911(ledger, connectionId);
  const found = await carrier.findAddress(ledger, ref);
  if (found.found === 'accepted') return { outcome: 'accepted', carrierRef: found.carrierRef };
  if (found.found === 'undecided') throw new Error(`the carrier has not decided on the address ${ref}`);
  const outcome = await carrier.registerAddress(ledger, { ref, address });
  if (outcome.outcome === 'accepted' || outcome.outcome === 'rejected') return outcome;
  throw new Error(`the registration of ${ref} has no outcome yet: ${outcome.outcome}`);
}

/**
 * Registers the number where its address is, after removing it from another connection that has it. The order leaves a
 * number without an address for a moment, never with two.
 */
async function assignAt(
  { db, carriers }: Pick<JobContext, 'db' | 'carriers'>,
  ledger: Ledger,
  numberId: string,
  wanted: NumberRegistration,
): Promise<Outcome<Assigned>> {
  const { phone_number: phoneNumber, carrier_ref: carrierRef, holder_id: holderId, address_id: addressId } = wanted;
  const connectionId = addressId === null ? holderId : wanted.connection_id;
  const assignIn = async (connection: ConnectionId, address: Place | null): Promise<Outcome<Assigned>> => {
    const outcome = await carriers.e911(ledger, connection).assignAddress(ledger, { phoneNumber, address });
    if (outcome.outcome === 'accepted') {
      await storeHolder(db, ledger, { numberId, connectionId: address === null ? null : connection });
    }
    return outcome;
  };
  if (holderId !== null && holderId !== connectionId) {
    const removed = await assignIn(holderId, null);
    if (removed.outcome !== 'accepted') return removed;
  }
  // No connection has registered this live number.
  if (connectionId === null && ledger.mode === 'live') return { outcome: 'accepted' };
  return assignIn(connectionId, addressId === null || carrierRef === null ? null : { ref: addressId, carrierRef });
}

/** Removes an address at the carrier. Throws without an outcome, so that the job runs again. */
async function requestRemoval({ carriers, log }: JobContext, job: Job<RemovePayload>): Promise<void> {
  const { ledger, addressId: ref, carrierRef, connectionId = null } = job.payload;
  const outcome = await carriers.e911(ledger, connectionId).removeAddress(ledger, { ref, carrierRef });
  if (outcome.outcome === 'accepted') return;
  if (outcome.outcome !== 'rejected') throw new Error(`the removal of ${ref} has no outcome yet: ${outcome.outcome}`);
  log.error({ e911_address_id: ref, reason: outcome.reason }, 'the carrier refused to remove an emergency address');
}

/**
 * Registers a number at its present address. Reads the number again afterwards and throws if the address has changed,
 * so that the job runs again: of two jobs that run for one number, the last request to the carrier must be right. While
 * the carrier has yet to confirm the address, the job asks again from time to time.
 */
async function assign({ db, carriers, log }: JobContext, job: Job<AssignPayload>): Promise<void> {
  const { ledger, numberId, check } = job.payload;
  const wanted = await findRegistration(db, ledger, numberId);
  if (wanted === undefined || wanted.status === 'released' || (check && !wanted.is_pending)) return;
  if (wanted.status === 'pending') throw new Error(`the number ${numberId} is still on order`);
  const { address_id: addressId } = wanted;
  const outcome = await assignAt({ db, carriers }, ledger, numberId, wanted);
  if (outcome.outcome === 'rejected') {
    log.error({ number_id: numberId, reason: outcome.reason }, 'the carrier refused the emergency address of a number');
    if (addressId === null) return;
    // An address that help is not sent to must not be shown. If the carrier still has an earlier address, it must not
    // send help there: the new job removes it.
    await db.transaction(async (tx) => {
      if (await detachAddress(tx, ledger, { numberId, addressId })) await enqueue(tx, [assignJob(ledger, numberId)]);
      await completeJobs(tx, [job]);
    });
    return;
  }
  if (outcome.outcome !== 'accepted') throw new Error(`no outcome yet for ${numberId}: ${outcome.outcome}`);
  const isPending = outcome.pending === true;
  await db.transaction(async (tx) => {
    if (addressId !== null) await setAddressPending(tx, ledger, { numberId, addressId, isPending });
    const now = await findRegistration(tx, ledger, numberId);
    if (now !== undefined && now.status !== 'released' && now.address_id !== addressId) {
      throw new Error(`the address of ${numberId} changed while it was being registered`);
    }
    if (!isPending) return completeJobs(tx, [job]);
    const payload: AssignPayload = { ...job.payload, check: true };
    return rescheduleJob(tx, job, { delayMs: PENDING_CHECK_MS, payload });
  });
}
