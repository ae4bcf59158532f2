import assert from 'node:assert/strict';
import { LEDGER_TABLES } from '../../src/db/ledger-tables.ts';
import { ERRORS, type ErrorCode } from '../../src/lib/errors.ts';
import type { CallOptions } from '../support/caller.ts';
import type { Reply } from '../support/harness.ts';
import type { Route } from './document.ts';
import type { Request } from './fixture.ts';
import { fixtureOf } from './fixtures.ts';
import type { World } from './world.ts';

/** Path and query of a request; parameters that the request does not give get an unknown id. */
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

/** Sends a request that succeeds. */
export async function succeed(world: World, route: Route, options: CallOptions = {}): Promise<Reply> {
  const reply = await send(world, route, await fixtureOf(route).make(world), options);
  assert.ok(reply.status < 300, `${route.name}: ${JSON.stringify(reply.body)}`);
  return reply;
}

/** Fails unless the reply is this refusal, whole. */
export function assertRefused(reply: Reply, status: number, code: ErrorCode, param?: string): void {
  assert.deepEqual(
    {
      status: reply.status,
      code: reply.body?.error?.code,
      ...(param !== undefined && { param: reply.body?.error?.param }),
    },
    { status, code, ...(param !== undefined && { param }) },
    JSON.stringify(reply.body),
  );
  assertEnvelope(reply);
}

/** Words of validators, which refusals must not contain. */
const VALIDATOR_TALK =
  /must NOT|##|\b(pattern|schema|keyword|null type)\b|must be (string|integer|number|boolean|array|object|null|equal)\b|required form/;

/** Fails unless the body is a complete and bounded error envelope without further fields. */
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

/** Fails unless bad input names all its mistakes, the first of them also in `param`, and no other refusal does. */
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

/** Tables of the platform itself: their rows are no effect of an operation. */
const BOOKKEEPING = ['idempotency_keys', 'jobs', 'lanes', 'usage_entries', 'usage_archive', 'usage_hours'];

/** Usage rows, which a sweep moves from one table to the other. */
const FACTS = ['usage_entries', 'usage_archive'];

type Place = Pick<World, 'harness' | 'ledgerId' | 'receiver'>;

/** Counts the rows of each table of the world's ledger, and the requests to the receiver. */
export async function effectsIn({ harness, ledgerId, receiver }: Place): Promise<Record<string, number>> {
  const tables = [...LEDGER_TABLES, 'api_keys', 'audit_log'].filter((table) => !BOOKKEEPING.includes(table));
  const counts = tables.map((table) => `(select count(*) from ${table} where ledger_id = ${ledgerId}) as ${table}`);
  const facts = FACTS.map((table) => `(select count(*) from ${table} where ledger_id = ${ledgerId})`).join(' + ');
  const text = `select ${counts.join(', ')}, ${facts} as usage_facts`;
  // Named, so that PostgreSQL plans the long statement once and not before and after each request.
  const statement = { name: `effects_in_${ledgerId}`, text };
  const [row] = await harness.context.db.query<Record<string, number>>(statement, []);
  return { ...row, received: receiver.received.length };
}

/** Returns a check that fails if the world has other effects than at this call. */
export async function watchEffects(place: Place): Promise<() => Promise<void>> {
  const before = await effectsIn(place);
  return async () => assert.deepEqual(await effectsIn(place), before);
}
