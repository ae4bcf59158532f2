import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import type { Json } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { buyNumber, makeTenant } from '../../../../test/support/numbers.ts';
import type { E911Port } from '../../../carriers/ports/e911.ts';

const harness = await useHarness({ startWorkers: false });

const PLACE = { street: '100 N Central Ave', city: 'Phoenix', state: 'AZ', postal_code: '85004' };

const post = (body: object, headers: Record<string, string> = {}) =>
  harness.call('POST', '/v1/e911_addresses', { body, headers });

async function makeAddress(tenantId: string, change: object = {}): Promise<Json> {
  const reply = await post({ tenant_id: tenantId, ...PLACE, ...change });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

const numberOf = async (id: string): Promise<Json> => (await harness.call('GET', `/v1/phone_numbers/${id}`)).body;

/** Returns the address that the simulated carrier has for a number. */
async function registeredAt(phoneNumber: string): Promise<string | undefined> {
  const text = 'select address_ref from simulated_e911_numbers where phone_number = $1';
  return (await sql<{ address_ref: string }>(harness.context.db, text, [phoneNumber]))[0]?.address_ref;
}

const crash = async (): Promise<never> => {
  throw new Error('the process ends here');
};

test('a new address is validated and attached to all numbers of the tenant without one', async () => {
  const tenantId = await makeTenant(harness);
  const [first, second] = [await buyNumber(harness, tenantId), await buyNumber(harness, tenantId)];
  const foreign = await buyNumber(harness, await makeTenant(harness));
  const address = await makeAddress(tenantId, { unit: 'Suite 4' });
  const { id, created_at, ...rest } = address;
  assert.match(id, /^e911_/);
  assert.ok(!Number.isNaN(Date.parse(created_at)));
  const expected = { object: 'e911_address', tenant_id: tenantId, ...PLACE, unit: 'Suite 4', status: 'validated' };
  assert.deepEqual(rest, expected);
  await harness.advance(1);
  for (const number of [first, second]) {
    assert.equal((await numberOf(number.id)).e911_address_id, id);
    assert.equal(await registeredAt(number.phone_number), id);
  }
  assert.equal((await numberOf(foreign.id)).e911_address_id, null);
  const later = await buyNumber(harness, tenantId);
  assert.equal(later.e911_address_id, null);
  const next = await makeAddress(tenantId);
  await harness.advance(1);
  assert.equal((await numberOf(first.id)).e911_address_id, id);
  assert.equal(await registeredAt(later.phone_number), next.id);
});

test('an address can be read by id and in the list of its tenant', async () => {
  const tenantId = await makeTenant(harness);
  const addresses = [await makeAddress(tenantId), await makeAddress(tenantId)];
  assert.deepEqual((await harness.call('GET', `/v1/e911_addresses/${addresses[0].id}`)).body, addresses[0]);
  const { body } = await harness.call('GET', `/v1/e911_addresses?tenant_id=${tenantId}&limit=1`);
  assert.deepEqual([body.data, body.has_more], [[addresses[1]], true]);
  const rest = await harness.call('GET', `/v1/e911_addresses?tenant_id=${tenantId}&after=${body.next_cursor}`);
  assert.deepEqual(rest.body, { data: [addresses[0]], has_more: false, next_cursor: null });
});

const WRONG: readonly { what: string; change: object; param: string; suggestions: object[] }[] = [
  {
    what: 'the ZIP code 00000',
    change: { postal_code: '00000' },
    param: 'postal_code',
    suggestions: [{ ...PLACE, unit: null, postal_code: '85001' }],
  },
  {
    what: 'a ZIP code that is none, without house number',
    change: { postal_code: '00000-1234', street: 'Broadway', city: 'New York', state: 'NY' },
    param: 'postal_code',
    suggestions: ['100 Broadway', '200 Broadway'].map((street) => {
      return { street, unit: null, city: 'New York', state: 'NY', postal_code: '10001' };
    }),
  },
  {
    what: 'a post office box',
    change: { street: 'PO Box 4', postal_code: '00000' },
    param: 'street',
    suggestions: [],
  },
  {
    what: 'a ZIP code of another state',
    change: { postal_code: '90012' },
    param: 'state',
    suggestions: [{ ...PLACE, unit: null, postal_code: '90012', state: 'CA' }],
  },
  {
    what: 'a street without house number',
    change: { street: 'N Central Ave' },
    param: 'street',
    suggestions: ['100', '200'].map((house) => ({ ...PLACE, unit: null, street: `${house} N Central Ave` })),
  },
];

for (const { what, change, param, suggestions } of WRONG) {
  test(`${what} is refused and not stored, and the suggested address is accepted`, async () => {
    const tenantId = await makeTenant(harness);
    const headers = { 'idempotency-key': randomUUID() };
    const refused = await post({ tenant_id: tenantId, ...PLACE, ...change }, headers);
    assert.equal(refused.status, 422);
    assert.equal(refused.body.error.code, 'e911_address_invalid');
    assert.equal(refused.body.error.param, param);
    assert.deepEqual(refused.body.error.suggestions, suggestions);
    assert.deepEqual((await harness.call('GET', `/v1/e911_addresses?tenant_id=${tenantId}`)).body.data, []);
    for (const suggestion of suggestions) {
      assert.equal((await post({ tenant_id: tenantId, ...suggestion }, headers)).status, 201);
      headers['idempotency-key'] = randomUUID();
    }
  });
}

test('a state is two letters and is stored in capitals', async () => {
  const tenantId = await makeTenant(harness);
  for (const state of ['A', 'AZX', '12']) {
    const { status, body } = await post({ tenant_id: tenantId, ...PLACE, state });
    assert.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_body', 'state']);
  }
  assert.equal((await makeAddress(tenantId, { state: 'az' })).state, 'AZ');
});

test('an address in use cannot be deleted; an unused one is deleted, at the carrier too', async () => {
  const tenantId = await makeTenant(harness);
  const number = await buyNumber(harness, tenantId);
  const { id } = await makeAddress(tenantId);
  const remove = () => harness.call('DELETE', `/v1/e911_addresses/${id}`);
  const refused = await remove();
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'e911_address_in_use']);
  const detach = { body: { e911_address_id: null } };
  assert.equal((await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, detach)).body.e911_address_id, null);
  assert.equal((await remove()).status, 204);
  const again = await remove();
  assert.deepEqual([again.status, again.body.error.code], [404, 'e911_address_not_found']);
  await harness.advance(1);
  assert.equal(await registeredAt(number.phone_number), undefined);
  const kept = await sql(harness.context.db, 'select 1 from simulated_e911_addresses where ref = $1', [id]);
  assert.equal(kept.length, 0);
});

