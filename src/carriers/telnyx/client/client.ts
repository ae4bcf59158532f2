/**
 * Requests to Telnyx's API v2. The client classifies every answer. It sends no request twice: the caller decides
 * whether to send it again. No log line contains a body, a number or a key.
 */
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import { ApiError } from '../../../lib/errors/errors.ts';
import { readBounded } from '../../../lib/http/bounded-body.ts';
import { parseRetryAfter, RETRY_AFTER_MAX_MS } from '../../../lib/http/retry-after.ts';
import { Agent, request } from '../../../lib/http/undici.ts';
import { isUnsent } from '../../../lib/http/unsent-request.ts';
import { listAt, parseJson, textAt, valueAt } from '../../../lib/json-object.ts';
import { monotonicMs, now } from '../../../lib/time/time.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { requestSignalWithin } from '../../ports/request-signal.ts';
import { refusedByAccount, type TelnyxError } from './errors.ts';
import type { Recorder } from './recorder.ts';

/**
 * - answered: Telnyx has carried out the request.
 * - refused: Telnyx has considered the request and will not carry it out.
 * - busy: Telnyx gets too many requests, and has dropped this one.
 * - locked_out: the key is not valid, so any request would fail.
 * - unreachable: the request was not sent.
 * - unclear: Telnyx may have carried out the request.
 */
export type Answer =
  | { readonly is: 'answered'; readonly body: unknown }
  | { readonly is: 'refused'; readonly status: number; readonly errors: readonly TelnyxError[] }
  | { readonly is: 'busy'; readonly errors: readonly TelnyxError[]; readonly retryAfterMs?: number }
  | { readonly is: 'locked_out' | 'unreachable' | 'unclear' };

type Unanswered = Exclude<Answer, { is: 'answered' | 'refused' }>;

type TelnyxRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below /v2. It has names in braces in place of `params`, and is logged in this form. */
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body?: object;
  /** How long the request may take, if not the client's default. */
  readonly requestMs?: number;
};

export type TelnyxClient = {
  ask(asked: TelnyxRequest): Promise<Answer>;
  /** Aborts all requests. */
  close(): Promise<void>;
};

/** A parameter that requests the longest page of a list. Without it Telnyx sends 20 entries. */
export const LONGEST_PAGE = ['page[size]', '250'] as const;

type ClientOptions = {
  /** The address of the API with its version, without a trailing slash. */
  readonly url: string;
  readonly key: string;
  /** The id of the connection, for the log. */
  readonly connection: string;
  readonly log: Logger;
  readonly record?: Recorder | undefined;
  /** How long a request may take until the last byte of its answer. */
  readonly requestMs?: number;
};

const REQUEST_MS = 5_000;
const CONNECT_MS = 3_000;
/** More than the request limit of a connection. */
const CONNECTIONS_MAX = 256;
const ANSWER_BYTES_MAX = 2_000_000;

