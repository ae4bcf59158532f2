import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, playParty, readCall, ringing, route, typesOf } from '../../../test/support/calls.ts';
import type { Json } from '../../../test/support/events.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { sql, until } from '../../../test/support/jobs.ts';
import { newPerson } from '../../../test/support/messages.ts';
import { buyNumber, makeTenant } from '../../../test/support/numbers.ts';
import {
  answerDesk,
  leaveCrashed,
  logIn,
  makeDesk,
  makeWebClient,
  ringDesk,
  untilLoggedOut,
} from '../../../test/support/web-clients.ts';

const harness = await useHarness();
/** Another process on the same database: commands run in either, and web clients log in at either. */
const there = await useHarness({ databaseUrl: harness.databaseUrl });

const status = async (id: string) => (await readCall(harness, id)).status as string;
const untilStatus = (id: string, wanted: string) =>
  until(`the call is ${wanted}`, async () => (await status(id)) === wanted);

test('a web client is a ring target: it is rung and answers, and the call shows who answered', async () => {
  const { client, webClient, number } = await makeDesk(harness, { at: there });
  const from = newPerson();
  const { id } = await callIn(harness, { tenantId: '', number }, { from, caller_name: 'Dana' });
  const incoming = await client.receive('incoming');
  assert.deepEqual(incoming, {
    type: 'incoming',
    call_id: id,
    direction: 'inbound',
    from,
    to: number.phone_number,
    caller_name: 'Dana',
    contact_name: null,
    queue: null,
    consulted_by: null,
  });
  client.send({ type: 'answer', call_id: id });
  const media = await client.receive('media');
  assert.match(media.url, /\/v1\/softphone\/audio\/[\w-]+$/);
  assert.equal((await client.receive('answered')).call_id, id);
  const call = await readCall(harness, id);
  assert.deepEqual([call.status, call.answered_by], ['in_progress', `web_client:${webClient.id}`]);
  const answered = call.events.find(({ type }: Json) => type === 'answered');
  assert.deepEqual(answered.detail, { answered_by: call.answered_by }, 'the log shows the same');
  client.send({ type: 'hang_up', call_id: id });
  assert.deepEqual(await client.receive('ended'), {
    type: 'ended',
    call_id: id,
    reason: 'hung_up',
    outcome: 'answered',
  });
  assert.equal(await status(id), 'completed');
  await client.close();
});

test('when a web client declines, the caller reaches the voicemail', async () => {
  const desk = await makeDesk(harness, { at: there });
  const { client } = desk;
  const id = await ringDesk(harness, desk);
  client.send({ type: 'decline', call_id: id });
  assert.equal((await client.receive('ended')).reason, 'declined');
  await until('the voicemail answers', async () => (await readCall(harness, id)).answered_by === 'voicemail');
  await client.close();
});

test('when the caller hangs up, the web client stops ringing', async () => {
  const desk = await makeDesk(harness, { at: there });
  const { client } = desk;
  const id = await ringDesk(harness, desk);
  await harness.call('POST', `/v1/test/calls/${id}/hangup`, { body: {} });
  assert.deepEqual((await client.receive('ended')).outcome, 'missed');
  await client.close();
});

test('of two web clients that ring the first to answer has the call, and the other is told answered_elsewhere', async () => {
  const tenantId = await makeTenant(harness);
  const number = await buyNumber(harness, tenantId);
  const webClients = [await makeWebClient(harness, tenantId), await makeWebClient(harness, tenantId)];
  await route(harness, { tenantId, number }, { open_behavior: ringing(webClients.map(({ id }) => id)) });
  const [one, two] = [
    await logIn(harness, webClients[0].id),
    await logIn(there, webClients[1].id).catch(() => null),
  ] as const;
  const second = two ?? (await logIn({ ...harness, url: there.url }, webClients[1].id));
  const { id } = await callIn(harness, { tenantId, number });
  await Promise.all([one.receive('incoming'), second.receive('incoming')]);
  second.send({ type: 'answer', call_id: id });
  assert.equal((await one.receive('ended')).reason, 'answered_elsewhere');
  await second.receive('answered');
  one.send({ type: 'answer', call_id: id });
  assert.equal((await one.receive('error')).code, 'call_not_found');
  assert.equal((await readCall(harness, id)).answered_by, `web_client:${webClients[1].id}`);
  await Promise.all([one.close(), second.close()]);
});

