import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { startHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { buyNumber, makeTenant, useTenant } from '../../../../test/support/numbers.ts';
import { makePortIn, numberElsewhere, PORT_DETAILS } from '../../../../test/support/port-ins.ts';

const { harness, tenantId } = await useTenant({ startWorkers: false });

const call = (method: string, path: string, body?: unknown) =>
  harness.call(method, `/v1/port_ins${path}`, body === undefined ? {} : { body });
const check = (phone_numbers: unknown) => call('POST', '/check', { phone_numbers });

function assertRefused(reply: Json, status: number, code: string, param?: string): void {
  const { error } = reply.body;
  assert.deepEqual(
    [reply.status, error?.code, param && error.param],
    [status, code, param],
    JSON.stringify(reply.body),
  );
}

test('a check returns whether each number can be ported and why not, and changes nothing', async () => {
  const free = numberElsewhere();
  const { phone_number: here } = await buyNumber(harness, tenantId);
  const { status, body } = await check([
    free,
    '+15005550004',
    here,
    '+14165550123',
    '+18005550123',
    '+15551230123',
    '+19115550123',
  ]);
  assert.equal(status, 200);
  assert.deepEqual(
    body.data.map(({ phone_number, portable }: Json) => [phone_number, portable]),
    [
      [free, true],
      ['+15005550004', false],
      [here, false],
      ['+14165550123', false],
      ['+18005550123', true],
      ['+15551230123', true],
      ['+19115550123', false],
    ],
  );
  for (const { portable, reason } of body.data) assert.equal(typeof reason, portable ? 'object' : 'string');
});

test('a check has the true reason for each number, also for foreign ones', async () => {
  const free = numberElsewhere();
  const numbers = [
    free,
    '+442071838750',
    '+14165550123',
    '+18765550123',
    '+19005550123',
    '+16029760123',
    '+10005550123',
  ];
  const { status, body } = await check([...numbers, '+19115550123']);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    body.data.map(({ phone_number, portable, reason }: Json) => [phone_number, portable, reason]),
    [
      [free, true, null],
      ['+442071838750', false, 'Only numbers of the United States can be ported in.'],
      ['+14165550123', false, 'Only numbers of the United States can be ported in.'],
      ['+18765550123', false, 'Only numbers of the United States can be ported in.'],
      ['+19005550123', false, 'Premium numbers (area code 900, exchange 976) cannot be ported in.'],
      ['+16029760123', false, 'Premium numbers (area code 900, exchange 976) cannot be ported in.'],
      ['+10005550123', false, 'No carrier has this number: its area code is not assigned.'],
      ['+19115550123', false, 'No carrier has this number: its area code is not assigned.'],
    ],
  );
  const reply = await call('POST', '', { tenant_id: tenantId, ...PORT_DETAILS, phone_numbers: ['+19005550123'] });
  assertRefused(reply, 422, 'numbers_not_portable', 'phone_numbers[0]');
  assert.match(reply.body.error.message, /Premium/);
});

test('the billing number is one of the United States', async () => {
  const { id } = await makePortIn(harness, tenantId, { billing_phone_number: '+18005550110' });
  for (const billing_phone_number of ['+442071838750', '+14165550123', '+18765550123', '+1602555011']) {
    const body = { tenant_id: tenantId, ...PORT_DETAILS, phone_numbers: [numberElsewhere()], billing_phone_number };
    const replies = [await call('POST', '', body), await call('PATCH', `/${id}`, { billing_phone_number })];
    for (const reply of replies) assertRefused(reply, 400, 'invalid_billing_phone_number', 'billing_phone_number');
  }
});

const hundred = Array.from({ length: 101 }, (_, index) => `+1520556${String(1000 + index)}`);

