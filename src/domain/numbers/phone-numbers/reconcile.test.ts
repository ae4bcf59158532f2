import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import { startHarness } from '../../../../test/support/harness.ts';
import { askedTimes } from '../../../../test/support/jobs.ts';
import { eventsOf, findOnSale, jobsOf, ordersOf, useTenant } from '../../../../test/support/numbers.ts';
import type { NumbersPort, OrderedNumber } from '../../../carriers/ports/numbers.ts';
import type { Outcome } from '../../../carriers/ports/outcome.ts';

const { harness, tenantId } = await useTenant();

/** Longer than the delay of the reconciler's job. */
const RECONCILED_S = 31;

type Body = { tenant_id: string; phone_number: string };

async function newPurchase() {
  const body: Body = { tenant_id: tenantId, phone_number: await findOnSale(harness) };
  const once = `key-${body.phone_number}`;
  const send = () => harness.call('POST', '/v1/phone_numbers', { body, headers: { 'idempotency-key': once } });
  return { body, once, send };
}

const numbersOf = async ({ phone_number }: Body) => {
  const { data } = (await harness.call('GET', '/v1/phone_numbers?limit=100')).body;
  return data.filter((number: { phone_number: string }) => number.phone_number === phone_number);
};

const crash = async (): Promise<never> => {
  throw new Error('the process ends here');
};

const onOrder =
  (order: (simulated: NumbersPort, ...args: Parameters<NumbersPort['order']>) => ReturnType<NumbersPort['order']>) =>
  (simulated: NumbersPort): NumbersPort => ({ ...simulated, order: (...args) => order(simulated, ...args) });

const orderThenCrash = onOrder(async (simulated, ...args) => {
  await simulated.order(...args);
  return crash();
});

test('after a crash after the order, the repeat gets the number, bought once, with one event', async () => {
  const { body, send } = await newPurchase();
  await withPort(harness, 'numbers', orderThenCrash, async () => assert.equal((await send()).status, 500));
  const [pending] = await numbersOf(body);
  assert.deepEqual([pending.status, pending.capabilities], ['pending', []]);

  await harness.advance(RECONCILED_S);
  const repeat = await send();
  assert.equal(repeat.status, 201);
  assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(repeat.body, { ...pending, status: 'active', capabilities: ['sms', 'mms', 'voice'] });
  const direct = await harness.call('GET', `/v1/phone_numbers/${pending.id}`);
  assert.equal(JSON.stringify(repeat.body), JSON.stringify(direct.body));
  assert.deepEqual(
    (await ordersOf(harness, body.phone_number)).map((order) => order.order_ref),
    [pending.id],
  );
  const events = await eventsOf(harness, pending.id);
  assert.deepEqual(
    events.map(({ data }) => [data.previous_status, data.status]),
    [['pending', 'active']],
  );
  assert.deepEqual(await jobsOf(harness, pending.id), []);
});

test('after a crash before the order, the reconciler places it under the same id', async () => {
  const { body, send } = await newPurchase();
  await withPort(harness, 'numbers', onOrder(crash), async () => assert.equal((await send()).status, 500));
  assert.deepEqual(await ordersOf(harness, body.phone_number), []);
  await harness.advance(RECONCILED_S);
  const repeat = await send();
  assert.deepEqual([repeat.status, repeat.body.status], [201, 'active']);
  assert.equal((await ordersOf(harness, body.phone_number))[0]?.order_ref, repeat.body.id);
  assert.equal((await numbersOf(body)).length, 1);
});

test('until a crashed order is reconciled, a repeat must wait, and other buyers get number_unavailable', async () => {
  const { body, send } = await newPurchase();
  await withPort(harness, 'numbers', onOrder(crash), send);
  const [repeat, other] = await Promise.all([send(), harness.call('POST', '/v1/phone_numbers', { body })]);
  assert.deepEqual([repeat.status, repeat.body.error.code], [409, 'idempotency_in_progress']);
  assert.deepEqual([other.status, other.body.error.code], [409, 'number_unavailable']);
  const search = await harness.call('GET', `/v1/phone_numbers/available?contains=${body.phone_number.slice(2)}`);
  assert.deepEqual(search.body.data, []);
});

