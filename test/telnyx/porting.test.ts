/** Ports at the emulated Telnyx, as the API and its webhooks show them. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { time } from '../support/emulator-time.ts';
import { until } from '../support/jobs.ts';
import { useTelnyxApi } from './telnyx-api.ts';

const { receiver, control, call } = await useTelnyxApi();

const CANYON = '+13035550101';
const BIRCH = '+13035531101';
const BARRED = '+13035530101';
const DOUBTED = '+13035532101';
const FAST = '+13035533101';
const TOLL_FREE = '+18005550101';
const PDF = Buffer.from('%PDF-1.7\n');
const DAY_MS = 24 * 3_600_000;

type Order = {
  readonly id: string;
  readonly customer_reference: string;
  readonly status: { readonly value: string; readonly details: readonly { readonly code: string }[] };
  readonly phone_numbers: readonly { readonly phone_number: string }[];
  readonly requirements_met: boolean;
  readonly documents: { readonly loa?: string };
  readonly phone_number_type: string;
  readonly activation_settings: { readonly fast_port_eligible: boolean; readonly foc_datetime_actual?: string };
  readonly messaging: { readonly messaging_port_status: string };
};

type Owned = {
  readonly id: string;
  readonly status: string;
  readonly connection_id?: string;
  readonly messaging_profile_id?: string;
  readonly tags: readonly string[];
};

async function order(numbers: readonly string[], reference = 'port_1'): Promise<readonly Order[]> {
  const reply = await call('POST', '/porting_orders', { phone_numbers: numbers, customer_reference: reference });
  assert.equal(reply.status, 201);
  return reply.data;
}

async function upload(): Promise<string> {
  const file = { file: PDF.toString('base64'), filename: 'loa.pdf', customer_reference: 'port_1' };
  return ((await call('POST', '/documents', file)).data as { id: string }).id;
}

/** Fills in all that an order needs. */
async function complete(id: string, more: object = {}): Promise<Order> {
  const details = {
    end_user: {
      admin: {
        entity_name: 'Birch Dental LLC',
        auth_person_name: 'Ann Birch',
        billing_phone_number: CANYON,
        account_number: '77',
      },
      location: {
        street_address: '1 Elm St',
        locality: 'Denver',
        administrative_area: 'CO',
        postal_code: '80202',
        country_code: 'US',
      },
    },
    documents: { loa: await upload(), invoice: await upload() },
    webhook_url: receiver.url,
    ...more,
  };
  const reply = await call('PATCH', `/porting_orders/${id}`, details);
  assert.equal(reply.status, 200);
  return reply.data;
}

/** Orders numbers and fills the order in. Returns its id. */
async function readyOrder(numbers: readonly string[] = [CANYON], more: object = {}): Promise<string> {
  const [{ id } = assert.fail('no order')] = await order(numbers);
  await complete(id, more);
  return id;
}

const confirm = (id: string) => call('POST', `/porting_orders/${id}/actions/confirm`);
const cancel = (id: string) => call('POST', `/porting_orders/${id}/actions/cancel`);
const find = async (id: string): Promise<Order> => (await call('GET', `/porting_orders/${id}`)).data;

async function owned(number: string): Promise<Owned | undefined> {
  const { data } = await call('GET', `/phone_numbers?filter[phone_number]=${encodeURIComponent(number)}`);
  return (data as Owned[])[0];
}

/** Waits until nothing is under way. Returns the reported events, as the order's status or the name of the event. */
async function reported(): Promise<string[]> {
  await control.settled({});
  return receiver.received.map(({ body }) => {
    const { event_type, payload } = JSON.parse(body).data;
    return event_type === 'porting_order.status_changed' ? payload.status.value : event_type;
  });
}

test('each number has a verdict, in the order of the request', async () => {
  const checked = await call('POST', '/portability_checks', { phone_numbers: [BARRED, CANYON, BIRCH, FAST] });
  assert.equal(checked.status, 201);
  type Verdict = { portable: boolean; fast_portable: boolean; not_portable_reason: string; carrier_name?: string };
  const verdicts = checked.data as Verdict[];
  assert.deepEqual(
    verdicts.map(({ portable, fast_portable, not_portable_reason }) => [portable, fast_portable, not_portable_reason]),
    [
      [false, false, 'The rate center of this phone number is not served.'],
      [true, false, ''],
      [true, false, ''],
      [true, true, ''],
    ],
  );
  assert.notEqual(verdicts[1]?.carrier_name, verdicts[2]?.carrier_name);
  await control.set({ showsLosingCarrier: false });
  const [typed] = (await call('POST', '/portability_checks', { phone_numbers: [CANYON] })).data as Verdict[];
  assert.equal(typed?.carrier_name, undefined);
  await control.set({ showsLosingCarrier: true });
  assert.equal((await call('POST', '/portability_checks', { phone_numbers: ['303'] })).code, '10016');
});