for (const path of ['/check', '']) {
  const kind = path === '' ? 'US numbers' : 'numbers';
  test(`POST /port_ins${path} takes 1 to 100 different ${kind}`, async () => {
    const send = (phone_numbers: unknown) =>
      call('POST', path, path === '' ? { tenant_id: tenantId, ...PORT_DETAILS, phone_numbers } : { phone_numbers });
    const free = numberElsewhere();
    for (const wrong of [[], hundred, [free, free], 'x', [free, 1]]) {
      assertRefused(await send(wrong), 400, 'invalid_phone_numbers');
    }
    for (const wrong of ['602', '', '+1602555012', '2071838750', ...(path === '' ? ['+442071838750'] : [])]) {
      assertRefused(await send([free, wrong]), 400, 'invalid_phone_numbers', 'phone_numbers[1]');
    }
    assert.ok((await send(hundred.slice(1))).status < 300);
  });
}

test('a new port-in is a draft that shows the given details, without the PIN', async () => {
  const phone_numbers = [numberElsewhere(), numberElsewhere()];
  const portIn = await makePortIn(harness, tenantId, { phone_numbers });
  const { id, created_at, ...rest } = portIn;
  assert.match(id, /^port_/);
  assert.ok(!Number.isNaN(Date.parse(created_at)));
  const { pin, ...details } = PORT_DETAILS;
  const status = { status: 'draft', status_detail: null, foc_date: null };
  assert.deepEqual(rest, { object: 'port_in', tenant_id: tenantId, phone_numbers, ...details, ...status });
  assert.deepEqual((await call('GET', `/${id}`)).body, portIn);
  const [row] = await sql<{ pin: Buffer; all: string }>(
    harness.context.db,
    'select pin, p::text as all from port_ins p where id = $1',
    [id],
  );
  assert.ok(row !== undefined && row.pin.length > 4 && !row.pin.includes(pin) && !row.all.includes(pin));
});

test('if one number cannot be ported, all are refused with that number and the reason', async () => {
  const phone_numbers = [numberElsewhere(), '+15005550004'];
  const reply = await call('POST', '', { tenant_id: tenantId, ...PORT_DETAILS, phone_numbers });
  assertRefused(reply, 422, 'numbers_not_portable', 'phone_numbers[1]');
  assert.match(reply.body.error.message, /\+15005550004: .+/);
  const { phone_number } = await buyNumber(harness, tenantId);
  const owned = { tenant_id: tenantId, ...PORT_DETAILS, phone_numbers: [phone_number] };
  assertRefused(await call('POST', '', owned), 422, 'numbers_not_portable', 'phone_numbers[0]');
});

test('numbers of two losing carriers are refused in one port-in and accepted in two', async () => {
  const [here, alsoHere, elsewhere] = [numberElsewhere(), numberElsewhere(), '+15005550016'];
  const create = (phone_numbers: string[]) => call('POST', '', { tenant_id: tenantId, ...PORT_DETAILS, phone_numbers });
  const checked = await check([here, elsewhere]);
  assert.deepEqual(checked.body.data, [
    { phone_number: here, portable: true, reason: null },
    { phone_number: elsewhere, portable: true, reason: null },
  ]);
  const mixed = await create([here, alsoHere, elsewhere]);
  assertRefused(mixed, 422, 'numbers_not_portable', 'phone_numbers[2]');
  assert.match(mixed.body.error.message, /\+15005550016: with another losing carrier/);
  const draft = await create([here, alsoHere]);
  assert.equal(draft.status, 201);
  const change = { phone_numbers: [here, elsewhere] };
  assertRefused(await call('PATCH', `/${draft.body.id}`, change), 422, 'numbers_not_portable', 'phone_numbers[1]');
  assert.equal((await create([elsewhere])).status, 201);
});

