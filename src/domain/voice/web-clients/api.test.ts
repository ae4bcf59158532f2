import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { type Reply, useHarness } from '../../../../test/support/harness.ts';
import { newPerson, read, refusal } from '../../../../test/support/messages.ts';
import { buyNumber, makeTenant } from '../../../../test/support/numbers.ts';
import { now } from '../../../lib/time/time.ts';
import { openLoginToken } from './login-token.ts';
import { webClientOfSignal } from './web-client-signal.ts';

let nowMs = now();
const harness = await useHarness({ startWorkers: false, clock: { now: () => nowMs } });

const create = (body: object, headers: Record<string, string> = {}) =>
  harness.call('POST', '/v1/web_clients', { body, headers });
const revoke = (id: string): Promise<Reply> => harness.call('DELETE', `/v1/web_clients/${id}`);
const mint = (id: string): Promise<Reply> => harness.call('POST', `/v1/web_clients/${id}/tokens`);

async function makeWebClient(tenantId: string, name: string | null = 'Front desk'): Promise<Json> {
  const reply = await create({ tenant_id: tenantId, name });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

async function tokenOf(id: string): Promise<string> {
  const reply = await mint(id);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.token;
}

test('a web client has a SIP username that cannot be guessed, and shows no secret', async () => {
  const tenantId = await makeTenant(harness);
  const [one, two] = [await makeWebClient(tenantId), await makeWebClient(tenantId)];
  const { id, sip_username, created_at, ...rest } = one;
  assert.match(id, /^wcl_/);
  assert.match(sip_username, /^s[0-9a-f]{40}$/);
  assert.notEqual(sip_username, two.sip_username);
  assert.ok(!Number.isNaN(Date.parse(created_at)));
  const shown = {
    object: 'web_client',
    tenant_id: tenantId,
    name: 'Front desk',
    e911_address_id: null,
    status: 'active',
  };
  assert.deepEqual(rest, shown);
  assert.equal((await create({ tenant_id: tenantId })).body.name, null);
});

test('invalid fields of a web client are refused by name', async () => {
  const tenant_id = await makeTenant(harness);
  assert.deepEqual(refusal(await create({})), [400, 'missing_fields', 'tenant_id']);
  assert.deepEqual(refusal(await create({ tenant_id: 'tnt_none' })), [404, 'tenant_not_found', 'tenant_id']);
  assert.deepEqual(refusal(await create({ tenant_id, name: ' ' })), [400, 'invalid_body', 'name']);
  assert.deepEqual(refusal(await create({ tenant_id, name: 'x'.repeat(201) })), [400, 'invalid_body', 'name']);
  assert.deepEqual(refusal(await create({ tenant_id, password: 'x' })), [400, 'invalid_body', 'password']);
});

test('the list has the web clients of a tenant, newest first, including the revoked ones', async () => {
  const tenantId = await makeTenant(harness);
  const webClients = [await makeWebClient(tenantId), await makeWebClient(tenantId), await makeWebClient(tenantId)];
  await revoke(webClients[1].id);
  const first = await read(harness, `/web_clients?tenant_id=${tenantId}&limit=2`);
  const rest = await read(harness, `/web_clients?tenant_id=${tenantId}&limit=2&after=${first.next_cursor}`);
  const listed = [...first.data, ...rest.data].map(({ id, status }: Json) => [id, status]);
  assert.deepEqual(listed, [
    [webClients[2].id, 'active'],
    [webClients[1].id, 'revoked'],
    [webClients[0].id, 'active'],
  ]);
  assert.deepEqual([first.has_more, rest.has_more, rest.next_cursor], [true, false, null]);
});

test('two tokens of one second differ by their jti', async () => {
  const { id } = await makeWebClient(await makeTenant(harness));
  const tokens = [await tokenOf(id), await tokenOf(id)];
  const [one, two] = tokens.map((token) =>
    JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()),
  );
  assert.equal(one.iat, two.iat);
  assert.ok(typeof one.jti === 'string' && one.jti !== two.jti);
});

test('a token names its one web client, for five minutes', async () => {
  const tenantId = await makeTenant(harness);
  const webClient = await makeWebClient(tenantId);
  const reply = await mint(webClient.id);
  assert.equal(reply.status, 201);
  assert.equal(reply.body.object, 'web_client_token');
  const issuedAtMs = Math.floor(nowMs / 1000) * 1000;
  assert.equal(Date.parse(reply.body.expires_at), issuedAtMs + 300_000);
  const opened = await openLoginToken(harness.context, reply.body.token);
  assert.ok(typeof opened === 'object');
  assert.deepEqual([opened.webClientId, opened.tenantId], [webClient.id, tenantId]);
  nowMs = issuedAtMs + 300_000;
  assert.equal(await openLoginToken(harness.context, reply.body.token), 'expired');
});