test('a web client that is not logged in is unreachable at once, and a web client on a call is busy', async () => {
  const desk = await makeDesk(harness, { at: there });
  const { client, number, webClient } = desk;
  const id = await answerDesk(harness, desk);
  const busy = await callIn(harness, { tenantId: '', number });
  const cancelled = async (callId: string) => {
    await until('the voicemail answers', async () => (await readCall(harness, callId)).answered_by === 'voicemail');
    const log: Json[] = (await readCall(harness, callId)).events;
    return log.find(({ type }) => type === 'target_cancelled')?.detail;
  };
  assert.deepEqual(await cancelled(busy.id), { target: webClient.id, reason: 'busy' });
  client.send({ type: 'hang_up', call_id: id });
  await client.receive('ended');
  await client.close();
  await untilLoggedOut(harness, webClient.id);
  const away = await callIn(harness, { tenantId: '', number });
  assert.deepEqual(await cancelled(away.id), { target: webClient.id, reason: 'unreachable' });
});

test('a web client whose session was not renewed in time, because the database was down, is still rung', async () => {
  const { client, number, webClient } = await makeDesk(harness, { at: there });
  const { db } = harness.context;
  const stale = `update web_client_sessions set seen_at = clock_timestamp() - interval '11 s' where web_client_id = $1`;
  await sql(db, stale, [webClient.id]);
  const { id } = await callIn(harness, { tenantId: '', number });
  assert.equal((await client.receive('incoming')).call_id, id);
  client.send({ type: 'answer', call_id: id });
  await client.receive('answered');
  await client.close();
});

test('a web client whose node crashed hours ago is unreachable at once', async () => {
  const { client, number, webClient } = await makeDesk(harness, { at: there });
  await client.close();
  await leaveCrashed(harness.context.db, webClient.id, '2 h');
  const { id } = await callIn(harness, { tenantId: '', number });
  // Runs the work that is due now. Later checks of the session are not due yet.
  await harness.advance(0);
  const cancelled = (await readCall(harness, id)).events.find(({ type }: Json) => type === 'target_cancelled');
  assert.equal(cancelled?.detail.reason, 'unreachable');
});

test('a web client is the agent of a click-to-call', async () => {
  const { client, number, webClient } = await makeDesk(harness, { at: there });
  const body = { from: number.id, to: newPerson(), connect_to: webClient.id };
  const { body: call } = await harness.call('POST', '/v1/calls', { body });
  const incoming = await client.receive('incoming');
  assert.deepEqual([incoming.direction, incoming.to], ['outbound', body.to]);
  client.send({ type: 'answer', call_id: call.id });
  await client.receive('media');
  await client.receive('ringing');
  await client.receive('answered');
  await untilStatus(call.id, 'in_progress');
  await harness.call('POST', `/v1/calls/${call.id}/hangup`);
  assert.equal((await client.receive('ended')).reason, 'ended');
  await client.close();
});

test("a web client dials from the tenant's number, and its digits are the agent's", async () => {
  const { client, number, webClient } = await makeDesk(harness, { at: there });
  const to = newPerson();
  client.send({ type: 'place', to, ref: 'mine' });
  const dialing = await client.receive('dialing');
  const { call_id } = dialing;
  assert.deepEqual([dialing.ref, dialing.from, dialing.to], ['mine', number.phone_number, to]);
  await client.receive('media');
  await client.receive('ringing');
  await client.receive('answered');
  const call = await readCall(harness, call_id);
  assert.deepEqual([call.direction, call.connect_to, call.answered_by], ['outbound', webClient.id, to]);
  assert.deepEqual(call.events[0].detail, { from: number.phone_number, to, connect_to: webClient.id });
  client.send({ type: 'dtmf', call_id, digits: '5' });
  await until('the digit is reported', async () => (await typesOf(harness, call_id)).includes('call.dtmf'));
  client.send({ type: 'hang_up', call_id });
  await client.receive('ended');
  await untilStatus(call_id, 'completed');
  await client.close();
});

