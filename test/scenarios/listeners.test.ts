/** Web clients that listen to calls. A tone of each party shows who hears whom. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LISTENER_HEARERS } from '../../src/domain/voice/calls/state/call-listener.ts';
import { callIn, logOf, playParty, readCall, ringing, route } from '../support/calls.ts';
import type { Json } from '../support/events.ts';
import { connectHandset, pickUpHandset } from '../support/handset.ts';
import { until } from '../support/jobs.ts';
import { answerLate } from '../support/late-answers.ts';
import { newPerson, read, refusal } from '../support/messages.ts';
import { makeLine, useLine } from '../support/numbers.ts';
import { createToneMatrix, type Hearing } from '../support/tone-matrix.ts';
import { logIn, makeWebClient } from '../support/web-clients.ts';

const { harness } = await useLine();

/** A call of a customer with an agent, at a telephone or a web client, each with a tone. */
async function talk(agentKind: 'telephone' | 'web client', fields: object = {}) {
  const line = await makeLine(harness);
  const webClient = agentKind === 'web client' ? await makeWebClient(harness, line.tenantId) : undefined;
  const agent: string = webClient?.id ?? newPerson();
  const client = webClient && (await logIn(harness, agent));
  if (client === undefined) await answerLate(harness.context.db, [agent]);
  await route(harness, line, { open_behavior: ringing([agent]), ...fields });
  const caller = newPerson();
  const { id } = await callIn(harness, line, { from: caller });
  await playParty(harness, id, 'take_over', { number: caller });
  const matrix = createToneMatrix();
  const connectAgent = async () => {
    if (client !== undefined) {
      await client.receive('incoming');
      client.send({ type: 'answer', call_id: id });
      return connectHandset(harness, await client.receiveMedia());
    }
    await playParty(harness, id, 'take_over', { number: agent });
    await playParty(harness, id, 'answer', { target: agent });
    return await pickUpHandset(harness, id, agent);
  };
  const agentAudio = await connectAgent();
  matrix.add('customer', await pickUpHandset(harness, id, caller));
  matrix.add('agent', agentAudio);
  await matrix.becomes({ customer: ['agent'], agent: ['customer'] });
  return { id: id as string, line, matrix, agent };
}

async function post(path: string, body: object, status: number): Promise<Json> {
  const reply = await harness.call('POST', `/v1/calls/${path}`, { body });
  assert.equal(reply.status, status, JSON.stringify(reply.body));
  return reply.body;
}

/** Lets a new web client of the tenant listen. */
async function listenTo({ id, line }: Pick<Awaited<ReturnType<typeof talk>>, 'id' | 'line'>, speaks_to: string) {
  const { id: web_client_id } = await makeWebClient(harness, line.tenantId);
  const client = await logIn(harness, web_client_id);
  const listener = await post(`${id}/listeners`, { web_client_id, speaks_to }, 201);
  const shown = await client.receive('dialing');
  assert.deepEqual([shown.call_id, shown.listener], [id, { id: listener.id, speaks_to }]);
  const audio = connectHandset(harness, await client.receiveMedia());
  return { listener, client, audio };
}

const BOTH = ['customer', 'agent'];
const HEARD: Readonly<Record<(typeof LISTENER_HEARERS)[number], Hearing>> = {
  none: { customer: ['agent'], agent: ['customer'], listener: BOTH },
  agent: { customer: ['agent'], agent: ['customer', 'listener'], listener: BOTH },
  all: { customer: ['agent', 'listener'], agent: ['customer', 'listener'], listener: BOTH },
};

for (const agentKind of ['telephone', 'web client'] as const) {
  for (const speaksTo of LISTENER_HEARERS) {
    test(`a listener to an agent at a ${agentKind} who speaks to ${speaksTo} hears both, and is heard by these alone`, async () => {
      const call = await talk(agentKind);
      const { listener, client, audio } = await listenTo(call, speaksTo);
      call.matrix.add('listener', audio);
      await call.matrix.becomes(HEARD[speaksTo]);
      const ended = await harness.call('DELETE', `/v1/calls/${call.id}/listeners/${listener.id}`);
      assert.equal(ended.status, 204);
      call.matrix.remove('listener');
      await call.matrix.becomes({ customer: ['agent'], agent: ['customer'] });
      assert.equal((await client.receive('ended')).call_id, call.id);
      const again = await harness.call('DELETE', `/v1/calls/${call.id}/listeners/${listener.id}`);
      assert.deepEqual(refusal(again).slice(0, 2), [404, 'listener_not_found']);
      call.matrix.stop();
      await post(`${call.id}/hangup`, {}, 200);
    });
  }
}

