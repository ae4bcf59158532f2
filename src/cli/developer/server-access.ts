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

/**
 * Reads from the API. Throws CommandError for what another attempt will not change, such as a wrong key, and TypeError
 * or TimeoutError if there is no reply.
 */
export async function readApi<T>({ url, key }: ServerAccess, path: string, signal?: AbortSignal): Promise<T> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const reply = await fetch(`${url}/v1${path}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  });
  const body = (await reply.json()) as T & { error?: { message: string; code: string } };
  if (reply.ok) return body;
  const said = `${url} answered ${reply.status}: ${body.error?.message ?? ''}`;
  if (reply.status === 429 || reply.status >= 500) throw new TypeError(said);
  throw new CommandError(said);
}
