import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, testLedger } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { databaseMs, sql } from '../../../../test/support/jobs.ts';
import { makeLine, makeTenant } from '../../../../test/support/numbers.ts';
import { sweepEntries } from './queries.ts';

const harness = await useHarness({ startWorkers: false });
const { db } = harness.context;

const must = async (method: string, path: string, body?: unknown): Promise<Json> => {
  const reply = await harness.call(method, `/v1${path}`, body === undefined ? {} : { body });
  assert.ok(reply.status < 300, `${method} ${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
};
const log = async (query = '?limit=100'): Promise<Json[]> => (await must('GET', `/audit_log${query}`)).data;
/** Actions and details on one resource, oldest first. */
const logOf = async (resourceId: string) =>
  (await log())
    .filter(({ resource_id }) => resource_id === resourceId)
    .map(({ action, details }) => [action, details])
    .reverse();

test('each change of a tenant is recorded with the key that made it', async () => {
  const beforeMs = await databaseMs(db);
  const { id } = await must('POST', '/tenants', { name: 'Desert Dental', metadata: { note: 'a private note' } });
  await must('PATCH', `/tenants/${id}`, { name: 'Renamed', metadata: { note: 'another' } });
  await must('PATCH', `/tenants/${id}`, { name: 'Renamed' });
  await must('DELETE', `/tenants/${id}`);
  assert.deepEqual(await logOf(id), [
    ['tenant.created', {}],
    ['tenant.updated', { changed: ['name', 'sender_name', 'metadata'] }],
    ['tenant.deleted', {}],
  ]);
  const [entry] = await log('?limit=1');
  const [{ id: keyId }] = (await sql<{ id: string }>(
    db,
    'select id from api_keys where ledger_id = $1 and tenant_id is null',
    [await testLedger(harness)],
  )) as [{ id: string }];
  assert.deepEqual(Object.keys(entry), [
    'id',
    'object',
    'at',
    'actor',
    'action',
    'resource_id',
    'tenant_id',
    'details',
  ]);
  assert.match(entry.id, /^aud_/);
  assert.equal(entry.object, 'audit_log_entry');
  assert.deepEqual(entry.actor, { type: 'key', id: keyId });
  assert.ok(Date.parse(entry.at) >= beforeMs && Date.parse(entry.at) <= (await databaseMs(db)), entry.at);
});

test('making, rotating and revoking a key is recorded without its secret', async () => {
  const tenantId = await makeTenant(harness);
  const made = await must('POST', '/api_keys', { name: 'Secret name', tenant_id: tenantId });
  const next = await must('POST', `/api_keys/${made.id}/rotate`, { expires_in_seconds: 60 });
  await must('DELETE', `/api_keys/${made.id}`);
  assert.deepEqual(await logOf(made.id), [
    ['api_key.created', { permissions: 'write', last4: made.last4 }],
    ['api_key.rotated', { permissions: 'write', last4: next.last4, new_key_id: next.id, expires_in_seconds: 60 }],
    ['api_key.revoked', {}],
  ]);
  const text = JSON.stringify(await log());
  for (const secret of [made.key, next.key, 'Secret name']) assert.ok(!text.includes(secret));
});

test('of an endpoint the log has the host, never the rest of its address or its secret', async () => {
  const url = 'https://hooks.example.com/T0KEN?sig=S1G';
  const made = await must('POST', '/webhook_endpoints', { url });
  await must('PATCH', `/webhook_endpoints/${made.id}`, { url: `${url}2`, status: 'disabled' });
  const { secret } = await must('POST', `/webhook_endpoints/${made.id}/rotate_secret`);
  await must('DELETE', `/webhook_endpoints/${made.id}`);
  const changed = ['url', 'status', 'disabled_reason'];
  assert.deepEqual(await logOf(made.id), [
    ['webhook_endpoint.created', { host: 'hooks.example.com' }],
    ['webhook_endpoint.updated', { changed, status: 'disabled', host: 'hooks.example.com' }],
    ['webhook_endpoint.secret_rotated', {}],
    ['webhook_endpoint.deleted', {}],
  ]);
  const text = JSON.stringify(await log());
  for (const part of ['T0KEN', 'S1G', made.secret, secret]) assert.ok(!text.includes(part), part);
});

test('an order, a change and the release of a number are recorded, also the release by a deleted tenant', async () => {
  const { tenantId, number } = await makeLine(harness);
  await must('PATCH', `/phone_numbers/${number.id}`, { routing_config_id: null });
  const config = await must('POST', '/routing_configs', {
    tenant_id: tenantId,
    name: 'Open',
    business_hours: { schedule: [{ days: ['mon'], open: '08:00', close: '17:00' }] },
    open_behavior: { type: 'ring', targets: ['+16025550143'] },
    closed_behavior: { type: 'voicemail' },
  });
  await must('PATCH', `/phone_numbers/${number.id}`, { routing_config_id: config.id });
  await must('DELETE', `/tenants/${tenantId}`);
  assert.deepEqual(await logOf(number.id), [
    ['phone_number.ordered', { phone_number: number.phone_number }],
    ['phone_number.updated', { changed: ['routing_config_id'] }],
    ['phone_number.released', { because: 'tenant.deleted' }],
  ]);
});

test('a change that is refused is not recorded', async () => {
  const before = await log();
  assert.equal((await harness.call('DELETE', '/v1/tenants/tnt_none')).status, 404);
  assert.equal((await harness.call('DELETE', '/v1/api_keys/key_none')).status, 404);
  assert.deepEqual(await log(), before);
});

test('pages show each entry once, the newest first', async () => {
  for (let n = 0; n < 5; n++) await must('POST', '/tenants', { name: `Tenant ${n}` });
  const all = (await log()).map(({ id }) => id);
  const seen: string[] = [];
  for (let after = ''; ; ) {
    const page = await must('GET', `/audit_log?limit=2${after}`);
    seen.push(...page.data.map(({ id }: Json) => id));
    if (page.next_cursor === null) break;
    after = `&after=${page.next_cursor}`;
  }
  assert.deepEqual(seen, all);
  assert.deepEqual([...all].sort().reverse(), all);
});

test('the log of a tenant has the changes of the tenant and of what belongs to it, also after its end', async () => {
  const tenantId = await makeTenant(harness);
  const other = await makeTenant(harness);
  const key = await must('POST', '/api_keys', { name: 'Of the tenant', tenant_id: tenantId });
  const next = await must('POST', `/api_keys/${key.id}/rotate`, { expires_in_seconds: 60 });
  await must('DELETE', `/api_keys/${key.id}`);
  const url = 'https://hooks.example.com/';
  const endpoint = await must('POST', '/webhook_endpoints', { url, tenant_id: tenantId });
  await must('POST', `/webhook_endpoints/${endpoint.id}/rotate_secret`);
  await must('PATCH', `/webhook_endpoints/${endpoint.id}`, { tenant_id: null });
  await must('DELETE', `/webhook_endpoints/${endpoint.id}`);
  const { data } = await must('GET', '/phone_numbers/available?area_code=602&limit=1');
  const number = await must('POST', '/phone_numbers', { tenant_id: tenantId, phone_number: data[0].phone_number });
  await must('POST', '/api_keys', { name: 'Of the account' });
  await must('POST', '/api_keys', { name: 'Of another tenant', tenant_id: other });
  await must('DELETE', `/tenants/${tenantId}`);
  const own = (await log(`?limit=100&tenant_id=${tenantId}`)).reverse();
  const [keys, endpoints] = [[key.id], [endpoint.id]];
  const expected = [
    [tenantId, 'tenant.created'],
    ...keys.flatMap((id) => ['created', 'rotated', 'revoked'].map((end) => [id, `api_key.${end}`])),
    // The deletion is in the account's log, because the endpoint had left the tenant.
    ...endpoints.flatMap((id) =>
      ['created', 'secret_rotated', 'updated'].map((end) => [id, `webhook_endpoint.${end}`]),
    ),
    [number.id, 'phone_number.ordered'],
    [number.id, 'phone_number.released'],
    [next.id, 'api_key.revoked'],
    [tenantId, 'tenant.deleted'],
  ];
  const names = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join(' ')).sort();
  assert.deepEqual(names(own.map(({ resource_id, action }) => [resource_id, action])), names(expected));
  assert.ok(own.every(({ tenant_id }) => tenant_id === tenantId));
  const page = await must('GET', `/audit_log?limit=2&tenant_id=${tenantId}`);
  const after = await log(`?limit=2&tenant_id=${tenantId}&after=${page.next_cursor}`);
  assert.deepEqual([...page.data, ...after], own.slice(-4).reverse());
  const ofAccount = (await log()).filter(({ resource_id }) => resource_id === endpoint.id);
  assert.deepEqual([ofAccount[0]?.action, ofAccount[0]?.tenant_id], ['webhook_endpoint.deleted', null]);
});

test('a reset of the test ledger keeps the log and is recorded in it', async () => {
  const { id } = await must('POST', '/tenants', { name: 'Gone soon' });
  await must('POST', '/test/reset');
  const [latest, before] = await log('?limit=2');
  assert.deepEqual([latest.action, latest.resource_id], ['test_ledger.reset', harness.account.id]);
  assert.deepEqual([before.action, before.resource_id], ['tenant.created', id]);
});

test('entries are deleted 400 days later, the oldest first and at most as many as asked for', async () => {
  const ledgerId = await testLedger(harness);
  const age = (id: string, days: number) =>
    sql(db, `update audit_log set at = now() - make_interval(days => $3) where ledger_id = $1 and id = $2`, [
      ledgerId,
      id,
      days,
    ]);
  const made: string[] = [];
  for (let n = 0; n < 4; n++) await must('POST', '/tenants', { name: `Old ${n}` });
  for (const { id } of await log('?limit=4')) made.unshift(id);
  const [a = '', b = '', c = '', d = ''] = made;
  await age(a, 402);
  await age(b, 403);
  await age(c, 401);
  await age(d, 399);
  assert.equal(await sweepEntries(db, 2), 2);
  const left = async () => made.filter((id) => kept.includes(id));
  let kept = (await log()).map(({ id }) => id);
  assert.deepEqual(await left(), [c, d]);
  assert.equal(await sweepEntries(db, 100), 1);
  kept = (await log()).map(({ id }) => id);
  assert.deepEqual(await left(), [d]);
});
