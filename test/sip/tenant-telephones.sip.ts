/** Telephones of a tenant at a real engine, as parties of its calls. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { samplesOf } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import type { Json } from '../support/events.ts';
import { sql, until } from '../support/jobs.ts';
import { newPerson, refusal } from '../support/messages.ts';
import { RECORDED_USE } from '../support/recorded-use.ts';
import { useSipLine } from './sip-line.ts';
import { openNetwork } from './world/network.ts';
import { Phone } from './world/phone.ts';

const FRONT = 'sip_phone:front';
const PHONE_HZ = 500;
const PERSON_HZ = 700;
const LIMIT_MS = 20_000;

const network = await openNetwork();
closeAfterTests(network.close);
const line = await useSipLine({
  ...{ names: ['main', 'rescue'], emergencyTrunk: 'rescue' },
  engineSettings: ({ tenantId, phoneNumber: number }) => ({
    phones: JSON.stringify([
      { name: 'front', tenant: tenantId, number },
      { name: 'other', tenant: `tnt_${'0'.repeat(26)}`, number },
    ]),
    // People are on loopback; the telephone is in the outer network.
    ...{ listen_address: '0.0.0.0', rtp_ports: '20002-20999' },
  }),
  passwords: { front: 'red-one', other: 'blue-two' },
});
const { harness, people, providers, key, number, get, make, untilHas, route, untilQuiet, callIn } = line;
const [, rescue = assert.fail()] = providers;

const phone = await Phone.start({
  ...{ network, user: 'phone-front', password: 'red-one' },
  engine: `${network.engineAddress}:${line.engine.sipPort}`,
  says: sine({ frequencyHz: PHONE_HZ, samples: samplesOf(100_000), amplitude: 8_000 }),
});
closeAfterTests(() => phone.close());

/** Waits until a call rings at the telephone, and answers it. */
async function answer(since: number): Promise<void> {
  await phone.waitFor('CALL_INCOMING', since);
  await phone.answer();
}

const untilBothHear = (person: string, provider = people) =>
  until('both hear the other', () => phone.hears(PERSON_HZ) && provider.phoneOf(person).hears(PHONE_HZ), LIMIT_MS);

test('a telephone that has registered is listed as registered, with the time', async () => {
  const first = async () => (await get('/sip_phones')).data[0] ?? {};
  await until('it is registered', async () => (await first()).registration === 'registered', LIMIT_MS);
  const { id, registered_since } = await first();
  assert.equal(id, FRONT);
  assert.ok(Date.parse(registered_since) <= Date.now());
});

test('a telephone that is a ring target answers a caller: both hear each other', async () => {
  const [since, caller] = [phone.events.length, newPerson()];
  people.set(caller, { frequencyHz: PERSON_HZ });
  await route({ type: 'ring', targets: [FRONT], timeout_seconds: 30 });
  const { id } = await callIn(caller);
  await answer(since);
  await untilHas(`/calls/${id}`, { status: 'in_progress', answered_by: FRONT });
  await untilBothHear(caller);
  await phone.hangUp();
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await untilQuiet();
});

test('a telephone is the agent of a click-to-call: both hear each other', async () => {
  const [since, customer] = [phone.events.length, newPerson()];
  people.set(customer, { frequencyHz: PERSON_HZ });
  const { id } = await make('/calls', { from: number.id, to: customer, connect_to: FRONT });
  await answer(since);
  await untilHas(`/calls/${id}`, { status: 'in_progress', connect_to: FRONT });
  await untilBothHear(customer);
  await phone.hangUp();
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await untilQuiet();
});

/** Dials from the telephone. Resolves with the call once it exists. */
async function dial(called: string): Promise<Json> {
  const seen = (await get('/calls?limit=100')).data.length;
  await phone.dial(called);
  await until('the call is placed', async () => (await get('/calls?limit=100')).data.length > seen, LIMIT_MS);
  return (await get('/calls?limit=1')).data[0];
}

test('a telephone dials a number: it hears ringing until the other answers, and the call is like any of its tenant', async () => {
  const [since, customer] = [phone.events.length, newPerson()];
  people.set(customer, { frequencyHz: PERSON_HZ, answersAfterMs: null });
  const { id, ...placed } = await dial(customer.slice(2));
  assert.partialDeepStrictEqual(placed, {
    ...{ direction: 'outbound', from: number.phone_number, to: customer, connect_to: FRONT },
    ...{ tenant_id: line.tenantId, phone_number_id: number.id },
  });
  await phone.waitFor('CALL_RINGING', since);
  assert.ok(!phone.isTalking, 'it is answered before the other party');
  await until('the other telephone rings', () => people.rings(customer));
  people.answer(customer);
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  await untilBothHear(customer);
  assert.match(people.inviteOf(customer), new RegExp(`^From: .*\\${number.phone_number}@`, 'm'));
  people.hangUp(customer);
  await phone.waitForEnd(since);
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered', answered_by: customer });
  const usage = `select 1 from ${RECORDED_USE} u where reference = 'call:' || $1 and kind = 'call_minute_outbound'`;
  assert.equal((await sql(harness.context.db, usage, [id])).length, 1);
  for (const type of ['call.placed', 'call.answered', 'call.completed']) {
    assert.equal((await line.eventsOf(id, type)).length, 1, type);
  }
  assert.equal((await get(`/conversations?external_number=${encodeURIComponent(customer)}`)).data.length, 1);
  await untilQuiet();
});

