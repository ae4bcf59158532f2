import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { callIn, playParty, readCall, ringing, route, typesOf } from '../../../test/support/calls.ts';
import type { Json } from '../../../test/support/events.ts';
import { type Harness, startHarness } from '../../../test/support/harness.ts';
import { sql, until } from '../../../test/support/jobs.ts';
import { newPerson } from '../../../test/support/messages.ts';
import { buyNumber, makeTenant } from '../../../test/support/numbers.ts';
import { logIn, makeWebClient, type WebClientSocket } from '../../../test/support/web-clients.ts';

let harness: Harness;
/** Another process on the same database: commands run here or there, and web clients are at either. */
let there: Harness;
before(async () => {
  harness = await startHarness();
  there = await startHarness({ databaseUrl: harness.databaseUrl });
});
after(async () => {
  await there.close();
  await harness.close();
});

type Desk = { tenantId: string; number: Json; webClient: Json; line: WebClientSocket };

/** A tenant with a number whose calls ring its one web client, which is logged in at the other process. */
async function makeDesk(fields: object = {}): Promise<Desk> {
  const tenantId = await makeTenant(harness);
  const number = await buyNumber(harness, tenantId);
  const webClient = await makeWebClient(harness, tenantId);
  await route(harness, { tenantId, number }, { open_behavior: ringing([webClient.id], fields) });
  return { tenantId, number, webClient, line: await logIn({ ...harness, url: there.url }, webClient.id) };
}

const status = async (id: string) => (await readCall(harness, id)).status as string;
const untilStatus = (id: string, wanted: string) =>
  until(`the call is ${wanted}`, async () => (await status(id)) === wanted);

test('a web client is a ring target: it is rung, answers, and the call says who did', async () => {
  const { line, webClient, number } = await makeDesk();
  const from = newPerson();
  const { id } = await callIn(harness, { tenantId: '', number }, { from });
  const incoming = await line.hear('incoming');
  assert.deepEqual(incoming, {
    type: 'incoming',
    call_id: id,
    direction: 'inbound',
    from,
    to: number.phone_number,
  });
  line.say({ type: 'answer', call_id: id });
  const media = await line.hear('media');
  assert.match(media.url, /\/v1\/softphone\/audio\/[\w-]+$/);
  assert.equal((await line.hear('answered')).call_id, id);
  const call = await readCall(harness, id);
  assert.deepEqual([call.status, call.answered_by], ['in_progress', `web_client:${webClient.id}`]);
  const answered = call.events.find(({ type }: Json) => type === 'answered');
  assert.deepEqual(answered.detail, { answered_by: call.answered_by }, 'the log says the same');
  line.say({ type: 'hang_up', call_id: id });
  assert.deepEqual(await line.hear('ended'), { type: 'ended', call_id: id, reason: 'hung_up', outcome: 'answered' });
  assert.equal(await status(id), 'completed');
  await line.close();
});

test('a web client that declines leaves the caller to the voicemail', async () => {
  const { line, number } = await makeDesk();
  const { id } = await callIn(harness, { tenantId: '', number });
  await line.hear('incoming');
  line.say({ type: 'decline', call_id: id });
  assert.equal((await line.hear('ended')).reason, 'declined');
  await until('the voicemail answers', async () => (await readCall(harness, id)).answered_by === 'voicemail');
  await line.close();
});

test('a caller who gives up stops the ringing', async () => {
  const { line, number } = await makeDesk();
  const { id } = await callIn(harness, { tenantId: '', number });
  await line.hear('incoming');
  await harness.call('POST', `/v1/test/calls/${id}/hangup`, { body: {} });
  assert.deepEqual((await line.hear('ended')).outcome, 'missed');
  await line.close();
});

test('of two web clients that ring the first to answer has the call, and the other hears that', async () => {
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
  await Promise.all([one.hear('incoming'), second.hear('incoming')]);
  second.say({ type: 'answer', call_id: id });
  assert.equal((await one.hear('ended')).reason, 'answered_elsewhere');
  await second.hear('answered');
  one.say({ type: 'answer', call_id: id });
  assert.equal((await one.hear('error')).code, 'call_not_found');
  assert.equal((await readCall(harness, id)).answered_by, `web_client:${webClients[1].id}`);
  await Promise.all([one.close(), second.close()]);
});

