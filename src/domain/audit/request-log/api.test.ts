import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, testLedger } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { makeLine, makeTenant } from '../../../../test/support/numbers.ts';
import { sleep } from '../../../../test/support/stepping-time.ts';
import { now } from '../../../lib/time/time.ts';
import { sweepRequestLog } from './queries.ts';
import { keptSince } from './retention.ts';

let aheadMs = 0;
const harness = await useHarness({ startWorkers: false, clock: { now: () => now() + aheadMs } });
const { db } = harness.context;
const { tenantId, number } = await makeLine(harness);

type Call = Parameters<typeof harness.call>[2];

/** Sends a request and returns its id. */
async function send(method: string, path: string, options: Call = {}): Promise<string> {
  return (await harness.call(method, `/v1${path}`, options)).headers.get('request-id') as string;
}

async function list(query = '', options: Call = {}): Promise<Json[]> {
  const reply = await harness.call('GET', `/v1/request_log${query}`, options);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body.data;
}

const idsOf = async (query: string, options: Call = {}) => (await list(query, options)).map(({ id }) => id);

test('a request is listed with its route, status, duration, key and tenant, and found by its id', async () => {
  const before = now();
  const id = await send('GET', `/tenants/${tenantId}`);
  const [entry] = await list('?limit=1');
  const [{ id: keyId }] = (await sql<{ id: string }>(
    db,
    'select id from api_keys where ledger_id = $1 and tenant_id is null',
    [await testLedger(harness)],
  )) as [{ id: string }];
  const { created_at, duration_ms, ...rest } = entry as Json;
  assert.deepEqual(rest, {
    ...{ id, object: 'request_log_entry', method: 'GET', path: `/v1/tenants/${tenantId}` },
    ...{ route: '/v1/tenants/{tenant_id}', status: 200, error_code: null, api_key_id: keyId, tenant_id: tenantId },
    ...{ resource_id: null, idempotency_key: null, idempotent_replayed: false },
  });
  assert.ok(Date.parse(created_at) >= before - 1 && Date.parse(created_at) <= now());
  assert.ok(duration_ms > 0 && duration_ms <= now() - before + 1);
  assert.deepEqual((await harness.call('GET', `/v1/request_log/${id}`)).body, entry);
});

test('bodies, queries, phone numbers and keys are never kept', async () => {
  const secret = 'zebra-in-the-body';
  const person = '+16025550143';
  const ids = [
    await send('POST', '/messages', { body: { from: number.id, to: person, body: secret } }),
    await send('POST', '/messages', { body: { from: number.id, to: 'x', body: secret, nonsense: secret } }),
    await send('GET', `/messages?to=${encodeURIComponent(person)}`),
    await send('DELETE', `/opt_outs/${encodeURIComponent(person)}?tenant_id=${tenantId}`),
    await send('DELETE', `/opt_outs/${person}?tenant_id=${tenantId}`),
    await send('GET', `/tenants/${harness.account.test_key}`),
  ];
  await list();
  const rows = await sql<{ id: string; path: string; whole: string }>(
    db,
    'select id, path, r::text as whole from request_log r where id = any($1)',
    [ids],
  );
  assert.equal(rows.length, ids.length);
  for (const { whole } of rows) assert.doesNotMatch(whole, /zebra|6025550143|svc_test_[a-z0-9]{4}/i);
  const pathOf = (id: string | undefined) => rows.find((row) => row.id === id)?.path;
  assert.deepEqual(ids.slice(2).map(pathOf), [
    '/v1/messages',
    '/v1/opt_outs/***0143',
    '/v1/opt_outs/***0143',
    '/v1/tenants/svc_test_***',
  ]);
});

test('the tenant of a text is that of its reply, with an Idempotency-Key and without', async () => {
  const body = { from: number.id, to: '+16025550144', body: 'Hello' };
  const headers = { 'idempotency-key': 'order-17' };
  const plain = await send('POST', '/messages', { body });
  const keyed = await send('POST', '/messages', { body, headers });
  const again = await send('POST', '/messages', { body, headers });
  const entries = await list('?method=POST&route=/v1/messages&status=2xx');
  const shown = (id: string) => {
    const { tenant_id, idempotency_key, idempotent_replayed } = entries.find((each) => each.id === id) as Json;
    return [tenant_id, idempotency_key, idempotent_replayed];
  };
  assert.deepEqual(shown(plain), [tenantId, null, false]);
  assert.deepEqual(shown(keyed), [tenantId, 'order-17', false]);
  assert.equal(shown(again)[2], true);
});

