/** How the commands of developers reach a server: over its API, with a key. */
import { readClientEnvironment } from '../../server/config.ts';
import { readKeys } from '../../server/data-folder.ts';
import { type Arguments, CommandError } from '../command.ts';

export type ServerAccess = {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: string;
};

/** The options of every command that asks a server. */
export const ACCESS_OPTIONS = ['url', 'key'] as const;
export const ACCESS_MEANINGS = {
  url: 'The server; DIALPLANE_URL or the installation of this folder by default',
  key: 'An API key; DIALPLANE_KEY or the test key of this folder by default',
};
export const ACCESS_USAGE = '[--url URL] [--key KEY]';

const LIMIT_MS = 15_000;

/**
 * Returns the server and key of a command: of its options, of DIALPLANE_URL and DIALPLANE_KEY, or those of the
 * installation of this folder, whose test key is used.
 */
export function findServer({ options }: Arguments): ServerAccess {
  const env = readClientEnvironment();
  const installed = readKeys(env.dataFolder);
  const url = options['url'] ?? env.url ?? installed?.base_url ?? 'http://localhost:8080';
  const key = options['key'] ?? env.key ?? installed?.test_key;
  if (key === undefined) {
    throw new CommandError(
      'There is no key. Give one with --key or DIALPLANE_KEY, or start in the folder of a server.',
    );
  }
  return { url: url.replace(/\/+$/, ''), key };
}

/** A request to the API. `path` begins with `/v1`, or is that of a page beside it. */
export type ApiRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** A reply with its status. The body is null if there is none. */
export type ApiReply<T> = { readonly status: number; readonly body: T };

/** The path of the API below an address. */
export const API = '/v1';

/**
 * Reads from the API. Throws CommandError for what another attempt will not change, such as a wrong key, and TypeError
 * or TimeoutError if there is no reply.
 */
export async function readApi<T>(server: ServerAccess, path: string, signal?: AbortSignal): Promise<T> {
  return (await request<T>(server, { method: 'GET', path: `${API}${path}`, signal })).body;
}

/** Sends a request once. Throws CommandError if the server refuses it or does not reply. */
export async function callApi<T>(server: ServerAccess, wanted: ApiRequest): Promise<ApiReply<T>> {
  try {
    return await request<T>(server, wanted);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { cause, message } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    throw new CommandError(`${wanted.method} ${server.url}${wanted.path} failed: ${why}`, { cause: error });
  }
}

async function request<T>({ url, key }: ServerAccess, wanted: ApiRequest): Promise<ApiReply<T>> {
  const { method, path, body: sent, signal } = wanted;
  const limit = AbortSignal.timeout(LIMIT_MS);
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(sent && { 'content-type': 'application/json' }) },
    ...(sent && { body: JSON.stringify(sent) }),
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  });
  const text = await reply.text();
  const { status } = reply;
  if (reply.ok) return { status, body: (text === '' ? null : JSON.parse(text)) as T };
  const said = `${url} answered ${status}: ${errorIn(text)}`;
  if (status === 429 || status >= 500) throw new TypeError(said);
  throw new CommandError(said);
}

/** Returns the message of an error's body, which a proxy in between may have written as something else. */
function errorIn(text: string): string {
  try {
    return (JSON.parse(text) as { error?: { message?: string } }).error?.message ?? '';
  } catch {
    return text.slice(0, 200);
  }
}

/** Refuses a live key, so that a command that simulates people never sends or buys anything real. */
export async function requireTestMode(server: ServerAccess): Promise<void> {
  await callApi(server, { method: 'GET', path: `${API}/test/outbox?to=${encodeURIComponent('+16025550143')}` });
}