test('numbers of different losing carriers, types and speeds are orders of their own, with one reference', async () => {
  const second = '+13035550102';
  const orders = await order([CANYON, BIRCH, second, TOLL_FREE, FAST]);
  assert.deepEqual(
    orders.map(({ phone_numbers }) => phone_numbers.map((each) => each.phone_number)),
    [[CANYON, second], [BIRCH], [TOLL_FREE], [FAST]],
  );
  assert.deepEqual(
    orders.map((each) => [each.phone_number_type, each.activation_settings.fast_port_eligible, each.status.value]),
    [
      ['local', false, 'draft'],
      ['local', false, 'draft'],
      ['toll_free', false, 'draft'],
      ['local', true, 'draft'],
    ],
  );
  await order(['+13035550103'], 'port_2');
  const found = await call('GET', '/porting_orders?filter[customer_reference]=port_1&page[size]=3&page[number]=2');
  assert.deepEqual((found.body as { meta: object }).meta, {
    page_number: 2,
    page_size: 3,
    total_pages: 2,
    total_results: 4,
  });
  assert.equal((found.data as Order[]).length, 1);
  const bare = await call('GET', `/porting_orders/${orders[0]?.id}?include_phone_numbers=false`);
  assert.equal((bare.data as Partial<Order>).phone_numbers, undefined);
});

test('a number that cannot be ported or is ordered already is refused, with the others', async () => {
  const refused = await call('POST', '/porting_orders', { phone_numbers: [CANYON, BARRED] });
  assert.deepEqual([refused.status, refused.code], [422, '10027']);
  await order([CANYON]);
  assert.equal((await call('POST', '/porting_orders', { phone_numbers: [CANYON] })).code, '80003');
  assert.equal((await call('POST', '/porting_orders', { phone_numbers: [] })).status, 422);
  assert.equal(((await call('GET', '/porting_orders')).data as Order[]).length, 1);
});

test('a document has the hash of its file, is found by its reference, and is deleted unless an order has it', async () => {
  const id = await upload();
  const { data } = await call('GET', `/documents/${id}`);
  const { sha256, content_type, size } = data as { sha256: string; content_type: string; size: { amount: number } };
  const hash = createHash('sha256').update(PDF).digest('hex');
  assert.deepEqual([sha256, content_type, size.amount], [hash, 'application/pdf', PDF.length]);
  const listed = await call('GET', '/documents?filter[customer_reference][eq]=port_1');
  assert.equal((listed.data as unknown[]).length, 1);
  assert.equal((await call('POST', '/documents', { file: '<pdf>' })).status, 422);
  assert.equal((await call('POST', '/documents', { filename: 'loa.pdf' })).status, 422);
  const orderId = await readyOrder();
  await control.set({ documentLifeMs: -1 });
  assert.equal((await call('GET', `/documents/${id}`)).status, 404);
  const { loa } = (await find(orderId)).documents;
  assert.equal((await call('GET', `/documents/${loa}`)).status, 200);
  await control.set({ documentLifeMs: 60_000 });
});

test('a document can be named by the address of its file', async () => {
  const { data } = await call('POST', '/documents', { url: 'http://127.0.0.1:1/loa.pdf', filename: 'loa.pdf' });
  const { id } = data as { id: string };
  await until('the document is denied', async () => {
    const found = await call('GET', `/documents/${id}`);
    return (found.data as { status: string }).status === 'denied';
  });
});