test('a crashed order for a number sold to another buyer ends as released, and its Idempotency-Key is free', async () => {
  const { body, send } = await newPurchase();
  await withPort(harness, 'numbers', onOrder(crash), send);
  const [pending] = await numbersOf(body);
  const refuse = onOrder(async () => ({ outcome: 'rejected', reason: 'number_unavailable' }));
  await withPort(harness, 'numbers', refuse, () => harness.advance(RECONCILED_S));
  assert.equal((await harness.call('GET', `/v1/phone_numbers/${pending.id}`)).body.status, 'released');
  const events = await eventsOf(harness, pending.id);
  assert.deepEqual(
    events.map(({ data }) => [data.previous_status, data.status]),
    [['pending', 'released']],
  );
  const repeat = await send();
  assert.equal(repeat.status, 201, 'the key is free, so this is a purchase of its own');
  assert.notEqual(repeat.body.id, pending.id);
});

test('an order that never reached the carrier is not placed hours later', async () => {
  const { body, send } = await newPurchase();
  await withPort(harness, 'numbers', onOrder(crash), async () => {
    await send();
    await harness.advance(7_200);
  });
  await harness.advance(600);
  assert.deepEqual(await ordersOf(harness, body.phone_number), []);
  assert.deepEqual(await numbersOf(body), []);
});

test('an order names its tenant, in the request and when it is placed again', async () => {
  const { body, send } = await newPurchase();
  const named: unknown[] = [];
  const losing = onOrder(async (_, _ledger, { tenant }) => {
    named.push(tenant);
    return named.length === 1 ? { outcome: 'unknown' } : { outcome: 'rejected', reason: 'number_unavailable' };
  });
  await withPort(harness, 'numbers', losing, async () => {
    await send();
    await harness.advance(RECONCILED_S);
  });
  const { id, name } = (await harness.call('GET', `/v1/tenants/${body.tenant_id}`)).body;
  assert.deepEqual(named, [
    { id, name },
    { id, name },
  ]);
});

test('a carrier that answers after the reconciler changes nothing', async () => {
  const { body, send } = await newPurchase();
  const { promise: held, resolve: answer } = Promise.withResolvers<Outcome<OrderedNumber, 'number_unavailable'>>();
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>();
  let orders = 0;
  const slow = onOrder((simulated, ...args) => {
    if (orders++ > 0) return simulated.order(...args);
    noteAsked();
    return held;
  });
  await withPort(harness, 'numbers', slow, async () => {
    const first = send();
    await asked;
    await harness.advance(RECONCILED_S);
    const [active] = await numbersOf(body);
    assert.equal(active.status, 'active');
    answer({ outcome: 'accepted', carrierRef: active.id, capabilities: ['voice'] });
    assert.deepEqual((await first).body, active);
    assert.deepEqual((await send()).body, active);
    assert.equal((await eventsOf(harness, active.id)).length, 1);
  });
});

test('a repeat at another process waits there and gets the first answer', async () => {
  const { body, once, send } = await newPurchase();
  const other = await startHarness({ databaseUrl: harness.databaseUrl, startWorkers: false });
  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>();
  const slow = onOrder(async (simulated, ...args) => {
    noteAsked();
    await held;
    return simulated.order(...args);
  });
  try {
    await withPort(harness, 'numbers', slow, async () => {
      const first = send();
      await asked;
      const headers = { 'idempotency-key': once };
      const waiting = askedTimes(other.context.db, 'idempotency_find', 2);
      const repeat = other.call('POST', '/v1/phone_numbers', { key: harness.account.test_key, body, headers });
      await Promise.race([waiting, repeat]);
      answer();
      const [{ status, body: bought }, repeated] = await Promise.all([first, repeat]);
      assert.equal(status, 201);
      assert.deepEqual([repeated.status, repeated.body], [201, bought]);
      assert.equal(repeated.headers.get('idempotent-replayed'), 'true');
    });
  } finally {
    await other.close();
  }
});