test('a web client that is not logged in is unreachable at once, and one on a call is busy', async () => {
  const { line, number, webClient } = await makeDesk();
  const { id } = await callIn(harness, { tenantId: '', number });
  await line.hear('incoming');
  line.say({ type: 'answer', call_id: id });
  await line.hear('answered');
  const busy = await callIn(harness, { tenantId: '', number });
  const cancelled = async (callId: string) => {
    await until('the voicemail answers', async () => (await readCall(harness, callId)).answered_by === 'voicemail');
    const log: Json[] = (await readCall(harness, callId)).events;
    return log.find(({ type }) => type === 'target_cancelled')?.detail;
  };
  assert.deepEqual(await cancelled(busy.id), { target: webClient.id, reason: 'busy' });
  line.say({ type: 'hang_up', call_id: id });
  await line.hear('ended');
  await line.close();
  await until('the session is gone', async () => {
    const rows = await sql(harness.context.db, 'select 1 from web_client_sessions where web_client_id = $1', [
      webClient.id,
    ]);
    return rows.length === 0;
  });
  const away = await callIn(harness, { tenantId: '', number });
  assert.deepEqual(await cancelled(away.id), { target: webClient.id, reason: 'unreachable' });
});

test('a web client whose session could not be renewed in time, as the database was away, is rung all the same', async () => {
  const { line, number, webClient } = await makeDesk();
  const { db } = harness.context;
  const stale = `update web_client_sessions set seen_at = clock_timestamp() - interval '11 s' where web_client_id = $1`;
  await sql(db, stale, [webClient.id]);
  const { id } = await callIn(harness, { tenantId: '', number });
  assert.equal((await line.hear('incoming')).call_id, id);
  line.say({ type: 'answer', call_id: id });
  await line.hear('answered');
  await line.close();
});

test('a web client whose node has gone without a word is looked for a few seconds longer, and then is unreachable', async () => {
  const { line, number, webClient } = await makeDesk();
  await line.close();
  const { db } = harness.context;
  const leave = (ago: string) =>
    sql(
      db,
      `insert into web_client_sessions select ledger_id, id, 'gone', 'gone', clock_timestamp() - $2::interval
       from web_clients where id = $1
       on conflict (ledger_id, web_client_id) do update set seen_at = excluded.seen_at, session_id = 'gone'`,
      [webClient.id, ago],
    );
  const isCancelled = async (id: string) => {
    const log: Json[] = (await readCall(harness, id)).events;
    return log.some(({ type, detail }) => type === 'target_cancelled' && detail.reason === 'unreachable');
  };
  await leave('11 s');
  const one = await callIn(harness, { tenantId: '', number });
  await harness.advance(2);
  assert.equal(await isCancelled(one.id), false);
  await harness.advance(3);
  await until('it is cancelled', () => isCancelled(one.id));
  await leave('2 h');
  const two = await callIn(harness, { tenantId: '', number });
  await until('it is cancelled at once', () => isCancelled(two.id), 4_000);
});

test('a web client is the agent of a click-to-call', async () => {
  const { line, number, webClient } = await makeDesk();
  const body = { from: number.id, to: newPerson(), connect_to: webClient.id };
  const { body: call } = await harness.call('POST', '/v1/calls', { body });
  const incoming = await line.hear('incoming');
  assert.deepEqual([incoming.direction, incoming.to], ['outbound', body.to]);
  line.say({ type: 'answer', call_id: call.id });
  await line.hear('media');
  await line.hear('ringing');
  await line.hear('answered');
  await untilStatus(call.id, 'in_progress');
  await harness.call('POST', `/v1/calls/${call.id}/hangup`);
  assert.equal((await line.hear('ended')).reason, 'ended');
  await line.close();
});

test("a web client calls from the tenant's number, and the keys that it presses are the agent's", async () => {
  const { line, number, webClient } = await makeDesk();
  const to = newPerson();
  line.say({ type: 'place', to, ref: 'mine' });
  const dialing = await line.hear('dialing');
  const { call_id } = dialing;
  assert.deepEqual([dialing.ref, dialing.from, dialing.to], ['mine', number.phone_number, to]);
  await line.hear('media');
  await line.hear('ringing');
  await line.hear('answered');
  const call = await readCall(harness, call_id);
  assert.deepEqual([call.direction, call.connect_to, call.answered_by], ['outbound', webClient.id, to]);
  assert.deepEqual(call.events[0].detail, { from: number.phone_number, to, connect_to: webClient.id });
  line.say({ type: 'dtmf', call_id, digits: '5' });
  await until('the key is told', async () => (await typesOf(harness, call_id)).includes('call.dtmf'));
  line.say({ type: 'hang_up', call_id });
  await line.hear('ended');
  await untilStatus(call_id, 'completed');
  await line.close();
});