test('an order is confirmed once its requirements are met', async () => {
  const [{ id } = assert.fail('no order')] = await order([CANYON]);
  assert.equal((await confirm(id)).status, 422);
  const listed = await call('GET', `/porting_orders/${id}/requirements`);
  type Requirement = { requirement_status: string; requirement_type: { id: string; name: string } };
  const [loa, invoice] = listed.data as Requirement[];
  assert.deepEqual([loa?.requirement_status, invoice?.requirement_type.name], ['requirement-info-pending', 'Invoice']);
  assert.equal((await complete(id, { documents: { loa: await upload() } })).requirements_met, false);
  assert.equal((await confirm(id)).status, 422);
  const bad = await call('PATCH', `/porting_orders/${id}`, { documents: { invoice: 'doc-1' } });
  assert.equal(bad.status, 422);
  const requirements = [{ requirement_type_id: invoice?.requirement_type.id, field_value: await upload() }];
  const met = await call('PATCH', `/porting_orders/${id}`, { requirements });
  assert.equal((met.data as Order).requirements_met, true);
  const confirmed = await confirm(id);
  assert.deepEqual([confirmed.status, (confirmed.data as Order).status.value], [200, 'in-process']);
  assert.equal((await confirm(id)).status, 422);
});

test('a confirmed order ends with the numbers in the account, each step reported to the address of the order', async () => {
  const profile = { name: 'acme', whitelisted_destinations: ['US'] };
  const { id: profileId } = (await call('POST', '/messaging_profiles', profile)).data as { id: string };
  const id = await readyOrder([CANYON], {
    phone_number_configuration: { connection_id: '7', messaging_profile_id: profileId, tags: ['ten_1'] },
    messaging: { enable_messaging: true },
  });
  await confirm(id);
  const pending = await owned(CANYON);
  assert.deepEqual(await reported(), [
    'in-process',
    'porting_order.messaging_changed',
    'submitted',
    'foc-date-confirmed',
    'ported',
    'porting_order.messaging_changed',
  ]);
  const ported = await find(id);
  const { foc_datetime_actual = '' } = ported.activation_settings;
  assert.ok(Date.parse(foc_datetime_actual) > time.now() + 4 * DAY_MS);
  assert.equal(ported.messaging.messaging_port_status, 'ported');
  const number = await owned(CANYON);
  assert.deepEqual(
    [number?.status, number?.connection_id, number?.messaging_profile_id, number?.tags],
    ['active', '7', profileId, ['ten_1']],
  );
  assert.ok(number?.id && number.id === (pending?.id ?? number.id));
  const text = { from: CANYON, to: '+13035550142', text: 'Hello' };
  assert.equal((await call('POST', '/messages', text)).status, 200);
  assert.equal((await call('POST', '/porting_orders', { phone_numbers: [CANYON] })).code, '10027');
  assert.equal((await cancel(id)).status, 422);
});

test('an order without an address reports nothing, and its events can be listed and published again', async () => {
  const [{ id } = assert.fail('no order')] = await order([CANYON]);
  await complete(id, { webhook_url: undefined });
  await confirm(id);
  assert.deepEqual(await reported(), []);
  const list = async (type: string) => {
    const path = `/porting/events?filter[porting_order_id]=${id}&filter[type]=porting_order.${type}`;
    return (await call('GET', path)).data as { id: string; payload?: { status: { value: string } } }[];
  };
  assert.equal((await list('loa_updated')).length, 1);
  const [last] = await list('status_changed');
  assert.equal(last?.payload?.status.value, 'ported');
  const other = await readyOrder([BIRCH]);
  await control.faults({ rules: [{ webhook: '*', is: 'lost' }] });
  await control.decidePort({ id: other, status: 'submitted' });
  await control.faults({ rules: [] });
  assert.deepEqual(await reported(), []);
  const [lost] = (await call('GET', `/porting/events?filter[porting_order_id]=${other}`)).data as { id: string }[];
  assert.equal((await call('POST', `/porting/events/${lost?.id}/republish`)).status, 204);
  assert.deepEqual(await reported(), ['submitted']);
  assert.equal(JSON.parse(receiver.received[0]?.body ?? '').data.id, lost?.id);
});

test('an order in exception can be corrected and confirmed again', async () => {
  const id = await readyOrder([DOUBTED]);
  await confirm(id);
  assert.deepEqual(await reported(), ['in-process', 'exception']);
  const { status } = await find(id);
  assert.deepEqual(
    status.details.map(({ code }) => code),
    ['ACCOUNT_NUMBER_MISMATCH'],
  );
  const changed = await call('PATCH', `/porting_orders/${id}`, { end_user: { admin: { account_number: '78' } } });
  assert.equal(changed.status, 200);
  receiver.received.length = 0;
  assert.equal((await confirm(id)).status, 200);
  assert.deepEqual(await reported(), ['in-process', 'submitted', 'foc-date-confirmed', 'ported']);
  assert.deepEqual((await find(id)).status.details, []);
});