test('after an unclear answer of the carrier the reply is a pending number, and an event reports when it is active', async () => {
  const { body, send } = await newPurchase();
  const unclear = onOrder(async (simulated, ...args) => {
    await simulated.order(...args);
    return { outcome: 'unknown' };
  });
  const reply = await withPort(harness, 'numbers', unclear, send);
  assert.deepEqual([reply.status, reply.body.status], [201, 'pending']);
  await harness.advance(RECONCILED_S);
  const now = await harness.call('GET', `/v1/phone_numbers/${reply.body.id}`);
  assert.equal(now.body.status, 'active');
  assert.equal((await eventsOf(harness, reply.body.id))[0]?.data.previous_status, 'pending');
  assert.deepEqual((await send()).body, reply.body, 'a repeat gets the first reply');
  assert.equal((await ordersOf(harness, body.phone_number)).length, 1);
});

test('while the carrier has no outcome, the number stays pending and is not ordered again', async () => {
  const { body, send } = await newPurchase();
  let orders = 0;
  const undecided = (simulated: NumbersPort): NumbersPort => ({
    ...simulated,
    order: async (...args) => {
      orders++;
      await simulated.order(...args);
      return { outcome: 'unknown' };
    },
    findOrder: async () => ({ found: 'undecided' }),
  });
  await withPort(harness, 'numbers', undecided, async () => {
    assert.equal((await send()).status, 201);
    await harness.advance(RECONCILED_S);
    assert.equal((await numbersOf(body))[0].status, 'pending');
    assert.equal(orders, 1);
  });
  await harness.advance(300);
  assert.equal((await numbersOf(body))[0].status, 'active');
});

test('with an unavailable carrier: 503 with Retry-After, nothing is stored, and the same Idempotency-Key buys later', async () => {
  const { body, send } = await newPurchase();
  const away = onOrder(async () => ({ outcome: 'unavailable', retryAfterMs: 2_500 }));
  const refused = await withPort(harness, 'numbers', away, send);
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'carrier_unavailable']);
  assert.equal(refused.headers.get('retry-after'), '3');
  assert.deepEqual(await numbersOf(body), []);
  const bought = await send();
  assert.deepEqual([bought.status, bought.body.status], [201, 'active']);
});

test('a number released while its order is unclear is released at the carrier and never becomes active', async () => {
  const { body, send } = await newPurchase();
  const unclear = onOrder(async (simulated, ...args) => {
    await simulated.order(...args);
    return { outcome: 'unknown' };
  });
  const { id } = (await withPort(harness, 'numbers', unclear, send)).body;
  assert.equal((await harness.call('DELETE', `/v1/phone_numbers/${id}`)).body.status, 'released');
  await harness.advance(RECONCILED_S);
  assert.equal((await harness.call('GET', `/v1/phone_numbers/${id}`)).body.status, 'released');
  assert.ok((await ordersOf(harness, body.phone_number))[0]?.released_at);
  assert.equal((await eventsOf(harness, id)).length, 1);
});

test('a release without an outcome at the carrier is retried until it succeeds', async () => {
  const { body, send } = await newPurchase();
  const { id } = (await send()).body;
  const away = (simulated: NumbersPort): NumbersPort => ({
    ...simulated,
    release: async () => ({ outcome: 'unavailable' }),
  });
  await withPort(harness, 'numbers', away, async () => {
    await harness.call('DELETE', `/v1/phone_numbers/${id}`);
    await harness.advance(1);
    assert.deepEqual(await jobsOf(harness, id), ['number.release']);
  });
  await harness.advance(300);
  assert.ok((await ordersOf(harness, body.phone_number))[0]?.released_at);
});
