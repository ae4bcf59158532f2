import type { Api } from '../../src/http/edge/types.ts';
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
  /** Sent as it is if it is a text or bytes, else as JSON. Bytes have no media type. */
  body?: unknown;
  headers?: Record<string, string>;
};

export type Caller = (method: string, path: string, options?: CallOptions) => Promise<Reply>;

/** A request that is never answered fails its test, long before its file is killed without a name of the test. */
const ANSWER_WITHIN_MS = 120_000;

/** A request looks for what it waits for more often. Longer skips would bring on what the request comes before. */
const REQUEST_STEP_MS = 60;

/** A test moves the ledger's clock as far as it says, and no further. */
const CLOCK_PATH = '/v1/test/clock';

/** Returns a function that sends requests with a key: `call('POST', '/v1/tenants', { body })`. */
export function createCaller(url: string, defaultKey: string): Caller {
  return async (method, path, { key = defaultKey, body, headers = {} } = {}) => {
    const answer = fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      headers: headersOf({ key, body, headers }),
      ...(body === undefined ? {} : { body: bodyOf(body) }),
    }).catch((error: unknown) => {
      if ((error as Error).name !== 'TimeoutError') throw error;
      throw new Error(`${method} ${path} was not answered within ${ANSWER_WITHIN_MS / 1000} s`);
    });
    const response = await (path === CLOCK_PATH
      ? answer
      : skipWhile(answer, ANSWER_WITHIN_MS, { stepMsMax: REQUEST_STEP_MS }));
    return replyOf(response.status, response.headers, await response.text());
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
    const fields = Object.entries(injected.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return replyOf(injected.statusCode, new Headers(fields), injected.payload);
  };
}

function headersOf({ key, body, headers }: Required<CallOptions>): Record<string, string> {
  return {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && !(body instanceof Uint8Array) && { 'content-type': 'application/json' }),
    ...headers,
  };
}

function replyOf(status: number, headers: Headers, text: string): Reply {
  const isJson = headers.get('content-type')?.includes('json') ?? false;
  return { status, headers, body: isJson && text !== '' ? JSON.parse(text) : text };
}

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string' || body instanceof Uint8Array) return body as string | Uint8Array<ArrayBuffer>;
  return JSON.stringify(body);
}
