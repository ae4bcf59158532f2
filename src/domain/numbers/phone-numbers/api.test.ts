import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  buyNumber,
  eventsOf,
  findOnSale,
  jobsOf,
  makeTenant,
  ordersOf,
  useTenant,
} from '../../../../test/support/numbers.ts';
import type { PhoneNumber } from './schema.ts';

const { harness, tenantId } = await useTenant();

const get = (path: string, key?: string) => harness.call('GET', path, key ? { key } : {});
const ids = (body: { data: PhoneNumber[] }) => body.data.map((number) => number.id);

describe('GET /phone_numbers/available', () => {
  test('every filter is applied, and the default limit is 25', async () => {
    const plain = await get('/v1/phone_numbers/available');
    assert.equal(plain.status, 200);
    assert.deepEqual(Object.keys(plain.body), ['data']);
    assert.equal(plain.body.data.length, 25);
    const found = await get('/v1/phone_numbers/available?area_code=480&locality=mesa&contains=77&limit=3');
    assert.equal(found.body.data.length, 3);
    for (const number of found.body.data) {
      assert.equal(number.object, 'available_number');
      assert.match(number.phone_number, /^\+1480\d*77\d*$/);
      assert.equal(number.locality, 'Mesa');
      assert.equal(number.region, 'AZ');
      assert.deepEqual(number.capabilities, ['sms', 'mms', 'voice']);
      assert.match(number.monthly_price_usd, /^\d+\.\d{2}$/);
    }
  });

  test('an invalid filter is refused as invalid_body with its name', async () => {
    for (const [query, param] of [
      ['area_code=60', 'area_code'],
      ['area_code=6020', 'area_code'],
      ['area_code=6x2', 'area_code'],
      ['contains=ab', 'contains'],
      ['contains=12345678901', 'contains'],
      ['locality=%20', 'locality'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['after=x', 'after'],
    ] as const) {
      const reply = await get(`/v1/phone_numbers/available?${query}`);
      assert.equal(reply.status, 400, query);
      assert.equal(reply.body.error.code, 'invalid_body', query);
      assert.equal(reply.body.error.param, param);
    }
  });

  test('a bought number is no longer offered, even after its release', async () => {
    const { id, phone_number } = await buyNumber(harness, tenantId);
    const search = () => get(`/v1/phone_numbers/available?contains=${phone_number.slice(2)}`);
    assert.deepEqual((await search()).body.data, []);
    await harness.call('DELETE', `/v1/phone_numbers/${id}`);
    await harness.advance(1);
    assert.deepEqual((await search()).body.data, []);
  });

  test('without a live carrier a live key gets carrier_unavailable', async () => {
    const reply = await get('/v1/phone_numbers/available', harness.account.live_key);
    assert.equal(reply.status, 503);
    assert.equal(reply.body.error.code, 'carrier_unavailable');
    assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/);
  });
});

describe('reading', () => {
  test('pages list the newest first, and the cursor leads through all numbers', async () => {
    const tenant = await makeTenant(harness);
    const bought: string[] = [];
    for (let i = 0; i < 3; i++) bought.unshift((await buyNumber(harness, tenant)).id);
    const first = await get(`/v1/phone_numbers?tenant_id=${tenant}&limit=2`);
    assert.deepEqual(ids(first.body), bought.slice(0, 2));
    assert.equal(first.body.has_more, true);
    const second = await get(`/v1/phone_numbers?tenant_id=${tenant}&limit=2&after=${first.body.next_cursor}`);
    assert.deepEqual(ids(second.body), bought.slice(2));
    assert.deepEqual([second.body.has_more, second.body.next_cursor], [false, null]);
  });

  test("a filtered list has no other tenants' numbers", async () => {
    const other = await makeTenant(harness);
    await buyNumber(harness, tenantId);
    assert.deepEqual((await get(`/v1/phone_numbers?tenant_id=${other}`)).body.data, []);
  });

  test('an invalid cursor and an unknown tenant are refused', async () => {
    const cursor = await get('/v1/phone_numbers?after=nonsense');
    assert.deepEqual([cursor.status, cursor.body.error.code], [400, 'invalid_cursor']);
    const tenant = await get('/v1/phone_numbers?tenant_id=tnt_x');
    assert.deepEqual([tenant.status, tenant.body.error.code], [404, 'tenant_not_found']);
  });
});

describe('isolation', () => {
  test("another account's or mode's number is not found, by any method", async () => {
    const { id } = await buyNumber(harness, tenantId);
    const other = await harness.secondAccount();
    for (const key of [other.test_key, harness.account.live_key]) {
      for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
        const reply = await harness.call(method, `/v1/phone_numbers/${id}`, { key, ...(body && { body }) });
        assert.deepEqual([reply.status, reply.body.error.code], [404, 'phone_number_not_found'], method);
      }
      assert.deepEqual((await get('/v1/phone_numbers', key)).body.data, []);
    }
  });

  test("a tenant's key is refused for another tenant's number and lists its own only", async () => {
    const { id } = await buyNumber(harness, tenantId);
    const own = await makeTenant(harness);
    const key = await harness.tenantKey(own);
    const mine = await buyNumber(harness, own);
    for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
      const reply = await harness.call(method, `/v1/phone_numbers/${id}`, { key, ...(body && { body }) });
      assert.deepEqual([reply.status, reply.body.error.code], [403, 'tenant_restricted_key'], method);
    }
    assert.deepEqual(ids((await get('/v1/phone_numbers', key)).body), [mine.id]);
    assert.equal((await get(`/v1/phone_numbers/${mine.id}`, key)).status, 200);
    const filtered = await get(`/v1/phone_numbers?tenant_id=${tenantId}`, key);
    assert.deepEqual([filtered.status, filtered.body.error.code], [403, 'tenant_restricted_key']);
  });
});