test('on hold a listener and the customer do not hear each other; the agent hears the listener', async () => {
  const call = await talk('web client');
  const { audio } = await listenTo(call, 'all');
  call.matrix.add('listener', audio);
  await call.matrix.becomes(HEARD.all);
  await post(`${call.id}/hold`, {}, 200);
  await call.matrix.becomes({ customer: [], agent: ['listener'], listener: [] });
  await post(`${call.id}/resume`, {}, 200);
  await call.matrix.becomes(HEARD.all);
  call.matrix.stop();
  await post(`${call.id}/hangup`, {}, 200);
});

test('two listeners hear each other if they speak, and end with the call', async () => {
  const call = await talk('telephone');
  const [one, other] = [await listenTo(call, 'agent'), await listenTo(call, 'none')];
  call.matrix.add('one', one.audio);
  call.matrix.add('other', other.audio);
  await call.matrix.becomes({
    customer: ['agent'],
    agent: ['customer', 'one'],
    one: BOTH,
    other: [...BOTH, 'one'],
  });
  await post(`${call.id}/hangup`, {}, 200);
  assert.deepEqual(
    (await Promise.all([one.audio.closed, other.audio.closed])).map(({ code }) => code),
    [1000, 1000],
  );
  call.matrix.stop();
});

test('a listener hears nothing before the listening announcement has been spoken', async () => {
  const call = await talk('telephone', { listening_announcement: 'This call may be listened to by a colleague.' });
  const { audio } = await listenTo(call, 'none');
  call.matrix.add('listener', audio);
  await call.matrix.becomes(HEARD.none);
  const log = (await readCall(harness, call.id)).events.map(({ type }: Json) => type);
  assert.ok(log.indexOf('announcement_played') >= 0);
  assert.ok(log.indexOf('announcement_played') < log.indexOf('listener_started'), log.join());
  call.matrix.stop();
  await post(`${call.id}/hangup`, {}, 200);
});

test('a listener hangs up like a party, is busy meanwhile, and both its ends are in the audit log and the call', async () => {
  const call = await talk('telephone');
  const { listener, client } = await listenTo(call, 'none');
  const { web_client_id } = listener;
  const other = await talk('telephone');
  const elsewhere = await harness.call('POST', `/v1/calls/${other.id}/listeners`, {
    body: { web_client_id, speaks_to: 'none' },
  });
  assert.deepEqual(refusal(elsewhere).slice(0, 2), [404, 'web_client_not_found'], 'of another tenant');
  const twice = await harness.call('POST', `/v1/calls/${call.id}/listeners`, {
    body: { web_client_id, speaks_to: 'all' },
  });
  assert.deepEqual(refusal(twice).slice(0, 2), [409, 'listener_not_possible']);
  client.send({ type: 'hang_up', call_id: call.id });
  assert.equal((await client.receive('ended')).reason, 'hung_up');
  await until('it has ended', async () => logOf(await readCall(harness, call.id)).includes('listener_ended'));
  assert.equal((await readCall(harness, call.id)).status, 'in_progress');
  const next = await post(`${call.id}/listeners`, { web_client_id, speaks_to: 'agent' }, 201);
  await harness.call('DELETE', `/v1/calls/${call.id}/listeners/${next.id}`);
  const { data } = await read(harness, '/audit_log?limit=10');
  const own = data.filter(({ resource_id }: Json) => resource_id === next.id);
  assert.deepEqual(
    own.map(({ action, details }: Json) => [action, details.call_id, details.speaks_to]),
    [
      ['call_listener.deleted', call.id, undefined],
      ['call_listener.created', call.id, 'agent'],
    ],
  );
  for (const { id, matrix } of [call, other]) {
    matrix.stop();
    await post(`${id}/hangup`, {}, 200);
  }
});
