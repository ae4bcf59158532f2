import type { FastifyRequest } from 'fastify';
import type { Database, Tx } from '../../db/database.ts';
import { readTraceparent } from '../../lib/http/traceparent.ts';
import { sleep } from '../../lib/time/time.ts';
import { releaseSlot } from '../limits/admission.ts';
import { answerOnce, type Exchange, type IdempotentRequest, type WriteContext, type WriteKey } from './idempotency.ts';
import type { OutsidePhase, Phases, PreparedPhases, TwoPhases } from './phases.ts';

/**
 * How long a carrier may take to answer, well below the delay of the finishing job. After this time the outcome is
 * `unknown`.
 */
const ASK_MS_MAX = 20_000;

/** Undefined if an earlier request has the key. Nothing was done in that case. */
type Run<Result> = Promise<{ result: Result } | undefined>;

/**
 * Carries out a write and replies with its result. With an Idempotency-Key:
 *
 * - The key, the effect and the encrypted reply commit together. A write in two phases commits the key with the intent,
 *   and the reply with the outcome. An `outside` operation leases the key before it starts, on all processes, and
 *   stores the reply after it ends.
 * - A repeat gets the first reply, even if the same request would be refused now. A repeat that comes while the first
 *   request runs waits up to 5 s, then gets idempotency_in_progress.
 * - A refusal is not stored, and its key is free. A failure that leaves an effect is stored like a result.
 *
 * @returns the reply, already sent: the value that Fastify takes for the result
 */
export async function write<Result, Prepared, Intent, Accepted, Refusal>(
  context: WriteContext,
  exchange: Exchange,
  phases: Phases<Result, Prepared, Intent, Accepted, Refusal>,
): Promise<Result> {
  const { request } = exchange;
  const db = tracedBy(request, context.db);
  const leaveSlot = () => releaseSlot(request);
  if (typeof phases === 'function') return await answerOnce(context, exchange, (key) => commit(db, key, phases));
  if (phases.begin !== undefined) {
    return await answerOnce(context, exchange, (key) => runTwoPhases({ db, key, leaveSlot }, phases));
  }
  if (phases.outside !== undefined) {
    return await answerOnce(context, exchange, (key) => runOutside({ key, leaveSlot }, phases));
  }
  leaveSlot();
  return await answerOnce(context, exchange, (key) => runPrepared(db, key, phases));
}

type Transactions = Pick<Database, 'transaction'>;

/** Returns transactions with the trace context of the request, so that their events have it too. */
function tracedBy({ headers }: FastifyRequest, db: Database): Transactions {
  const traceparent = readTraceparent(headers['traceparent']);
  return { transaction: (work) => db.transaction(work, { traceparent }) };
}

export type BatchedPhases<Result> = {
  /**
   * Carries out the write with its Idempotency-Key in a statement that other requests share. Resolves with undefined if
   * an earlier request has the key.
   */
  batch(once: IdempotentRequest | undefined): Promise<Result | undefined>;
  /** Makes the first result again from the resource. The batch stores the resource's id and not the reply. */
  rebuild(resourceId: string): Promise<Result>;
};

/**
 * Carries out a write in a statement that other requests share. The statement commits the key and the effect together.
 * Repeats are answered as `write` answers them.
 */
export async function writeBatched<Result>(
  context: WriteContext,
  exchange: Exchange,
  { batch, rebuild }: BatchedPhases<Result>,
): Promise<Result> {
  const run = async ({ once }: WriteKey): Run<Result> => {
    const result = await batch(once);
    return result && { result };
  };
  return await answerOnce(context, exchange, run, rebuild);
}

async function commit<Result>(db: Transactions, key: WriteKey, operation: (tx: Tx) => Promise<Result>): Run<Result> {
  return await db.transaction(async (tx) => {
    if (!(await key.claim(tx))) return undefined;
    const result = await operation(tx);
    await key.keep(tx, result);
    return { result };
  });
}

/** A repeat is answered before `prepare` asks a carrier. */
async function runPrepared<Prepared, Result>(
  db: Transactions,
  key: WriteKey,
  phases: PreparedPhases<Prepared, Result>,
): Run<Result> {
  if (await key.isTaken()) return undefined;
  const prepared = await phases.prepare();
  return commit(db, key, (tx) => phases.commit(tx, prepared));
}

type TwoPhaseRun = { readonly db: Transactions; readonly key: WriteKey; readonly leaveSlot: () => void };

async function runTwoPhases<Intent, Accepted, Result, Refusal>(
  { db, key, leaveSlot }: TwoPhaseRun,
  phases: TwoPhases<Intent, Accepted, Result, Refusal>,
): Run<Result> {
  const begun = await db.transaction(async (tx) => {
    if (!(await key.claim(tx))) return undefined;
    return { intent: await phases.begin(tx, key.pending) };
  });
  if (begun === undefined) return undefined;
  leaveSlot();
  const outcome = await askInTime(phases.ask(begun.intent));
  const settlement = await db.transaction(async (tx) => {
    const settled = await phases.settle(tx, begun.intent, outcome);
    if ('refusal' in settled) await key.free(tx);
    else if ('failure' in settled) await key.keepFailure(tx, settled.failure);
    else await key.keep(tx, settled.result);
    return settled;
  });
  if ('result' in settlement) return { result: settlement.result };
  // The error is thrown after the second transaction is committed.
  throw 'refusal' in settlement ? settlement.refusal : settlement.failure;
}

/** If the carrier does not answer within the limit, it may have acted or not. */
async function askInTime<Answer>(answer: Promise<Answer>): Promise<Answer | { readonly outcome: 'unknown' }> {
  const ended = new AbortController();
  const late = sleep(ASK_MS_MAX, { signal: ended.signal, ref: false }).then(() => ({ outcome: 'unknown' }) as const);
  try {
    return await Promise.race([answer, late]);
  } finally {
    ended.abort();
  }
}

/** During the operation, other requests of the ledger may use its slot. */
async function runOutside<Result>(
  { key, leaveSlot }: { readonly key: WriteKey; readonly leaveSlot: () => void },
  { outside, keepsSlot }: OutsidePhase<Result>,
): Run<Result> {
  return await key.holdLease(() => {
    if (!keepsSlot) leaveSlot();
    return outside();
  });
}