test('a number changes its address, at the carrier too', async () => {
  const tenantId = await makeTenant(harness);
  const number = await buyNumber(harness, tenantId);
  const addresses = [await makeAddress(tenantId), await makeAddress(tenantId)];
  for (const { id } of [...addresses].reverse()) {
    const body = { e911_address_id: id };
    const { status } = await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { body });
    assert.equal(status, 200);
    await harness.advance(1);
    assert.equal(await registeredAt(number.phone_number), id);
  }
  const foreign = await makeAddress(await makeTenant(harness));
  const body = { e911_address_id: foreign.id };
  const refused = await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { body });
  assert.deepEqual([refused.status, refused.body.error.code], [404, 'e911_address_not_found']);
});

test('after a change during the request of an earlier change, the carrier has the later address', async () => {
  const tenantId = await makeTenant(harness);
  const number = await buyNumber(harness, tenantId);
  const [first, second] = [await makeAddress(tenantId), await makeAddress(tenantId)];
  let changed = false;
  const slow = (simulated: E911Port): E911Port => ({
    ...simulated,
    assignAddress: async (ledger, assignment) => {
      if (!changed) {
        changed = true;
        const body = { e911_address_id: second.id };
        await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { body });
        // Another worker runs the job of that change first.
        await simulated.assignAddress(ledger, {
          ...assignment,
          address: { ref: second.id, carrierRef: second.id },
        });
        const done = `delete from jobs where kind = 'number.e911_address' and lease_token is null`;
        await sql(harness.context.db, done);
      }
      return simulated.assignAddress(ledger, assignment);
    },
  });
  await withPort(harness, 'e911', slow, () => harness.advance(60));
  assert.notEqual(first.id, second.id);
  assert.equal((await numberOf(number.id)).e911_address_id, second.id);
  assert.equal(await registeredAt(number.phone_number), second.id);
});

test('an address the carrier refuses for a number is detached, and help is not sent to the previous one', async () => {
  const tenantId = await makeTenant(harness);
  const number = await buyNumber(harness, tenantId);
  await makeAddress(tenantId);
  await harness.advance(1);
  const next = await makeAddress(tenantId);
  const refusing = (simulated: E911Port): E911Port => ({
    ...simulated,
    assignAddress: async (ledger, assignment) =>
      assignment.address === null
        ? simulated.assignAddress(ledger, assignment)
        : { outcome: 'rejected', reason: 'number_not_served' },
  });
  await withPort(harness, 'e911', refusing, async () => {
    await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { body: { e911_address_id: next.id } });
    await harness.advance(3_600);
  });
  assert.equal((await numberOf(number.id)).e911_address_id, null);
  assert.equal(await registeredAt(number.phone_number), undefined);
  const left = await sql(harness.context.db, `select 1 from jobs where kind = 'number.e911_address'`);
  assert.equal(left.length, 0, 'no work is left');
});

