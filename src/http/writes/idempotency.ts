import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Database, Tx } from '../../db/database.ts';
import { ApiError, type ErrorCode } from '../../lib/errors/errors.ts';
import { ignoreError } from '../../lib/errors/ignore-error.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { every, sleep } from '../../lib/time/time.ts';
import { defineDeletion, type Sweep } from '../../queue/worker/sweep.ts';
import { toEnvelope } from '../edge/envelope.ts';
import { noteResult } from '../edge/request-tenant.ts';
import type { ErrorEnvelope } from '../schemas/schemas.ts';
import { answerContext } from './answer-context.ts';
import {
  claimKey,
  deleteExpiredKeys,
  findAnswer,
  forgetKey,
  inProgress,
  leaseKey,
  renewLease,
  type StoredAnswer,
  storeAnswer,
  storeLeasedAnswer,
} from './idempotency-queries.ts';
import type { PendingAnswer, Settlement } from './phases.ts';

export const KEY_CHARS_MAX = 255;
/** How long a repeat waits while the first request is running. */
const WAIT_MS = 5_000;
const POLL_MS = 50;
/** After a crash, a leased key is free after this time. An operation that takes longer renews its lease. */
const LEASE_S = 30;
const RENEW_EVERY_MS = 10_000;

/** An Idempotency-Key with the request it stands for. */
export type IdempotentRequest = { readonly key: string; readonly fingerprint: Buffer };

export type WriteContext = Pick<Context, 'db' | 'cipher' | 'singleFlight' | 'log' | 'settings'>;

/** A write request, its reply, and the status code of a success. */
export type Exchange = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly status: 200 | 201 | 202 | 204;
};

/** The steps of a write with its Idempotency-Key. Without a key each step succeeds and does nothing. */
export type WriteKey = {
  /** Undefined without a key. */
  readonly once: IdempotentRequest | undefined;
  /** Part of the payload of a finishing job; null without a key. */
  readonly pending: PendingAnswer | null;
  /** True if an earlier request has the key. Claims nothing. */
  isTaken(): Promise<boolean>;
  /** Claims the key in the transaction of the effect. Returns false if an earlier request has it. */
  claim(tx: Tx): Promise<boolean>;
  /** Stores the reply with the claimed key. */
  keep(tx: Tx, result: unknown): Promise<void>;
  /** Stores an error as the reply to the request and to its repeats. */
  keepFailure(tx: Tx, error: ApiError): Promise<void>;
  /** Frees the claimed key after a refusal. */
  free(tx: Tx): Promise<void>;
  /**
   * Leases the key, runs the operation, and stores the reply. Frees the key if the operation fails.
   * @returns undefined if an earlier request has the key
   */
  holdLease<Result>(operation: () => Promise<Result>): Promise<{ result: Result } | undefined>;
};

const WITHOUT_KEY: WriteKey = {
  once: undefined,
  pending: null,
  isTaken: async () => false,
  claim: async () => true,
  keep: () => Promise.resolve(),
  keepFailure: () => Promise.resolve(),
  free: () => Promise.resolve(),
  holdLease: async (operation) => ({ result: await operation() }),
};

/** Reads the header of a POST; undefined if there is none. Errors: invalid_body with param Idempotency-Key. */
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

/**
 * Replies with the result of `run`. If `run` returns undefined because an earlier request has the key, replies with the
 * answer to that request. If only the id of the resource was stored, `rebuild` makes that answer again.
 * @returns the reply, already sent: the value that Fastify takes for the result
 */
export async function answerOnce<Result>(
  context: WriteContext,
  { request, reply, status }: Exchange,
  run: (key: WriteKey) => Promise<{ result: Result } | undefined>,
  rebuild?: (resourceId: string) => Promise<Result>,
): Promise<Result> {
  reply.code(status);
  const once = readIdempotencyKey(request);
  if (once === undefined) {
    const done = await run(WITHOUT_KEY);
    if (done === undefined) throw new ApiError('internal_error', { cause: new Error('the write had no result') });
    return reply.send(done.result) as Result;
  }
  const { scope } = request;
  // The stored reply and the sent reply are the same text.
  let last: { result: unknown; body: string } | undefined;
  const bodyOf = (result: unknown) => {
    if (last === undefined || last.result !== result) last = { result, body: serialise(reply, result) };
    return last.body;
  };
  const pending = { scope, key: once.key, status, requestId: request.id };
  const done = await takeTurn(context, scope, once.key, () => run(createKey(context, { pending, once, bodyOf })));
  if (done !== undefined) {
    noteResult(request, done.result);
    return sendJson(reply, bodyOf(done.result)) as Result;
  }
  const stored = await awaitAnswer(context, scope, once);
  reply.header('idempotent-replayed', 'true').code(stored.status as number);
  if (stored.response === null && rebuild !== undefined) {
    return reply.send(await rebuild(stored.resource_id as string)) as Result;
  }
  const body = decrypt(context, scope, once.key, stored);
  if ((stored.status as number) >= 400) nameError(request, reply, body);
  return sendJson(reply, body) as Result;
}

/** Sends a replayed error. Its request id is that of its body, which names the request that failed. */
function nameError(request: FastifyRequest, reply: FastifyReply, body: string): void {
  const { error, request_id } = JSON.parse(body) as ErrorEnvelope;
  request.errorCode = error.code as ErrorCode;
  reply.header('request-id', request_id);
}

/** The context that a finishing job needs to store a reply. */
export type FinishContext = Pick<Context, 'cipher' | 'settings'>;