export function createClient(options: ClientOptions): TelnyxClient {
  const { url, key, connection, log, record, requestMs = REQUEST_MS } = options;
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_MS },
    connections: CONNECTIONS_MAX,
    // The time limit of the request includes headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const send = async (asked: TelnyxRequest): Promise<Seen> => {
    const { method, path, params = {}, query = [], body } = asked;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const search = query.length === 0 ? '' : `?${new URLSearchParams(query.map(([name, value]) => [name, value]))}`;
    try {
      const reply = await request(`${url}${filled}${search}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        dispatcher,
        signal: requestSignalWithin(asked.requestMs ?? requestMs),
      });
      return await readAnswer(reply);
    } catch (error) {
      return { answer: { is: isUnsent(error) ? 'unreachable' : 'unclear' }, logged: { problem: nameOf(error) } };
    }
  };
  return {
    ask: async (asked) => {
      const startedAt = monotonicMs();
      const { answer, logged, received } = await send(asked);
      const operation = `${asked.method} ${asked.path}`;
      const codes = 'errors' in answer ? answer.errors.map(({ code }) => code) : undefined;
      const entry = { connection, operation, answer: answer.is, ms: Math.round(monotonicMs() - startedAt), codes };
      if (answer.is === 'answered') log.debug({ ...entry, ...logged }, 'Telnyx answered');
      else log.warn({ ...entry, ...logged }, 'Telnyx did not carry out a request');
      record?.({ operation, status: logged.status ?? null, sent: asked.body ?? null, received });
      return answer;
    },
    close: () => dispatcher.destroy(),
  };
}

type Seen = {
  readonly answer: Answer;
  /** The part of a request that is logged. */
  readonly logged: {
    readonly status?: number;
    /** Telnyx's id of the request. */
    readonly requestId?: string;
    readonly problem?: string;
  };
  /** The unchanged body of the reply. */
  readonly received?: unknown;
};

async function readAnswer(reply: Dispatcher.ResponseData): Promise<Seen> {
  const { statusCode: status, headers } = reply;
  const requestId = String(headers['x-request-id'] ?? '');
  // A reply that is too long is not from Telnyx.
  const bytes = await readBounded(reply.body, ANSWER_BYTES_MAX);
  const body = bytes === undefined ? undefined : parseJson(bytes.toString());
  const logged = { status, ...(requestId !== '' && { requestId }) };
  return { answer: classify(status, headers, body), logged, received: body };
}

/** Classifies an answer. A reply that is not JSON may come from a proxy in between. */
function classify(status: number, headers: Dispatcher.ResponseData['headers'], body: unknown): Answer {
  if (status === 401) return { is: 'locked_out' };
  if (status === 429) {
    const retryAfterMs = parseRetryAfter(headers['retry-after'], now()) ?? readReset(headers['x-ratelimit-reset']);
    return { is: 'busy', errors: readErrors(body), ...(retryAfterMs !== null && { retryAfterMs }) };
  }
  if (status >= 200 && status < 300) return body === undefined ? { is: 'unclear' } : { is: 'answered', body };
  // Telnyx may have begun to carry out a request that took too long or failed at Telnyx.
  if (status >= 500 || status === 408 || status < 400) return { is: 'unclear' };
  return { is: 'refused', status, errors: readErrors(body) };
}

/** The first second of 2001, as a Unix time. A longer wait is never meant, so a larger number is a Unix time. */
const UNIX_TIME_MIN = 978_307_200;

/**
 * Returns how long to wait until a request limit is reset. Telnyx's pages contradict each other: the header has either
 * the seconds until then, or the Unix time.
 */
function readReset(header: string | string[] | undefined): number | null {
  const reset = Number(Array.isArray(header) ? header[0] : header);
  if (!(reset >= UNIX_TIME_MIN)) return parseRetryAfter(header, now());
  return Math.min(Math.max(reset * 1_000 - now(), 0), RETRY_AFTER_MAX_MS);
}

/** Reads errors in both forms: Telnyx's own, and that of the 10DLC registry. */
function readErrors(body: unknown): TelnyxError[] {
  const reported = listAt(body, 'errors').map(readError);
  const ofRegistry = listAt(body, 'detail').map((error) => ({
    code: textAt(error, 'type') ?? '',
    title: textAt(error, 'type') ?? '',
    detail: textAt(error, 'msg') ?? '',
  }));
  return [...reported, ...ofRegistry];
}

/** Reads an error of Telnyx's own form, in an answer or in a report. */
export function readError(error: unknown): TelnyxError {
  const title = textAt(error, 'title') ?? '';
  return { code: String(valueAt(error, 'code') ?? ''), title, detail: textAt(error, 'detail') ?? title };
}

function codeOf(error: unknown): string {
  return textAt(error, 'code') ?? '';
}

function nameOf(error: unknown): string {
  return codeOf(error) || (error instanceof Error ? error.name : 'unknown');
}

/** Returns the outcome of a command that Telnyx has neither carried out nor refused. */
export function outcomeOf(
  answer: Unanswered,
):
  | { outcome: 'unknown' }
  | { outcome: 'unavailable'; cause: 'unreachable' }
  | { outcome: 'unavailable'; retryAfterMs?: number } {
  switch (answer.is) {
    case 'unclear':
      return { outcome: 'unknown' };
    case 'busy':
      return {
        outcome: 'unavailable',
        ...(answer.retryAfterMs !== undefined && { retryAfterMs: answer.retryAfterMs }),
      };
    case 'locked_out':
    case 'unreachable':
      return { outcome: 'unavailable', cause: 'unreachable' };
  }
}

/** Returns the outcome of a command that needs no data from its answer. */
export function conclude(answer: Answer): Outcome<object> {
  if (answer.is === 'answered') return { outcome: 'accepted' };
  if (answer.is !== 'refused') return outcomeOf(answer);
  return refusedByAccount(answer) ?? { outcome: 'rejected', reason: reasonOf(answer) };
}

/** Returns the outcome of a removal. An object that Telnyx does not have counts as removed. */
export function concludeRemoval(answer: Answer): Outcome<object> {
  return isMissing(answer) ? { outcome: 'accepted' } : conclude(answer);
}

/** Returns Telnyx's text about a refusal, for the operator. */
export function reasonOf({ errors, status }: Extract<Answer, { is: 'refused' }>): string {
  const [first] = errors;
  return first === undefined ? `Telnyx answered ${status}` : `${first.detail} (Telnyx ${first.code})`;
}

/** Returns the body of an answer to a read. Throws carrier_unavailable (ApiError) for any other answer. */
export function requireBody(answer: Answer): unknown {
  if (answer.is === 'answered') return answer.body;
  throw new ApiError('carrier_unavailable', { retryAfterS: 1 });
}

/** True if Telnyx says that the object does not exist. */
export function isMissing(answer: Answer): boolean {
  return answer.is === 'refused' && answer.status === 404;
}
