import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { claimKey, findAnswer, inProgress, type StoredAnswer, storeAnswer } from './idempotency-queries.ts';

const KEY_CHARS_MAX = 255;
/** How long a repeat waits for a first request that is still running. */
const WAIT_MS = 5_000;
const POLL_MS = 50;

/** An Idempotency-Key with the request it stands for. */
export type IdempotentRequest = { readonly key: string; readonly fingerprint: Buffer };

/** Reads the header of a POST; undefined without one. Errors: invalid_body with param Idempotency-Key. */
export function readIdempotencyKey(request: FastifyRequest): IdempotentRequest | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined || request.method !== 'POST') return undefined;
  const key = String(header).trim();
  if (key === '' || key.length > KEY_CHARS_MAX) {
    throw new ApiError('invalid_body', {
      param: 'Idempotency-Key',
      message: `Idempotency-Key must have 1 to ${KEY_CHARS_MAX} characters.`,
    });
  }
  const path = request.url.split('?', 1)[0] as string;
  const fingerprint = createHash('sha256')
    .update(`${request.method}\n${path}\n${canonical(request.body ?? null)}`)
    .digest();
  return { key, fingerprint };
}

type WriteContext = Pick<Context, 'db' | 'cipher' | 'singleFlight'>;

/** The result of an operation as it goes out. */
type Answer = { status: number; body: string };

/** The same text for the same JSON value, in whatever order its fields were written. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** A write on its way: the request, where the reply goes and the status of success. */
export type Exchange = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly status: 200 | 201 | 204;
};

/**
 * Carries out a write in one transaction and replies with its result. With an Idempotency-Key the key, the effect and
 * the encrypted reply commit together; a repeat gets the first reply, and one that comes while the first is running
 * waits for it. Refusals are not kept.
 * @returns what Fastify takes for the result: the reply, already sent
 */
export async function write<Result>(
  context: WriteContext,
  exchange: Exchange,
  operation: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const { request, reply, status } = exchange;
  reply.code(status);
  const once = readIdempotencyKey(request);
  if (once === undefined) {
    const result = await context.db.transaction(operation);
    return reply.send(result) as Result;
  }
  return answerOnce(context, { request, reply, once }, () =>
    context.db.transaction(async (tx) => {
      if (!(await claimKey(tx, request.scope, once.key, once.fingerprint))) return undefined;
      const answer = toAnswer(reply, await operation(tx));
      await keepAnswer(context, tx, { scope: request.scope, key: once.key }, answer);
      return answer;
    }),
  );
}

type Repeatable = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly once: IdempotentRequest;
  /** Makes the first result again from the resource, where only its id was stored. */
  readonly rebuild?: (resourceId: string) => Promise<unknown>;
};

/**
 * Replies with what `first` returns, or, when it returns undefined because an earlier request has the key, with that
 * request's answer.
 */
export async function answerOnce<Result>(
  context: WriteContext,
  { request, reply, once, rebuild }: Repeatable,
  first: () => Promise<Answer | undefined>,
): Promise<Result> {
  const answer = await takeTurn(context, request.scope, once.key, first);
  if (answer !== undefined) return sendJson(reply.code(answer.status), answer.body) as Result;
  const stored = await awaitAnswer(context, request.scope, once);
  reply.header('idempotent-replayed', 'true').code(stored.status as number);
  if (stored.response === null && rebuild !== undefined) {
    return reply.send(await rebuild(stored.resource_id as string)) as Result;
  }
  return sendJson(reply, decrypt(context, request.scope, once.key, stored)) as Result;
}

/** The reply body of a result, by the route's response schema. */
export function toAnswer(reply: FastifyReply, result: unknown): Answer {
  const body = result === undefined ? '' : (reply.serialize(result as object) as string);
  return { status: reply.statusCode, body };
}

/** Stores an answer with the key it belongs to. */
export async function keepAnswer(
  context: Pick<Context, 'cipher'>,
  tx: Tx,
  { scope, key }: { scope: Scope; key: string },
  answer: Answer,
): Promise<void> {
  await storeAnswer(tx, scope, key, sealAnswer(context, { scope, key }, answer));
}

/** The answer as it is stored: it may hold a secret that is shown once. */
export function sealAnswer(
  { cipher }: Pick<Context, 'cipher'>,
  { scope, key }: { scope: Scope; key: string },
  { status, body }: Answer,
): { status: number; response: Buffer } {
  return { status, response: cipher.encrypt(body, cipherContext(scope, key)) };
}

/** Repeats that reach this process wait here, in memory, and not each on a database connection. */
async function takeTurn<T>(context: WriteContext, scope: Scope, key: string, work: () => Promise<T>): Promise<T> {
  const name = cipherContext(scope, key);
  const { turn, late } = await context.singleFlight.take(name, WAIT_MS, work);
  if (late) throw inProgress();
  return turn as T;
}

async function awaitAnswer(context: WriteContext, scope: Scope, once: IdempotentRequest): Promise<StoredAnswer> {
  for (let waitedMs = 0; waitedMs <= WAIT_MS; waitedMs += POLL_MS) {
    const stored = await findAnswer(context.db, scope, once.key);
    // The first request was refused between our claim and this look.
    if (stored === undefined) break;
    if (!stored.fingerprint.equals(once.fingerprint)) {
      throw new ApiError('idempotency_key_reuse', { param: 'Idempotency-Key' });
    }
    if (stored.status !== null) return stored;
    await sleep(POLL_MS);
  }
  throw inProgress();
}

function decrypt({ cipher }: WriteContext, scope: Scope, key: string, stored: StoredAnswer): string {
  return cipher.decrypt(stored.response as Buffer, cipherContext(scope, key)).toString('utf8');
}

/** Binds a ciphertext to its place: moved to another key or ledger, it does not open. */
function cipherContext(scope: Scope, key: string): string {
  return `idempotency:${scope.ledgerId}:${scope.tenantId ?? ''}:${key}`;
}

function sendJson(reply: FastifyReply, body: string): FastifyReply {
  if (body === '') return reply.send();
  return reply.type('application/json; charset=utf-8').send(body);
}