test('a number in an open port-in cannot be submitted again until that port-in has ended', async () => {
  const [contested, free] = [numberElsewhere(), numberElsewhere()];
  const wanted = { phone_numbers: [free, contested] };
  const [first, second] = [await makePortIn(harness, tenantId, wanted), await makePortIn(harness, tenantId, wanted)];
  await harness.call('POST', '/v1/test/reviews', { body: { mode: 'manual' } });
  const submit = (id: string) => call('POST', `/${id}/submit`);
  assert.equal((await submit(first.id)).status, 200, 'drafts do not block a submission');
  const refused = await submit(second.id);
  assertRefused(refused, 422, 'numbers_not_portable');
  assert.ok(refused.body.error.message.startsWith(`${free}: `), refused.body.error.message);
  assert.equal((await call('GET', `/${second.id}`)).body.status, 'draft');
  const { data } = (await check([contested, numberElsewhere()])).body;
  assert.deepEqual([data[0].portable, data[1].portable], [false, true]);
  assert.match(data[0].reason, /being ported/);
  const body = { tenant_id: tenantId, ...PORT_DETAILS, phone_numbers: [contested] };
  assertRefused(await call('POST', '', body), 422, 'numbers_not_portable', 'phone_numbers[0]');

  await harness.call('POST', `/v1/test/port_ins/${first.id}/advance`, { body: { status: 'action_needed' } });
  assertRefused(await submit(second.id), 422, 'numbers_not_portable');
  assert.equal((await call('PATCH', `/${first.id}`, { phone_numbers: [contested] })).status, 200, 'its own is not');
  assert.equal((await submit(first.id)).status, 200);
  assert.equal((await call('POST', `/${first.id}/cancel`)).status, 200);
  assert.equal((await submit(second.id)).status, 200);
  await harness.call('POST', '/v1/test/reviews', { body: { mode: 'auto' } });
});

test('a magic number may be in any number of port-ins', async () => {
  for (let times = 0; times < 2; times++) {
    const portIn = await makePortIn(harness, tenantId, { phone_numbers: ['+15005550005'] });
    assert.equal((await call('POST', `/${portIn.id}/submit`)).status, 200);
    await harness.advance(4);
    assert.equal((await call('GET', `/${portIn.id}`)).body.status, 'action_needed');
  }
});

test('port-ins of one test ledger do not affect another; those of a live ledger affect all live ledgers', async () => {
  const network = await startHarness({ startWorkers: false, liveCarrier: ({ simulated }) => simulated });
  try {
    const other = await network.secondAccount();
    const submitted = async (key: string, change: object) => {
      const { id } = await makePortIn(network, await makeTenant(network, key), change, key);
      return (await network.call('POST', `/v1/port_ins/${id}/submit`, { key })).status;
    };
    const change = { phone_numbers: [numberElsewhere()] };
    assert.equal(await submitted(network.account.test_key, change), 200);
    assert.equal(await submitted(other.test_key, change), 200);
    assert.equal(await submitted(network.account.live_key, change), 200);
    const { status, body } = await network.call('POST', '/v1/port_ins/check', { key: other.live_key, body: change });
    assert.deepEqual([status, body.data[0].portable], [200, false]);
  } finally {
    await network.close();
  }
});

