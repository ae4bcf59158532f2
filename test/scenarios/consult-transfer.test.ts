/** Consult transfers on simulated calls. A tone of each party shows who hears whom. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, logOf, playParty, readCall, ringing, route } from '../support/calls.ts';
import { listEvents } from '../support/events.ts';
import { connectHandset, pickUpHandset } from '../support/handset.ts';
import { until } from '../support/jobs.ts';
import { answerLate } from '../support/late-answers.ts';
import { newPerson } from '../support/messages.ts';
import { makeLine, useLine } from '../support/numbers.ts';
import { listen } from '../support/recordings.ts';
import { createToneMatrix, TONES_HZ } from '../support/tone-matrix.ts';
import { tonesIn } from '../support/tone-power.ts';
import { legsOf } from '../support/voice.ts';
import { logIn, makeWebClient } from '../support/web-clients.ts';

const { harness } = await useLine();

type Line = Awaited<ReturnType<typeof makeLine>>;
type Kind = 'telephone' | 'web client';

/**
 * A person who can be rung, and what connects the person's audio after the answer. `takeOver` keeps the person from
 * answering by itself, also before the person is rung.
 */
async function makePerson(line: Line, kind: Kind) {
  if (kind === 'telephone') {
    const address = newPerson();
    await answerLate(harness.context.db, [address]);
    return {
      address,
      takeOver: async (id: string) => {
        await playParty(harness, id, 'take_over', { number: address });
      },
      answer: async (id: string) => {
        await playParty(harness, id, 'answer', { target: address });
        return await pickUpHandset(harness, id, address);
      },
    };
  }
  const { id: address } = await makeWebClient(harness, line.tenantId);
  const client = await logIn(harness, address);
  return {
    address: address as string,
    takeOver: async () => undefined,
    answer: async (id: string) => {
      await client.receive('incoming');
      client.send({ type: 'answer', call_id: id });
      return connectHandset(harness, await client.receiveMedia());
    },
  };
}

/** A call of a customer with an agent, each with a tone. */
async function talk(agentKind: Kind, fields: object = {}) {
  const line = await makeLine(harness);
  const agent = await makePerson(line, agentKind);
  await route(harness, line, { open_behavior: ringing([agent.address]), ...fields });
  const caller = newPerson();
  const { id } = await callIn(harness, line, { from: caller });
  await agent.takeOver(id);
  await playParty(harness, id, 'take_over', { number: caller });
  const matrix = createToneMatrix();
  const agentAudio = await agent.answer(id);
  matrix.add('customer', await pickUpHandset(harness, id, caller));
  matrix.add('agent', agentAudio);
  await matrix.becomes({ customer: ['agent'], agent: ['customer'] });
  const post = async (path: string, body: object, status: number) => {
    const reply = await harness.call('POST', `/v1/calls/${id}/${path}`, { body });
    assert.equal(reply.status, status, JSON.stringify(reply.body));
  };
  return { id: id as string, line, matrix, post };
}

/** Starts a consultation: the agent talks to a new agent. */
async function consult(agentKind: Kind, newKind: Kind, fields: object = {}) {
  const talking = await talk(agentKind, fields);
  const { id, line, matrix, post } = talking;
  const other = await makePerson(line, newKind);
  await other.takeOver(id);
  await post('transfer', { to: other.address, mode: 'consult' }, 202);
  await matrix.becomes({ customer: [], agent: [] });
  matrix.add('new', await other.answer(id));
  await matrix.becomes({ customer: [], agent: ['new'], new: ['agent'] });
  return talking;
}

const progressOf = async (id: string) =>
  (await listEvents(harness, id)).flatMap(({ type, data }) =>
    type.startsWith('call.transfer.') ? [[type.slice('call.transfer.'.length), data.reason]] : [],
  );

for (const [agentKind, newKind] of [
  ['telephone', 'telephone'],
  ['web client', 'web client'],
  ['web client', 'telephone'],
  ['telephone', 'web client'],
] as const) {
  test(`${agentKind} to ${newKind}: the agents hear each other alone, and after it the customer hears the new one`, async () => {
    const { id, matrix, post } = await consult(agentKind, newKind);
    await post('transfer/complete', {}, 200);
    matrix.remove('agent');
    await matrix.becomes({ customer: ['new'], new: ['customer'] });
    assert.deepEqual(await progressOf(id), [
      ['started', null],
      ['answered', null],
      ['completed', null],
    ]);
    matrix.stop();
    await post('hangup', {}, 200);
  });

  test(`${agentKind} to ${newKind}: a canceled one leaves the customer and the agent as before`, async () => {
    const { id, matrix, post } = await consult(agentKind, newKind);
    await post('transfer/cancel', {}, 200);
    matrix.remove('new');
    await matrix.becomes({ customer: ['agent'], agent: ['customer'] });
    assert.deepEqual((await progressOf(id)).at(-1), ['failed', 'canceled']);
    matrix.stop();
    await post('hangup', {}, 200);
  });
}

test('each who hangs up has an end: the new one returns the customer, the agent completes, the customer ends the call', async () => {
  const left = await consult('telephone', 'telephone');
  const target = (await legsOf(harness, left.id)).at(-1)?.address;
  await playParty(harness, left.id, 'hangup', { party: 'agent', target });
  left.matrix.remove('new');
  await left.matrix.becomes({ customer: ['agent'], agent: ['customer'] });
  assert.deepEqual((await progressOf(left.id)).at(-1), ['failed', 'rejected']);
  left.matrix.stop();

  const passed = await consult('telephone', 'telephone');
  const [, agent] = await legsOf(harness, passed.id);
  await playParty(harness, passed.id, 'hangup', { party: 'agent', target: agent.address });
  passed.matrix.remove('agent');
  await passed.matrix.becomes({ customer: ['new'], new: ['customer'] });
  passed.matrix.stop();

  const over = await consult('web client', 'telephone');
  await playParty(harness, over.id, 'hangup', { party: 'customer' });
  await until('the call is over', async () => (await readCall(harness, over.id)).ended_at !== null);
  assert.deepEqual((await progressOf(over.id)).at(-1), ['failed', 'canceled']);
  over.matrix.stop();
});

test('what the agents say to each other is in no recording', async () => {
  const { id, matrix, post } = await consult('web client', 'web client', {
    recording: { enabled: true, consent_announcement: false },
  });
  await post('transfer/cancel', {}, 200);
  matrix.remove('new');
  await matrix.becomes({ customer: ['agent'], agent: ['customer'] });
  await post('hangup', {}, 200);
  matrix.stop();
  await until('the recording is kept', async () => (await readCall(harness, id)).recording_id !== null, 20_000);
  const { recording_id } = await readCall(harness, id);
  const pcm = await listen(harness, `/v1/recordings/${recording_id}/audio`);
  const [customerHz, agentHz, newHz] = TONES_HZ;
  assert.deepEqual(tonesIn(pcm, [customerHz, agentHz, newHz]), [customerHz, agentHz]);
  assert.ok(logOf(await readCall(harness, id)).includes('transfer_answered'));
});