for (const [what, habit, status, outcome] of [
  ['is busy', { refusesWith: 486 }, 486, 'busy'],
  ['declines', { refusesWith: 603 }, 503, 'failed'],
] as const)
  test(`a telephone whose party ${what} shows that its call has ended with ${status}`, async () => {
    const [since, customer] = [phone.events.length, newPerson()];
    people.set(customer, habit);
    const { id } = await dial(customer);
    assert.match(await phone.waitForEnd(since), new RegExp(`^${status} `));
    await untilHas(`/calls/${id}`, { status: 'failed', outcome });
    await untilQuiet();
  });

test('a telephone that gives up ends its call, and the other party rings no more', async () => {
  const customer = newPerson();
  people.set(customer, { answersAfterMs: null });
  const { id } = await dial(customer);
  await untilHas(`/calls/${id}`, { status: 'ringing' });
  await phone.hangUp();
  await untilHas(`/calls/${id}`, { status: 'failed', outcome: 'canceled' });
  await untilQuiet();
});

for (const [what, called, status] of [
  ['is none', '0123', 404],
  ['may not be called', '+442071838750', 403],
] as const)
  test(`a number that ${what} is refused with ${status}, and leaves no call`, async () => {
    const [since, before] = [phone.events.length, (await get('/calls?limit=100')).data.length];
    await phone.dial(called);
    assert.match(await phone.waitForEnd(since), new RegExp(`^${status} `));
    assert.equal((await get('/calls?limit=100')).data.length, before);
    await untilQuiet();
  });

test('a telephone of a suspended account reaches 911 alone', async (t) => {
  const { db } = harness.context;
  let since = phone.events.length;
  const setStatus = (status: string) => sql(db, 'update accounts set status = $1', [status]);
  await setStatus('suspended');
  t.after(() => setStatus('active'));
  await phone.dial(newPerson());
  assert.match(await phone.waitForEnd(since), /^403 /);
  since = phone.events.length;
  const before = `select count(*)::int as count from calls where "to" = '911'`;
  const [{ count } = assert.fail()] = await sql<{ count: number }>(db, before);
  await phone.dial('911');
  await until('the telephone is connected', () => phone.isTalking, LIMIT_MS);
  await phone.hangUp();
  await phone.waitForEnd(since);
  assert.deepEqual(await sql(db, before), [{ count: count + 1 }]);
  await untilQuiet();
});

test('a telephone of a tenant without a balance is refused', async (t) => {
  const { db } = harness.context;
  const [row] = await sql<{ amount: string }>(db, 'select amount_micros as amount from balances');
  await sql(db, 'update balances set amount_micros = 0');
  t.after(() => sql(db, 'update balances set amount_micros = $1', [row?.amount]));
  const since = phone.events.length;
  await phone.dial(newPerson());
  assert.match(await phone.waitForEnd(since), /^403 /);
  await untilQuiet();
});

test('a telephone that dials 911 is connected by the engine, and has the records of an emergency call', async () => {
  const [since, contact] = [phone.events.length, newPerson()];
  const body = { emergency_contacts: [contact] };
  assert.equal((await harness.call('PATCH', `/v1/tenants/${line.tenantId}`, { key, body })).status, 200);
  rescue.set('911', { frequencyHz: PERSON_HZ, answersAfterMs: 500 });
  const { id, ...placed } = await dial('911');
  assert.partialDeepStrictEqual(placed, {
    connect_to: FRONT,
    from: number.phone_number,
    to: '911',
    conversation_id: null,
  });
  const [alarm] = await line.eventsOf(id, 'emergency_call.placed');
  assert.partialDeepStrictEqual(alarm, { telephone: FRONT, web_client_id: null, call_id: id });
  const [told] = (await get(`/messages?to=${encodeURIComponent(contact)}`)).data;
  assert.match(told.body, /: the telephone front dialed 911 at /);
  await untilHas(`/calls/${id}`, { status: 'in_progress', answered_by: '911' });
  await untilBothHear('911', rescue);
  await make(`/calls/${id}/speak`, { text: 'This is not heard.' });
  await harness.call('POST', `/v1/calls/${id}/hangup`, { key, body: {} });
  // Dialplane sends no commands for this call.
  await untilHas(`/calls/${id}`, { status: 'completed' });
  await untilBothHear('911', rescue);
  rescue.hangUp('911');
  await phone.waitForEnd(since);
  await untilQuiet();
});

