import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { Dialplane, DialplaneError } from '../src/index.ts';
import { type Fault, useFaultyProxy } from './support/faulty-proxy.ts';
import { clientOf, makeSender } from './support/sender.ts';

const PERSON = '+16025550143';

const harness = await useHarness();
const proxy = await useFaultyProxy(harness.url);
const client = clientOf(harness, { baseUrl: proxy.url });
const from = (await makeSender(client)).number.id;

const send = (body: string, options = {}) => client.messages.send({ from, to: PERSON, body }, options);
const countTexts = async (body: string) => {
  const texts = [];
  for await (const message of client.messages.list({ to: PERSON })) if (message.body === body) texts.push(message);
  return texts.length;
};

for (const [fault, meaning] of [
  ['refuse', 'whose connection breaks before the server reads it'],
  ['lose', 'whose reply is lost'],
  ['halve', 'whose reply breaks off'],
  [502, 'to which a proxy answers 502'],
  [503, 'to which a proxy answers 503'],
] as [Fault, string][]) {
  test(`a send ${meaning} is repeated with its key, and sends one text`, async () => {
    const text = `Biscuit is due. ${fault}`;
    proxy.script(fault);
    const message = await send(text);
    assert.equal(message.body, text);
    const keys = proxy.requests.map(({ headers }) => headers['idempotency-key']);
    assert.equal(keys.length, 2);
    assert.match(String(keys[0]), /^[0-9a-f-]{36}$/);
    assert.equal(keys[1], keys[0]);
    assert.equal(await countTexts(text), 1);
  });
}

test('a send whose reply does not come in time is repeated with its key, and sends one text', async () => {
  proxy.script('hang');
  await send('Time is up.', { timeoutMs: 400 });
  const keys = proxy.requests.map(({ headers }) => headers['idempotency-key']);
  assert.ok(keys.length >= 2);
  assert.equal(new Set(keys).size, 1);
  assert.equal(await countTexts('Time is up.'), 1);
});

test('two sends have two keys, and the key of the caller is used as it is', async () => {
  proxy.script();
  await send('First');
  await send('Second');
  await send('Third', { idempotencyKey: 'reminder-4711' });
  const keys = proxy.requests.map(({ headers }) => headers['idempotency-key']);
  assert.notEqual(keys[0], keys[1]);
  assert.equal(keys[2], 'reminder-4711');
});

test('only a POST has a key', async () => {
  proxy.script();
  const { id } = await client.tenants.create({ name: 'Cat Clinic' });
  await client.tenants.update(id, { name: 'Cats and Dogs' });
  await client.tenants.delete(id);
  const keys = proxy.requests.map(({ headers }) => headers['idempotency-key'] !== undefined);
  assert.deepEqual(keys, [true, false, false]);
});

test('a deletion whose reply was lost is done; one of something unknown is an error', async () => {
  const { id } = await client.tenants.create({ name: 'Cat Clinic' });
  proxy.script('lose');
  await client.tenants.delete(id);
  assert.equal(proxy.requests.length, 2);
  await assert.rejects(client.tenants.delete(id), { code: 'tenant_not_found' });
  proxy.script(503);
  await assert.rejects(client.tenants.delete('tnt_unknown'), { code: 'tenant_not_found' });
});

test('the waits grow', async () => {
  proxy.script('refuse', 'refuse', 'refuse');
  await client.tenants.list({ limit: 1 });
  const [first = 0, second = 0, third = 0, fourth = 0] = proxy.requests.map(({ atMs }) => atMs);
  // 250-500, 500-1,000 and 1,000-2,000 ms.
  assert.ok(second - first >= 245 && third - second >= 495 && fourth - third >= 995, 'each wait has its least length');
});

test('after the last repeat the failure is an error with its cause', async () => {
  proxy.script('refuse', 'refuse');
  const request = client.tenants.list({ limit: 1 }, { retriesMax: 1 });
  await assert.rejects(
    async () => await request,
    (error) => {
      assert.ok(DialplaneError.is(error, 'connection_failed'));
      assert.ok(error.cause instanceof Error);
      return true;
    },
  );
  assert.equal(proxy.requests.length, 2);
});

test('a refusal is not repeated', async () => {
  proxy.script();
  await assert.rejects(client.messages.send({ from, to: 'nobody', body: 'x' }), { code: 'invalid_to', status: 400 });
  await assert.rejects(client.calls.get('call_unknown'), { code: 'call_not_found', status: 404 });
  assert.equal(proxy.requests.length, 2);
});

test('carrier_assign_failed is final: its repeats would get the same answer', async () => {
  proxy.script();
  await client.test.setFault({ kind: 'assign_failed' });
  const { tenant, number } = await makeSender(client);
  const campaign = await approvedCampaign(tenant.id);
  proxy.script();
  await assert.rejects(client.phoneNumbers.update(number.id, { campaign_id: campaign }), {
    code: 'carrier_assign_failed',
    status: 502,
  });
  assert.equal(proxy.requests.length, 1);
});

async function approvedCampaign(tenantId: string): Promise<string> {
  const brand = await client.brands.create({
    tenant_id: tenantId,
    legal_name: 'Desert Paws LLC',
    ein: '12-3456789',
    entity_type: 'private_company',
    street: '100 N Central Ave',
    city: 'Phoenix',
    state: 'AZ',
    postal_code: '85004',
    phone: '+16025550100',
    contact_email: 'office@desertpaws.example',
  });
  const campaign = await client.campaigns.create({
    tenant_id: tenantId,
    brand_id: brand.id,
    use_case: 'customer_care',
    description: 'Reminders of appointments for customers of the clinic who asked for them.',
    opt_in_description: 'Customers sign up at the front desk of the clinic.',
    sample_messages: ['Biscuit is due for a check-up on Monday.', 'Your appointment is tomorrow at nine.'],
  });
  return campaign.id;
}

