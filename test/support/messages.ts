import assert from 'node:assert/strict';
import type { Reply } from './caller.ts';
import type { Json } from './events.ts';
import type { Harness } from './harness.ts';
import { sql } from './jobs.ts';

/** Area codes, all in Arizona. One exchange has too few numbers for a process that runs many test files. */
const AREAS = ['602', '623', '928'];
const [FIRST, LAST] = [2_000, 9_999];

let people = 0;

/** Returns an E.164 number that no other test of this process uses. */
export function newPerson(): string {
  const [area, line] = [Math.floor(people / (LAST + 1 - FIRST)), FIRST + (people % (LAST + 1 - FIRST))];
  people++;
  return `+1${AREAS[area] ?? assert.fail('no more people')}555${line}`;
}

type SendOptions = { key?: string; once?: string };

/** Requests a send, with an Idempotency-Key if `once` is given. */
export function trySend(harness: Harness, body: object, { key, once }: SendOptions = {}): Promise<Reply> {
  return harness.call('POST', '/v1/messages', {
    body,
    ...(key !== undefined && { key }),
    ...(once !== undefined && { headers: { 'idempotency-key': once } }),
  });
}

/** Sends a text. Fails unless the API accepts it. */
export async function sendText(harness: Harness, from: string, to: string, body = 'Hello'): Promise<Json> {
  const reply = await trySend(harness, { from, to, body });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

/** Simulates an inbound text. Fails unless it is stored. */
export async function arrive(harness: Harness, from: string, to: string, body: string): Promise<Json> {
  const reply = await harness.call('POST', '/v1/test/inbound_messages', { body: { from, to, body } });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

/** Reads a resource. Fails unless it exists. */
export async function read(harness: Harness, path: string, key?: string): Promise<Json> {
  const reply = await harness.call('GET', `/v1${path}`, key === undefined ? {} : { key });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body;
}

/** Returns the texts that reached a handset, newest first. */
export async function outboxOf(harness: Harness, to: string): Promise<Json[]> {
  return (await read(harness, `/test/outbox?to=${encodeURIComponent(to)}`)).data;
}

/** Sets up a fault of the simulated carrier. */
export async function setFault(harness: Harness, fault: object): Promise<void> {
  const reply = await harness.call('POST', '/v1/test/faults', { body: fault });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
}

/** Returns the status, the code and the field of a refusal. */
export function refusal(reply: Reply): [number, string, string | undefined] {
  return [reply.status, reply.body.error?.code, reply.body.error?.param];
}

/**
 * Counts messages, conversations, keys, events and message jobs. The counts are equal before and after a request
 * without effect.
 */
export async function countEverything(harness: Harness): Promise<object> {
  const [counts] = await sql<object>(
    harness.context.db,
    `select (select count(*) from messages) as messages, (select count(*) from conversations) as conversations,
       (select count(*) from idempotency_keys) as keys, (select count(*) from events) as events,
       (select count(*) from jobs where kind like 'message.%') as jobs,
       (select max(last_activity_at) from conversations) as active`,
  );
  return counts as object;
}

/** Sets the status of the harness's account. */
export async function suspend(harness: Harness, status: 'suspended' | 'active'): Promise<void> {
  await sql(harness.context.db, 'update accounts set status = $2 where id = $1', [harness.account.id, status]);
}
