import assert from 'node:assert/strict';
import { ERRORS, type ErrorCode } from '../../src/lib/errors/errors.ts';
import type { CallOptions } from '../support/caller.ts';
import type { Reply } from '../support/harness.ts';
import type { Route } from './document.ts';
import type { Request } from './fixture.ts';
import { fixtureOf } from './fixtures.ts';
import type { World } from './world.ts';

/** Returns path and query of a request. Parameters that the request lacks get an unknown id. */
export function pathOf(route: Route, { path = {}, query = {} }: Request): string {
  const filled = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? 'none'));
  const text = new URLSearchParams(query).toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/** Sends a request to the route, with the world's key by default. A refusal must be one that the document lists. */
export async function send(world: World, route: Route, request: Request, options: CallOptions = {}): Promise<Reply> {
  const { key = world.key, body = request.file ?? request.body, ...rest } = options;
  const reply = await world.harness.call(route.method, pathOf(route, request), {
    key,
    ...(body !== undefined && { body }),
    ...rest,
  });
  assertListed(route, reply);
  return reply;
}

/** Fails if the reply is a refusal with a code that the document does not list for the operation. */
export function assertListed({ name, operation }: Route, { status, body }: Reply): void {
  if (status < 400) return;
  const { code } = body.error;
  assert.ok(operation['x-error-codes']?.includes(code), `${name}: ${code} is not in x-error-codes`);
}

/** Makes a request for each route. A refused request stays valid, so it is sent many times. */
export async function makeRequests(world: World, wanted: readonly Route[]): Promise<(route: Route) => Request> {
  const requests = new Map<Route, Request>();
  const make = async (route: Route) => void requests.set(route, await fixtureOf(route).make(world));
  const [alone, others] = [true, undefined].map((kind) => wanted.filter((route) => fixtureOf(route).alone === kind));
  await runSome(others ?? [], make);
  for (const route of alone ?? []) await make(route);
  return (route) => requests.get(route) ?? assert.fail(`no request was made for ${route.name}`);
}

/** How many requests of one ledger a harness carries out concurrently. With more, some would soon be refused. */
const CONCURRENT_MAX = 5;

/** Runs `run` with each item, a few at a time. */
async function runSome<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const work = async () => {
    for (const item of left) await run(item);
  };
  await Promise.all(Array.from({ length: CONCURRENT_MAX }, work));
}

/** A request with a check of its reply. `what` describes the attempt, for the message of a failure. */
export type Attempt = { what: string; request: Request; options?: CallOptions; check(reply: Reply): void };

/** Sends all requests concurrently. Fails if a reply fails its check, and names the route and each such attempt. */
export async function tryAll(world: World, route: Route, attempts: readonly Attempt[]): Promise<void> {
  await assertAll(
    attempts.map(({ what, request, options, check }) => ({
      what: `${route.name}, ${what}`,
      run: async () => check(await send(world, route, request, options)),
    })),
  );
}

/** Runs checks concurrently. Fails with all their failures, each with the name of its check. */
export async function assertAll(checks: readonly { what: string; run(): Promise<void> }[]): Promise<void> {
  const failures: string[] = [];
  await runSome(checks, ({ what, run }) =>
    run().catch((error: Error) => void failures.push(`${what}: ${error.message}`)),
  );
  assert.ok(failures.length === 0, failures.join('\n'));
}

/** Returns a check of a reply that fails unless it is this refusal. */
export function refusedWith(status: number, code: ErrorCode, param?: string): Attempt['check'] {
  return (reply) => assertRefused(reply, status, code, param);
}

/** Sends a request that succeeds. */
export async function succeed(world: World, route: Route, options: CallOptions = {}): Promise<Reply> {
  const reply = await send(world, route, await fixtureOf(route).make(world), options);
  assert.ok(reply.status < 300, `${route.name}: ${JSON.stringify(reply.body)}`);
  return reply;
}

/** Fails unless the reply is this refusal, whole. */
export function assertRefused(reply: Reply, status: number, code: ErrorCode, param?: string): void {
  const { error } = reply.body ?? {};
  const named = param === undefined ? [] : [param];
  const found = [reply.status, error?.code, ...(param === undefined ? [] : [error?.param])];
  assert.deepEqual(found, [status, code, ...named], `expected ${status} ${code} ${named}: ${summaryOf(reply)}`);
  assertEnvelope(reply);
}

function summaryOf({ status, body }: Reply): string {
  return `${status} ${JSON.stringify(body).slice(0, 1_000)}`;
}

/** Words of validators, which refusals must not contain. */
const VALIDATOR_TALK =
  /must NOT|##|\b(pattern|schema|keyword|null type)\b|must be (string|integer|number|boolean|array|object|null|equal)\b|required form/;

/** Fails unless the body is a complete and bounded error envelope, and has no other fields. */
export function assertEnvelope({ status, headers, body }: Reply): void {
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  assertProtected(headers);
  assert.equal(headers.get('www-authenticate'), status === 401 ? 'Bearer realm="Dialplane"' : null);
  assert.ok(Buffer.byteLength(JSON.stringify(body)) <= 16 * 1024);
  assert.deepEqual(Object.keys(body).sort(), ['error', 'request_id']);
  const { code, message, docs_url, request_id, suggestions, fields, ...rest } = body.error;
  assertFields(body.error);
  assert.equal(Array.isArray(suggestions), code === 'e911_address_invalid');
  assert.ok(
    Object.keys(rest).every((name) => name === 'param' && typeof rest.param === 'string'),
    JSON.stringify(body),
  );
  assert.ok(typeof message === 'string' && message.length > 0);
  assert.doesNotMatch(message, VALIDATOR_TALK);
  assert.ok(docs_url.endsWith(`/docs/errors/${code}`), docs_url);
  assert.match(body.request_id, /^req_/);
  assert.deepEqual([body.request_id, request_id], Array(2).fill(headers.get('request-id')));
}

/** Fails unless no cache may keep the reply and no browser may guess its type. */
export function assertProtected(headers: Headers): void {
  const found = ['cache-control', 'x-content-type-options'].map((name) => headers.get(name));
  assert.deepEqual(found, ['no-store', 'nosniff']);
}

type ErrorBody = { code: string; param?: string; fields?: { param: string; code: string; message: string }[] };

/**
 * Fails unless a refusal of bad input lists mistakes, and the first of them is in `param`. Other refusals must list
 * none.
 */
function assertFields({ code, param, fields }: ErrorBody): void {
  if (ERRORS[code as ErrorCode].status !== 400 || param === undefined) {
    assert.equal(fields, undefined);
    return;
  }
  assert.ok(fields !== undefined && fields.length >= 1 && fields.length <= 20);
  assert.equal(fields[0]?.param, param);
  for (const field of fields) {
    assert.deepEqual(Object.keys(field), ['param', 'code', 'message']);
    assert.ok(field.code in ERRORS && field.message.length > 0, JSON.stringify(field));
    assert.doesNotMatch(field.message, VALIDATOR_TALK);
  }
}
