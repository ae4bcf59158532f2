import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveriesOf, happen, register } from '../../../../test/support/events.ts';
import { startHarness, useHarness } from '../../../../test/support/harness.ts';
import { until } from '../../../../test/support/jobs.ts';
import { assertSigned, isSignedWith, startReceiver } from '../../../../test/support/receiver.ts';

const harness = await useHarness();

const PATH = '/v1/webhook_endpoints';
const URL = 'https://platform.example/hooks';

async function post(path: string, body: unknown = {}, options = {}) {
  return harness.call('POST', path, { body, ...options });
}

test('an endpoint is created with its secret, which no later reply shows', async () => {
  const created = await post(PATH, { url: URL, enabled_events: ['message.received'], description: 'main' });
  assert.equal(created.status, 201);
  const { secret, ...endpoint } = created.body;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.match(endpoint.id, /^whe_/);
  assert.deepEqual(
    { ...endpoint, id: '', created_at: '' },
    {
      id: '',
      object: 'webhook_endpoint',
      url: URL,
      enabled_events: ['message.received'],
      tenant_id: null,
      description: 'main',
      status: 'active',
      disabled_reason: null,
      failing_since: null,
      event_version: '2026-11-20',
      created_at: '',
    },
  );
  const one = await harness.call('GET', `${PATH}/${endpoint.id}`);
  assert.deepEqual(one.body, endpoint);
  const list = await harness.call('GET', PATH);
  assert.deepEqual(list.body.data[0], endpoint);
});

test('secrets are not stored in the clear', async () => {
  const { id, secret } = await register(harness, { url: URL });
  const rows = await harness.context.db.query<{ secret: Buffer }>(
    { name: '', text: 'select secret from webhook_secrets where endpoint_id = $1' },
    [id],
  );
  assert.equal(rows.length, 1);
  assert.equal(rows[0]?.secret.includes(Buffer.from(secret.slice(6), 'base64')), false);
  assert.equal(rows[0]?.secret.includes(secret), false);
});

test('a repeat with the same Idempotency-Key gets the same secret and creates no second endpoint', async () => {
  const options = { headers: { 'idempotency-key': 'register-once' } };
  const first = await post(PATH, { url: `${URL}/once` }, options);
  const second = await post(PATH, { url: `${URL}/once` }, options);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
});

const REFUSED: readonly [string, unknown, number, string, string | undefined][] = [
  ['no url', {}, 400, 'url_required', 'url'],
  ['a blank url', { url: '  ' }, 400, 'url_required', 'url'],
  ['a url that is not text', { url: 7 }, 400, 'invalid_url', 'url'],
  ['plain http', { url: 'http://platform.example/' }, 400, 'invalid_url', 'url'],
  ['another scheme', { url: 'ftp://platform.example/' }, 400, 'invalid_url', 'url'],
  ['no address at all', { url: 'hooks' }, 400, 'invalid_url', 'url'],
  ['credentials', { url: 'https://a:b@platform.example/' }, 400, 'invalid_url', 'url'],
  ['a private address', { url: 'https://10.0.0.1/' }, 400, 'invalid_url', 'url'],
  ['a private address in hex', { url: 'https://0x0a000001/' }, 400, 'invalid_url', 'url'],
  ['the metadata address', { url: 'https://169.254.169.254/' }, 400, 'invalid_url', 'url'],
  ['a name without a dot', { url: 'https://receiver/' }, 400, 'invalid_url', 'url'],
  ['a name of a private network', { url: 'https://hooks.internal/' }, 400, 'invalid_url', 'url'],
  ['a name of the local link', { url: 'https://hooks.local/' }, 400, 'invalid_url', 'url'],
  ['a mapped address', { url: 'https://[::ffff:10.0.0.1]/' }, 400, 'invalid_url', 'url'],
  ['an endless url', { url: `${URL}/${'x'.repeat(2100)}` }, 400, 'invalid_url', 'url'],
  [
    'an unknown type',
    { url: URL, enabled_events: ['message.received', 'x'] },
    400,
    'unknown_event_type',
    'enabled_events[1]',
  ],
  ['no types', { url: URL, enabled_events: [] }, 400, 'invalid_body', 'enabled_events'],
  ['an unknown field', { url: URL, events: [] }, 400, 'invalid_body', 'events'],
];
for (const [what, body, status, code, param] of REFUSED) {
  test(`${what} is refused as ${code}`, async () => {
    const reply = await post(PATH, body);
    assert.equal(reply.status, status);
    assert.equal(reply.body.error.code, code);
    assert.equal(reply.body.error.param, param);
  });
}