for (const isKept of [true, false]) {
  test(`after a crash ${isKept ? 'after' : 'before'} the carrier has the address, the repeat gets it, once`, async () => {
    const tenantId = await makeTenant(harness);
    const number = await buyNumber(harness, tenantId);
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => post({ tenant_id: tenantId, ...PLACE }, headers);
    const crashing = (simulated: E911Port): E911Port => ({
      ...simulated,
      registerAddress: async (...args) => {
        if (isKept) await simulated.registerAddress(...args);
        return crash();
      },
    });
    await withPort(harness, 'e911', crashing, async () => assert.equal((await send()).status, 500));
    const [pending] = (await harness.call('GET', `/v1/e911_addresses?tenant_id=${tenantId}`)).body.data;
    assert.equal(pending.status, 'pending');
    const attach = { body: { e911_address_id: pending.id } };
    assert.equal((await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, attach)).status, 404);
    await harness.advance(31);
    const repeat = await send();
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual([repeat.status, repeat.body], [201, { ...pending, status: 'validated' }]);
    assert.equal((await numberOf(number.id)).e911_address_id, pending.id);
    assert.equal((await harness.call('GET', `/v1/e911_addresses?tenant_id=${tenantId}`)).body.data.length, 1);
  });
}

test('an address refused after its request ended is kept as rejected, and its Idempotency-Key can be used again', async () => {
  const tenantId = await makeTenant(harness);
  const headers = { 'idempotency-key': randomUUID() };
  const wrong = { tenant_id: tenantId, ...PLACE, postal_code: '00000' };
  await withPort(
    harness,
    'e911',
    (simulated) => ({ ...simulated, registerAddress: crash }),
    async () => assert.equal((await post(wrong, headers)).status, 500),
  );
  await harness.advance(31);
  const { data } = (await harness.call('GET', `/v1/e911_addresses?tenant_id=${tenantId}`)).body;
  assert.deepEqual(
    data.map(({ status }: Json) => status),
    ['rejected'],
  );
  assert.equal((await post(wrong, headers)).status, 422);
  assert.equal((await harness.call('DELETE', `/v1/e911_addresses/${data[0].id}`)).status, 204);
});

test('with an unavailable carrier the reply is 503 and nothing is stored', async () => {
  const tenantId = await makeTenant(harness);
  const away = (simulated: E911Port): E911Port => ({
    ...simulated,
    registerAddress: async () => ({ outcome: 'unavailable', retryAfterMs: 12_000 }),
  });
  await withPort(harness, 'e911', away, async () => {
    const reply = await post({ tenant_id: tenantId, ...PLACE });
    assert.deepEqual([reply.status, reply.body.error.code], [503, 'carrier_unavailable']);
    assert.equal(reply.headers.get('retry-after'), '12');
  });
  assert.deepEqual((await harness.call('GET', `/v1/e911_addresses?tenant_id=${tenantId}`)).body.data, []);
});

test('a deleted tenant leaves no address, including one being validated', async () => {
  const tenantId = await makeTenant(harness);
  await buyNumber(harness, tenantId);
  const { id } = await makeAddress(tenantId);
  const deleteMeanwhile = (simulated: E911Port): E911Port => ({
    ...simulated,
    registerAddress: async (...args) => {
      assert.equal((await harness.call('DELETE', `/v1/tenants/${tenantId}`)).status, 204);
      return simulated.registerAddress(...args);
    },
  });
  await withPort(harness, 'e911', deleteMeanwhile, async () => {
    const reply = await post({ tenant_id: tenantId, ...PLACE });
    assert.deepEqual([reply.status, reply.body.error.code], [404, 'e911_address_not_found']);
  });
  assert.equal((await harness.call('GET', `/v1/e911_addresses/${id}`)).status, 404);
  await harness.advance(1);
  const kept = await sql(harness.context.db, 'select 1 from simulated_e911_addresses where ref >= $1', [id]);
  assert.equal(kept.length, 0);
});

test('a live key needs a carrier, and a missing tenant is reported first', async () => {
  const key = harness.account.live_key;
  const tenantId = await makeTenant(harness, key);
  const body = { tenant_id: tenantId, ...PLACE };
  const reply = await harness.call('POST', '/v1/e911_addresses', { key, body });
  assert.deepEqual([reply.status, reply.body.error.code], [503, 'carrier_unavailable']);
  const missing = await harness.call('POST', '/v1/e911_addresses', { key, body: { ...body, tenant_id: 'tnt_none' } });
  assert.deepEqual([missing.status, missing.body.error.code], [404, 'tenant_not_found']);
});