describe('PATCH /phone_numbers/{number_id}', () => {
  test('references can be set to null, and absent fields stay', async () => {
    const number = await buyNumber(harness, tenantId);
    const nothing = { routing_config_id: null, campaign_id: null, e911_address_id: null };
    for (const body of [{}, nothing]) {
      const reply = await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { body });
      assert.equal(reply.status, 200);
      assert.deepEqual(reply.body, number);
    }
  });

  test('a reference to an unknown id is refused with the code of its field', async () => {
    const number = await buyNumber(harness, tenantId);
    for (const [param, code] of [
      ['routing_config_id', 'routing_config_not_found'],
      ['campaign_id', 'campaign_not_found'],
      ['e911_address_id', 'e911_address_not_found'],
    ] as const) {
      const reply = await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { body: { [param]: 'xyz_1' } });
      assert.deepEqual([reply.status, reply.body.error.code, reply.body.error.param], [404, code, param]);
    }
  });

  test('wrong types and unknown fields are invalid_body', async () => {
    const number = await buyNumber(harness, tenantId);
    for (const [param, body] of Object.entries({
      campaign_id: { campaign_id: 5 },
      tenant_id: { tenant_id: tenantId },
    })) {
      const reply = await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { body });
      assert.deepEqual([reply.status, reply.body.error.code, reply.body.error.param], [400, 'invalid_body', param]);
    }
  });
});

describe('release', () => {
  test('the number becomes released once, with one event, at the carrier too', async () => {
    const number = await buyNumber(harness, tenantId);
    const first = await harness.call('DELETE', `/v1/phone_numbers/${number.id}`);
    assert.equal(first.status, 200);
    assert.deepEqual(first.body, { ...number, status: 'released' });
    const again = await harness.call('DELETE', `/v1/phone_numbers/${number.id}`);
    assert.deepEqual([again.status, again.body], [200, first.body]);
    await harness.advance(1);
    const events = await eventsOf(harness, number.id);
    assert.equal(events.length, 1);
    assert.equal(events[0]?.type, 'number.status_changed');
    assert.equal(events[0]?.tenant_id, tenantId);
    assert.deepEqual(events[0]?.data, { ...first.body, previous_status: 'active' });
    assert.ok((await ordersOf(harness, number.phone_number))[0]?.released_at);
    assert.deepEqual(await jobsOf(harness, number.id), []);
  });

  test('a released number stays readable, is in no list and cannot be changed', async () => {
    const number = await buyNumber(harness, tenantId);
    await harness.call('DELETE', `/v1/phone_numbers/${number.id}`);
    assert.equal((await get(`/v1/phone_numbers/${number.id}`)).body.status, 'released');
    assert.ok(!ids((await get('/v1/phone_numbers?limit=100')).body).includes(number.id));
    const patched = await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { body: {} });
    assert.deepEqual([patched.status, patched.body.error.code], [404, 'phone_number_not_found']);
  });

  test('an unknown number cannot be released', async () => {
    const reply = await harness.call('DELETE', '/v1/phone_numbers/num_none');
    assert.deepEqual([reply.status, reply.body.error.code], [404, 'phone_number_not_found']);
  });

  test('concurrent releases all succeed and release once', async () => {
    const number = await buyNumber(harness, tenantId);
    const path = `/v1/phone_numbers/${number.id}`;
    const replies = await Promise.all(Array.from({ length: 8 }, () => harness.call('DELETE', path)));
    for (const reply of replies) assert.deepEqual([reply.status, reply.body.status], [200, 'released']);
    assert.equal((await eventsOf(harness, number.id)).length, 1);
  });

  test('a tenant deleted while its numbers are being bought has none afterwards', async () => {
    for (let round = 0; round < 5; round++) {
      const tenant_id = await makeTenant(harness);
      const wanted = await Promise.all(Array.from({ length: 4 }, () => findOnSale(harness)));
      await Promise.all([
        ...wanted.map((phone_number) =>
          harness.call('POST', '/v1/phone_numbers', { body: { tenant_id, phone_number } }),
        ),
        harness.call('DELETE', `/v1/tenants/${tenant_id}`),
      ]);
      await harness.advance(31);
      assert.deepEqual((await get(`/v1/phone_numbers?tenant_id=${tenant_id}`)).body.data, []);
    }
  });

  test("deleting a tenant releases all its numbers and no other tenant's", async () => {
    const doomed = await makeTenant(harness);
    const kept = await buyNumber(harness, tenantId);
    const numbers = [await buyNumber(harness, doomed), await buyNumber(harness, doomed)];
    assert.equal((await harness.call('DELETE', `/v1/tenants/${doomed}`)).status, 204);
    await harness.advance(1);
    for (const { id, phone_number } of numbers) {
      assert.equal((await get(`/v1/phone_numbers/${id}`)).body.status, 'released');
      assert.equal((await eventsOf(harness, id)).length, 1);
      assert.ok((await ordersOf(harness, phone_number))[0]?.released_at);
    }
    assert.equal((await get(`/v1/phone_numbers/${kept.id}`)).body.status, 'active');
    const body = { tenant_id: doomed, phone_number: await findOnSale(harness) };
    const refused = await harness.call('POST', '/v1/phone_numbers', { body });
    assert.deepEqual([refused.status, refused.body.error.code], [404, 'tenant_not_found']);
  });
});