for (const [code, wrong] of [
  ['invalid_url', { url: 'http://10.0.0.1/' }],
  ['unknown_event_type', { url: URL, enabled_events: ['x'] }],
] as const) {
  test(`${code} comes before the answer to a repeat or to an unknown endpoint`, async () => {
    const options = { headers: { 'idempotency-key': `before ${code}` } };
    assert.equal((await post(PATH, { url: URL }, options)).status, 201);
    const repeated = await post(PATH, wrong, options);
    assert.deepEqual([repeated.status, repeated.body.error.code], [400, code]);
    const unknown = await harness.call('PATCH', `${PATH}/whe_none`, { body: wrong });
    assert.deepEqual([unknown.status, unknown.body.error.code], [400, code]);
  });
}

test('live keys may not register loopback addresses; test keys may only where the setting allows it', async () => {
  const local = { url: 'http://127.0.0.1:9/' };
  assert.equal((await post(PATH, local)).status, 201);
  const live = await post(PATH, local, { key: harness.account.live_key });
  assert.equal(live.body.error.code, 'invalid_url');
  const strict = await startHarness({ settings: { allowLocalWebhooks: false } });
  try {
    const reply = await strict.call('POST', PATH, { body: local });
    assert.equal(reply.body.error.code, 'invalid_url');
  } finally {
    await strict.close();
  }
});

test('an update keeps fields that are not given and clears fields that are null', async () => {
  const { id } = await register(harness, { url: URL, enabled_events: ['message.failed'], description: 'old' });
  const moved = await harness.call('PATCH', `${PATH}/${id}`, { body: { url: `${URL}/2` } });
  assert.equal(moved.status, 200);
  assert.equal(moved.body.url, `${URL}/2`);
  assert.equal(moved.body.description, 'old');
  assert.deepEqual(moved.body.enabled_events, ['message.failed']);
  const cleared = await harness.call('PATCH', `${PATH}/${id}`, {
    body: { url: URL, enabled_events: null, description: null },
  });
  assert.equal(cleared.body.enabled_events, null);
  assert.equal(cleared.body.description, null);
  const wrong = await harness.call('PATCH', `${PATH}/${id}`, { body: { url: 'http://10.1.1.1/' } });
  assert.equal(wrong.body.error.code, 'invalid_url');
});

test('a deleted endpoint is not found by any operation', async () => {
  const { id } = await register(harness, { url: URL });
  assert.equal((await harness.call('DELETE', `${PATH}/${id}`)).status, 204);
  const replies = [
    await harness.call('GET', `${PATH}/${id}`),
    await harness.call('PATCH', `${PATH}/${id}`, { body: { url: URL } }),
    await harness.call('DELETE', `${PATH}/${id}`),
    await post(`${PATH}/${id}/test`),
    await post(`${PATH}/${id}/rotate_secret`),
    await harness.call('GET', `${PATH}/${id}/deliveries`),
    await post(`${PATH}/${id}/deliveries/whd_1/retry`),
  ];
  for (const reply of replies) {
    assert.equal(reply.status, 404);
    assert.equal(reply.body.error.code, 'webhook_endpoint_not_found');
  }
});

test("another account's or mode's endpoint is not found", async () => {
  const { id } = await register(harness, { url: URL });
  const other = await harness.secondAccount();
  for (const key of [other.test_key, harness.account.live_key]) {
    const reply = await harness.call('GET', `${PATH}/${id}`, { key });
    assert.equal(reply.body.error.code, 'webhook_endpoint_not_found');
  }
});