test('a call to 911 that began while Dialplane was away is connected at once, and has its record afterwards', async (t) => {
  const since = phone.events.length;
  const { db } = harness.context;
  const setStatus = async (status: string) => {
    await sql(db, `update carrier_connections set status = $1 where kind = 'sip'`, [status]);
    await harness.connections.refresh();
  };
  const before = (await get('/calls?limit=100')).data.length;
  await setStatus('disabled');
  t.after(() => setStatus('active'));
  await phone.dial('911');
  await until('the telephone is connected', () => phone.isTalking, LIMIT_MS);
  assert.equal((await get('/calls?limit=100')).data.length, before);
  await setStatus('active');
  await until('it has a record', async () => (await get('/calls?limit=100')).data.length > before, LIMIT_MS);
  const [{ id }] = (await get('/calls?limit=1')).data;
  await untilHas(`/calls/${id}`, { status: 'in_progress', to: '911', connect_to: FRONT });
  // A call with lost reports is healed by this question. An answer without the call's legs would end it.
  const [ledger = assert.fail()] = await sql<Ledger>(
    db,
    'select id as "ledgerId", account_id as "accountId", mode from ledgers where id = (select ledger_id from calls where id = $1)',
    [id],
  );
  const found = await harness.context.carriers.voice(ledger, line.connectionId).findLegs(ledger, id);
  assert.deepEqual(found.found === 'accepted' && found.legs.map(({ state }) => state), ['up', 'up']);
  await phone.hangUp();
  await phone.waitForEnd(since);
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await untilQuiet();
});

test('911 is reached over the next trunk while PostgreSQL takes no connection, and has its record afterwards', async (t) => {
  const since = phone.events.length;
  const before = (await get('/calls?limit=100')).data.length;
  rescue.set('911', { refusesWith: 486 });
  const database = await stopDatabase();
  t.after(() => database.start());
  await phone.dial('911');
  await until('the telephone is connected', () => phone.isTalking, LIMIT_MS);
  const talkers = people.listTalkers();
  await database.start();
  assert.deepEqual(talkers, ['911']);
  const count = () =>
    get('/calls?limit=100').then(
      ({ data }) => data.length,
      () => before,
    );
  await until('it has a record', async () => (await count()) > before, LIMIT_MS);
  const [{ id }] = (await get('/calls?limit=1')).data;
  await untilHas(`/calls/${id}`, { status: 'in_progress', to: '911' });
  await phone.hangUp();
  await phone.waitForEnd(since);
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  rescue.set('911', {});
  await untilQuiet();
});

/** Closes all connections to the database of the product. The database refuses new ones until `start`. */
async function stopDatabase(): Promise<{ start(): Promise<void> }> {
  const { database = '' } = new pg.Client({ connectionString: harness.databaseUrl });
  const server = new URL(harness.databaseUrl);
  server.pathname = '/template1';
  const admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
  await admin.query(`alter database "${database}" allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database]);
  let isStarted = false;
  return {
    start: async () => {
      if (isStarted) return;
      isStarted = true;
      await admin.query(`alter database "${database}" allow_connections true`);
      await admin.end();
    },
  };
}

test('a call to 911 that goes over the next trunk is one call', async () => {
  const since = phone.events.length;
  rescue.set('911', { refusesWith: 486 });
  const { id } = await dial('911');
  await untilHas(`/calls/${id}`, { status: 'in_progress', answered_by: '911' });
  await phone.hangUp();
  await phone.waitForEnd(since);
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await untilQuiet();
});

test('a call to 911 that no trunk takes has failed', async () => {
  const since = phone.events.length;
  for (const provider of [people, rescue]) provider.set('911', { refusesWith: 503 });
  const { id } = await dial('911');
  assert.match(await phone.waitForEnd(since), /^503 /);
  await untilHas(`/calls/${id}`, { status: 'failed', outcome: 'failed' });
  await untilQuiet();
});

test('a telephone of another tenant, or of none, is no party', async () => {
  for (const connect_to of ['sip_phone:other', 'sip_phone:none']) {
    const body = { from: number.id, to: newPerson(), connect_to };
    const refused = refusal(await harness.call('POST', '/v1/calls', { key, body }));
    assert.deepEqual(refused, [400, 'invalid_connect_to', 'connect_to']);
    const open_behavior = { type: 'ring', targets: [connect_to] };
    const config = { tenant_id: line.tenantId, name: 'Other', open_behavior };
    const target = refusal(await harness.call('POST', '/v1/routing_configs', { key, body: config }));
    assert.deepEqual(target, [400, 'invalid_body', 'open_behavior.targets[0]']);
  }
});
