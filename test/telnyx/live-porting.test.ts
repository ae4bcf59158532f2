/** Port-ins of a live key over the emulated Telnyx. */

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { time } from '../support/emulator-time.ts';
import type { Json } from '../support/events.ts';
import { runNow, sql, until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { clearForTexts } from '../support/money.ts';
import { eventsOf } from '../support/numbers.ts';
import { addDocument, makePortIn } from '../support/port-ins.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, key, tenantId, get, make, untilStatus } = await useTelnyxLine();
const { control } = telnyx;
const { db } = harness.context;

type Order = {
  readonly id: string;
  readonly customer_reference: string;
  readonly webhook_url: string;
  readonly documents: { readonly loa?: string };
  readonly status: { readonly value: string };
  readonly phone_numbers: readonly { readonly phone_number: string }[];
};

let made = 0;
/** Numbers that no other test ports: from the carrier that has most numbers, and from another carrier. */
const ofCanyon = () => `+1303555${5000 + made++}`;
const ofBirch = () => `+13035531${100 + made++}`;
/** A number whose order is stopped when it is confirmed for the first time. */
const stopped = () => `+13035532${100 + made++}`;

const act = (id: string, verb: string) => harness.call('POST', `/v1/port_ins/${id}/${verb}`, { key });

async function draft(phone_numbers: readonly string[], kinds = ['letter_of_authorization', 'invoice']) {
  const { id } = await makePortIn(harness, tenantId, { phone_numbers }, key);
  for (const kind of kinds) await addDocument(harness, id, kind, { key });
  return id as string;
}

async function submit(id: string): Promise<void> {
  const reply = await act(id, 'submit');
  assert.deepEqual([reply.status, reply.body.status], [200, 'in_review']);
}

async function untilIs(id: string, status: string): Promise<Json> {
  let found: Json;
  await until(
    `the port-in is ${status}`,
    async () => {
      found = await get(`/port_ins/${id}`);
      return found.status === status;
    },
    20_000,
  );
  return found;
}

/** Telnyx's orders of a port-in. */
async function ordersOf(id: string): Promise<Order[]> {
  const headers = { authorization: `Bearer ${telnyx.apiKey}` };
  const listed = await fetch(`${telnyx.url}/porting_orders?filter[customer_reference]=${id}`, { headers });
  return ((await listed.json()) as { data: Order[] }).data;
}

async function telnyxPatch(id: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${telnyx.apiKey}`, 'content-type': 'application/json' };
  const url = `${telnyx.url}/porting_orders/${id}`;
  const reply = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify(body) });
  assert.equal(reply.status, 200);
}

const sentFor = async (operation: string, id: string) =>
  (await control.requests({ operation })).filter(({ body }) => JSON.stringify(body).includes(id));

const statusesOf = async (id: string): Promise<string[]> =>
  (await eventsOf(harness, id)).map(({ data }) => (data as Json).status);

const numbersOf = async (): Promise<Json[]> => (await get(`/phone_numbers?tenant_id=${tenantId}&limit=100`)).data;

// A test that fails leaves nothing to the next one.
afterEach(async () => {
  await control.faults({ rules: [] });
  await control.pendPorts({ pend: false });
});

test('a port-in of two orders at Telnyx is confirmed and completed once, and its numbers text and call', async () => {
  const phone_numbers = [ofCanyon(), ofBirch()];
  await control.set({ showsLosingCarrier: false });
  const id = await draft(phone_numbers);
  await submit(id);
  const portIn = await untilIs(id, 'completed');
  assert.ok(Date.parse(portIn.foc_date) > time.now());
  assert.deepEqual(await statusesOf(id), ['in_review', 'foc_confirmed', 'completed']);
  const orders = await ordersOf(id);
  assert.equal(orders.length, 2);
  for (const { webhook_url } of orders) assert.match(webhook_url, new RegExp(`/port-ins/${id}/1$`));
  const [ported] = (await numbersOf()).filter((each) => each.phone_number === phone_numbers[1]);
  assert.deepEqual([ported?.status, ported?.capabilities], ['active', ['sms', 'mms', 'voice']]);
  assert.equal((await sentFor('POST /documents', 'doc_')).length, 2);
  await clearForTexts(harness, ported?.id);
  const headers = { authorization: `Bearer ${telnyx.apiKey}` };
  const query = `filter[phone_number]=${encodeURIComponent(phone_numbers[1] ?? '')}`;
  const listed = await (await fetch(`${telnyx.url}/phone_numbers?${query}`, { headers })).json();
  assert.ok((listed as { data: Json[] }).data[0]?.connection_id, 'it has an application for its calls');
  const text = { from: ported?.id, to: newPerson(), body: 'We have kept our number.' };
  await untilStatus((await make('/messages', text)).id, 'delivered');
  await control.set({ showsLosingCarrier: true });
});

test('numbers that cannot be ported, and those of two known losing carriers, are refused', async () => {
  for (const phone_numbers of [['+13035530107'], [ofCanyon(), ofBirch()]]) {
    const body = { tenant_id: tenantId, phone_numbers };
    const { id } = await makePortIn(harness, tenantId, { phone_numbers: [ofCanyon()] }, key);
    const reply = await harness.call('PATCH', `/v1/port_ins/${id}`, { key, body: { phone_numbers } });
    assert.equal(reply.body.error.code, 'numbers_not_portable', JSON.stringify([body, reply.body]));
  }
});

test('an exception is shown in its own words, and the corrected port-in is completed in the same order', async () => {
  const id = await draft([stopped()]);
  await submit(id);
  const asked = await untilIs(id, 'action_needed');
  assert.equal(asked.status_detail, 'The account number is not that of the customer.');
  await harness.call('PATCH', `/v1/port_ins/${id}`, { key, body: { account_number: '99-7' } });
  await submit(id);
  await untilIs(id, 'completed');
  assert.equal((await ordersOf(id)).length, 1);
  assert.deepEqual(await statusesOf(id), ['in_review', 'action_needed', 'in_review', 'foc_confirmed', 'completed']);
  const patches = await sentFor('PATCH /porting_orders/{id}', id);
  assert.deepEqual(
    patches.map(({ body }) => (body as Json).end_user.admin.account_number),
    ['4471-0093', '99-7'],
  );
});

test('missing documents are named, and a port-in with them goes on in the same order', async () => {
  const id = await draft([ofCanyon()], ['letter_of_authorization']);
  await submit(id);
  const asked = await untilIs(id, 'action_needed');
  assert.match(asked.status_detail, /Missing documents: invoice\.$/);
  await addDocument(harness, id, 'invoice', { key });
  await submit(id);
  await untilIs(id, 'completed');
  assert.equal((await sentFor('POST /porting_orders', id)).length, 1);
  assert.equal((await ordersOf(id)).length, 1);
});

test('a letter of two pictures arrives whole, once, also after a correction', async () => {
  const id = await draft([stopped()], ['letter_of_authorization', 'letter_of_authorization', 'invoice']);
  await submit(id);
  await untilIs(id, 'action_needed');
  await submit(id);
  await untilIs(id, 'completed');
  const [order] = await ordersOf(id);
  const headers = { authorization: `Bearer ${telnyx.apiKey}` };
  const path = `/porting_orders/${order?.id}/additional_documents`;
  const { data } = (await (await fetch(`${telnyx.url}${path}`, { headers })).json()) as { data: Json[] };
  assert.deepEqual(
    data.map(({ document_type }) => document_type),
    ['loa'],
  );
  assert.notEqual(data[0]?.document_id, order?.documents.loa);
});

test('numbers that a correction takes out are taken out at Telnyx, and new ones come in', async () => {
  const [kept, removed, added] = [stopped(), ofBirch(), ofBirch()];
  await control.set({ showsLosingCarrier: false });
  await control.pendPorts({ pend: true });
  const id = await draft([kept, removed]);
  await submit(id);
  await until('both orders are confirmed', async () => {
    const orders = await ordersOf(id);
    return orders.length === 2 && orders.every(({ status }) => status.value === 'in-process');
  });
  const [ofKept] = (await ordersOf(id)).filter(({ phone_numbers }) => phone_numbers[0]?.phone_number === kept);
  await control.decidePort({ id: ofKept?.id ?? '', status: 'exception' });
  await untilIs(id, 'action_needed');
  await control.pendPorts({ pend: false });
  await harness.call('PATCH', `/v1/port_ins/${id}`, { key, body: { phone_numbers: [kept, added] } });
  await submit(id);
  await untilIs(id, 'completed');
  await until('the removed number is given up', async () =>
    (await ordersOf(id)).some(
      ({ status, phone_numbers }) => status.value === 'cancelled' && phone_numbers[0]?.phone_number === removed,
    ),
  );
  const ported = (await numbersOf()).map((each) => each.phone_number);
  assert.deepEqual(
    [kept, removed, added].map((phoneNumber) => ported.includes(phoneNumber)),
    [true, false, true],
  );
  await control.set({ showsLosingCarrier: true });
});

test('a cancelled port-in is cancelled at Telnyx, a draft there is deleted', async () => {
  await control.pendPorts({ pend: true });
  const id = await draft([ofCanyon()]);
  await submit(id);
  await until('it is confirmed', async () => (await ordersOf(id))[0]?.status.value === 'in-process');
  assert.equal((await act(id, 'cancel')).body.status, 'cancelled');
  assert.deepEqual(
    (await ordersOf(id)).map(({ status }) => status.value),
    ['cancel-pending'],
  );
  await control.pendPorts({ pend: false });
  const incomplete = await draft([ofCanyon()], []);
  await submit(incomplete);
  await untilIs(incomplete, 'action_needed');
  assert.equal((await act(incomplete, 'cancel')).body.status, 'cancelled');
  assert.deepEqual(await ordersOf(incomplete), []);
});

test('a port-in cannot be cancelled 48 hours before its date', async () => {
  await control.pendPorts({ pend: true });
  const id = await draft([ofCanyon()]);
  await submit(id);
  await until('it is confirmed', async () => (await ordersOf(id))[0]?.status.value === 'in-process');
  const [order] = await ordersOf(id);
  await control.faults({ rules: [{ webhook: '*', is: 'lost' }] });
  const focDate = new Date(time.now() + 47 * 3_600_000).toISOString();
  await control.decidePort({ id: order?.id ?? '', status: 'foc-date-confirmed', focDate });
  assert.equal((await act(id, 'cancel')).body.error.code, 'port_in_not_cancellable');
  await control.faults({ rules: [] });
  await control.pendPorts({ pend: false });
});

test('a port-in that the losing carrier stops after its date was set is cancelled, by way of action_needed', async () => {
  await control.pendPorts({ pend: true });
  const id = await draft([ofCanyon()]);
  await submit(id);
  await until('it is confirmed', async () => (await ordersOf(id))[0]?.status.value === 'in-process');
  const [{ id: order } = assert.fail('no order')] = await ordersOf(id);
  const focDate = new Date(time.now() + 5 * 86_400_000).toISOString();
  await control.decidePort({ id: order, status: 'foc-date-confirmed', focDate });
  await untilIs(id, 'foc_confirmed');
  const details = [{ code: 'OTHER', description: 'The account is closed.' }];
  await control.decidePort({ id: order, status: 'cancelled', details });
  assert.equal((await untilIs(id, 'cancelled')).status_detail, 'The account is closed.');
  assert.deepEqual(await statusesOf(id), ['in_review', 'foc_confirmed', 'action_needed', 'cancelled']);
  await control.pendPorts({ pend: false });
});

/** Ends the wait of a job that has failed. */
const hurry = 'update jobs set run_at = clock_timestamp() where id = $1 and lease_token is null';

for (const operation of ['POST /porting_orders', 'POST /documents', 'POST /porting_orders/{id}/actions/confirm']) {
  test(`${operation} is carried out once though its answer is lost`, async () => {
    const before = (await control.requests({ operation })).length;
    await control.faults({ rules: [{ request: operation, is: 'timeout_after_acceptance', times: 1 }] });
    const id = await draft([ofCanyon()]);
    await submit(id);
    await until(
      'the port-in is tried again and completed',
      async () => {
        await sql(db, hurry, [`port_in.submit:${id}:1`]);
        return (await get(`/port_ins/${id}`)).status === 'completed';
      },
      100_000,
    );
    await control.faults({ rules: [] });
    const expected = operation === 'POST /documents' ? 2 : 1;
    assert.equal((await control.requests({ operation })).length, before + expected);
    assert.equal((await ordersOf(id)).length, 1);
  });
}

test('a port-in of 100 numbers is completed, though Telnyx shows 50 numbers of an order', async () => {
  const phoneNumbers = Array.from({ length: 100 }, (_, at) => `+1720555${String(1000 + at)}`);
  const id = await draft(phoneNumbers);
  await submit(id);
  await untilIs(id, 'completed');
  assert.deepEqual(
    (await ordersOf(id)).map(({ phone_numbers }) => phone_numbers.length),
    [50, 50],
  );
});

test('a port-in over a Telnyx that misbehaves in each way has one order, and each of its statuses once', async () => {
  const requests = (['500', '429', 'malformed', 'timeout_before_acceptance'] as const).map(
    (is) => ({ request: '*', is, share: 0.03 }) as const,
  );
  const webhooks = (['duplicate', 'disorder', 'late', 'malformed'] as const).map(
    (is) => ({ webhook: '*', is, share: 0.3 }) as const,
  );
  const id = await draft([ofCanyon()]);
  await control.faults({ rules: [...requests, ...webhooks], seed: 7 });
  await submit(id);
  await until(
    'it is completed',
    async () => {
      await sql(db, hurry, [`port_in.submit:${id}:1`]);
      await sql(db, hurry, ['sweep.port_ins']);
      return (await get(`/port_ins/${id}`)).status === 'completed';
    },
    // A submission is several requests in a row, and one in eight fails. If more failed, some runs would need hours,
    // because an open circuit lets only one request through at a time.
    150_000,
  );
  await control.faults({ rules: [] });
  await control.settled({});
  assert.equal((await ordersOf(id)).length, 1);
  assert.deepEqual(await statusesOf(id), ['in_review', 'foc_confirmed', 'completed']);
});

test('two processes that submit the same port-in at once confirm it once', async () => {
  const confirm = 'POST /porting_orders/{id}/actions/confirm';
  const patch = 'PATCH /porting_orders/{id}';
  const count = async (operation: string) => (await control.requests({ operation })).length;
  const atFirst = await count(confirm);
  await control.pendPorts({ pend: true });
  // After the failures of other tests no request is made for a while, and then one at a time until it is answered.
  const earlier = await draft([ofCanyon()]);
  await submit(earlier);
  await until('requests are answered', async () => (await count(confirm)) > atFirst, 60_000);
  const before = { confirmed: await count(confirm), patched: await count(patch) };
  const id = await draft([ofCanyon()]);
  await control.faults({ rules: [{ request: patch, is: 'delay', times: 2, delayMs: 3_000 }] });
  await submit(id);
  await until('the first one waits for an answer', async () => (await count(patch)) > before.patched);
  await sql(db, 'update jobs set run_at = clock_timestamp(), lease_token = null where id = $1', [
    `port_in.submit:${id}:1`,
  ]);
  db.signal({ topic: 'jobs', payload: 'default' });
  await until('the second one waits too', async () => (await count(patch)) > before.patched + 1);
  assert.equal(await count(confirm), before.confirmed, 'neither has confirmed it yet');
  const left = () => sql(db, 'select 1 from jobs where id = $1', [`port_in.submit:${id}:1`]);
  await until('both are done', async () => (await left()).length === 0, 20_000);
  assert.equal(await count(confirm), before.confirmed + 1);
  assert.deepEqual(await statusesOf(id), ['in_review'], 'the refusal of the second confirmation is no news');
  await control.faults({ rules: [] });
  await control.pendPorts({ pend: false });
});

test('reports that are lost are healed by asking', async () => {
  await control.faults({ rules: [{ webhook: '*', is: 'lost' }] });
  const id = await draft([ofCanyon()]);
  await submit(id);
  await until('it is ported', async () => (await ordersOf(id))[0]?.status.value === 'ported');
  await control.settled({});
  assert.equal((await get(`/port_ins/${id}`)).status, 'in_review');
  await control.faults({ rules: [] });
  // After failures of earlier tests, the product may ask the carrier nothing for a while.
  const ask = async () => {
    await runNow(db, 'sweep.port_ins');
    return (await get(`/port_ins/${id}`)).status === 'completed';
  };
  await until('it is completed', ask, 90_000);
  assert.deepEqual(await statusesOf(id), ['in_review', 'foc_confirmed', 'completed']);
});

test('a split of an order by the staff of Telnyx changes nothing for the customer, even if it loses our reference', async () => {
  await control.pendPorts({ pend: true });
  const phoneNumbers = [ofCanyon(), ofCanyon()];
  const id = await draft(phoneNumbers);
  await submit(id);
  await until('it is confirmed', async () => (await ordersOf(id))[0]?.status.value === 'in-process');
  const [order] = await ordersOf(id);
  const split = await control.splitPort({ id: order?.id ?? '', phoneNumbers: phoneNumbers.slice(1) });
  await telnyxPatch(split, { customer_reference: '' });
  const focDate = new Date(time.now() + 5 * 86_400_000).toISOString();
  await control.decidePort({ id: order?.id ?? '', status: 'foc-date-confirmed', focDate });
  await control.commentPort({ id: split, body: 'The second number has a date of its own.' });
  await control.settled({});
  assert.equal((await get(`/port_ins/${id}`)).status, 'in_review');
  const later = new Date(time.now() + 7 * 86_400_000).toISOString();
  await control.decidePort({ id: split, status: 'foc-date-confirmed', focDate: later });
  assert.equal((await untilIs(id, 'foc_confirmed')).foc_date, later);
  for (const each of [order?.id ?? '', split]) await control.decidePort({ id: each, status: 'ported' });
  await untilIs(id, 'completed');
  await control.pendPorts({ pend: false });
});
