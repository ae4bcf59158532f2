import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, playParty, readCall, route, typesOf } from '../../../../test/support/calls.ts';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { type Line, makeLine } from '../../../../test/support/numbers.ts';
import { MAGIC } from '../../../carriers/simulated/magic-numbers.ts';

const harness = await useHarness();

async function makeQueue({ tenantId }: Line, fields: object = {}): Promise<Json> {
  const body = { tenant_id: tenantId, name: 'Support', agents: [newPerson()], ...fields };
  const made = await harness.call('POST', '/v1/queues', { body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body;
}

/** Returns a number whose callers wait in a new queue. */
async function queueLine(fields: object = {}) {
  const line = await makeLine(harness);
  const queue = await makeQueue(line, fields);
  await route(harness, line, { open_behavior: { type: 'queue', queue_id: queue.id } });
  return { line, queue };
}

const readQueue = (id: string): Promise<Json> => read(harness, `/queues/${id}`);
const statesOf = async (id: string): Promise<string[]> => (await readQueue(id)).agents.map(({ state }: Json) => state);
const dataOf = async (callId: string, type: string): Promise<Json[]> =>
  (await listEvents(harness, callId)).flatMap((event: Json) => (event.type === type ? [event.data] : []));

test('a caller waits with hold audio until an agent answers, and the events say so', async () => {
  const agent = newPerson();
  const { line, queue } = await queueLine({ agents: [agent] });
  const { id } = await callIn(harness, line);
  await harness.advance(0.5);
  assert.deepEqual(await statesOf(queue.id), ['ringing']);
  assert.partialDeepStrictEqual(await readQueue(queue.id), { waiting: 1 });
  await harness.advance(2);
  const call = await readCall(harness, id);
  assert.partialDeepStrictEqual(call, { status: 'in_progress', answered_by: agent });
  assert.deepEqual(await statesOf(queue.id), ['busy']);
  assert.partialDeepStrictEqual(await readQueue(queue.id), { waiting: 0, longest_wait_seconds: 0 });
  assert.deepEqual(await dataOf(id, 'call.queued'), [
    { object: 'call_queued', call_id: id, queue_id: queue.id, position: 1 },
  ]);
  const [left] = await dataOf(id, 'call.dequeued');
  const { wait_seconds, ...others } = left;
  assert.ok(Number.isInteger(wait_seconds) && wait_seconds >= 1, `${wait_seconds} s`);
  assert.deepEqual(others, { object: 'call_dequeued', call_id: id, queue_id: queue.id, reason: 'answered', agent });
  await harness.advance(20);
  assert.equal((await readCall(harness, id)).status, 'completed');
  assert.deepEqual(await statesOf(queue.id), ['available']);
  assert.deepEqual(await typesOf(harness, id), [
    'call.started',
    'call.queued',
    'call.dequeued',
    'call.answered',
    'call.completed',
  ]);
});

/** Returns who answered a call, or why it left its queue. */
async function endOf(callId: string): Promise<string | null> {
  const [left] = await dataOf(callId, 'call.dequeued');
  return left === undefined ? null : (left.agent ?? left.reason);
}

test('callers are answered in the order of their arrival, one an agent, and the next when the agent is free', async () => {
  const agent = newPerson();
  const { line, queue } = await queueLine({ agents: [agent] });
  const calls = [await callIn(harness, line), await callIn(harness, line), await callIn(harness, line)].map(
    ({ id }) => id,
  );
  await harness.advance(3);
  assert.deepEqual(await Promise.all(calls.map(endOf)), [agent, null, null]);
  assert.partialDeepStrictEqual(await readQueue(queue.id), { waiting: 2 });
  assert.ok((await readQueue(queue.id)).longest_wait_seconds >= 3);
  await playParty(harness, calls[0] as string, 'hangup', { party: 'customer' });
  await harness.advance(3);
  assert.deepEqual(await Promise.all(calls.map(endOf)), [agent, agent, null]);
  const positions = await Promise.all(calls.map(async (id) => (await dataOf(id, 'call.queued'))[0].position));
  // An agent may answer the first caller before the others arrive.
  assert.ok(positions[0] === 1 && positions[1] < positions[2], positions.join());
  await harness.advance(60);
  assert.deepEqual(await Promise.all(calls.map(endOf)), [agent, agent, agent]);
  assert.partialDeepStrictEqual(await readQueue(queue.id), { waiting: 0 });
});

test('the longest idle agent rings first, then the next; in turns each rings after the others', async () => {
  for (const strategy of ['longest_idle', 'round_robin']) {
    const agents = [newPerson(), newPerson(), newPerson()];
    const { line } = await queueLine({ agents, strategy });
    const taken: (string | null)[] = [];
    for (let n = 0; n < 4; n++) {
      const { id } = await callIn(harness, line);
      await harness.advance(3);
      taken.push(await endOf(id));
      await playParty(harness, id, 'hangup', { party: 'customer' });
      await harness.advance(1);
    }
    assert.deepEqual(taken, [...agents, agents[0]], strategy);
  }
});

test('all free agents ring for one caller with ring_all, and one of them gets the call', async () => {
  const agents = [newPerson(), newPerson(), newPerson()];
  const { line, queue } = await queueLine({ agents, strategy: 'ring_all' });
  const first = await callIn(harness, line);
  const second = await callIn(harness, line);
  await harness.advance(0.5);
  assert.deepEqual(await statesOf(queue.id), ['ringing', 'ringing', 'ringing']);
  await harness.advance(5);
  const answered = [await endOf(first.id), await endOf(second.id)];
  assert.ok(
    answered.every((agent) => agents.includes(agent as string)) && answered[0] !== answered[1],
    answered.join(),
  );
});

test('an agent that does not answer is followed by the next one, and the caller keeps its place', async () => {
  const agent = newPerson();
  const { line } = await queueLine({ agents: [MAGIC.neverAnswers, agent], ring_seconds: 3 });
  const { id } = await callIn(harness, line);
  await harness.advance(8);
  assert.equal(await endOf(id), agent);
  const call = await readCall(harness, id);
  const missed = call.events.filter(({ type }: Json) => type === 'target_cancelled').map(({ detail }: Json) => detail);
  assert.deepEqual(missed, [{ target: MAGIC.neverAnswers, reason: 'no_answer' }]);
});

test('an agent is busy on calls of any kind, and then in wrap-up by itself', async () => {
  const agent = newPerson();
  const { line, queue } = await queueLine({ agents: [agent], wrap_up_seconds: 30 });
  const body = { from: line.number.id, to: newPerson(), connect_to: agent };
  const placed = await harness.call('POST', '/v1/calls', { body });
  await harness.advance(4);
  assert.deepEqual(await statesOf(queue.id), ['busy']);
  const { id } = await callIn(harness, line);
  await harness.advance(3);
  assert.equal(await endOf(id), null);
  await harness.call('POST', `/v1/calls/${placed.body.id}/hangup`);
  await harness.advance(1);
  assert.deepEqual(await statesOf(queue.id), ['wrap_up']);
  await harness.advance(20);
  assert.equal(await endOf(id), null);
  await harness.advance(12);
  assert.equal(await endOf(id), agent);
});

test('an agent that is away gets no caller, and the waiting caller once it is available', async () => {
  const agent = newPerson();
  const { line, queue } = await queueLine({ agents: [agent] });
  const path = `/v1/queues/${queue.id}/agents/${encodeURIComponent(agent)}/availability`;
  const set = (availability: string) => harness.call('PUT', path, { body: { availability } });
  assert.deepEqual((await set('away')).body.agents, [{ agent, state: 'away' }]);
  const { id } = await callIn(harness, line);
  await harness.advance(10);
  assert.equal(await endOf(id), null);
  assert.equal((await set('available')).status, 200);
  await harness.advance(3);
  assert.equal(await endOf(id), agent);
});

test('an agent that joins a queue while callers wait rings for the first of them', async () => {
  const { line, queue } = await queueLine({ agents: [] });
  const { id } = await callIn(harness, line);
  await harness.advance(5);
  const agent = newPerson();
  const changed = await harness.call('PATCH', `/v1/queues/${queue.id}`, { body: { agents: [agent] } });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  await harness.advance(3);
  assert.equal(await endOf(id), agent);
});

test('a caller who hangs up leaves the queue as abandoned, and nobody rings for it any more', async () => {
  const { line, queue } = await queueLine({ agents: [MAGIC.neverAnswers] });
  const { id } = await callIn(harness, line);
  await harness.advance(2);
  await playParty(harness, id, 'hangup', { party: 'customer' });
  await harness.advance(1);
  assert.equal(await endOf(id), 'abandoned');
  assert.partialDeepStrictEqual(await readCall(harness, id), { status: 'completed', outcome: 'missed' });
  assert.partialDeepStrictEqual(await readQueue(queue.id), { waiting: 0 });
  assert.notDeepEqual(await statesOf(queue.id), ['ringing']);
  assert.deepEqual(await typesOf(harness, id), [
    'call.started',
    'call.queued',
    'call.dequeued',
    'call.missed',
    'call.completed',
  ]);
});

test('a simulated caller presses a key by its script while it waits', async () => {
  const { line } = await queueLine({ agents: [], callback_digit: '1' });
  const { id } = await callIn(harness, line, { script: 'wait 2, press 1' });
  await harness.advance(4);
  assert.equal(await endOf(id), 'callback');
});

test('one agent of two queues gets one caller at a time', async () => {
  const agent = newPerson();
  const [one, two] = [await queueLine({ agents: [agent] }), await queueLine({ agents: [agent] })];
  const [first, second] = await Promise.all([callIn(harness, one.line), callIn(harness, two.line)]);
  await harness.advance(3);
  const ends = [await endOf(first.id), await endOf(second.id)];
  assert.deepEqual(ends.toSorted(), [agent, null].toSorted());
  await harness.advance(40);
  assert.deepEqual([await endOf(first.id), await endOf(second.id)], [agent, agent]);
});

test('an agent that comes back while the queue decides goes to the first caller, and not to the second', async () => {
  const agent = newPerson();
  const { line, queue } = await queueLine({ agents: [agent] });
  const path = `/v1/queues/${queue.id}/agents/${encodeURIComponent(agent)}/availability`;
  const set = (availability: string) => harness.call('PUT', path, { body: { availability } });
  await set('away');
  const first = await callIn(harness, line);
  await harness.advance(1);
  const second = await callIn(harness, line);
  await harness.advance(1);
  const { db } = harness.context;
  // The agent goes away when the queue wants it for a caller, and comes back when the queue wants it again.
  await sql(
    db,
    `create function come_and_go() returns trigger language plpgsql as $$
     begin update queue_agents set is_away = not is_away where agent = '${agent}'; return null; end $$`,
  );
  const when = 'before insert on queue_agent_turns for each statement';
  await sql(db, `create trigger come_and_go ${when} execute function come_and_go()`);
  await set('available');
  await harness.advance(1);
  await sql(db, 'drop function come_and_go cascade');
  await set('available');
  await harness.advance(3);
  assert.deepEqual([await endOf(first.id), await endOf(second.id)], [agent, null]);
});
