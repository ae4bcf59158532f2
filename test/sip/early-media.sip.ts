/** Providers that play audio before the answer (183): who hears it, and what it costs. */
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
/** Longer than the rounding error of a duration. */
const EARLY_MS = 3_000;
/** Early media that is long enough to be billed as a second minute, if it were billed. */
const LONG_EARLY_MS = 61_000;

/** Adds a person whose provider plays a tone before the answer; with null the person never answers. */
function early(answersAfterMs: number | null): string {
  const person = newPerson();
  people.set(person, { early: true, answersAfterMs, frequencyHz: EARLY_HZ });
  return person;
}

/**
 * Places a click-to-call to a person with early media. Resolves with the call and the agent once the customer rings.
 */
async function placeTo(to: string) {
  const agent = newPerson();
  people.set(agent, { frequencyHz: AGENT_HZ });
  const { id } = await make('/calls', { from: number.id, connect_to: agent, to });
  const rings = ({ type, detail }: Json) => type === 'ringing' && detail.party === 'customer';
  await until('the customer rings', async () => (await get(`/calls/${id}`)).events.some(rings), LIMIT_MS);
  return { id: id as string, agent };
}

/** Waits until a person with early media answers. Fails if the listener hears the tone before that. */
async function untilAnswered(to: string, listener: string, limitMs = LIMIT_MS) {
  const answers = () => {
    if (people.listTalkers().includes(to)) return true;
    assert.ok(!people.phoneOf(listener).hasHeard(EARLY_HZ), 'the early tone was heard');
    return false;
  };
  await until(`${to} answers`, answers, limitMs);
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

test('the agent of a click-to-call hears the customer from the answer on, and not the early media before it', async () => {
  const to = early(EARLY_MS);
  const { id, agent } = await placeTo(to);
  await untilAnswered(to, agent);
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  const answeredMs = people.answeredAtMs(to);
  await until('the agent hears the customer', () => people.phoneOf(agent).hears(EARLY_HZ), LIMIT_MS);
  await until('the customer hears the agent', () => people.phoneOf(to).hears(AGENT_HZ), LIMIT_MS);
  people.hangUp(to);
  const usage = await usageOf(id, { status: 'completed', outcome: 'answered' });
  assert.deepEqual(usage, [{ kind: 'call_minute_outbound', quantity: 1 }]);
  const { duration_seconds, ended_at } = await get(`/calls/${id}`);
  const talkedS = Math.ceil((Date.parse(ended_at) - answeredMs) / 1_000);
  assert.ok(duration_seconds <= talkedS, `${duration_seconds} s of ${talkedS}`);
});

test('early media that is never followed by an answer costs nothing, of calls out and in', async () => {
  const { id, agent } = await placeTo(early(null));
  await make(`/calls/${id}/hangup`, {}, 200);
  assert.deepEqual(await usageOf(id, { status: 'failed', outcome: 'canceled', duration_seconds: 0 }), []);
  await until('the agent is hung up', () => !people.listTalkers().includes(agent), LIMIT_MS);
  await route({ type: 'ring', targets: [early(null)], timeout_seconds: 3 });
  const call = await callIn();
  assert.deepEqual(await usageOf(call.id, { status: 'missed', outcome: 'missed', duration_seconds: 0 }), []);
});

test('a minute of early media is not billed: a call costs the minutes from its answer', async () => {
  const target = early(LONG_EARLY_MS);
  await route({ type: 'ring', targets: [target], timeout_seconds: 90 });
  const { id, caller } = await callIn();
  await untilAnswered(target, caller, LONG_EARLY_MS + LIMIT_MS);
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  await until('the caller hears the target', () => people.phoneOf(caller).hears(EARLY_HZ), LIMIT_MS);
  people.hangUp(caller);
  const usage = await usageOf(id, { status: 'completed', outcome: 'answered' });
  assert.deepEqual(usage, [{ kind: 'call_minute_inbound', quantity: 1 }]);
});
