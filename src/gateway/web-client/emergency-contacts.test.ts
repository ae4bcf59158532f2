import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, listEvents } from '../../../test/support/events.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { sql, until } from '../../../test/support/jobs.ts';
import { arrive, newPerson, outboxOf, read } from '../../../test/support/messages.ts';
import { buyNumber } from '../../../test/support/numbers.ts';
import { logIn, makeDesk, type WebClientSocket } from '../../../test/support/web-clients.ts';

const harness = await useHarness();
const { db } = harness.context;
const EVERY_DAY = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const setTenant = async (tenantId: string, body: object) => {
  const reply = await harness.call('PATCH', `/v1/tenants/${tenantId}`, { body });
  return { status: reply.status, body: reply.body as Json };
};

async function dial(client: WebClientSocket, to: string): Promise<string> {
  client.send({ type: 'place', to });
  return (await client.receive('dialing')).call_id;
}

async function makeAddress(tenantId: string, street: string): Promise<string> {
  const place = { city: 'Phoenix', state: 'AZ', postal_code: '85004' };
  const reply = await harness.call('POST', '/v1/e911_addresses', { body: { tenant_id: tenantId, street, ...place } });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return (reply.body as Json).id;
}

/** Creates a web client that is logged in. */
async function addClient(tenantId: string, fields: object) {
  const { status, body } = await harness.call('POST', '/v1/web_clients', { body: { tenant_id: tenantId, ...fields } });
  assert.equal(status, 201, JSON.stringify(body));
  return { webClient: body as Json, client: (await logIn(harness, (body as Json).id)) as WebClientSocket };
}

test('every emergency contact is texted once when 911 is dialled, opted out or not, and in quiet hours', async () => {
  const { client, tenantId, number } = await makeDesk(harness);
  const contacts = [newPerson(), newPerson(), newPerson()].toSorted();
  const [optedOut = '', ofCalls = ''] = contacts;
  await arrive(harness, optedOut, number.phone_number, 'STOP');
  const fromCalls = { tenant_id: tenantId, external_number: ofCalls, channels: ['call'] };
  assert.equal((await harness.call('POST', '/v1/opt_outs', { body: fromCalls })).status, 201);
  await harness.settled();
  const quiet_hours = {
    zone: 'tenant',
    applies_to: 'all',
    schedule: [{ days: EVERY_DAY, start: '00:00', end: '23:59' }],
  };
  const set = await setTenant(tenantId, { quiet_hours, emergency_contacts: contacts });
  assert.deepEqual([set.status, set.body['emergency_contacts']], [200, contacts]);
  const before = (await outboxOf(harness, optedOut)).length;
  const id = await dial(client, '911');
  await harness.settled();
  for (const contact of contacts) {
    // The newest is the first.
    const texts = (await outboxOf(harness, contact)).slice(0, contact === optedOut ? -before : undefined);
    assert.equal(texts.length, 1, contact);
    assert.equal(texts[0].from, number.phone_number);
    assert.match(texts[0].body, /dialed 911 at \d\d:\d\d from \+1\d{10}\. No address is known\.$/);
  }
  const { body } = await harness.call('GET', `/v1/conversations?tenant_id=${tenantId}&opted_out=true`);
  assert.deepEqual(
    (body as Json).data.map((talk: Json) => talk.external_number),
    [optedOut],
    'a person who is opted out of calls only is not opted out of texts',
  );
  await harness.advance(10);
  const { data } = await read(harness, `/messages?to=${encodeURIComponent(contacts[1] ?? '')}`);
  assert.deepEqual(
    data.map(({ status, direction }: Json) => [status, direction]),
    [['delivered', 'outbound']],
  );
  assert.equal((await listEvents(harness, id))[0].type, 'emergency_call.placed');
  await client.close();
});

test('933 texts no emergency contact', async () => {
  const { client, tenantId } = await makeDesk(harness);
  const contact = newPerson();
  await setTenant(tenantId, { emergency_contacts: [contact] });
  await dial(client, '933');
  await harness.settled();
  assert.deepEqual(await outboxOf(harness, contact), []);
  await client.close();
});

test('emergency contacts are texted from another number of the tenant if the one that calls takes no texts', async () => {
  const { client, tenantId, number } = await makeDesk(harness);
  const other = await buyNumber(harness, tenantId);
  await sql(db, `update phone_numbers set capabilities = '{voice}' where id = $1`, [number.id]);
  const contact = newPerson();
  await setTenant(tenantId, { emergency_contacts: [contact] });
  await dial(client, '911');
  await harness.settled();
  assert.deepEqual(
    (await outboxOf(harness, contact)).map(({ from }: Json) => from),
    [other.phone_number],
  );
  await client.close();
});