test('a text finds the request that sent it, also one with an Idempotency-Key, and no read and no refusal', async () => {
  const body = { from: number.id, to: '+16025550145', body: 'Hello' };
  const make = async (options: Call): Promise<[message: string, request: string]> => {
    const reply = await harness.call('POST', '/v1/messages', options);
    return [reply.body.id, reply.headers.get('request-id') as string];
  };
  const [plain, sent] = await make({ body });
  const [keyed, sentWithKey] = await make({ body, headers: { 'idempotency-key': 'order-18' } });
  await send('GET', `/messages/${plain}/attempts`);
  await send('POST', `/messages/${plain}/cancel`);
  assert.deepEqual(await idsOf(`?resource_id=${plain}`), [sent]);
  assert.deepEqual(await idsOf(`?resource_id=${keyed}`), [sentWithKey]);
  assert.deepEqual(await idsOf(`?resource_id=${plain}&status=2xx&method=POST&tenant_id=${tenantId}`), [sent]);
  const renamed = await send('PATCH', `/tenants/${tenantId}`, { body: { name: 'Renamed' } });
  assert.equal((await idsOf(`?resource_id=${tenantId}&method=PATCH`))[0], renamed);
  const noMatch = ['method=GET', 'status=4xx', 'route=/v1/tenants', 'error_code=message_not_found', 'end=2020-01-01'];
  for (const none of noMatch) assert.deepEqual(await idsOf(`?resource_id=${plain}&${none}`), [], none);
});

test('the requests of a resource are not seen with the key of another tenant or account', async () => {
  const { body } = await harness.call('POST', '/v1/messages', {
    body: { from: number.id, to: '+16025550146', body: 'Hello' },
  });
  const tenant = await makeTenant(harness);
  const made = await harness.call('POST', '/v1/api_keys', { body: { name: 'Other', tenant_id: tenant } });
  const other = await harness.secondAccount();
  assert.equal((await list(`?resource_id=${body.id}`)).length, 1);
  for (const key of [made.body.key, other.test_key])
    assert.deepEqual(await list(`?resource_id=${body.id}`, { key }), []);
});

test('a tenant that does not exist is not the tenant of the request', async () => {
  const other = await harness.secondAccount();
  const foreign = await makeTenant(harness, other.test_key);
  const id = await send('GET', `/tenants/${foreign}`);
  assert.equal((await harness.call('GET', `/v1/request_log/${id}`)).body.tenant_id, null);
});

test('each filter narrows the list, alone and with the others', async () => {
  const other = await makeTenant(harness);
  const missing = await send('GET', '/messages/msg_none');
  // Times have milliseconds. The filters `start` and `end` use one of these times.
  await sleep(2);
  const wrong = await send('POST', '/messages', { body: {} });
  const unrouted = await send('GET', '/nowhere');
  const found = await send('GET', `/tenants/${other}`);
  assert.deepEqual((await idsOf('?status=404')).slice(0, 2), [unrouted, missing]);
  assert.deepEqual((await idsOf('?status=4xx')).slice(0, 3), [unrouted, wrong, missing]);
  assert.deepEqual(await idsOf('?error_code=missing_fields&method=POST'), [wrong]);
  assert.deepEqual(await idsOf('?error_code=missing_fields&method=GET'), []);
  assert.deepEqual(await idsOf('?route=/v1/messages/%7Bmessage_id%7D'), [missing]);
  assert.deepEqual(await idsOf(`?tenant_id=${other}&status=200&method=GET`), [found]);
  assert.deepEqual(await idsOf(`?tenant_id=${other}&status=5xx`), []);
  const [{ route }] = (await list('?status=404&limit=1')) as [Json];
  assert.equal(route, null);
  const { created_at } = (await harness.call('GET', `/v1/request_log/${wrong}`)).body;
  const upTo = await idsOf(`?end=${created_at}&limit=100`);
  assert.deepEqual([upTo.includes(missing), upTo.includes(wrong)], [true, false]);
  const from = await idsOf(`?start=${created_at}&limit=100`);
  assert.deepEqual([from.includes(missing), from.includes(wrong), from.includes(found)], [false, true, true]);
  assert.equal((await harness.call('GET', '/v1/request_log?status=abc')).body.error.param, 'status');
});