test('a number that was doubted passes in another order', async () => {
  const id = await readyOrder([DOUBTED]);
  await confirm(id);
  await control.settled({});
  await cancel(id);
  await control.settled({});
  const other = await readyOrder([DOUBTED]);
  await confirm(other);
  await control.settled({});
  assert.deepEqual([(await find(id)).status.value, (await find(other)).status.value], ['cancelled', 'ported']);
});

test('what a port configures must exist', async () => {
  const [{ id } = assert.fail('no order')] = await order([CANYON]);
  for (const field of ['messaging_profile_id', 'emergency_address_id']) {
    const change = { phone_number_configuration: { [field]: 'none' } };
    assert.equal((await call('PATCH', `/porting_orders/${id}`, change)).status, 422);
  }
});

test('an order is cancelled until two days before its port', async () => {
  await control.pendPorts({ pend: true });
  const id = await readyOrder();
  assert.equal((await cancel(id)).status, 422);
  await confirm(id);
  const focDate = (ms: number) => new Date(time.now() + ms).toISOString();
  await control.decidePort({ id, status: 'foc-date-confirmed', focDate: focDate(1.9 * DAY_MS) });
  assert.equal((await cancel(id)).status, 422);
  await control.decidePort({ id, status: 'foc-date-confirmed', focDate: focDate(2.1 * DAY_MS) });
  const cancelled = await cancel(id);
  assert.deepEqual([cancelled.status, (cancelled.data as Order).status.value], [200, 'cancel-pending']);
  assert.equal((await owned(CANYON))?.status, 'port-pending');
  assert.equal((await cancel(id)).status, 422);
  const other = await readyOrder([BIRCH]);
  await confirm(other);
  await control.settled({});
  await control.pendPorts({ pend: false });
  await cancel(other);
  await control.decidePort({ id, status: 'cancelled' });
  assert.equal((await reported()).filter((event) => event === 'cancelled').length, 2);
  assert.equal((await find(other)).status.value, 'cancelled');
  assert.equal(await owned(CANYON), undefined);
});

test('what the losing carrier checks is fixed while it checks', async () => {
  await control.pendPorts({ pend: true });
  const id = await readyOrder();
  await confirm(id);
  const patch = (change: object) => call('PATCH', `/porting_orders/${id}`, change);
  assert.equal((await patch({ end_user: { admin: { account_number: '78' } } })).status, 422);
  assert.equal((await patch({ phone_number_configuration: { connection_id: '8' } })).status, 200);
  const details = [{ code: 'PASSCODE_PIN_INVALID', description: 'The PIN is wrong.' }];
  await control.decidePort({ id, status: 'exception', details });
  assert.equal((await patch({ end_user: { admin: { pin_passcode: '9034' } } })).status, 200);
});

test('a draft alone can be deleted', async () => {
  await control.pendPorts({ pend: true });
  const [{ id } = assert.fail('no order')] = await order([CANYON]);
  await call('PATCH', `/porting_orders/${id}`, { webhook_url: receiver.url });
  assert.equal((await call('DELETE', `/porting_orders/${id}`)).status, 204);
  assert.equal((await call('GET', `/porting_orders/${id}`)).status, 404);
  assert.deepEqual(await reported(), ['porting_order.deleted']);
  const other = await readyOrder();
  await confirm(other);
  assert.equal((await call('DELETE', `/porting_orders/${other}`)).status, 422);
});

test('the staff of Telnyx splits an order and comments on it', async () => {
  await control.pendPorts({ pend: true });
  const id = await readyOrder([CANYON, '+13035550102']);
  await confirm(id);
  const made = await control.splitPort({ id, phoneNumbers: ['+13035550102'] });
  await control.commentPort({ id, body: 'Please send a newer invoice.' });
  await control.decidePort({ id: made, status: 'ported' });
  assert.deepEqual(await reported(), ['in-process', 'porting_order.split', 'porting_order.new_comment', 'ported']);
  assert.equal((await find(made)).customer_reference, 'port_1');
  assert.deepEqual([(await owned(CANYON))?.status, (await owned('+13035550102'))?.status], ['port-pending', 'active']);
});
