/**
 * Writes in which a carrier answers inside the request. The first transaction commits the Idempotency-Key and the
 * intent; the carrier is asked outside of any; the second commits the outcome with the reply kept for the key.
 *
 * A crash, or a failure of the second transaction, leaves the intent and the claimed key behind. So the first
 * transaction also stores a job that finishes what it finds, by the same `settle`, and then calls `answerPending`: a
 * repeat gets the reply that the first caller never saw, and the carrier is not asked for the same thing twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '../../carriers/ports/outcome.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { ApiError } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { stepAside } from '../limits/admission.ts';
import { answerOnce, type Exchange, keepAnswer, readIdempotencyKey, toAnswer } from './idempotency.ts';
import { claimKey, forgetKey } from './idempotency-queries.ts';

/** A carrier that has not answered by then may or may not have acted. Well below the delay of the finishing job. */
const ASK_MS_MAX = 20_000;

/** The key of a reply still owed. Plain JSON, so that it fits into the payload of the finishing job. */
export type PendingAnswer = { readonly scope: Scope; readonly key: string; readonly status: number };

/**
 * How an intent ended: with the result to reply, or withdrawn, so that the request is refused and its key is free. With
 * `failure` the result stands, and repeats with the key get it, but the request is told of what else went wrong.
 */
export type Settlement<Result> =
  | { readonly result: Result; readonly failure?: ApiError }
  | { readonly refusal: ApiError };

export type TwoPhaseSteps<Intent, Accepted, Result, Refusal = object> = {
  /**
   * First transaction: every check, the intent, and the job that finishes it after a crash, with `pending` in its
   * payload (null without an Idempotency-Key).
   */
  begin(tx: Tx, pending: PendingAnswer | null): Promise<Intent>;
  /** The carrier's answer. What it throws leaves the intent to the finishing job. */
  ask(intent: Intent): Promise<Outcome<Accepted, string, Refusal>>;
  /** Second transaction: writes the outcome, and cancels the finishing job unless the outcome is `unknown`. */
  settle(tx: Tx, intent: Intent, outcome: Outcome<Accepted, string, Refusal>): Promise<Settlement<Result>>;
};

/**
 * Carries out a write in two phases and replies with its result. A repeat with the same Idempotency-Key while the
 * first is under way waits up to 5 s, then gets idempotency_in_progress.
 * @returns what Fastify takes for the result: the reply, already sent
 */
export async function writeInTwoPhases<Intent, Accepted, Result, Refusal>(
  context: Pick<Context, 'db' | 'cipher' | 'singleFlight'>,
  { request, reply, status }: Exchange,
  steps: TwoPhaseSteps<Intent, Accepted, Result, Refusal>,
): Promise<Result> {
  reply.code(status);
  const once = readIdempotencyKey(request);
  if (once === undefined) {
    const intent = await context.db.transaction((tx) => steps.begin(tx, null));
    stepAside(request);
    return reply.send(await finish(context, steps, { intent, keep: undefined })) as Result;
  }
  const pending: PendingAnswer = { scope: request.scope, key: once.key, status };
  return answerOnce(context, { request, reply, once }, async () => {
    const begun = await context.db.transaction(async (tx) => {
      if (!(await claimKey(tx, request.scope, once.key, once.fingerprint))) return undefined;
      return { intent: await steps.begin(tx, pending) };
    });
    if (begun === undefined) return undefined;
    const keep = async (tx: Tx, settlement: Settlement<Result>) => {
      if ('refusal' in settlement) await forgetKey(tx, request.scope, once.key);
      else await keepAnswer(context, tx, pending, toAnswer(reply, settlement.result));
    };
    stepAside(request);
    const result = await finish(context, steps, { intent: begun.intent, keep });
    return toAnswer(reply, result);
  });
}

type Begun<Intent, Result> = {
  intent: Intent;
  keep: ((tx: Tx, settlement: Settlement<Result>) => Promise<void>) | undefined;
};

/** From the committed intent on: asks, settles, and throws a refusal once its withdrawal is committed. */
async function finish<Intent, Accepted, Result, Refusal>(
  { db }: Pick<Context, 'db'>,
  steps: TwoPhaseSteps<Intent, Accepted, Result, Refusal>,
  { intent, keep }: Begun<Intent, Result>,
): Promise<Result> {
  const outcome = await askInTime(steps.ask(intent));
  const settlement = await db.transaction(async (tx) => {
    const settled = await steps.settle(tx, intent, outcome);
    await keep?.(tx, settled);
    return settled;
  });
  if ('refusal' in settlement) throw settlement.refusal;
  if (settlement.failure !== undefined) throw settlement.failure;
  return settlement.result;
}

async function askInTime<Answer>(answer: Promise<Answer>): Promise<Answer | { readonly outcome: 'unknown' }> {
  const ended = new AbortController();
  const late = sleep(ASK_MS_MAX, { outcome: 'unknown' } as const, { signal: ended.signal, ref: false });
  try {
    return await Promise.race([answer, late]);
  } finally {
    ended.abort();
  }
}

/**
 * For the finishing job: keeps the reply for the key, or frees the key after a refusal. Does nothing where the reply
 * has been given meanwhile.
 */
export async function answerPending(
  context: Pick<Context, 'cipher'>,
  tx: Tx,
  { scope, key, status }: PendingAnswer,
  settlement: Settlement<object>,
): Promise<void> {
  if ('refusal' in settlement) await forgetKey(tx, scope, key);
  else await keepAnswer(context, tx, { scope, key }, { status, body: JSON.stringify(settlement.result) });
}