test('911 is dialled where no number of the tenant takes texts', async () => {
  const { client, tenantId, number } = await makeDesk(harness);
  await sql(db, `update phone_numbers set capabilities = '{voice}' where id = $1`, [number.id]);
  const contact = newPerson();
  await setTenant(tenantId, { emergency_contacts: [contact] });
  await dial(client, '911');
  await harness.settled();
  assert.deepEqual(await outboxOf(harness, contact), []);
  await client.close();
});

test('the address of a web client goes before that of the number, and a number at that address is called from', async () => {
  const { client: desk, tenantId, number } = await makeDesk(harness);
  await makeAddress(tenantId, '1 Main St');
  await harness.advance(1);
  const own = await makeAddress(tenantId, '2 Home St');
  const contact = newPerson();
  await setTenant(tenantId, { emergency_contacts: [contact] });
  const { client, webClient } = await addClient(tenantId, { name: 'Ana', e911_address_id: own });
  assert.equal(webClient['e911_address_id'], own);
  // The tenant has no number at the address: the event and the text say that the carrier does not have the address.
  const placed = async (from: WebClientSocket) => (await listEvents(harness, await dial(from, '911')))[0].data;
  const first = await placed(client);
  assert.deepEqual([first.from, first.e911_address_id, first.address_confirmed], [number.phone_number, own, false]);
  const there = await buyNumber(harness, tenantId);
  const patch = { body: { e911_address_id: own } };
  assert.equal((await harness.call('PATCH', `/v1/phone_numbers/${there.id}`, patch)).status, 200);
  await harness.advance(1);
  const again = await addClient(tenantId, { name: 'Ana', e911_address_id: own });
  const second = await placed(again.client);
  assert.deepEqual([second.from, second.e911_address_id, second.address_confirmed], [there.phone_number, own, true]);
  await harness.settled();
  const bodies = (await outboxOf(harness, contact)).map(({ body }: Json) => body).toReversed();
  assert.match(bodies[0], /: Ana dialed 911 .*Address: 2 Home St, Phoenix, AZ 85004\. The carrier does not have/);
  assert.match(bodies[1], /Address: 2 Home St, Phoenix, AZ 85004\.$/);
  for (const socket of [client, again.client, desk]) await socket.close();
});

test('a web client takes only a validated address of its tenant, and keeps it from being deleted until it is revoked', async () => {
  const { client, tenantId } = await makeDesk(harness);
  const other = await makeDesk(harness);
  const foreign = await makeAddress(other.tenantId, '3 Main St');
  for (const e911_address_id of [foreign, 'e911_none']) {
    const body = { tenant_id: tenantId, e911_address_id };
    const refused = await harness.call('POST', '/v1/web_clients', { body });
    assert.deepEqual(
      [refused.status, (refused.body as Json).error.code, (refused.body as Json).error.param],
      [404, 'e911_address_not_found', 'e911_address_id'],
    );
  }
  const id = await makeAddress(tenantId, '4 Main St');
  await sql(db, 'update phone_numbers set e911_address_id = null where tenant_id = $1', [tenantId]);
  const added = await addClient(tenantId, { e911_address_id: id });
  const remove = async () => (await harness.call('DELETE', `/v1/e911_addresses/${id}`)).status;
  assert.equal(await remove(), 409);
  await harness.call('DELETE', `/v1/web_clients/${added.webClient['id']}`);
  await until('it can be deleted', async () => (await remove()) === 204);
  for (const socket of [client, other.client, added.client]) await socket.close();
});

for (const [field, emergency_contacts] of [
  ['emergency_contacts[1]', ['+16025550143', '6025550144']],
  ['emergency_contacts[0]', ['+11115550143']],
  ['emergency_contacts', ['+16025550143', '+16025550143']],
  ['emergency_contacts', Array.from({ length: 11 }, (_, n) => `+160255501${10 + n}`)],
] as const)
  test(`emergency contacts ${JSON.stringify(emergency_contacts).slice(0, 60)} are refused, and nothing changes`, async () => {
    const { client, tenantId } = await makeDesk(harness);
    const { status, body } = await setTenant(tenantId, { emergency_contacts });
    assert.deepEqual([status, body['error'].param], [400, field], JSON.stringify(body));
    assert.deepEqual((await read(harness, `/tenants/${tenantId}`)).emergency_contacts, []);
    await client.close();
  });