test('a realtime token is no login token, and the reverse', async () => {
  const webClient = await makeWebClient(await makeTenant(harness));
  const { token } = (await harness.call('POST', '/v1/realtime/tokens')).body;
  assert.equal(await openLoginToken(harness.context, token), 'invalid');
  assert.ok(!(await tokenOf(webClient.id)).startsWith('svcrt_'));
});

test('revoking a web client ends its tokens and signals it', async () => {
  const webClient = await makeWebClient(await makeTenant(harness));
  const token = await tokenOf(webClient.id);
  const woken: (string | undefined)[] = [];
  harness.context.db.onSignal((signal) => woken.push(webClientOfSignal(signal)?.webClientId));
  const reply = await revoke(webClient.id);
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.body, { ...webClient, status: 'revoked' });
  assert.ok(woken.includes(webClient.id));
  assert.equal(await openLoginToken(harness.context, token), 'revoked');
  assert.deepEqual((await revoke(webClient.id)).body, reply.body, 'a second time changes nothing');
  assert.deepEqual(refusal(await mint(webClient.id)).slice(0, 2), [404, 'web_client_not_found']);
});

test("a deleted tenant's web clients are revoked, and no other's", async () => {
  const [gone, stays] = [await makeTenant(harness), await makeTenant(harness)];
  const [lost, kept] = [await makeWebClient(gone), await makeWebClient(stays)];
  const token = await tokenOf(lost.id);
  assert.equal((await harness.call('DELETE', `/v1/tenants/${gone}`)).status, 204);
  assert.equal(await openLoginToken(harness.context, token), 'revoked');
  assert.equal((await read(harness, `/web_clients?tenant_id=${gone}`)).data[0].status, 'revoked');
  assert.equal((await read(harness, `/web_clients?tenant_id=${stays}`)).data[0].status, 'active');
  assert.equal((await mint(kept.id)).status, 201);
});

test('a web client of the tenant is a valid ring target, one of another tenant or a revoked one is not', async () => {
  const tenantId = await makeTenant(harness);
  const [own, revoked] = [await makeWebClient(tenantId), await makeWebClient(tenantId)];
  const foreign = await makeWebClient(await makeTenant(harness));
  await revoke(revoked.id);
  const save = (target: string) =>
    harness.call('POST', '/v1/routing_configs', {
      body: { tenant_id: tenantId, name: 'x', open_behavior: { type: 'ring', targets: [newPerson(), target] } },
    });
  assert.equal((await save(own.id)).status, 201);
  for (const target of [foreign.id, revoked.id, 'wcl_none']) {
    assert.deepEqual(refusal(await save(target)), [404, 'web_client_not_found', 'open_behavior.targets[1]'], target);
  }
});

test("an agent may be a web client of the number's tenant, and of no other", async () => {
  const tenantId = await makeTenant(harness);
  const { id: from } = await buyNumber(harness, tenantId);
  const [own, revoked] = [await makeWebClient(tenantId), await makeWebClient(tenantId)];
  const foreign = await makeWebClient(await makeTenant(harness));
  await revoke(revoked.id);
  const place = (connect_to: string) =>
    harness.call('POST', '/v1/calls', { body: { from, to: newPerson(), connect_to } });
  const placed = await place(own.id);
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  assert.equal(placed.body.connect_to, own.id);
  for (const agent of [foreign.id, revoked.id]) {
    assert.deepEqual(refusal(await place(agent)), [404, 'web_client_not_found', 'connect_to']);
  }
  assert.deepEqual(refusal(await place('wcl_none')), [400, 'invalid_connect_to', 'connect_to']);
});

test("a tenant's key creates, lists and revokes only the web clients of its tenant", async () => {
  const [own, other] = [await makeTenant(harness), await makeTenant(harness)];
  const [mine, foreign] = [await makeWebClient(own), await makeWebClient(other)];
  const key = await harness.tenantKey(own);
  const list = await read(harness, '/web_clients', key);
  assert.deepEqual(
    list.data.map(({ id }: Json) => id),
    [mine.id],
  );
  for (const [method, path] of [
    ['DELETE', `/v1/web_clients/${foreign.id}`],
    ['POST', `/v1/web_clients/${foreign.id}/tokens`],
  ] as const) {
    assert.deepEqual(refusal(await harness.call(method, path, { key })).slice(0, 2), [403, 'tenant_restricted_key']);
  }
  const refused = await harness.call('POST', '/v1/web_clients', { key, body: { tenant_id: other } });
  assert.deepEqual(refusal(refused), [403, 'tenant_restricted_key', 'tenant_id']);
});

test('a repeated Idempotency-Key returns the first web client', async () => {
  const tenant_id = await makeTenant(harness);
  const headers = { 'idempotency-key': 'one web client' };
  const [first, again] = [await create({ tenant_id }, headers), await create({ tenant_id }, headers)];
  assert.equal(first.body.id, again.body.id);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
});