test('each invalid field has its own code', async () => {
  const good = { tenant_id: tenantId, phone_numbers: [numberElsewhere()], ...PORT_DETAILS };
  const address = PORT_DETAILS.service_address;
  const { city: _, ...noCity } = address;
  const { street: __, ...onlyTwo } = noCity;
  const wrong: [object, string, string][] = [
    [{ billing_phone_number: '602' }, 'invalid_billing_phone_number', 'billing_phone_number'],
    [{ billing_phone_number: 6025550123 }, 'invalid_billing_phone_number', 'billing_phone_number'],
    [{ service_address: noCity }, 'invalid_service_address', 'service_address'],
    [{ service_address: onlyTwo }, 'invalid_service_address', 'service_address'],
    [{ service_address: {} }, 'invalid_service_address', 'service_address'],
    [{ service_address: 'Phoenix' }, 'invalid_service_address', 'service_address'],
    [{ service_address: { ...address, city: ' ' } }, 'invalid_service_address', 'service_address.city'],
    [{ service_address: { ...address, state: 'Arizona' } }, 'invalid_service_address', 'service_address.state'],
    [
      { service_address: { ...address, postal_code: '8500' } },
      'invalid_service_address',
      'service_address.postal_code',
    ],
    [{ service_address: null }, 'missing_fields', 'service_address'],
    [{ service_address: { ...address, unit: '4' } }, 'invalid_body', 'service_address.unit'],
    [{ entity_name: '' }, 'missing_fields', 'entity_name'],
    [{ pin: ' ' }, 'invalid_body', 'pin'],
  ];
  for (const [change, code, param] of wrong) {
    assertRefused(await call('POST', '', { ...good, ...change }), 400, code, param);
  }
  const { service_address, account_number, ...rest } = good;
  const missing = await call('POST', '', rest);
  assertRefused(missing, 400, 'missing_fields');
  for (const name of ['service_address', 'account_number']) assert.ok(missing.body.error.message.includes(name));
  assert.equal((await call('POST', '', { ...good, pin: null })).status, 201);
});

test('port-ins are listed by tenant and status', async () => {
  const own = await makeTenant(harness);
  const [draft, sent] = [await makePortIn(harness, own), await makePortIn(harness, own)];
  await call('POST', `/${sent.id}/submit`);
  const idsOf = async (query: string) =>
    (await call('GET', `?tenant_id=${own}${query}`)).body.data.map(({ id }: Json) => id);
  assert.deepEqual(await idsOf(''), [sent.id, draft.id]);
  assert.deepEqual(await idsOf('&status=draft'), [draft.id]);
  assert.deepEqual(await idsOf('&status=in_review'), [sent.id]);
  assert.deepEqual(await idsOf('&status=completed'), []);
  assertRefused(await call('GET', '?status=lost'), 400, 'invalid_body', 'status');
});

test('a correction changes the given fields, keeps or deletes the PIN, and checks new numbers', async () => {
  const portIn = await makePortIn(harness, tenantId);
  const sealed = async () =>
    (await sql<{ pin: Buffer | null }>(harness.context.db, 'select pin from port_ins where id = $1', [portIn.id]))[0]
      ?.pin;
  const before = await sealed();
  const change = { account_number: '55', service_address: { ...PORT_DETAILS.service_address, city: 'Tempe' } };
  const corrected = await call('PATCH', `/${portIn.id}`, change);
  assert.deepEqual([corrected.status, corrected.body], [200, { ...portIn, ...change }]);
  assert.deepEqual(await sealed(), before);
  await call('PATCH', `/${portIn.id}`, { pin: '1111' });
  assert.notDeepEqual(await sealed(), before);
  await call('PATCH', `/${portIn.id}`, { pin: null });
  assert.equal(await sealed(), null);
  const numbers = { phone_numbers: ['+15005550004'] };
  assertRefused(await call('PATCH', `/${portIn.id}`, numbers), 422, 'numbers_not_portable', 'phone_numbers[0]');
  const half = { service_address: { city: 'Tempe' } };
  assertRefused(await call('PATCH', `/${portIn.id}`, half), 400, 'invalid_service_address');
});

test('a repeat returns its port-in even if the number has been ported since', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { tenant_id: tenantId, phone_numbers: [numberElsewhere()], ...PORT_DETAILS };
  const send = () => harness.call('POST', '/v1/port_ins', { body, headers });
  const first = await send();
  await call('POST', `/${first.body.id}/submit`);
  await harness.advance(11);
  assertRefused(await call('POST', '', body), 422, 'numbers_not_portable');
  const repeat = await send();
  assert.deepEqual([repeat.status, repeat.body], [201, first.body]);
});

test('a live key needs a carrier', async () => {
  const key = harness.account.live_key;
  const body = { phone_numbers: [numberElsewhere()] };
  assertRefused(await harness.call('POST', '/v1/port_ins/check', { key, body }), 503, 'carrier_unavailable');
});