/**
 * Called by a finishing job. Stores the reply for the key, or frees the key after a refusal. Does nothing if the
 * request has stored its reply.
 */
export async function answerPending(
  context: FinishContext,
  tx: Tx,
  pending: PendingAnswer,
  settlement: Settlement<object>,
): Promise<void> {
  const { scope, key } = pending;
  if ('refusal' in settlement) await forgetKey(tx, scope, key);
  else if ('failure' in settlement) await storeAnswer(tx, scope, key, sealError(context, pending, settlement.failure));
  else await storeAnswer(tx, scope, key, seal(context, pending, JSON.stringify(settlement.result)));
}

const SWEEP_EVERY_MS = 10 * 60_000;
const SWEEP_ROWS = 1_000;

/** Deletes idempotency keys whose window is over in the time of their ledger. Works in batches, so locks are short. */
export function createIdempotencySweep(db: Database): Sweep {
  return defineDeletion({
    db,
    name: 'idempotency_keys',
    everyMs: SWEEP_EVERY_MS,
    rowsMax: SWEEP_ROWS,
    remove: (rowsMax) => deleteExpiredKeys(db, rowsMax),
  });
}

type KeyOptions = {
  readonly pending: PendingAnswer;
  readonly once: IdempotentRequest;
  readonly bodyOf: (result: unknown) => string;
};

function createKey(context: WriteContext, { pending, once, bodyOf }: KeyOptions): WriteKey {
  const { db } = context;
  const { key, fingerprint } = once;
  const { scope } = pending;
  return {
    once,
    pending,
    isTaken: async () => (await findAnswer(db, scope, key)) !== undefined,
    claim: (tx) => claimKey(tx, scope, key, fingerprint),
    keep: (tx, result) => storeAnswer(tx, scope, key, seal(context, pending, bodyOf(result))),
    keepFailure: (tx, error) => storeAnswer(tx, scope, key, sealError(context, pending, error)),
    free: (tx) => forgetKey(tx, scope, key),
    holdLease: (operation) =>
      underLease(context, { scope, once }, async () => {
        const result = await operation();
        await storeLeasedAnswer(db, scope, once, seal(context, pending, bodyOf(result)));
        return { result };
      }),
  };
}

async function underLease<Done>(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { scope, once }: { readonly scope: Scope; readonly once: IdempotentRequest },
  work: () => Promise<Done>,
): Promise<Done | undefined> {
  if (!(await db.transaction((tx) => leaseKey(tx, scope, once, LEASE_S)))) return undefined;
  const renewal = every(RENEW_EVERY_MS, () => {
    ignoreError(renewLease(db, scope, once.key, LEASE_S), log, 'the lease lasts for two more attempts');
  }).unref();
  try {
    return await work();
  } catch (error) {
    // The key is freed before the reply is sent, so that the corrected request may follow immediately.
    const freed = forgetKey(db, scope, once.key);
    ignoreError(freed, log, 'the lease expires by itself');
    await Promise.allSettled([freed]);
    throw error;
  } finally {
    renewal.cancel();
  }
}

/**
 * Runs `work` when earlier requests with the key have ended. Requests wait in memory, so that they hold no database
 * connection.
 */
async function takeTurn<T>(context: WriteContext, scope: Scope, key: string, work: () => Promise<T>): Promise<T> {
  const name = answerContext(scope, key);
  const flight = await context.singleFlight.run(name, WAIT_MS, work);
  if (flight.late) throw inProgress();
  return flight.result;
}

async function awaitAnswer(context: WriteContext, scope: Scope, once: IdempotentRequest): Promise<StoredAnswer> {
  for (let waitedMs = 0; waitedMs <= WAIT_MS; waitedMs += POLL_MS) {
    const stored = await findAnswer(context.db, scope, once.key);
    // The first request was refused after our claim failed and before its answer was read.
    if (stored === undefined) break;
    if (!stored.fingerprint.equals(once.fingerprint)) {
      throw new ApiError('idempotency_key_reuse', { param: 'Idempotency-Key' });
    }
    if (stored.status !== null) return stored;
    await sleep(POLL_MS);
  }
  throw inProgress();
}

/** Returns the same text for equal JSON values, whatever the order of their fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Returns the reply body of a result, written by the route's response schema. */
function serialise(reply: FastifyReply, result: unknown): string {
  return result === undefined ? '' : (reply.serialize(result as object) as string);
}

/** Encrypts the reply for storage, because it may contain a secret that is shown only once. */
function seal({ cipher }: Pick<Context, 'cipher'>, { scope, key, status }: PendingAnswer, body: string) {
  return { status, response: cipher.encrypt(body, answerContext(scope, key)) };
}

/** Encrypts the reply that the error handler sends for an error. */
function sealError(context: FinishContext, pending: PendingAnswer, error: ApiError) {
  const { requestId = newId('request') } = pending;
  const envelope = toEnvelope(error, { publicUrl: context.settings.publicUrl, requestId });
  return seal(context, { ...pending, status: error.status }, JSON.stringify(envelope));
}

function decrypt({ cipher }: WriteContext, scope: Scope, key: string, stored: StoredAnswer): string {
  return cipher.decrypt(stored.response as Buffer, answerContext(scope, key)).toString('utf8');
}

function sendJson(reply: FastifyReply, body: string): FastifyReply {
  if (body === '') return reply.send();
  return reply.type('application/json; charset=utf-8').send(body);
}
