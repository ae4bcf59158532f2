import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { stepAside } from '../limits/admission.ts';
import { answerOnce, type Exchange, keepAnswer, readIdempotencyKey, toAnswer } from './idempotency.ts';
import { claimKey, findAnswer } from './idempotency-queries.ts';

export type PreparedSteps<Prepared, Result> = {
  /** Outside of any transaction and without an effect: what the carrier has to say first. It may happen again. */
  prepare(): Promise<Prepared>;
  /** Judges what was prepared, and carries out the write. */
  commit(tx: Tx, prepared: Prepared): Promise<Result>;
};

/**
 * Carries out a write that needs to know something from outside first. As `write` otherwise: key, effect and reply
 * commit together. A repeat is answered before anything is judged, so that it gets its reply even if the same request
 * would be refused by now.
 * @returns what Fastify takes for the result: the reply, already sent
 */
export async function writePrepared<Prepared, Result>(
  context: Pick<Context, 'db' | 'cipher' | 'singleFlight'>,
  { request, reply, status }: Exchange,
  { prepare, commit }: PreparedSteps<Prepared, Result>,
): Promise<Result> {
  reply.code(status);
  stepAside(request);
  const { db } = context;
  const once = readIdempotencyKey(request);
  if (once === undefined) {
    const prepared = await prepare();
    return reply.send(await db.transaction((tx) => commit(tx, prepared))) as Result;
  }
  const { scope } = request;
  return answerOnce(context, { request, reply, once }, async () => {
    if ((await findAnswer(db, scope, once.key)) !== undefined) return undefined;
    const prepared = await prepare();
    return db.transaction(async (tx) => {
      if (!(await claimKey(tx, scope, once.key, once.fingerprint))) return undefined;
      const answer = toAnswer(reply, await commit(tx, prepared));
      await keepAnswer(context, tx, { scope, key: once.key }, answer);
      return answer;
    });
  });
}
