import type { Context } from '../context.ts';
import { answerOnce, type Exchange, keepAnswer, readIdempotencyKey, toAnswer } from './idempotency.ts';
import { claimKey, findAnswer } from './idempotency-queries.ts';

/**
 * Carries out an operation that speaks to the outside and stores nothing, so that it needs no transaction and may
 * happen again after a crash. With an Idempotency-Key the reply is kept once it is there, and repeats get it.
 * @returns what Fastify takes for the result: the reply, already sent
 */
export async function writeOutside<Result>(
  context: Pick<Context, 'db' | 'cipher' | 'turns'>,
  { request, reply, status }: Exchange,
  operation: () => Promise<Result>,
): Promise<Result> {
  reply.code(status);
  const once = readIdempotencyKey(request);
  if (once === undefined) return reply.send(await operation()) as Result;
  const { scope } = request;
  return answerOnce(context, { request, reply, once }, async () => {
    if ((await findAnswer(context.db, scope, once.key)) !== undefined) return undefined;
    const answer = toAnswer(reply, await operation());
    return context.db.transaction(async (tx) => {
      if (!(await claimKey(tx, scope, once.key, once.fingerprint))) return undefined;
      await keepAnswer(context, tx, { scope, key: once.key }, answer);
      return answer;
    });
  });
}
