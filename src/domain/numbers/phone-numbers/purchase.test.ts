import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import { fund } from '../../../../test/support/money.ts';
import { eventsOf, findOnSale, jobsOf, makeTenant, ordersOf, useTenant } from '../../../../test/support/numbers.ts';
import type { NumbersPort } from '../../../carriers/ports/numbers.ts';
import { now } from '../../../lib/time/time.ts';

const { harness, tenantId } = await useTenant();

const purchase = (body: object, { key, once }: { key?: string; once?: string } = {}) =>
  harness.call('POST', '/v1/phone_numbers', {
    ...(key && { key }),
    body,
    ...(once && { headers: { 'idempotency-key': once } }),
  });

describe('POST /phone_numbers', () => {
  test('the number in the reply is active, for texts and calls', async () => {
    const phone_number = await findOnSale(harness);
    const reply = await purchase({ tenant_id: tenantId, phone_number });
    assert.equal(reply.status, 201);
    const { id, created_at, ...rest } = reply.body;
    assert.match(id, /^num_[0-9a-z]{26}$/);
    assert.ok(Math.abs(Date.parse(created_at) - now()) < 3_600_000);
    assert.deepEqual(rest, {
      object: 'phone_number',
      tenant_id: tenantId,
      phone_number,
      status: 'active',
      capabilities: ['sms', 'mms', 'voice'],
      routing_config_id: null,
      campaign_id: null,
      e911_address_id: null,
      messaging_ready: false,
    });
    assert.deepEqual((await harness.call('GET', `/v1/phone_numbers/${id}`)).body, reply.body);
    assert.deepEqual(await eventsOf(harness, id), []);
    assert.deepEqual(await jobsOf(harness, id), []);
  });

  test('a number ending in 0000 has voice only', async () => {
    const reply = await purchase({ tenant_id: tenantId, phone_number: '+16022360000', campaign_id: null });
    assert.equal(reply.status, 201);
    assert.deepEqual(reply.body.capabilities, ['voice']);
  });

  test('an invalid request is refused with the code and the field', async () => {
    const phone_number = await findOnSale(harness);
    const good = { tenant_id: tenantId, phone_number };
    for (const [body, status, code, param] of [
      [{ ...good, phone_number: '6025550143' }, 400, 'invalid_phone', 'phone_number'],
      [{ ...good, phone_number: 6025550143 }, 400, 'invalid_phone', 'phone_number'],
      [{ ...good, phone_number: '+11025550143' }, 400, 'invalid_phone', 'phone_number'],
      [{ tenant_id: tenantId }, 400, 'missing_fields', 'phone_number'],
      [{ phone_number }, 400, 'missing_fields', 'tenant_id'],
      [{ ...good, label: 'x' }, 400, 'invalid_body', 'label'],
      [{ ...good, campaign_id: 1 }, 400, 'invalid_body', 'campaign_id'],
      [{ ...good, tenant_id: 'tnt_none' }, 404, 'tenant_not_found', 'tenant_id'],
      [{ ...good, routing_config_id: 'rtc_none' }, 404, 'routing_config_not_found', 'routing_config_id'],
      [{ ...good, campaign_id: 'cmp_none' }, 404, 'campaign_not_found', 'campaign_id'],
      [{ ...good, phone_number: '+15005550001' }, 409, 'number_unavailable', 'phone_number'],
      [{ ...good, phone_number: '+447911123456' }, 409, 'number_unavailable', 'phone_number'],
    ] as const) {
      const { error } = (await purchase(body)).body;
      assert.deepEqual([error.code, error.param], [code, param], JSON.stringify(body));
      assert.equal((await purchase(body)).status, status);
    }
    assert.equal((await purchase(good)).status, 201, 'a refused purchase leaves the number on sale');
  });

  test("a tenant's key buys for its own tenant only", async () => {
    const key = await harness.tenantKey(tenantId);
    const phone_number = await findOnSale(harness);
    const foreign = await purchase({ tenant_id: await makeTenant(harness), phone_number }, { key });
    assert.deepEqual([foreign.status, foreign.body.error.code], [403, 'tenant_restricted_key']);
    assert.equal((await purchase({ tenant_id: tenantId, phone_number }, { key })).status, 201);
  });

  test("another account's tenant is not found", async () => {
    const other = await harness.secondAccount();
    const phone_number = await findOnSale(harness);
    const reply = await purchase({ tenant_id: tenantId, phone_number }, { key: other.test_key });
    assert.deepEqual([reply.status, reply.body.error.code], [404, 'tenant_not_found']);
  });

  test('of 64 concurrent purchases of one number one succeeds', async () => {
    const phone_number = await findOnSale(harness);
    const body = { tenant_id: tenantId, phone_number };
    const replies = await Promise.all(Array.from({ length: 64 }, () => purchase(body)));
    assert.equal(replies.filter((reply) => reply.status === 201).length, 1);
    const refused = replies.filter((reply) => reply.status === 409);
    assert.equal(refused.length, 63);
    assert.ok(refused.every((reply) => reply.body.error.code === 'number_unavailable'));
    assert.equal((await ordersOf(harness, phone_number)).length, 1);
  });

  test('64 repeats with one Idempotency-Key buy once and all get the same number', async () => {
    const body = { tenant_id: tenantId, phone_number: await findOnSale(harness) };
    const once = `same-${body.phone_number}`;
    const replies = await Promise.all(Array.from({ length: 64 }, () => purchase(body, { once })));
    for (const reply of replies) {
      assert.equal(reply.status, 201);
      assert.deepEqual(reply.body, replies[0]?.body);
    }
    const replayed = replies.filter((reply) => reply.headers.get('idempotent-replayed') === 'true');
    assert.equal(replayed.length, 63);
    assert.equal((await ordersOf(harness, body.phone_number)).length, 1);
  });

  test('an Idempotency-Key used for another number is refused', async () => {
    const first = { tenant_id: tenantId, phone_number: await findOnSale(harness) };
    const second = { tenant_id: tenantId, phone_number: await findOnSale(harness) };
    const once = `reused-${first.phone_number}`;
    assert.equal((await purchase(first, { once })).status, 201);
    const reply = await purchase(second, { once });
    assert.deepEqual([reply.status, reply.body.error.code], [422, 'idempotency_key_reuse']);
  });

  test('after a refused purchase its Idempotency-Key can be used for the corrected one', async () => {
    const once = `free-${await findOnSale(harness)}`;
    assert.equal((await purchase({ tenant_id: tenantId, phone_number: '+15005550001' }, { once })).status, 409);
    const body = { tenant_id: tenantId, phone_number: await findOnSale(harness) };
    assert.equal((await purchase(body, { once })).status, 201);
  });
});