test('keys of one tenant may not use endpoints', async () => {
  const { id } = await register(harness, { url: URL });
  const tenant = await post('/v1/tenants', { name: 'Tenant' });
  const key = await harness.tenantKey(tenant.body.id);
  for (const [method, path] of [
    ['GET', PATH],
    ['POST', PATH],
    ['GET', `${PATH}/${id}`],
    ['PATCH', `${PATH}/${id}`],
    ['DELETE', `${PATH}/${id}`],
    ['POST', `${PATH}/${id}/test`],
    ['POST', `${PATH}/${id}/rotate_secret`],
    ['GET', `${PATH}/${id}/deliveries`],
    ['POST', `${PATH}/${id}/deliveries/whd_1/retry`],
  ] as const) {
    const body = method === 'POST' || method === 'PATCH' ? { url: URL } : undefined;
    const reply = await harness.call(method, path, { key, ...(body && { body }) });
    assert.equal(reply.status, 403);
    assert.equal(reply.body.error.code, 'key_not_permitted');
  }
});

test('a list pages from the newest to the oldest and ends with a null cursor', async () => {
  const { test_key: key } = await harness.secondAccount();
  const ids: string[] = [];
  for (const n of [1, 2, 3]) ids.unshift((await post(PATH, { url: `${URL}/${n}` }, { key })).body.id);
  const first = await harness.call('GET', `${PATH}?limit=2`, { key });
  assert.equal(first.body.has_more, true);
  const rest = await harness.call('GET', `${PATH}?limit=2&after=${first.body.next_cursor}`, { key });
  assert.equal(rest.body.next_cursor, null);
  assert.deepEqual(
    [...first.body.data, ...rest.body.data].map(({ id }: { id: string }) => id),
    ids,
  );
});

test('a test event is signed like a real one, its result is returned, and nothing is stored', async () => {
  const receiver = await startReceiver();
  try {
    const { id, secret } = await register(harness, { url: receiver.url });
    const reply = await post(`${PATH}/${id}/test`);
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body, { delivered: true, response_status: 200, error: null });
    const [delivery] = receiver.received;
    assert.ok(delivery);
    assertSigned(delivery, secret);
    assert.equal(delivery.event.type, 'message.received');
    assert.equal(delivery.headers['webhook-id'], delivery.event.id);
    const event = await harness.call('GET', `/v1/events/${delivery.event.id}`);
    assert.equal(event.body.error.code, 'event_not_found');
    assert.deepEqual(await deliveriesOf(harness, id), []);
  } finally {
    await receiver.close();
  }
});

test('a failed test event returns the error', async () => {
  const receiver = await startReceiver();
  const { id } = await register(harness, { url: receiver.url });
  receiver.answer({ status: 500 });
  const failed = await post(`${PATH}/${id}/test`, { event_type: 'message.failed' });
  assert.deepEqual(failed.body, { delivered: false, response_status: 500, error: 'The receiver answered 500.' });
  assert.equal(receiver.received[0]?.event.data['failure_reason'], 'carrier_rejected');
  await receiver.close();
  const down = await post(`${PATH}/${id}/test`, { event_type: 'webhook_endpoint.disabled' });
  assert.equal(down.body.delivered, false);
  assert.equal(down.body.response_status, null);
  assert.equal(typeof down.body.error, 'string');
  const unknown = await post(`${PATH}/${id}/test`, { event_type: 'x' });
  assert.equal(unknown.body.error.code, 'unknown_event_type');
  assert.equal(unknown.body.error.param, 'event_type');
});

test('a repeated test event with the same Idempotency-Key is sent once', async () => {
  const receiver = await startReceiver();
  try {
    const { id } = await register(harness, { url: receiver.url });
    const headers = { 'idempotency-key': 'test-once' };
    const replies = await Promise.all([1, 2].map(() => post(`${PATH}/${id}/test`, {}, { headers })));
    assert.deepEqual(replies[0]?.body, replies[1]?.body);
    assert.equal(receiver.received.length, 1);
    const reuse = await post(`${PATH}/${id}/test`, { event_type: 'message.failed' }, { headers });
    assert.equal(reuse.body.error.code, 'idempotency_key_reuse');
  } finally {
    await receiver.close();
  }
});

