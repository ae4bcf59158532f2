/** How the developers' commands reach a server: over its API, with a key. */

import { withoutSlash } from '../../lib/http/without-slash.ts';
import { PROGRAM, VERSION } from '../../lib/program.ts';
import { timeoutSignal } from '../../lib/time/time.ts';
import { readKeys } from '../../server/install/data-folder.ts';
import { readClientEnvironment } from '../../server/settings/client-environment.ts';
import { type Arguments, CommandError, type Terminal } from '../command.ts';
import { NO_PROFILE, type Profile, readProfiles, requireProfile } from './profiles.ts';

export type ServerAccess = {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: string;
};

/** The options of every command that sends requests to a server. */
export const ACCESS_OPTIONS = ['url', 'key', 'profile'] as const;
export const ACCESS_MEANINGS = {
  url: 'The server; default: DIALPLANE_URL, then the server of the profile, then the installation in this folder',
  key: 'An API key; by default DIALPLANE_KEY, then that of the profile or the test key of this folder',
  profile: `A server and key of "${PROGRAM} profiles"; by default DIALPLANE_PROFILE, then the one in use`,
};
export const ACCESS_USAGE = '[--url URL] [--key KEY] [--profile NAME]';

/** The server refused a request. A second attempt would be refused too. */
export class RefusedError extends CommandError {
  /** The code of the error; absent if the reply comes from a program between us and the server. */
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/** The server recognizes these commands by this name, and leaves their reads out of the request log. */
const USER_AGENT = `dialplane-cli/${VERSION}`;

const LIMIT_MS = 15_000;
const LOCAL_URL = 'http://localhost:8080';

/**
 * Returns the server and key of a command. Each comes from the first of these sources that has it: the options; the
 * profile of `--profile`; the environment; the profile that the environment or the user has chosen; the installation of
 * this folder with its test key. The key of a profile is sent only to the server of that profile. Prints a note if a
 * chosen profile is used although this folder has an installation.
 */
export function findServer(args: Arguments, terminal: Pick<Terminal, 'err'>): ServerAccess {
  const { url, key, profile } = findAccess(args, terminal);
  if (key === undefined) throw new CommandError(noKey(url, profile));
  return { url, key };
}

/** Returns the address of the server for a command that needs no key. */
export function findUrl(args: Arguments, terminal: Pick<Terminal, 'err'>): string {
  return findAccess(args, terminal).url;
}

/** Returns a sentence if the chosen profile sends this user's commands to another server. */
export function describeDetour(url: string): string | undefined {
  const env = readClientEnvironment();
  const name = env.url === undefined ? chosenName(env) : undefined;
  const profile = findProfile(name, env.userFolder);
  if (profile === undefined || profile.url === withoutSlash(url)) return undefined;
  return `Commands use the profile ${name} (${profile.url}), not ${url}. For that server, use "--profile none", or "profiles use none" for all later commands.`;
}

function findAccess({ options }: Arguments, terminal: Pick<Terminal, 'err'>) {
  const env = readClientEnvironment();
  const named = findProfile(options['profile'], env.userFolder);
  const chosen = options['profile'] === undefined ? findProfile(chosenName(env), env.userFolder) : undefined;
  const profile = named ?? chosen;
  if (chosen !== undefined && options['url'] === undefined) noteDetour(readKeys(env.dataFolder)?.base_url, terminal);
  const installed = profile === undefined ? readKeys(env.dataFolder) : undefined;
  const url = withoutSlash(options['url'] ?? named?.url ?? env.url ?? chosen?.url ?? installed?.base_url ?? LOCAL_URL);
  const ofProfile = profile?.url === url ? profile.key : undefined;
  const key = options['key'] ?? (named && ofProfile) ?? env.key ?? ofProfile ?? installed?.test_key;
  return { url, key, profile };
}

type ClientEnvironment = ReturnType<typeof readClientEnvironment>;

function chosenName({ profile, userFolder }: ClientEnvironment): string | undefined {
  return profile ?? readProfiles(userFolder).current ?? undefined;
}

function noteDetour(url: string | undefined, terminal: Pick<Terminal, 'err'>): void {
  const note = url === undefined ? undefined : describeDetour(url);
  if (note !== undefined) terminal.err(note);
}

function findProfile(name: string | undefined, userFolder: string): Profile | undefined {
  return name === undefined || name === NO_PROFILE ? undefined : requireProfile(readProfiles(userFolder), name);
}

function noKey(url: string, profile: Profile | undefined): string {
  if (profile !== undefined) {
    return `There is no key for ${url}: the profile in use has one for ${profile.url}. Give one with --key.`;
  }
  return 'There is no key. Give one with --key, DIALPLANE_KEY or --profile, or start in the folder of a server.';
}

/** A request to the API. `path` begins with `/v1`, or is the path of a page outside it. */
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
 * Reads from the API. Throws CommandError for an error that a second attempt will not change, such as a wrong key.
 * Throws TypeError or TimeoutError if there is no reply.
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
  const limit = timeoutSignal(LIMIT_MS);
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'user-agent': USER_AGENT,
      ...(sent && { 'content-type': 'application/json' }),
    },
    ...(sent && { body: JSON.stringify(sent) }),
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  });
  const text = await reply.text();
  const { status } = reply;
  if (reply.ok) return { status, body: (text === '' ? null : JSON.parse(text)) as T };
  const { message, code } = errorIn(text);
  const said = `${url} answered ${status}: ${message}`;
  if (status === 429 || status >= 500) throw new TypeError(said);
  throw new RefusedError(said, code);
}

/** Returns the message and code in the body of an error. A proxy in between may have sent a body without them. */
export function errorIn(text: string): { message: string; code?: string | undefined } {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string; code?: string } };
    return { message: error?.message ?? '', code: error?.code };
  } catch {
    return { message: text.slice(0, 200) };
  }
}

/** Throws for a live key: a command that simulates people must never send or buy anything real. */
export async function requireTestMode(server: ServerAccess): Promise<void> {
  await callApi(server, { method: 'GET', path: `${API}/test/outbox?to=${encodeURIComponent('+16025550143')}` });
}
