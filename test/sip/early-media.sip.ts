/** Providers that play something before the answer (183): who hears it, and what it costs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/events.ts';
import { sql, until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { RECORDED_USE } from '../support/recorded-use.ts';
import { useSipLine } from './sip-line.ts';

const line = await useSipLine();
const { harness, people, number, get, make, untilHas, eventsOf, route, callIn, untilQuiet } = line;

const LIMIT_MS = 20_000;
const EARLY_HZ = 700;
const AGENT_HZ = 500;
/** Early media that would be a second minute, if it were billed. */
const LONG_EARLY_MS = 61_000;

/** Someone whose provider plays a tone before the answer; null never answers. */
function early(answersAfterMs: number | null): string {
  const person = newPerson();
  people.set(person, { early: true, answersAfterMs, frequencyHz: EARLY_HZ });
  return person;
}

/** Places a click-to-call to someone with early media. Resolves with it and the agent once the customer rings. */
async function placeTo(to: string) {
  const agent = newPerson();
  people.set(agent, { frequencyHz: AGENT_HZ });
  const { id } = await make('/calls', { from: number.id, connect_to: agent, to });
  const rings = ({ type, detail }: Json) => type === 'ringing' && detail.party === 'customer';
  await until('the customer rings', async () => (await get(`/calls/${id}`)).events.some(rings), LIMIT_MS);
  return { id: id as string, agent };
}

/** Waits for something, and fails if a person hears the early tone before. */
async function untilUnheard(what: string, listener: string, isSo: () => Promise<boolean>, limitMs = LIMIT_MS) {
  let isHeard = false;
  const check = async () => {
    if (await isSo()) return true;
    isHeard ||= people.phoneOf(listener).hears(EARLY_HZ);
    return false;
  };
  await until(what, check, limitMs);
  assert.ok(!isHeard, `${what}: the early tone was heard`);
}

/** Waits until a call has ended, and returns its usage: kinds with minutes. */
async function usageOf(id: string, fields: object) {
  await untilHas(`/calls/${id}`, fields);
  await untilQuiet();
  assert.equal((await eventsOf(id, 'call.completed')).length, 1);
  return await sql(
    harness.context.db,
    `select kind, quantity from ${RECORDED_USE} u
     where reference = 'call:' || $1`,
    [id],
  );
}

const isAnswered = (id: string) => async () => (await get(`/calls/${id}`)).status === 'in_progress';

test('the agent of a click-to-call hears the customer from the answer on, and not the early media before it', async () => {
  const to = early(3_000);
  const { id, agent } = await placeTo(to);
  await untilUnheard('the customer answers', agent, isAnswered(id));
  await until('the agent hears the customer', () => people.phoneOf(agent).hears(EARLY_HZ), LIMIT_MS);
  await until('the customer hears the agent', () => people.phoneOf(to).hears(AGENT_HZ), LIMIT_MS);
  people.hangUp(to);
  const usage = await usageOf(id, { status: 'completed', outcome: 'answered' });
  assert.deepEqual(usage, [{ kind: 'call_minute_outbound', quantity: 1 }]);
  const { duration_seconds } = await get(`/calls/${id}`);
  assert.ok(duration_seconds <= 2, `${duration_seconds} s`);
});

test('early media that is never followed by an answer costs nothing, of calls out and in', async () => {
  const { id, agent } = await placeTo(early(null));
  await make(`/calls/${id}/hangup`, {}, 200);
  assert.deepEqual(await usageOf(id, { status: 'failed', outcome: 'canceled', duration_seconds: 0 }), []);
  assert.ok(!people.listTalkers().includes(agent));
  await route({ type: 'ring', targets: [early(null)], timeout_seconds: 3 });
  const call = await callIn();
  assert.deepEqual(await usageOf(call.id, { status: 'missed', outcome: 'missed', duration_seconds: 0 }), []);
});

test('a minute of early media is not billed: a call costs the minutes from its answer', async () => {
  const target = early(LONG_EARLY_MS);
  await route({ type: 'ring', targets: [target], timeout_seconds: 90 });
  const { id, caller } = await callIn();
  await untilUnheard('the target answers', caller, isAnswered(id), LONG_EARLY_MS + LIMIT_MS);
  await until('the caller hears the target', () => people.phoneOf(caller).hears(EARLY_HZ), LIMIT_MS);
  people.hangUp(caller);
  const usage = await usageOf(id, { status: 'completed', outcome: 'answered' });
  assert.deepEqual(usage, [{ kind: 'call_minute_inbound', quantity: 1 }]);
});