test('after a rotation the old secret signs beside the new one for 24 hours', async () => {
  const own = await startHarness();
  const receiver = await startReceiver();
  try {
    const { id, secret: old } = await register(own, { url: receiver.url });
    await happen(own, { resource: 'before' });
    await receiver.arrived(1);
    const rotated = await own.call('POST', `${PATH}/${id}/rotate_secret`);
    assert.equal(rotated.status, 200);
    const { secret } = rotated.body;
    assert.notEqual(secret, old);
    await happen(own, { resource: 'during' });
    await receiver.arrived(2);
    const [, during] = receiver.received;
    assert.ok(during);
    assertSigned(during, secret);
    assertSigned(during, old);
    assert.equal(String(during.headers['service-signature']).match(/v1=/g)?.length, 2);
    await own.advance(24 * 3600 + 1);
    await happen(own, { resource: 'after' });
    await receiver.arrived(3);
    const last = receiver.received[2];
    assert.ok(last);
    assertSigned(last, secret);
    assert.equal(isSignedWith(last, old), false);
  } finally {
    await receiver.close();
    await own.close();
  }
});

test('disabling by hand emits one event, which belongs to no tenant', async () => {
  const receiver = await startReceiver();
  try {
    const { id } = await register(harness, { url: URL });
    const watcher = await register(harness, { url: receiver.url, enabled_events: ['webhook_endpoint.disabled'] });
    const off = await harness.call('PATCH', `${PATH}/${id}`, { body: { url: URL, status: 'disabled' } });
    assert.equal(off.body.disabled_reason, 'manual');
    await harness.call('PATCH', `${PATH}/${id}`, { body: { url: URL, status: 'disabled' } });
    await receiver.arrived(1);
    const [delivery] = receiver.received;
    assert.equal(delivery?.event.resource_id, id);
    assert.equal(delivery?.event.tenant_id, null);
    assert.equal(delivery?.event.data['disabled_reason'], 'manual');
    assert.equal('secret' in (delivery?.event.data ?? {}), false);
    await until('it is recorded', async () => (await deliveriesOf(harness, watcher.id))[0]?.status === 'delivered');
    assert.equal((await deliveriesOf(harness, watcher.id)).length, 1);
  } finally {
    await receiver.close();
  }
});

test('any subset of the fields of an endpoint can be changed', async () => {
  const { id, secret: _, ...made } = await register(harness, { url: URL, description: 'main' });
  const patch = async (body: object) => {
    const { status, body: changed } = await harness.call('PATCH', `${PATH}/${id}`, { body });
    assert.equal(status, 200, JSON.stringify(changed));
    return changed;
  };
  assert.deepEqual(await patch({}), { id, ...made });
  assert.deepEqual(await patch({ description: null }), { id, ...made, description: null });
  const enabled_events = ['message.received'];
  assert.deepEqual(await patch({ enabled_events }), { id, ...made, description: null, enabled_events });
  const off = await patch({ status: 'disabled' });
  assert.deepEqual([off.url, off.status, off.disabled_reason], [URL, 'disabled', 'manual']);
  const moved = await patch({ url: `${URL}/2` });
  assert.deepEqual([moved.url, moved.status, moved.enabled_events], [`${URL}/2`, 'disabled', enabled_events]);
});

test('an account has at most 50 endpoints in each mode, also if they are made at the same moment', async () => {
  const { test_key: key, live_key } = await harness.secondAccount();
  const make = () => post(PATH, { url: URL }, { key });
  const replies = [];
  for (let n = 0; n < 48; n++) replies.push(await make());
  assert.ok(replies.every(({ status }) => status === 201));
  const last = await Promise.all(Array.from({ length: 8 }, make));
  assert.deepEqual(last.map(({ status }) => status).sort(), [201, 201, 409, 409, 409, 409, 409, 409]);
  assert.equal(last.find(({ status }) => status === 409)?.body.error.code, 'too_many_endpoints');
  assert.equal((await post(PATH, { url: URL }, { key: live_key })).status, 201, 'the other mode has its own');
  const id = last.find(({ status }) => status === 201)?.body.id;
  assert.equal((await harness.call('DELETE', `${PATH}/${id}`, { key })).status, 204);
  assert.equal((await make()).status, 201, 'a deleted endpoint makes room');
});
