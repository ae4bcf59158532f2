/**
 * Requests to a server that speaks OpenAI's HTTP API, with time-outs, a bound on the reply, and further attempts where
 * they may help. Keys go into one header and nowhere else: no error tells them, nor what a server writes of them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { parseRetryAfter } from '../../lib/backoff.ts';
import { ModelError } from '../port.ts';

export type ModelServer = {
  /** Base address, with the version where it has one: https://api.openai.com/v1 */
  readonly url: string;
  readonly key: string | null;
  readonly model: string;
  /** Asks for the reply piece by piece; either form of it is understood. */
  readonly stream: boolean;
};

export type ClientLimits = {
  readonly connectTimeoutMs: number;
  /** One attempt, from its beginning to the last byte. */
  readonly attemptTimeoutMs: number;
  /** All attempts, and the waits between them. */
  readonly totalTimeoutMs: number;
  readonly attemptsMax: number;
  /** The wait before the second attempt; it doubles from then on. */
  readonly retryMinMs: number;
  readonly responseBytesMax: number;
  readonly connectionsMax: number;
};

export const CLIENT_LIMITS: ClientLimits = {
  connectTimeoutMs: 5_000,
  attemptTimeoutMs: 60_000,
  totalTimeoutMs: 120_000,
  attemptsMax: 3,
  retryMinMs: 1_000,
  responseBytesMax: 1_000_000,
  connectionsMax: 8,
};

export type ModelReply = { readonly contentType: string; readonly text: string };

export type ModelRequest<Result> = {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer | string;
  readonly signal: AbortSignal;
  /** Called before each attempt; throws when the call may cost no more. */
  spend(): void;
  /** Makes the result of a reply with status 200; what it throws as unavailable is tried again. */
  read(reply: ModelReply): Result;
};

export type ModelClient = {
  /** @throws ModelError */
  post<Result>(request: ModelRequest<Result>): Promise<Result>;
  /** Breaks off what is under way. */
  close(): Promise<void>;
};

/** Statuses that tell of a passing condition, besides all from 500 on. */
const PASSING = new Set([408, 425, 429]);

export function createModelClient(server: ModelServer, limits: Partial<ClientLimits> = {}): ModelClient {
  const all = { ...CLIENT_LIMITS, ...limits };
  const dispatcher = new Agent({
    connect: { timeout: all.connectTimeoutMs },
    connections: all.connectionsMax,
    // The deadline of the attempt covers them.
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
  const endsAt = performance.now() + totalTimeoutMs;
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(totalTimeoutMs)]);
  for (let tried = 1; ; tried++) {
    spend();
    try {
      return await attemptOnce(bounded);
    } catch (error) {
      if (!(error instanceof ModelError) || error.kind !== 'unavailable' || tried >= attemptsMax) throw error;
      const waitMs = Math.max(error.retryAfterMs ?? 0, retryMinMs * 2 ** (tried - 1) * (0.75 + Math.random() / 2));
      // Longer than anybody here waits: whoever asked may come back after that.
      if (bounded.aborted || performance.now() + waitMs >= endsAt) throw error;
      await sleep(waitMs, undefined, { signal: bounded }).catch(() => {
        throw error;
      });
    }
  }
}

type Line = { readonly server: ModelServer; readonly limits: ClientLimits; readonly dispatcher: Dispatcher };

async function attempt<Result>(
  { server, limits, dispatcher }: Line,
  { path, contentType, body, read }: ModelRequest<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const deadline = AbortSignal.timeout(limits.attemptTimeoutMs);
  const headers = {
    'content-type': contentType,
    accept: 'application/json, text/event-stream',
    ...(server.key !== null && { authorization: `Bearer ${server.key}` }),
  };
  try {
    const bounded = AbortSignal.any([signal, deadline]);
    const options = { method: 'POST' as const, headers, body, dispatcher, signal: bounded };
    const reply = await request(`${server.url}${path}`, options);
    const text = await readBounded(reply, limits.responseBytesMax);
    if (reply.statusCode !== 200) throw refusalOf(reply);
    return read({ contentType: String(reply.headers['content-type'] ?? ''), text });
  } catch (error) {
    if (error instanceof ModelError) throw error;
    const why = deadline.aborted ? 'did not answer in time' : signal.aborted ? 'was given up' : 'could not be reached';
    throw new ModelError('unavailable', `the model server ${why}`, { cause: error });
  }
}

async function readBounded({ body, headers }: Dispatcher.ResponseData, bytesMax: number): Promise<string> {
  const tooLong = () => new ModelError('refused', `the model server replied with more than ${bytesMax} bytes`);
  if (Number(headers['content-length'] ?? 0) > bytesMax) {
    body.destroy();
    throw tooLong();
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refusalOf({ statusCode, headers }: Dispatcher.ResponseData): ModelError {
  const message = `the model server answered ${statusCode}`;
  if (statusCode < 500 && !PASSING.has(statusCode)) return new ModelError('refused', message);
  const retryAfterMs = parseRetryAfter(headers['retry-after'], Date.now());
  return new ModelError('unavailable', message, { retryAfterMs });
}

/** The value of a JSON text. @throws ModelError unavailable: something between here and there spoke instead. */
export function parseReply(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ModelError('unavailable', 'the model server did not reply with JSON', { cause: withoutText(error) });
  }
}

/** The parser quotes what it could not read, which may be what somebody said. */
function withoutText(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

/** A value within a parsed reply, by its names and places; undefined where there is none. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[name] : undefined),
    value,
  );
}
