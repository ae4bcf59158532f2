/** Requests of commands to the API. */
import { randomUUID } from 'node:crypto';
import { parseRetryAfter } from '../../lib/http/retry-after.ts';
import { now, sleep, timeoutSignal } from '../../lib/time/time.ts';
import { CommandError } from '../command.ts';
import { errorIn, type ServerAccess } from '../developer/server-access.ts';
import type { Operation } from './operations.ts';

export type Request = {
  readonly method: Operation['method'];
  /** The path from `/v1` on, with the ids filled in. */
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** An object that is sent as JSON, or a file. */
  readonly body?: object | { readonly type: string; readonly content: Uint8Array<ArrayBuffer> } | undefined;
  readonly idempotencyKey?: string | undefined;
};

/** The error of the API in the body of a reply. */
export type ApiErrorBody = {
  readonly code: string;
  readonly message: string;
  readonly param?: string;
  readonly fields?: readonly { readonly param: string; readonly message: string }[];
  readonly request_id?: string;
  readonly docs_url?: string;
};

/** The API has refused a request, for the reason in `body`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly body: ApiErrorBody;

  constructor(body: ApiErrorBody) {
    super(body.message);
    this.body = body;
  }
}

const LIMIT_MS = 30_000;
const REPEATS_MAX = 3;
/** If the server asks for a longer wait, the command fails and the user decides. */
const WAIT_MAX_MS = 60_000;

/**
 * Sends a request and returns the reply if it is a success. If the server has no capacity, repeats the request at the
 * time that the server names. Throws Refusal for an error of the API. Throws CommandError for any other reply, or if
 * there is none.
 */
export async function sendRequest(
  server: ServerAccess,
  request: Request,
  onWait: (seconds: number) => void,
): Promise<Response> {
  // All attempts have one Idempotency-Key, so that a repeat has no second effect.
  const init = initOf(server, { ...request, idempotencyKey: request.idempotencyKey ?? randomUUID() });
  for (let repeat = 1; ; repeat += 1) {
    const reply = await attempt(`${server.url}${request.path}${queryText(request.query)}`, init);
    if (reply.ok) return reply;
    const waitMs = [429, 503].includes(reply.status) ? parseRetryAfter(reply.headers.get('retry-after'), now()) : null;
    if (waitMs === null || waitMs > WAIT_MAX_MS || repeat > REPEATS_MAX) throw await refusalOf(server, reply);
    await reply.arrayBuffer();
    onWait(Math.ceil(waitMs / 1000));
    await sleep(waitMs);
  }
}

function initOf({ key }: ServerAccess, { method, body, idempotencyKey = '' }: Request): RequestInit {
  const isFile = body !== undefined && 'content' in body && body.content instanceof Uint8Array;
  const type = isFile ? String(Reflect.get(body, 'type')) : 'application/json';
  const content = isFile ? body.content : JSON.stringify(body);
  return {
    method,
    // A redirect would turn a POST into a GET, or take the key to another host.
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${key}`,
      ...(method === 'POST' && { 'idempotency-key': idempotencyKey }),
      ...(body !== undefined && { 'content-type': type }),
    },
    ...(body !== undefined && { body: content }),
  };
}

async function attempt(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { ...init, signal: timeoutSignal(LIMIT_MS) });
  } catch (error) {
    const { cause, message } = error as Error;
    const why = cause instanceof Error ? cause.message || Reflect.get(cause, 'code') : message;
    throw new CommandError(`${new URL(address).origin} does not answer: ${why}. Is the server running?`);
  }
}

function queryText(query: Request['query']): string {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

async function refusalOf({ url }: ServerAccess, reply: Response): Promise<Error> {
  const text = await reply.text();
  const body = errorOf(text);
  if (body !== undefined) return new Refusal(body);
  const place = reply.headers.get('location');
  const more = place === null ? errorIn(text).message : `a redirect to ${place}. Give that address with --url`;
  return new CommandError(`${url} answered ${reply.status}, not as the API: ${more}`);
}

function errorOf(text: string): ApiErrorBody | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: Partial<ApiErrorBody> };
    return typeof error?.code === 'string' ? (error as ApiErrorBody) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
