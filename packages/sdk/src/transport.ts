import { DialplaneError, errorOfReply, parseJson } from './errors.ts';
import { type ListReply, Pages } from './pages.ts';
import type { Requester, RequestInput } from './requester.ts';
import { takesNoStore } from './runtime.ts';
import { VERSION } from './version.ts';
import { backoffMs, wait } from './waits.ts';

const TIMEOUT_MS = 30_000;
const RETRIES_MAX = 3;
/** The longest Retry-After that the client waits for. After a longer one it throws, and the error names the wait. */
const RETRY_AFTER_MAX_SECONDS = 60;

/** How the client reaches the API. */
export type TransportOptions = {
  /** Address of the installation, such as `https://phone.example`. */
  baseUrl: string;
  /** Time for each attempt of a request; 30 seconds by default. */
  timeoutMs?: number | undefined;
  /** Repeats after a failure that may pass; 3 by default. */
  retriesMax?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
};

type Reading<T> = (response: Response) => Promise<T>;
type Attempt = { address: string; init: RequestInit; timeoutMs: number; signal: AbortSignal | undefined };

/** Sends requests over HTTP and repeats requests whose failure may pass. */
export class HttpTransport implements Requester {
  readonly #options: TransportOptions;
  readonly #credential: Readonly<Record<string, string>>;
  readonly #base: string;

  /** @param credential the headers that identify the caller of each request */
  constructor(options: TransportOptions, credential: Readonly<Record<string, string>>) {
    this.#options = options;
    this.#credential = credential;
    this.#base = baseOf(options.baseUrl);
  }

  send<T>(method: string, path: string, input: RequestInput): Promise<T> {
    return this.#run(method, path, input, readJson<T>);
  }

  page<T>(path: string, input: RequestInput): Pages<T> {
    return new Pages((after) => {
      const query = after === undefined ? input.query : { ...input.query, after };
      return this.send<ListReply<T>>('GET', path, { ...input, query });
    });
  }

  open(path: string, input: RequestInput): Promise<Response> {
    return this.#run('GET', path, input, (response) => Promise.resolve(response));
  }

  async #run<T>(method: string, path: string, input: RequestInput, read: Reading<T>): Promise<T> {
    const { signal, retriesMax = this.#options.retriesMax ?? RETRIES_MAX } = input.options ?? {};
    const attempt: Attempt = {
      address: `${this.#base}${path}${queryText(input.query)}`,
      init: this.#init(method, input),
      timeoutMs: input.options?.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS,
      signal,
    };
    let isReplyLost = false;
    for (let repeat = 1; ; repeat += 1) {
      const result = await this.#attempt(attempt, read);
      if (!('error' in result)) return result.value;
      const { error } = result;
      // The earlier attempt, whose reply was lost, has deleted the resource.
      if (method === 'DELETE' && error.status === 404 && isReplyLost) return undefined as T;
      isReplyLost ||= error.status === undefined;
      const seconds = error.retryAfterSeconds ?? 0;
      if (repeat > retriesMax || !mayPass(error, repeat) || seconds > RETRY_AFTER_MAX_SECONDS) throw error;
      // The jitter comes on top of Retry-After: clients that were refused together do not return together.
      await wait(seconds * 1000 + pauseMs(error, repeat), signal);
    }
  }

  #init(method: string, { body, file, options = {} }: RequestInput): RequestInit {
    const headers: Record<string, string> = {
      ...options.headers,
      accept: options.headers?.['accept'] ?? 'application/json, */*',
      ...this.#credential,
      'user-agent': `dialplane-sdk/${VERSION}`,
    };
    // All attempts have one key, so that the server acts once.
    if (method === 'POST') headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID();
    const type = file?.type ?? (body === undefined ? undefined : 'application/json');
    if (type !== undefined) headers['content-type'] = type;
    const content = file?.content ?? (body === undefined ? undefined : JSON.stringify(body));
    // A redirect would turn a POST into a GET, or carry the key to another host.
    return {
      ...{ method, headers, redirect: 'manual' },
      // Frameworks that cache GETs would answer with an earlier state.
      ...(method === 'GET' && takesNoStore() && { cache: 'no-store' }),
      ...(content !== undefined && { body: content }),
    };
  }

  /** Sends once. Throws the reason of an abort by the caller; returns every other failure, for a repeat. */
  async #attempt<T>(attempt: Attempt, read: Reading<T>): Promise<{ value: T } | { error: DialplaneError }> {
    const { address, init, timeoutMs, signal } = attempt;
    signal?.throwIfAborted();
    // AbortSignal.any does not fit: the time limit must end with the attempt, and must not end a file that is being
    // read.
    const ender = new AbortController();
    const timeout = new DialplaneError('timeout', `No reply within ${timeoutMs} ms.`);
    const timer = setTimeout(() => ender.abort(timeout), timeoutMs);
    const abort = () => ender.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    let isOpen = false;
    try {
      const send = this.#options.fetch ?? globalThis.fetch;
      const response = await send(address, { ...init, signal: ender.signal });
      if (!response.ok) return { error: errorOfReply(response, await response.text()) };
      const value = await read(response);
      isOpen = value === response;
      return { value };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof DialplaneError) return { error };
      const message = `The connection to ${new URL(address).host} failed: ${reasonOf(error)}.`;
      return { error: new DialplaneError('connection_failed', message, { cause: error }) };
    } finally {
      clearTimeout(timer);
      // The signal stays active while a file is being read.
      if (!isOpen) signal?.removeEventListener('abort', abort);
    }
  }
}

async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (response.status === 204 || text === '') return undefined as T;
  const value = parseJson(text);
  if (value === undefined) {
    const { status } = response;
    throw new DialplaneError('unexpected_reply', `The server answered ${status} without JSON: check baseUrl.`, {
      status,
    });
  }
  return value as T;
}

/** The end of a stream is recorded some milliseconds after its socket has closed. */
const STREAM_ENDS_MS = [100, 400];

/** Tells whether the same request may succeed later. It is repeated with the same Idempotency-Key. */
function mayPass({ code, status }: DialplaneError, repeat: number): boolean {
  if (code === 'stream_already_active') return repeat <= STREAM_ENDS_MS.length;
  if (code === 'connection_failed' || code === 'timeout' || code === 'idempotency_in_progress') return true;
  // A 502 of the API itself is final, such as carrier_assign_failed. A 502 of a proxy may pass.
  if (status === 502) return code === 'unexpected_reply';
  return status === 408 || status === 429 || status === 500 || status === 503 || status === 504;
}

function pauseMs({ code }: DialplaneError, repeat: number): number {
  const streamMs = code === 'stream_already_active' ? STREAM_ENDS_MS[repeat - 1] : undefined;
  return streamMs ?? backoffMs(repeat);
}

function baseOf(address: string): string {
  if (!/^https?:$/.test(protocolOf(address))) {
    throw new DialplaneError('invalid_argument', `baseUrl is no http or https address: ${JSON.stringify(address)}`);
  }
  return address.replace(/\/+$/, '').replace(/\/v1$/, '');
}

function queryText(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** Returns the reason of a failed fetch, from its cause. In Node, a cause can contain several errors. */
function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  return cause?.message || cause?.code || (error as Error).message;
}

/** Workers of an early compatibility date have no URL.canParse. */
function protocolOf(address: string): string {
  try {
    return new URL(address).protocol;
  } catch {
    return '';
  }
}
