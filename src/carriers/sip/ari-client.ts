/**
 * Requests to a SIP engine (Asterisk) over its REST interface. While this process has the socket of events, requests
 * use it, which saves a round trip of HTTP. Otherwise they use HTTP. The client sends no request twice.
 */
import { Buffer } from 'node:buffer';
import type { Logger } from 'pino';
import { readBounded } from '../../lib/http/bounded-body.ts';
import { Agent, request } from '../../lib/http/undici.ts';
import { isUnsent } from '../../lib/http/unsent-request.ts';
import { parseJson, textAt } from '../../lib/json-object.ts';
import { monotonicMs } from '../../lib/time/time.ts';
import type { Outcome } from '../ports/outcome.ts';
import { requestSignalWithin } from '../ports/request-signal.ts';

/** The Stasis application, and the user of the REST interface. */
export const APPLICATION = 'dialplane';

/**
 * - answered: the engine has carried out the request.
 * - refused: the engine has considered the request and not carried it out. With 404 the object does not exist; with 409
 *   it already exists, or is in another state.
 * - unavailable: the request was not sent.
 * - unknown: the engine may have carried out the request.
 */
export type AriAnswer =
  | { readonly is: 'answered'; readonly status: number; readonly body: unknown }
  | { readonly is: 'refused'; readonly status: number; readonly reason: string }
  | { readonly is: 'unavailable'; readonly cause: 'unreachable' }
  | { readonly is: 'unknown' };

export type AriRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below /ari, with its slash. Text from outside in it is encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /**
   * True for a request that the engine may delay until the end of a sound. It uses HTTP. The engine carries out the
   * requests of a socket one after the other, so on the socket all others would wait too.
   */
  readonly mayWait?: boolean;
};

export type EngineClient = {
  /** The name of the engine in the settings. */
  readonly name: string;
  ask(asked: AriRequest): Promise<AriAnswer>;
  /**
   * Reads a file, such as a stored recording. Returns undefined if there is no such file. Throws if the engine does not
   * answer.
   */
  readFile(path: string, bytesMax: number): Promise<Uint8Array | undefined>;
  /**
   * Reads the size of a file in bytes. Returns undefined if there is no such file. Throws if the engine does not
   * answer.
   */
  readLength(path: string): Promise<number | undefined>;
  /** Sends requests over a socket from now on; undefined returns to HTTP. */
  useSocket(socket: RequestSocket | undefined): void;
  /** The address of the socket of events, with the password. */
  readonly eventsUrl: string;
  close(): Promise<void>;
};

/**
 * A socket that carries requests. Resolves with undefined if the socket closed, or the time limit passed, before the
 * answer.
 */
export type RequestSocket = {
  ask(asked: AriRequest, ms: number): Promise<{ readonly status: number; readonly text: string } | undefined>;
};

type ClientOptions = {
  readonly name: string;
  /** The address of the engine's HTTP server, without a trailing slash. */
  readonly url: string;
  readonly password: string;
  /** The id of the connection, for the log. */
  readonly connection: string;
  readonly log: Logger;
};

const REQUEST_MS = 4_000;
/** Long enough for a recording of one hour, which has 58 MB. */
const FILE_MS = 60_000;
const CONNECT_MS = 2_000;
/** The engine answers requests of one connection one after the other. */
const CONNECTIONS_MAX = 32;
const ANSWER_BYTES_MAX = 8_000_000;

