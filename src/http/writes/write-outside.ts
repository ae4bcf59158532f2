import type { Context } from '../../context.ts';
import { ignoreError } from '../../lib/ignore-error.ts';
import { stepAside } from '../limits/admission.ts';
import { answerOnce, type Exchange, readIdempotencyKey, sealAnswer, toAnswer } from './idempotency.ts';
import { forgetKey, leaseKey, renewLease, storeLeasedAnswer } from './idempotency-queries.ts';

/** After a crash a key is free again so many seconds later; an operation that takes longer renews its lease. */
const LEASE_S = 30;
const RENEW_EVERY_MS = 10_000;

type OutsideOptions = {
  /** It works on the database alone, and counts among the requests of its ledger until it is done. */
  readonly keepsPlace?: boolean;
};

/**
 * Carries out an operation that speaks to the outside and stores nothing, so that it needs no transaction and may
 * happen again after a crash; while it waits, others of its ledger come in. With an Idempotency-Key it takes the key for itself first, on all processes, and keeps
 * the reply once it is there; repeats get that. A refusal frees the key.
 * @returns what Fastify takes for the result: the reply, already sent
 */
export async function writeOutside<Result>(
  context: Pick<Context, 'db' | 'cipher' | 'singleFlight' | 'log'>,
  { request, reply, status }: Exchange,
  operation: () => Promise<Result>,
  { keepsPlace = false }: OutsideOptions = {},
): Promise<Result> {
  reply.code(status);
  const carryOut = () => {
    if (!keepsPlace) stepAside(request);
    return operation();
  };
  const once = readIdempotencyKey(request);
  if (once === undefined) return reply.send(await carryOut()) as Result;
  const { scope } = request;
  const { db, log } = context;
  return answerOnce(context, { request, reply, once }, async () => {
    if (!(await db.transaction((tx) => leaseKey(tx, scope, once, LEASE_S)))) return undefined;
    const renewal = setInterval(() => {
      ignoreError(renewLease(db, scope, once.key, LEASE_S), log, 'the lease holds for two more attempts');
    }, RENEW_EVERY_MS);
    try {
      const answer = toAnswer(reply, await carryOut());
      await storeLeasedAnswer(db, scope, once, sealAnswer(context, { scope, key: once.key }, answer));
      return answer;
    } catch (error) {
      // Before the reply, so that the corrected request may follow it at once.
      const freed = forgetKey(db, scope, once.key);
      ignoreError(freed, log, 'the lease runs out by itself');
      await Promise.allSettled([freed]);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  });
}
