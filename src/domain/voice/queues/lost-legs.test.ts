import assert from 'node:assert/strict';
import { test } from 'node:test';
import { route } from '../../../../test/support/calls.ts';
import type { Json } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { legsOf, ring, useScriptedLine } from '../../../../test/support/voice.ts';
import { endLostLegs } from './lost-leg-queries.ts';

const { harness, voice } = await useScriptedLine();
const { db } = harness.context;

/** Returns a queue with one agent, and a number that leads to it. */
async function queueLine(fields: object = {}) {
  const line = await makeLine(harness);
  const agent = newPerson();
  const body = { tenant_id: line.tenantId, name: 'Support', agents: [agent], ring_seconds: 120, ...fields };
  const { body: queue } = await harness.call('POST', '/v1/queues', { body });
  await route(harness, line, { open_behavior: { type: 'queue', queue_id: queue.id } });
  return { agent, queueId: queue.id as string, number: line.number.phone_number };
}

const stateOf = async (queueId: string): Promise<string> => (await read(harness, `/queues/${queueId}`)).agents[0].state;

/** Returns a caller while the agent of the queue rings for it. */
async function offered(number: string, agent: string) {
  const caller = await ring(voice, number);
  await harness.advance(0.1);
  const leg = (await legsOf(harness, caller.id)).find(({ address }: Json) => address === agent);
  return { ...caller, agentLeg: leg?.id as string | undefined };
}

const answer = (callRef: string, legRef: string) =>
  voice.report({ type: 'leg.ringing', callRef, legRef }, { type: 'leg.answered', callRef, legRef });
const hangUp = (callRef: string, legRef: string) =>
  voice.report({ type: 'leg.ended', callRef, legRef, cause: 'hangup' });
const rowOf = async (legId: string) =>
  (await sql<Json>(db, 'select state, ended_at from queue_agent_legs where leg_id = $1', [legId]))[0];

test('an agent whose end was never reported is free a while after its call, and the next caller rings there', async () => {
  const { agent, queueId, number } = await queueLine();
  const first = await offered(number, agent);
  await answer(first.id, first.agentLeg as string);
  await hangUp(first.id, first.legRef);
  const second = await offered(number, agent);
  assert.equal(second.agentLeg, undefined);
  assert.equal(await endLostLegs(db, 10), 0);
  assert.equal(await stateOf(queueId), 'busy');
  await harness.advance(31);
  assert.equal(await endLostLegs(db, 10), 1);
  await harness.advance(0);
  assert.ok(voice.instructions(second.id).some((done) => done.do === 'dial' && done.to === agent));
  const before = await rowOf(first.agentLeg as string);
  assert.deepEqual([before.state, await endLostLegs(db, 10)], ['talked', 0]);
  await hangUp(first.id, first.agentLeg as string);
  assert.deepEqual(await rowOf(first.agentLeg as string), before, 'a report that comes late changes nothing');
});

test('the wrap-up of an agent whose end was never reported counts from the end of its call', async () => {
  const { agent, queueId, number } = await queueLine({ wrap_up_seconds: 3_000 });
  const { id, legRef, agentLeg } = await offered(number, agent);
  await answer(id, agentLeg as string);
  await hangUp(id, legRef);
  await harness.advance(1_000);
  await endLostLegs(db, 10);
  assert.equal(await stateOf(queueId), 'wrap_up');
  await harness.advance(2_000);
  assert.equal(await stateOf(queueId), 'available');
});

test('a leg of a call that goes on is left alone, however long it lasts', async () => {
  const { agent, queueId, number } = await queueLine();
  const { id, agentLeg } = await offered(number, agent);
  await answer(id, agentLeg as string);
  await harness.advance(1_000);
  await endLostLegs(db, 10);
  assert.equal(await stateOf(queueId), 'busy');
});