test('a send whose first attempt is still in progress is repeated until that has its reply', async () => {
  const keys: unknown[] = [];
  const answers = [
    () => Response.json({ error: { code: 'idempotency_in_progress', message: 'Wait.' } }, { status: 409 }),
    () => Response.json({ error: { code: 'database_unavailable', message: 'Wait.' } }, { status: 503 }),
    () => Response.json({ id: 'msg_1' }, { status: 201 }),
  ];
  const busy = clientOf(harness, {
    fetch: async (_address, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      return (answers.shift() as () => Response)();
    },
  });
  assert.equal((await busy.messages.send({ from, to: PERSON, body: 'Hello' })).id, 'msg_1');
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
});

test('a Retry-After of more than a minute is left to the caller', async () => {
  let count = 0;
  const far = clientOf(harness, {
    fetch: async () => {
      count += 1;
      const headers = { 'retry-after': '61' };
      return Response.json({ error: { code: 'service_paused', message: 'Later.' } }, { status: 503, headers });
    },
  });
  await assert.rejects(far.balance.get(), { code: 'service_paused', retryAfterSeconds: 61 });
  assert.equal(count, 1);
});

test('a signal ends a request at once, with its reason', async () => {
  proxy.script('hang');
  const controller = new AbortController();
  const request = client.tenants.create({ name: 'Never' }, { signal: controller.signal });
  const reason = new Error('the page was left');
  const rejected = assert.rejects(request, (error) => error === reason);
  await until('the request has arrived', () => proxy.requests.length === 1);
  controller.abort(reason);
  await rejected;
  assert.equal(proxy.requests.length, 1);
});

test('a signal ends the wait before a repeat', async () => {
  let count = 0;
  const paused = clientOf(harness, {
    fetch: async () => {
      count += 1;
      // The first request waits for 20 s. The second one would wait for 30 s.
      return new Response('', { status: 503, headers: { 'retry-after': count === 1 ? '20' : '30' } });
    },
  });
  const end = new AbortController();
  const waiting = assert.rejects(paused.tenants.create({ name: 'Waits' }, { signal: end.signal }), {
    name: 'AbortError',
  });
  const request = paused.tenants.create({ name: 'Never' }, { signal: AbortSignal.timeout(100) });
  await assert.rejects(request, { name: 'TimeoutError' });
  assert.equal(count, 2, 'the one that waits has not been repeated yet');
  end.abort();
  await waiting;
});

test('a signal that was aborted before sends nothing', async () => {
  proxy.script();
  await assert.rejects(client.tenants.create({ name: 'Never' }, { signal: AbortSignal.abort() }), {
    name: 'AbortError',
  });
  assert.equal(proxy.requests.length, 0);
});

test('429 is repeated after Retry-After', async () => {
  const limited = await useHarness({ settings: { rateLimit: true }, startWorkers: false });
  const attempts: { address: string; atMs: number; waitS: string | null }[] = [];
  const many = clientOf(limited, {
    fetch: async (address, init) => {
      const reply = await fetch(address, init);
      const waitS = reply.status === 429 ? reply.headers.get('retry-after') : null;
      attempts.push({ address: String(address), atMs: performance.now(), waitS });
      return reply;
    },
  });
  const refused = () => attempts.filter(({ waitS }) => waitS !== null);
  // The burst is 60, and 20 more are allowed each second: a slow machine needs several rounds.
  for (let round = 0; refused().length === 0 && round < 20; round += 1) {
    const requests = Array.from({ length: 100 }, (_, index) =>
      many.tenants.list({ external_ref: `${round}-${index}` }),
    );
    for (const { data } of await Promise.all(requests)) assert.deepEqual(data, []);
  }
  assert.ok(refused().length > 0, 'a request was refused');
  for (const { address, atMs, waitS } of refused()) {
    const next = attempts.find((attempt) => attempt.address === address && attempt.atMs > atMs);
    assert.ok((next?.atMs ?? 0) - atMs >= Number(waitS) * 1000, `${address} was repeated after ${waitS} s`);
  }
});

test('a refusal that is not repeated says when a repeat makes sense', async () => {
  const headers = { 'retry-after': '7' };
  const refusing = clientOf(harness, {
    fetch: async () => Response.json({ error: { code: 'rate_limited', message: 'Wait.' } }, { status: 429, headers }),
  });
  const request = refusing.tenants.create({ name: 'x' }, { retriesMax: 0 });
  await assert.rejects(request, { code: 'rate_limited', status: 429, retryAfterSeconds: 7 });
});

test('a server that accepts and says nothing is a timeout', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  const sockets = new Set<{ destroy(): void }>();
  silent.on('connection', (socket) => sockets.add(socket));
  await once(silent, 'listening');
  closeAfterTests(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as { port: number };
  const waiting = new Dialplane({
    apiKey: 'svc_test_x',
    baseUrl: `http://127.0.0.1:${port}`,
    timeoutMs: 100,
    retriesMax: 0,
  });
  await assert.rejects(waiting.balance.get(), { code: 'timeout', message: 'No reply within 100 ms.' });
});
