/** Twenty calls of all kinds. The process is killed several times during them, at moments that a seed chooses. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, createCaller, isBroken } from '../support/caller.ts';
import { createRandom } from '../support/fault-rules.ts';
import { sql, until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { type PlacedCall, useSipSite } from './sip-site.ts';

const CALLS = 20;
const KILLS = 4;
/** Chooses the calls and the moments of the kills. */
const SEED = 1;
const LIMIT_MS = 120_000;

type Reply = Awaited<ReturnType<Caller>>;

const site = await useSipSite();
const { db, people, number, get } = site;

test('every call ends once, and is billed once if it connected, whenever the process is killed', async (t) => {
  const random = createRandom(SEED);
  const between = (least: number, most: number) => Math.round(least + random() * (most - least));
  const plans = Array.from({ length: CALLS }, () => ({
    startsAfterMs: between(0, 20_000),
    answersAfterMs: random() < 0.2 ? null : between(100, 3_000),
    talksForMs: between(500, 8_000),
    endedBy: (['agent', 'customer', 'tenant'] as const)[between(0, 2)] ?? 'tenant',
  }));
  const restsMs = Array.from({ length: KILLS }, () => between(500, 6_000));

  const calls = plans.map(async (plan) => {
    await sleep(plan.startsAfterMs);
    const placed = await place(plan.answersAfterMs);
    const hasAnswered = async () => (await insist('GET', `/v1/calls/${placed.id}`)).body.status !== 'ringing';
    if (plan.answersAfterMs !== null) await until(`${placed.id} is answered`, hasAnswered, LIMIT_MS);
    await sleep(plan.talksForMs);
    const person = plan.endedBy === 'tenant' ? undefined : placed[plan.endedBy];
    if (person !== undefined && people.listTalkers().includes(person)) people.hangUp(person);
    else await insist('POST', `/v1/calls/${placed.id}/hangup`, {});
    return placed.id;
  });
  for (const restMs of restsMs) {
    await sleep(restMs);
    await site.killAndStart();
  }
  const ids = await Promise.all(calls);
  for (const id of ids)
    await until(`${id} has ended`, async () => (await get(`/calls/${id}`)).ended_at !== null, LIMIT_MS);
  const ends = await Promise.all(ids.map((id) => get(`/calls/${id}`)));
  t.diagnostic(`${ends.filter(({ status }) => status === 'completed').length} of ${CALLS} calls connected`);
  for (const { id, status, duration_seconds } of ends) {
    // A call that ended just after its connection may cost nothing.
    const minutes = status === 'completed' && duration_seconds === 0 ? [0, 1] : [status === 'completed' ? 1 : 0];
    await site.assertEndedOnce(id, { billed: minutes });
  }
  assert.ok(ends.some(({ duration_seconds }) => duration_seconds > 0));
  assert.deepEqual(await sql(db, 'select leg_ref from sip_legs where ended_at is null'), [], 'legs without an end');
});

/** Repeats a request until a process answers. The Idempotency-Key makes a repeat harmless. */
async function insist(method: string, path: string, body?: object) {
  const headers = { 'idempotency-key': randomUUID() };
  const asked = { ...(body && { body }), headers };
  let reply: Reply | undefined;
  const isAnswered = async () => {
    reply = await createCaller(site.product().url, site.key)(method, path, asked).catch((error: unknown) => {
      if (!isBroken(error)) throw error;
      return undefined;
    });
    // Just after its start, a process answers 503 until it has read its carriers.
    return reply !== undefined && reply.status !== 503;
  };
  await until(`${method} ${path} is answered`, isAnswered, LIMIT_MS);
  return reply ?? assert.fail();
}

async function place(answersAfterMs: number | null): Promise<PlacedCall> {
  const [agent, customer] = [newPerson(), newPerson()];
  people.set(customer, { answersAfterMs });
  const { status, body } = await insist('POST', '/v1/calls', { from: number.id, connect_to: agent, to: customer });
  assert.equal(status, 201, JSON.stringify(body));
  return { id: body.id, agent, customer };
}