test('a web client that hangs up before the other party answers has canceled its call', async () => {
  const { line } = await makeDesk();
  line.say({ type: 'place', to: '+15005550003' });
  const { call_id } = await line.hear('dialing');
  await line.hear('ringing');
  line.say({ type: 'hang_up', call_id });
  assert.deepEqual((await line.hear('ended')).outcome, 'canceled');
  assert.equal(await status(call_id), 'failed');
  await line.close();
});

test('what a web client may not call is refused with the codes of the API', async () => {
  const { line, number } = await makeDesk();
  const foreign = await buyNumber(harness, await makeTenant(harness));
  for (const [fields, code] of [
    [{ to: '602' }, 'invalid_to_number'],
    [{ to: '+16054551234' }, 'destination_not_supported'],
    [{ to: number.phone_number, from: number.id }, 'invalid_to_number'],
    [{ to: newPerson(), from: 'num_none' }, 'from_number_not_found'],
    [{ to: newPerson(), from: foreign.id }, 'tenant_restricted_key'],
  ] as const) {
    line.say({ type: 'place', ref: code, ...fields });
    const error = await line.hear('error');
    assert.deepEqual([error.code, error.request, error.ref], [code, 'place', code]);
  }
  line.say({ type: 'place', to: newPerson(), from: number.phone_number });
  const { call_id } = await line.hear('dialing');
  line.say({ type: 'place', to: newPerson() });
  assert.equal((await line.hear('error')).code, 'seat_busy');
  line.say({ type: 'hang_up', call_id });
  await line.hear('ended');
  line.say({ type: 'answer', call_id: 'call_none' });
  const error = await line.hear('error');
  assert.deepEqual([error.code, error.call_id], ['call_not_found', 'call_none']);
  await line.close();
});

test('a web client that has lost its audio asks where it goes, and is told as long as its leg is up', async () => {
  const { line, number } = await makeDesk();
  const { id: call_id } = await callIn(harness, { tenantId: '', number });
  await line.hear('incoming');
  const refused = async (id: string) => {
    line.say({ type: 'media', call_id: id });
    const { code, request } = await line.hear('error');
    return [code, request];
  };
  assert.deepEqual(await refused(call_id), ['call_not_active', 'media']);
  assert.deepEqual(await refused('call_none'), ['call_not_found', 'media']);
  line.say({ type: 'answer', call_id });
  const first = await line.hear('media');
  line.say({ type: 'media', call_id });
  const second = await line.hear('media');
  assert.deepEqual([second.call_id, second.url], [call_id, first.url]);
  line.say({ type: 'hang_up', call_id });
  await line.hear('ended');
  assert.deepEqual(await refused(call_id), ['call_not_found', 'media']);
  await line.close();
});

test('what an agent at a web client is made to say stands in the transcript', async () => {
  const { line, number } = await makeDesk();
  const { id } = await callIn(harness, { tenantId: '', number });
  await line.hear('incoming');
  line.say({ type: 'answer', call_id: id });
  await line.hear('answered');
  assert.equal((await harness.call('POST', `/v1/calls/${id}/transcription`)).status, 200);
  await playParty(harness, id, 'speech', { speaker: 'agent', text: 'Monday at four is free.' });
  const transcript = async () => (await harness.call('GET', `/v1/calls/${id}/transcript`)).body.text as string;
  await until('it is written down', async () => (await transcript()).includes('Agent: Monday at four is free.'));
  line.say({ type: 'hang_up', call_id: id });
  await line.hear('ended');
  await line.close();
});

test('a web client that logs in anew is told of the call that it is on', async () => {
  const { line, number, webClient } = await makeDesk();
  const { id } = await callIn(harness, { tenantId: '', number });
  await line.hear('incoming');
  line.say({ type: 'answer', call_id: id });
  await line.hear('answered');
  const again = await logIn(harness, webClient.id);
  for (const type of ['incoming', 'media', 'answered'] as const) {
    assert.equal((await again.hear(type)).call_id, id);
  }
  assert.equal(await line.closed, 4409);
  again.say({ type: 'hang_up', call_id: id });
  await again.hear('ended');
  await again.close();
});

test('the call of a web client that goes without a word ends', async () => {
  const { line, number } = await makeDesk();
  const { id } = await callIn(harness, { tenantId: '', number });
  await line.hear('incoming');
  line.say({ type: 'answer', call_id: id });
  await line.hear('answered');
  line.socket.terminate();
  await line.closed;
  await harness.advance(11);
  assert.equal(await status(id), 'in_progress', 'a page that is loaded again has its time');
  await harness.advance(6);
  await until('the call has ended', async () => (await status(id)) === 'completed');
});