export function createEngineClient({ name, url, password, connection, log }: ClientOptions): EngineClient {
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_MS },
    connections: CONNECTIONS_MAX,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const authorization = `Basic ${Buffer.from(`${APPLICATION}:${password}`).toString('base64')}`;
  let socket: RequestSocket | undefined;

  const askByHttp = async ({ method, path, query, body }: AriRequest): Promise<AriAnswer> => {
    try {
      const reply = await request(`${url}/ari${path}${searchOf(query)}`, {
        method,
        headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        dispatcher,
        signal: requestSignalWithin(REQUEST_MS),
      });
      const bytes = await readBounded(reply.body, ANSWER_BYTES_MAX);
      return bytes === undefined ? { is: 'unknown' } : classify(reply.statusCode, bytes.toString());
    } catch (error) {
      return isUnsent(error) ? { is: 'unavailable', cause: 'unreachable' } : { is: 'unknown' };
    }
  };

  return {
    name,
    eventsUrl: `${url.replace(/^http/, 'ws')}/ari/events${searchOf({ app: APPLICATION, subscribeAll: 'true', api_key: `${APPLICATION}:${password}` })}`,
    useSocket: (next) => {
      socket = next;
    },
    ask: async (asked) => {
      const startedAt = monotonicMs();
      // The closing socket may have sent the request, so HTTP does not send it again.
      const used = asked.mayWait === true ? undefined : socket;
      const answer = await (used === undefined ? askByHttp(asked) : askBySocket(used, asked));
      const operation = `${asked.method} ${asked.path.split('/')[1] ?? ''}`;
      const entry = { connection, engine: name, operation, answer: answer.is, ms: monotonicMs() - startedAt };
      if (answer.is === 'answered') log.debug(entry, 'the engine answered');
      else
        log.info(
          { ...entry, ...(answer.is === 'refused' && { status: answer.status, reason: answer.reason }) },
          'the engine did not carry out the request',
        );
      return answer;
    },
    readFile: async (path, bytesMax) => {
      const reply = await request(`${url}/ari${path}`, {
        headers: { authorization },
        dispatcher,
        signal: requestSignalWithin(FILE_MS),
      });
      const bytes = await readBounded(reply.body, bytesMax);
      if (reply.statusCode === 404) return undefined;
      if (reply.statusCode !== 200 || bytes === undefined) throw new Error(`the engine answered ${reply.statusCode}`);
      return bytes;
    },
    readLength: async (path) => {
      const { statusCode, headers, body } = await request(`${url}/ari${path}`, {
        headers: { authorization },
        dispatcher,
        signal: requestSignalWithin(REQUEST_MS),
      });
      // The engine does not support HEAD, so the connection is closed before it sends the content.
      body.on('error', () => undefined).destroy();
      if (statusCode === 404) return undefined;
      const length = Number(headers['content-length']);
      if (statusCode !== 200 || !Number.isSafeInteger(length)) throw new Error(`the engine answered ${statusCode}`);
      return length;
    },
    close: () => dispatcher.destroy(),
  };
}

/** Returns the part of an address after its path. */
export function searchOf(query: Readonly<Record<string, string>> | undefined): string {
  return query === undefined ? '' : `?${new URLSearchParams(query)}`;
}

async function askBySocket(socket: RequestSocket, asked: AriRequest): Promise<AriAnswer> {
  const reply = await socket.ask(asked, REQUEST_MS);
  return reply === undefined ? { is: 'unknown' } : classify(reply.status, reply.text);
}

/** Reads a reply of the engine. */
export function classify(status: number, text: string): AriAnswer {
  const body = parseJson(text);
  if (status >= 200 && status < 300) return body === undefined ? { is: 'unknown' } : { is: 'answered', status, body };
  // Asterisk answers 503 while it starts.
  if (status === 503) return { is: 'unavailable', cause: 'unreachable' };
  return { is: 'refused', status, reason: textAt(body, 'message') ?? textAt(body, 'error') ?? `HTTP ${status}` };
}

/** Returns the outcome of a command that the engine has neither carried out nor refused. */
export function outcomeOf(answer: Exclude<AriAnswer, { is: 'answered' | 'refused' }>): Outcome<object, never> {
  return answer.is === 'unknown' ? { outcome: 'unknown' } : { outcome: 'unavailable', cause: 'unreachable' };
}

/** True if the engine does not have the requested object. */
export function isMissing(answer: AriAnswer): boolean {
  return answer.is === 'refused' && answer.status === 404;
}
