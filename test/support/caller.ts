import { gunzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { Api } from '../../src/http/edge/types.ts';
import { Agent, request } from '../../src/lib/http/undici.ts';
import { skipWhile } from './stepping-time.ts';

export type Reply = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape, and assert what they find
  body: any;
};

export type CallOptions = {
  /** Default: the account's test key; null sends no Authorization header. */
  key?: string | null;
  /** A text and bytes are sent unchanged; other values are sent as JSON. Bytes have no media type. */
  body?: unknown;
  headers?: Record<string, string>;
};

export type Caller = (method: string, path: string, options?: CallOptions) => Promise<Reply>;

/**
 * A request without an answer fails its test after this time. Otherwise the whole file would be killed, without the
 * name of the test.
 */
const ANSWER_WITHIN_MS = 120_000;

/** While a request waits, time skips in smaller steps, so that no timer fires before the request is done. */
const REQUEST_STEP_MS = 60;

/** The path of the request that advances the ledger's clock. The clock must advance by exactly the requested time. */
const CLOCK_PATH = '/v1/test/clock';

/**
 * Connections of all callers of this process. A request through `fetch` takes three times the processor time, and tests
 * send tens of thousands.
 */
const dispatcher = new Agent({ headersTimeout: ANSWER_WITHIN_MS, bodyTimeout: ANSWER_WITHIN_MS });

/** Errors of a connection that the server has refused, or that broke before the reply was complete. */
const BROKEN = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** True if a request failed because there was no server, or because the server stopped. */
export const isBroken = (error: unknown): boolean => BROKEN.has((error as { code?: string }).code ?? '');

/** Returns a function that sends requests with a key: `call('POST', '/v1/tenants', { body })`. */
export function createCaller(url: string, defaultKey: string): Caller {
  return async (method, path, { key = defaultKey, body, headers = {} } = {}) => {
    const answer = request(`${url}${path}`, {
      dispatcher,
      method: method as Dispatcher.HttpMethod,
      headers: headersOf({ key, body, headers }),
      ...(body === undefined ? {} : { body: bodyOf(body) }),
    }).catch((error: unknown) => {
      if ((error as { code?: string }).code !== 'UND_ERR_HEADERS_TIMEOUT') throw error;
      throw new Error(`${method} ${path} was not answered within ${ANSWER_WITHIN_MS / 1000} s`);
    });
    const response = await (path === CLOCK_PATH
      ? answer
      : skipWhile(answer, ANSWER_WITHIN_MS, { stepMsMax: REQUEST_STEP_MS }));
    return replyOf(response.statusCode, headersIn(response.headers), await textOf(response));
  };
}

/**
 * Returns a function that passes requests to the product without a connection. It takes a third of the processor time
 * of a request over a socket.
 */
export function createInjector(app: Pick<Api, 'inject'>, defaultKey: string): Caller {
  return async (method, path, { key = defaultKey, body, headers = {} } = {}) => {
    const answer = app.inject({
      method: method as 'GET',
      url: path,
      headers: headersOf({ key, body, headers }),
      ...(body === undefined ? {} : { payload: Buffer.from(bodyOf(body)) }),
    });
    const injected = await (path === CLOCK_PATH
      ? answer
      : skipWhile(answer, ANSWER_WITHIN_MS, { stepMsMax: REQUEST_STEP_MS }));
    return replyOf(injected.statusCode, headersIn(injected.headers), injected.payload);
  };
}

/** Returns the body as text. The server compresses the files of its pages. */
async function textOf({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  if (headers['content-encoding'] !== 'gzip') return await body.text();
  return gunzipSync(await body.bytes()).toString();
}

function headersOf({ key, body, headers }: Required<CallOptions>): Record<string, string> {
  return {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && !(body instanceof Uint8Array) && { 'content-type': 'application/json' }),
    ...headers,
  };
}

/** Returns the headers of a reply. A repeated header has a list of its values. */
function headersIn(fields: Readonly<Record<string, string | string[] | number | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(fields)) {
    for (const value of [values].flat()) headers.append(name, String(value));
  }
  return headers;
}

function replyOf(status: number, headers: Headers, text: string): Reply {
  const isJson = headers.get('content-type')?.includes('json') ?? false;
  return { status, headers, body: isJson && text !== '' ? JSON.parse(text) : text };
}

function bodyOf(body: unknown): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}
