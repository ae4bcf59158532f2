/**
 * Requests to a server with OpenAI's HTTP API, with time-outs, a limit on the reply, and useful retries. A key is sent
 * in one header only. No error contains the key, and no error contains the server's text about the key.
 */
import type { Dispatcher } from 'undici';
import { readBounded } from '../../lib/http/bounded-body.ts';
import { parseRetryAfter } from '../../lib/http/retry-after.ts';
import { Agent, request } from '../../lib/http/undici.ts';
import { monotonicMs, now, sleep, timeoutSignal } from '../../lib/time/time.ts';
import { ModelError } from '../port.ts';

export type ModelServer = {
  /** Base address, with the version if the server has one: https://api.openai.com/v1 */
  readonly url: string;
  readonly key: string | null;
  readonly model: string;
  /** Requests a streamed reply. The client reads either form. */
  readonly stream: boolean;
};

export type ClientLimits = {
  readonly connectTimeoutMs: number;
  /** The time limit of one attempt, from its start to the last byte. */
  readonly attemptTimeoutMs: number;
  /** The time limit of all attempts and the delays between them. */
  readonly totalTimeoutMs: number;
  readonly attemptsMax: number;
  /** The delay before the second attempt. It doubles with each later attempt. */
  readonly retryMinMs: number;
  readonly responseBytesMax: number;
  readonly connectionsMax: number;
};

const CLIENT_LIMITS: ClientLimits = {
  connectTimeoutMs: 5_000,
  attemptTimeoutMs: 60_000,
  totalTimeoutMs: 120_000,
  attemptsMax: 3,
  retryMinMs: 1_000,
  responseBytesMax: 1_000_000,
  connectionsMax: 8,
};

/** `contentType` is in lower case. */
export type ModelReply = { readonly contentType: string; readonly bytes: Buffer };

type ModelRequest<Result> = {
  readonly path: string;
  readonly contentType: string;
  /** The media types that the client reads; JSON and server-sent events by default. */
  readonly accept?: string;
  readonly body: Buffer | string;
  readonly signal: AbortSignal;
  /** Called before each attempt. Throws if the call has used up its budget. */
  spend(): void;
  /** Called when a reply with status 200 begins. Returns the function that takes its pieces before it is complete. */
  onStart?(): (piece: Buffer) => void;
  /** Returns the result of a reply with status 200. An `unavailable` error of it is retried. */
  read(reply: ModelReply): Result;
};

export type ModelClient = {
  /** @throws ModelError */
  post<Result>(request: ModelRequest<Result>): Promise<Result>;
  /** Aborts all requests. */
  close(): Promise<void>;
};

const TEXT_TYPES = 'application/json, text/event-stream';

/** Statuses that are retried, in addition to all from 500 on. */
const TEMPORARY = new Set([408, 425, 429]);

export function createModelClient(
  server: Pick<ModelServer, 'url' | 'key'>,
  limits: Partial<ClientLimits> = {},
): ModelClient {
  const all = { ...CLIENT_LIMITS, ...limits };
  const dispatcher = new Agent({
    connect: { timeout: all.connectTimeoutMs },
    connections: all.connectionsMax,
    // The time-out of the attempt covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    post: (asked) => tryRepeatedly(asked, all, (signal) => attempt({ server, limits: all, dispatcher }, asked, signal)),
    close: () => dispatcher.destroy(),
  };
}

async function tryRepeatedly<Result>(
  { signal, spend }: ModelRequest<Result>,
  { attemptsMax, totalTimeoutMs, retryMinMs }: ClientLimits,
  attemptOnce: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const endsAt = monotonicMs() + totalTimeoutMs;
  const bounded = AbortSignal.any([signal, timeoutSignal(totalTimeoutMs)]);
  for (let attempt = 1; ; attempt++) {
    spend();
    try {
      return await attemptOnce(bounded);
    } catch (error) {
      if (!(error instanceof ModelError) || error.kind !== 'unavailable' || attempt >= attemptsMax) throw error;
      const waitMs = Math.max(error.retryAfterMs ?? 0, retryMinMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2));
      // The delay exceeds the time that is left. The caller may retry after it.
      if (bounded.aborted || monotonicMs() + waitMs >= endsAt) throw error;
      await sleep(waitMs, { signal: bounded }).catch(() => {
        throw error;
      });
    }
  }
}

type Line = {
  readonly server: Pick<ModelServer, 'url' | 'key'>;
  readonly limits: ClientLimits;
  readonly dispatcher: Dispatcher;
};

async function attempt<Result>(
  { server, limits, dispatcher }: Line,
  { path, contentType, accept = TEXT_TYPES, body, onStart, read }: ModelRequest<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const deadline = timeoutSignal(limits.attemptTimeoutMs);
  const headers = {
    'content-type': contentType,
    accept,
    ...(server.key !== null && { authorization: `Bearer ${server.key}` }),
  };
  try {
    const bounded = AbortSignal.any([signal, deadline]);
    const options = { method: 'POST' as const, headers, body, dispatcher, signal: bounded };
    const reply = await request(`${server.url}${path}`, options);
    const onPiece = reply.statusCode === 200 ? onStart?.() : undefined;
    const bytes = await readReply(reply, limits.responseBytesMax, onPiece);
    if (reply.statusCode !== 200) throw refusalOf(reply);
    return read({ contentType: String(reply.headers['content-type'] ?? '').toLowerCase(), bytes });
  } catch (error) {
    if (error instanceof ModelError) throw error;
    const why = deadline.aborted ? 'did not answer in time' : signal.aborted ? 'was aborted' : 'could not be reached';
    throw new ModelError('unavailable', `the model server ${why}`, { cause: error });
  }
}

async function readReply(
  { body, headers }: Dispatcher.ResponseData,
  bytesMax: number,
  onPiece?: (piece: Buffer) => void,
): Promise<Buffer> {
  const tooLong = () => new ModelError('refused', `the model server replied with more than ${bytesMax} bytes`);
  if (Number(headers['content-length'] ?? 0) > bytesMax) {
    body.destroy();
    throw tooLong();
  }
  const bytes = await readBounded(onPiece === undefined ? body : watched(body, onPiece), bytesMax);
  if (bytes === undefined) throw tooLong();
  return bytes;
}

/** Passes the pieces of a body on, and shows each to a watcher first. */
async function* watched(body: AsyncIterable<Buffer>, onPiece: (piece: Buffer) => void): AsyncIterable<Buffer> {
  for await (const piece of body) {
    onPiece(piece);
    yield piece;
  }
}

function refusalOf({ statusCode, headers }: Dispatcher.ResponseData): ModelError {
  const message = `the model server answered ${statusCode}`;
  if (statusCode < 500 && !TEMPORARY.has(statusCode)) return new ModelError('refused', message);
  const retryAfterMs = parseRetryAfter(headers['retry-after'], now());
  return new ModelError('unavailable', message, { retryAfterMs });
}

/** Parses a JSON reply. @throws ModelError `unavailable`: a proxy may have answered instead of the server */
export function parseReply(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ModelError('unavailable', 'the model server did not reply with JSON', { cause: withoutText(error) });
  }
}

/** Drops the message of the parser, because it quotes the reply and so the words of the call. */
function withoutText(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