describe('live purchases', () => {
  const phone_number = '+16022377701';
  const orders: string[] = [];
  const live = (simulated: NumbersPort): NumbersPort => ({
    ...simulated,
    order: async (_, { ref }) => {
      orders.push(ref);
      return { outcome: 'accepted', carrierRef: `ref-${ref}`, capabilities: ['sms', 'voice'] };
    },
    release: async () => ({ outcome: 'accepted' }),
  });

  test('without a carrier nothing is bought or claimed', async () => {
    const key = harness.account.live_key;
    const tenant_id = await makeTenant(harness, key);
    const reply = await purchase({ tenant_id, phone_number }, { key });
    assert.deepEqual([reply.status, reply.body.error.code], [503, 'carrier_unavailable']);
    assert.deepEqual((await harness.call('GET', '/v1/phone_numbers', { key })).body.data, []);
  });

  test('of two accounts only one orders a number, until it is released', async () => {
    await withPort(harness, 'numbers', live, async () => {
      const accounts = [harness.account, await harness.secondAccount()];
      await Promise.all(accounts.map(({ id }) => fund(harness, '100', id)));
      const keys = accounts.map(({ live_key }) => live_key);
      const buyers = await Promise.all(keys.map(async (key) => ({ key, tenant_id: await makeTenant(harness, key) })));
      const buy = ({ key, tenant_id }: { key: string; tenant_id: string }) =>
        purchase({ tenant_id, phone_number }, { key });
      const replies = await Promise.all(buyers.map(buy));
      assert.deepEqual(replies.map((reply) => reply.status).sort(), [201, 409]);
      assert.equal(orders.length, 1);
      const winner = replies.findIndex((reply) => reply.status === 201);
      const [owner, other] = [buyers[winner], buyers[1 - winner]];
      assert.ok(owner && other);
      assert.equal((await buy(other)).body.error.code, 'number_unavailable');
      await harness.call('DELETE', `/v1/phone_numbers/${replies[winner]?.body.id}`, { key: owner.key });
      assert.equal((await buy(other)).status, 201);
    });
  });
});