test('pages show each request once, in both orders, and a request id is a place to go on from', async () => {
  const sent: string[] = [];
  for (let n = 0; n < 5; n++) sent.push(await send('GET', '/balance/entries'));
  const filter = 'route=/v1/balance/entries&limit=2';
  for (const [order, expected] of [
    ['desc', sent.toReversed()],
    ['asc', sent],
  ] as const) {
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { body } = await harness.call('GET', `/v1/request_log?${filter}&order=${order}${after}`);
      seen.push(...body.data.map(({ id }: Json) => id));
      if (body.next_cursor === null) break;
      after = `&after=${body.next_cursor}`;
    }
    assert.deepEqual(seen, expected);
  }
  assert.deepEqual(await idsOf(`?${filter}&order=asc&after=${sent[2]}`), sent.slice(3));
});

test('reads of the log itself and polls of the command are left out; their errors are kept', async () => {
  const headers = { 'user-agent': 'dialplane-cli/1.0' };
  const start = await send('GET', '/balance');
  await list();
  await send('GET', `/request_log/${start}`);
  await send('GET', '/events', { headers });
  const refused = await send('GET', '/events?order=sideways', { headers });
  assert.deepEqual(await idsOf('?limit=2'), [refused, start]);
});

test('the log of another account, of the other mode and of another tenant is not visible', async () => {
  const id = await send('GET', `/tenants/${tenantId}`);
  const ofAccount = await send('GET', '/balance');
  const other = await harness.secondAccount();
  for (const key of [other.test_key, harness.account.live_key]) {
    assert.deepEqual(await list('?limit=100', { key }), []);
    assert.equal((await harness.call('GET', `/v1/request_log/${id}`, { key })).body.error.code, 'request_not_found');
  }
  const own = await harness.tenantKey(tenantId);
  assert.ok((await list('?limit=100', { key: own })).every(({ tenant_id }) => tenant_id === tenantId));
  assert.equal((await harness.call('GET', `/v1/request_log/${id}`, { key: own })).status, 200);
  assert.equal((await harness.call('GET', `/v1/request_log/${ofAccount}`, { key: own })).status, 404);
  const otherTenant = await makeTenant(harness);
  const neighbour = await harness.tenantKey(otherTenant);
  assert.deepEqual(
    (await list('?limit=100', { key: neighbour })).map((entry) => [entry.route, entry.tenant_id]),
    [['/v1/tenants', otherTenant]],
  );
  const reply = await harness.call('GET', `/v1/request_log/${id}`, { key: neighbour });
  assert.equal(reply.body.error.code, 'tenant_restricted_key');
});

test('a request without a valid key is not kept', async () => {
  const id = await send('GET', '/tenants', { key: 'svc_test_wrong' });
  await list();
  assert.deepEqual(await sql(db, 'select 1 from request_log where id = $1', [id]), []);
});

test('seven days later a request is gone from list and lookup, and the sweep deletes it', async () => {
  const id = await send('GET', '/balance');
  assert.ok((await idsOf('?limit=100')).includes(id));
  const count = async () => (await sql(db, 'select 1 from request_log where id = $1', [id])).length;
  aheadMs = 7 * 24 * 60 * 60_000 - 60_000;
  assert.ok((await idsOf('?limit=100')).includes(id));
  await sweepRequestLog(db, keptSince(harness.context), 1_000);
  assert.equal(await count(), 1);
  aheadMs += 120_000;
  assert.ok(!(await idsOf('?limit=100')).includes(id));
  assert.equal((await harness.call('GET', `/v1/request_log/${id}`)).status, 404);
  while ((await sweepRequestLog(db, keptSince(harness.context), 10)) > 0);
  assert.equal(await count(), 0);
  aheadMs = 0;
});