test('a web client that hangs up before the other party answers cancels its call', async () => {
  const { client } = await makeDesk(harness, { at: there });
  client.send({ type: 'place', to: '+15005550003' });
  const { call_id } = await client.receive('dialing');
  await client.receive('ringing');
  client.send({ type: 'hang_up', call_id });
  assert.deepEqual((await client.receive('ended')).outcome, 'canceled');
  assert.equal(await status(call_id), 'failed');
  await client.close();
});

test('a number that a web client may not dial is refused with the codes of the API', async () => {
  const { client, number } = await makeDesk(harness, { at: there });
  const foreign = await buyNumber(harness, await makeTenant(harness));
  for (const [fields, code] of [
    [{ to: '602' }, 'invalid_to_number'],
    [{ to: '+16054551234' }, 'destination_not_supported'],
    [{ to: number.phone_number, from: number.id }, 'invalid_to_number'],
    [{ to: newPerson(), from: 'num_none' }, 'from_number_not_found'],
    [{ to: newPerson(), from: foreign.id }, 'tenant_restricted_key'],
  ] as const) {
    client.send({ type: 'place', ref: code, ...fields });
    const error = await client.receive('error');
    assert.deepEqual([error.code, error.request, error.ref], [code, 'place', code]);
  }
  client.send({ type: 'place', to: newPerson(), from: number.phone_number });
  const { call_id } = await client.receive('dialing');
  client.send({ type: 'place', to: newPerson() });
  assert.equal((await client.receive('error')).code, 'seat_busy');
  client.send({ type: 'hang_up', call_id });
  await client.receive('ended');
  client.send({ type: 'answer', call_id: 'call_none' });
  const error = await client.receive('error');
  assert.deepEqual([error.code, error.call_id], ['call_not_found', 'call_none']);
  await client.close();
});

test('a web client that has lost its audio can ask for media again while its leg is up', async () => {
  const desk = await makeDesk(harness, { at: there });
  const { client } = desk;
  const call_id = await ringDesk(harness, desk);
  const refused = async (id: string) => {
    client.send({ type: 'media', call_id: id });
    const { code, request } = await client.receive('error');
    return [code, request];
  };
  assert.deepEqual(await refused(call_id), ['call_not_active', 'media']);
  assert.deepEqual(await refused('call_none'), ['call_not_found', 'media']);
  client.send({ type: 'answer', call_id });
  const first = await client.receive('media');
  client.send({ type: 'media', call_id });
  const second = await client.receive('media');
  assert.deepEqual([second.call_id, second.url], [call_id, first.url]);
  client.send({ type: 'hang_up', call_id });
  await client.receive('ended');
  assert.deepEqual(await refused(call_id), ['call_not_found', 'media']);
  await client.close();
});

test('what an agent at a web client says is in the transcript', async () => {
  const desk = await makeDesk(harness, { at: there });
  const { client } = desk;
  const id = await answerDesk(harness, desk);
  assert.equal((await harness.call('POST', `/v1/calls/${id}/transcription`)).status, 200);
  await playParty(harness, id, 'speech', { speaker: 'agent', text: 'Monday at four is free.' });
  const transcript = async () => (await harness.call('GET', `/v1/calls/${id}/transcript`)).body.text as string;
  await until('it is transcribed', async () => (await transcript()).includes('Agent: Monday at four is free.'));
  client.send({ type: 'hang_up', call_id: id });
  await client.receive('ended');
  await client.close();
});

test('a web client that logs in again is sent the call that it is on', async () => {
  const desk = await makeDesk(harness, { at: there });
  const { client, webClient } = desk;
  const id = await answerDesk(harness, desk);
  const again = await logIn(harness, webClient.id);
  for (const type of ['incoming', 'media', 'answered'] as const) {
    assert.equal((await again.receive(type)).call_id, id);
  }
  assert.equal(await client.closed, 4409);
  again.send({ type: 'hang_up', call_id: id });
  await again.receive('ended');
  await again.close();
});

test('the call of a web client whose connection is lost ends', async () => {
  const desk = await makeDesk(harness, { at: there });
  const { client } = desk;
  const id = await answerDesk(harness, desk);
  client.socket.terminate();
  await client.closed;
  await harness.advance(11);
  assert.equal(await status(id), 'in_progress', 'a page that reloads has time to log in again');
  await harness.advance(6);
  await until('the call has ended', async () => (await status(id)) === 'completed');
});
