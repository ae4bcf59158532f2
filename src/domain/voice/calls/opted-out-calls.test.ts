/** Calls to people who have opted out of calls, the check before such calls, and opt-outs that are made on a call. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, testLedger } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson, read, refusal } from '../../../../test/support/messages.ts';
import { eventsOf, makeLine, useLine } from '../../../../test/support/numbers.ts';
import { listTransactionStatements } from '../../../../test/support/statement-counts.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { now } from '../../../lib/time/time.ts';
import { receiveMessage } from '../../messaging/messages/receive-message.ts';

const { harness, tenantId, number } = await useLine({ startWorkers: false });
const { db } = harness.context;

const place = (to: string, connect_to: string, path = '/v1/calls') =>
  harness.call('POST', path, { body: { from: number.id, to, connect_to } });
const check = async (to: string, connect_to: string): Promise<Json> => {
  const reply = await place(to, connect_to, '/v1/calls/check');
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body;
};
const optOut = (external_number: string, channels: string[], tenant_id = tenantId) =>
  harness.call('POST', '/v1/opt_outs', { body: { tenant_id, external_number, channels } });
const OPTED_OUT = [422, 'recipient_opted_out', 'to'];

test('software does not call a person who has opted out of calls, by STOP or by the API; an agent may', async () => {
  const [stopped, called] = [newPerson(), newPerson()];
  await arrive(harness, stopped, number.phone_number, 'STOP');
  await optOut(called, ['call']);
  for (const person of [stopped, called]) {
    assert.deepEqual(refusal(await place(person, 'application')), OPTED_OUT);
    assert.equal((await place(person, newPerson())).status, 201);
  }
});

test('an opt-out of texts, or of another tenant, refuses no call', async () => {
  const [texted, other] = [newPerson(), newPerson()];
  await optOut(texted, ['text']);
  await optOut(other, ['call'], (await makeLine(harness)).tenantId);
  for (const person of [texted, other]) assert.equal((await place(person, 'application')).status, 201);
});

test('START allows the calls of software again', async () => {
  const person = newPerson();
  await optOut(person, ['call']);
  await arrive(harness, person, number.phone_number, 'START');
  assert.equal((await place(person, 'application')).status, 201);
});

test('a person who has opted out reaches the application by an inbound call', async () => {
  const person = newPerson();
  await optOut(person, ['call']);
  const reply = await harness.call('POST', '/v1/test/inbound_calls', {
    body: { from: person, to: number.phone_number },
  });
  assert.equal(reply.status, 201);
  assert.notEqual((await read(harness, `/calls/${reply.body.id}`)).status, 'failed');
});

test('placing a call takes the two statements that it took without opt-outs', async () => {
  const statements = listTransactionStatements(db);
  try {
    for (const agent of ['application', newPerson()]) {
      assert.equal((await place(newPerson(), agent)).status, 201);
      assert.deepEqual(statements.take(), ['phone_numbers_caller_by_id', 'calls_open_emit']);
    }
  } finally {
    statements.stop();
  }
});

test('the check of a call replies as the call would, and changes nothing', async () => {
  const person = newPerson();
  const rows = `select (select count(*)::int from calls) as calls, (select count(*)::int from events) as events,
    (select count(*)::int from conversations) as conversations, (select count(*)::int from jobs) as jobs`;
  const before = await sql(db, rows);
  assert.deepEqual(await check(person, 'application'), { accepted: true, error: null, warnings: [] });
  for (const [to, agent] of [
    [number.phone_number, newPerson()],
    ['911', newPerson()],
    [person, person],
    [person, 'nobody'],
    [person, 'wcl_01jzzzzzzzzzzzzzzzzzzzzzzz'],
  ] as const) {
    const { accepted, error, warnings } = await check(to, agent);
    const placed = refusal(await place(to, agent));
    assert.deepEqual([accepted, error.code, error.param, warnings], [false, placed[1], placed[2], []]);
  }
  assert.deepEqual(await sql(db, rows), before);
});

test('the check refuses the address of an agent of text or of a message that the call would be refused for', async () => {
  const ofAgent = (url: string) => ({ connect_to: 'relay', relay: { url } });
  const ofMessage = (audio_url: string) => ({
    connect_to: newPerson(),
    machine_detection: { on_machine: 'leave_message', message: { audio_url } },
  });
  const wrong = [
    ofAgent('http://example.com/agent'),
    ofAgent('wss://10.0.0.1/agent'),
    ofMessage('ftp://example.com/a.wav'),
    ofMessage('https://169.254.169.254/a.wav'),
  ];
  for (const fields of wrong) {
    const body = { from: number.id, to: newPerson(), ...fields };
    const { accepted, error } = (await harness.call('POST', '/v1/calls/check', { body })).body;
    const [status, code, param] = refusal(await harness.call('POST', '/v1/calls', { body }));
    assert.deepEqual([accepted, error.code, error.param], [false, code, param], JSON.stringify(fields));
    assert.deepEqual([status, code], [400, 'invalid_url']);
  }
  for (const fields of [ofAgent('wss://example.com/agent'), ofMessage('https://example.com/a.wav')]) {
    const body = { from: number.id, to: newPerson(), ...fields };
    assert.equal((await harness.call('POST', '/v1/calls/check', { body })).body.accepted, true);
  }
});

test('the check refuses a call of software to a person who has opted out, and warns of that of an agent', async () => {
  const person = newPerson();
  await optOut(person, ['call']);
  const refused = await check(person, 'application');
  assert.deepEqual([refused.accepted, refused.error.code, refused.warnings], [false, 'recipient_opted_out', []]);
  const warned = await check(person, newPerson());
  assert.deepEqual([warned.accepted, warned.error], [true, null]);
  assert.deepEqual(
    warned.warnings.map(({ code }: Json) => code),
    ['recipient_opted_out'],
  );
});

test("the check warns within the tenant's quiet hours at the person, and names their end", async () => {
  const quiet = async (quiet_hours: object | null) =>
    harness.call('PATCH', `/v1/tenants/${tenantId}`, { body: { quiet_hours } });
  const clock = await read(harness, '/test/clock');
  const at = Temporal.Instant.from(clock.now).toZonedDateTimeISO('America/Phoenix');
  const hour = (hours: number) => at.add({ hours }).toPlainTime().toString({ smallestUnit: 'minute' });
  await quiet({ start: hour(-1), end: hour(2), zone: 'recipient' });
  const { accepted, warnings } = await check(newPerson(), newPerson());
  assert.deepEqual([accepted, warnings.map(({ code }: Json) => code)], [true, ['quiet_hours']]);
  const end = at.add({ hours: 2 }).round({ smallestUnit: 'minute', roundingMode: 'floor' }).toInstant();
  assert.ok(warnings[0].message.includes(new Date(end.epochMilliseconds).toISOString()), warnings[0].message);
  await quiet({ start: hour(2), end: hour(4), zone: 'recipient' });
  assert.deepEqual((await check(newPerson(), newPerson())).warnings, []);
  await quiet(null);
});

const optOutOf = (callId: string, key?: string) =>
  harness.call('POST', `/v1/calls/${callId}/opt_out`, key === undefined ? {} : { key });
const callIn = async (from: string) =>
  (await harness.call('POST', '/v1/test/inbound_calls', { body: { from, to: number.phone_number } })).body.id;

test("an agent opts the customer of a call out, once, and only the customer's START ends that", async () => {
  const [called, caller] = [newPerson(), newPerson()];
  const outbound = (await place(called, newPerson())).body.id;
  for (const [person, callId] of [
    [called, outbound],
    [caller, await callIn(caller)],
  ] as const) {
    const made = await optOutOf(callId);
    const { tenant_id, external_number, source, channels } = made.body;
    assert.deepEqual(
      [made.status, tenant_id, external_number, source, channels],
      [201, tenantId, person, 'voice', ['text', 'call']],
    );
    assert.deepEqual((await optOutOf(callId)).body, made.body);
    assert.deepEqual(
      (await eventsOf(harness, `${tenantId}:${person}`)).map(({ type }) => type),
      ['opt_out.created'],
    );
    assert.deepEqual(refusal(await place(person, 'application')), OPTED_OUT);
    const path = `/v1/opt_outs/${encodeURIComponent(person)}?tenant_id=${tenantId}`;
    assert.deepEqual(refusal(await harness.call('DELETE', path)).slice(0, 2), [409, 'opt_out_not_removable']);
    await arrive(harness, person, number.phone_number, 'START');
    assert.equal((await place(person, 'application')).status, 201);
  }
});

test('the customer of a call that has ended can be opted out, and one who hides the number cannot', async () => {
  const person = newPerson();
  const { id } = (await place(person, newPerson())).body;
  await harness.call('POST', `/v1/calls/${id}/hangup`);
  assert.equal((await optOutOf(id)).status, 201);
  const before = await sql(db, 'select count(*)::int as opt_outs from opt_outs');
  assert.deepEqual(refusal(await optOutOf(await callIn('anonymous'))), [400, 'invalid_phone', 'call_id']);
  assert.deepEqual(refusal(await optOutOf('call_none')).slice(0, 2), [404, 'call_not_found']);
  assert.deepEqual(await sql(db, 'select count(*)::int as opt_outs from opt_outs'), before);
});

test('a person who opts out on a call stays opted out when an earlier START arrives late', async () => {
  const person = newPerson();
  const { id } = (await place(person, newPerson())).body;
  await optOutOf(id);
  const ledger = (await findLedger(db, await testLedger(harness))) as Ledger;
  await db.transaction((tx) =>
    receiveMessage(tx, ledger, {
      type: 'message.received',
      carrierMessageId: 'late-start',
      from: person,
      to: number.phone_number,
      body: 'START',
      mediaUrls: [],
      occurredAt: new Date(now() - 60_000),
    }),
  );
  assert.deepEqual(refusal(await place(person, 'application')), OPTED_OUT);
});
