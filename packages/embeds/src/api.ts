/** Requests of the elements to the API, with the token of a browser session. */
import type { OwnProblem, Problem } from './texts/texts.ts';

/** A refusal of the API, or a failure before its reply: `network_error`, `hidden_reply`, `not_signed_in`. */
export class Refusal extends Error implements Problem {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message = '', status = 0) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** A page of a list. */
export type Page<Row> = { readonly data: Row[]; readonly has_more: boolean; readonly next_cursor: string | null };

export type Access = {
  /** The address of the installation, without a slash at its end. */
  baseUrl(): string;
  token(): string | undefined;
  /** Gets another token after the API refused the present one. Resolves with false if there is none. */
  renewToken(): Promise<boolean>;
};

/** Longer than any answer takes. After it an element no longer waits on a dead connection. */
const ANSWER_MS_MAX = 60_000;

type Answer = { readonly status: number; readonly ok: boolean; readonly text: string };

type Options = { readonly body?: object; readonly idempotencyKey?: string };

export class Api {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  /** The address of a WebSocket of the installation. */
  socketUrl(path: string): string {
    return `${this.#access.baseUrl().replace(/^http/, 'ws')}${path}`;
  }

  get<Reply>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): Promise<Reply> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return this.#request('GET', text === '' ? path : `${path}?${text}`, {});
  }

  patch<Reply>(path: string, body: object): Promise<Reply> {
    return this.#request<Reply>('PATCH', path, { body });
  }

  post<Reply>(path: string, body: object = {}, idempotencyKey?: string): Promise<Reply> {
    return this.#request('POST', path, { body, ...(idempotencyKey !== undefined && { idempotencyKey }) });
  }

  async #request<Reply>(method: string, path: string, options: Options): Promise<Reply> {
    const reply = await this.#send(method, path, options);
    // The session has expired, or ended with its key. The page may have a new session.
    const isRefused = reply.status === 401 && (await this.#access.renewToken());
    return resultOf(isRefused ? await this.#send(method, path, options) : reply);
  }

  async #send(method: string, path: string, { body, idempotencyKey }: Options): Promise<Answer> {
    const [baseUrl, token] = [this.#access.baseUrl(), this.#access.token()];
    if (token === undefined) throw new Refusal('not_signed_in');
    const headers = new Headers({ authorization: `Bearer ${token}` });
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
    const request = { method, headers, credentials: 'omit', ...(body && { body: JSON.stringify(body) }) } as const;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), ANSWER_MS_MAX);
    try {
      const reply = await fetch(`${baseUrl}/v1${path}`, { ...request, signal: limit.signal });
      return { status: reply.status, ok: reply.ok, text: await reply.text() };
    } catch {
      const isHidden = method === 'GET' && !limit.signal.aborted && (await this.#answers(limit.signal));
      throw new Refusal(isHidden ? 'hidden_reply' : 'network_error');
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * True if the server answers at all. For a reply that the page may not read, a browser reports the same failure as
   * for no reply.
   */
  async #answers(signal: AbortSignal): Promise<boolean> {
    try {
      await fetch(`${this.#access.baseUrl()}/embeds/inbox.js`, {
        method: 'HEAD',
        mode: 'no-cors',
        credentials: 'omit',
        signal,
      });
      return true;
    } catch {
      return false;
    }
  }
}

function resultOf<Reply>({ status, ok, text }: Answer): Reply {
  const body = parse(text);
  if (ok && (body !== undefined || text === '')) return body as Reply;
  const { code = 'unreadable_reply', message } = body?.error ?? {};
  throw new Refusal(code, message, status);
}

/** Parses JSON. Returns undefined if the text is not JSON, such as a page of a proxy. */
function parse(text: string): { error?: { code?: string; message?: string } } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return;
  }
}

/** Returns an Idempotency-Key. Pages without TLS do not have crypto.randomUUID. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the problem to show for an error. An error other than a refusal gets the code `otherwise`. */
export function problemOf(error: unknown, otherwise: OwnProblem = 'unexpected'): Problem {
  return error instanceof Refusal ? error : { code: otherwise };
}
