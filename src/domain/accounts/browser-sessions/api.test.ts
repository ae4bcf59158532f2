import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Reply, startHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { makeTenant, useTenant } from '../../../../test/support/numbers.ts';
import { connectWebClient, makeWebClient } from '../../../../test/support/web-clients.ts';
import { OPERATIONS } from '../../../http/edge/abilities.ts';
import { ABILITIES, type Ability } from '../../../lib/abilities.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { now } from '../../../lib/time/time.ts';
import { sweepSessions } from './queries.ts';

let nowMs = now();
const clock: Clock = { now: () => nowMs };

const { harness, tenantId } = await useTenant({ startWorkers: false, clock });

const PATH = '/v1/browser_sessions';
const ORIGIN = 'https://app.example';

async function mint(fields: object = {}, key = harness.account.test_key) {
  const body = { tenant_id: tenantId, abilities: [...ABILITIES], ...fields };
  const reply = await harness.call('POST', PATH, { key, body });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}
const list = async (key = harness.account.test_key): Promise<string[]> =>
  (await harness.call('GET', `${PATH}?limit=100`, { key })).body.data.map(({ id }: { id: string }) => id);
const use = (key: string, path = '/v1/conversations', headers: Record<string, string> = {}) =>
  harness.call('GET', path, { key, headers });

function refused(reply: Reply, status: number, code: string, param?: string): void {
  assert.deepEqual([reply.status, reply.body.error?.code, reply.body.error?.param], [status, code, param]);
}

describe('minting', () => {
  test('the token is only in the first reply, and only its hash is stored', async () => {
    const { token, ...shown } = await mint({ abilities: ['calls:read'], allowed_origins: [ORIGIN] });
    assert.match(token, /^svcbs_test_[0-9A-Za-z]{32}$/);
    assert.deepEqual(shown, {
      id: shown.id,
      object: 'browser_session',
      tenant_id: tenantId,
      abilities: ['calls:read'],
      allowed_origins: [ORIGIN],
      web_client_id: null,
      reader: null,
      created_at: shown.created_at,
      expires_at: shown.expires_at,
    });
    assert.match(shown.id, /^brs_/);
    assert.equal(Date.parse(shown.expires_at) - Date.parse(shown.created_at), 3_600_000);
    const { body } = await harness.call('GET', PATH);
    assert.deepEqual(
      body.data.find(({ id }: { id: string }) => id === shown.id),
      shown,
    );
    const rows = await sql<object>(harness.context.db, 'select * from browser_sessions where id = $1', [shown.id]);
    assert.equal(rows.length, 1);
    assert.ok(!JSON.stringify([rows, body]).includes(token));
  });

  test('a session lasts between a minute and twelve hours', async () => {
    const { created_at, expires_at } = await mint({ expires_in_seconds: 43_200 });
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 43_200_000);
    for (const expires_in_seconds of [59, 43_201, 1.5]) {
      const body = { tenant_id: tenantId, abilities: ['calls:read'], expires_in_seconds };
      refused(await harness.call('POST', PATH, { body }), 400, 'invalid_body', 'expires_in_seconds');
    }
  });

  test('abilities are those of the list, each once, and origins have the spelling of browsers', async () => {
    const tried = async (fields: object, param: string) => {
      const body = { tenant_id: tenantId, abilities: ['phone'], ...fields };
      refused(await harness.call('POST', PATH, { body }), 400, 'invalid_body', param);
    };
    await tried({ abilities: [] }, 'abilities');
    await tried({ abilities: ['phone', 'phone'] }, 'abilities');
    await tried({ abilities: ['tenants:delete'] }, 'abilities[0]');
    await tried({ allowed_origins: [] }, 'allowed_origins');
    for (const origin of ['*', 'null', 'app.example', 'https://app.example/', 'https://App.example', 'https://*.a.b']) {
      await tried({ allowed_origins: [ORIGIN, origin] }, 'allowed_origins[1]');
    }
  });

  test("a tenant's key mints for its tenant only, and sees and revokes its sessions only", async () => {
    const key = await harness.tenantKey(tenantId);
    const other = await makeTenant(harness);
    const body = { tenant_id: other, abilities: ['phone'] };
    refused(await harness.call('POST', PATH, { key, body }), 403, 'tenant_restricted_key', 'tenant_id');
    const [own, foreign] = [await mint({}, key), await mint({ tenant_id: other })];
    const seen = await list(key);
    assert.deepEqual([seen.includes(own.id), seen.includes(foreign.id)], [true, false]);
    refused(await harness.call('DELETE', `${PATH}/${foreign.id}`, { key }), 403, 'tenant_restricted_key');
    assert.equal((await harness.call('DELETE', `${PATH}/${own.id}`, { key })).status, 204);
  });

  test('a web client of another tenant is not found', async () => {
    const { id } = await makeWebClient(harness, await makeTenant(harness));
    const body = { tenant_id: tenantId, abilities: ['phone'], web_client_id: id };
    refused(await harness.call('POST', PATH, { body }), 404, 'web_client_not_found', 'web_client_id');
  });
});

describe('abilities', () => {
  const knock = (key: string, operation: string) => {
    const [method = '', path = ''] = operation.split(' ');
    const body = method === 'POST' ? { body: {} } : {};
    return harness.call(method, path.replaceAll(/:\w+/g, 'none'), { key, ...body });
  };
  const isRefused = ({ status, body }: Reply) => status === 403 && body.error.code === 'key_not_permitted';

  for (const ability of ABILITIES) {
    test(`${ability} opens its operations and no others`, async () => {
      const { token } = await mint({ abilities: [ability] });
      for (const [other, operations] of Object.entries(OPERATIONS) as [Ability, string[]][]) {
        for (const operation of operations) {
          const isOpen = other === ability || OPERATIONS[ability].includes(operation);
          assert.equal(isRefused(await knock(token, operation)), !isOpen, operation);
          nowMs += 1_000;
        }
      }
    });
  }

  test('every operation outside of the table is refused', async () => {
    const { paths } = (await harness.call('GET', '/v1/openapi.json', { key: null })).body;
    const all = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    const open = new Set(Object.values(OPERATIONS).flat());
    for (const operation of open) assert.ok(all.includes(operation), `${operation} does not exist`);
    const { token } = await mint();
    const closed = all.filter((operation) => !open.has(operation) && operation !== 'GET /v1/openapi.json');
    assert.ok(closed.length > 60);
    for (const operation of closed) {
      assert.ok(isRefused(await knock(token, operation)), operation);
      nowMs += 1_000;
    }
  });

  test("a session sees its own tenant's data only", async () => {
    const other = await makeTenant(harness);
    const { token } = await mint();
    refused(await use(token, `/v1/conversations?tenant_id=${other}`), 403, 'tenant_restricted_key', 'tenant_id');
    const stranger = await harness.secondAccount();
    const { body } = await harness.call('POST', '/v1/tenants', { key: stranger.test_key, body: { name: 'x' } });
    refused(await use(token, `/v1/conversations?tenant_id=${body.id}`), 404, 'tenant_not_found', 'tenant_id');
    const { id } = await makeWebClient(harness, other);
    refused(await harness.call('POST', `/v1/web_clients/${id}/tokens`, { key: token }), 403, 'tenant_restricted_key');
  });

  test('a session of one web client logs in no other', async () => {
    const [own, other] = [await makeWebClient(harness, tenantId), await makeWebClient(harness, tenantId)];
    const { token: key } = await mint({ abilities: ['phone'], web_client_id: own.id });
    assert.equal((await harness.call('POST', `/v1/web_clients/${own.id}/tokens`, { key })).status, 201);
    refused(await harness.call('POST', `/v1/web_clients/${other.id}/tokens`, { key }), 403, 'key_not_permitted');
  });
});

describe('the end of a session', () => {
  test('a revoked session is refused at once, is in no list, and may be revoked again', async () => {
    const { id, token } = await mint();
    assert.equal((await use(token)).status, 200);
    for (let times = 0; times < 2; times++) {
      assert.equal((await harness.call('DELETE', `${PATH}/${id}`)).status, 204);
      refused(await use(token), 401, 'invalid_api_key');
    }
    assert.ok(!(await list()).includes(id));
  });

  test('a session ends within 5 s with the key that minted it, and with its tenant', async () => {
    const made = await harness.call('POST', '/v1/api_keys', { body: { name: 'Backend' } });
    const ofKey = await mint({}, made.body.key);
    const gone = await makeTenant(harness);
    const ofTenant = await mint({ tenant_id: gone });
    for (const { token } of [ofKey, ofTenant]) assert.equal((await use(token)).status, 200);
    await harness.call('DELETE', `/v1/api_keys/${made.body.id}`);
    await harness.call('DELETE', `/v1/tenants/${gone}`);
    nowMs += 5_000;
    for (const { token, id } of [ofKey, ofTenant]) {
      refused(await use(token), 401, 'invalid_api_key');
      assert.ok(!(await list()).includes(id));
    }
  });

  test('an expired session is refused, and the sweep deletes it', async () => {
    const [{ id, token }, kept] = [await mint(), await mint()];
    await sql(harness.context.db, `update browser_sessions set expires_at = now() where id = $1`, [id]);
    refused(await use(token), 401, 'invalid_api_key');
    await sweepSessions(harness.context.db, 100);
    const rows = await sql<{ id: string }>(harness.context.db, 'select id from browser_sessions', []);
    const ids = rows.map((row) => row.id);
    assert.deepEqual([ids.includes(id), ids.includes(kept.id)], [false, true]);
  });

  test('a session has a rate of its own', async () => {
    const limited = await startHarness({ startWorkers: false, settings: { rateLimit: true }, clock: { now: () => 0 } });
    const tenant = await makeTenant(limited);
    const body = { tenant_id: tenant, abilities: ['conversations:read'] };
    const { token: key } = (await limited.call('POST', PATH, { body })).body;
    for (let n = 0; n < 60; n++) assert.equal((await limited.call('GET', '/v1/messages', { key })).status, 200);
    refused(await limited.call('GET', '/v1/messages', { key }), 429, 'rate_limited');
    assert.equal((await limited.call('GET', '/v1/messages')).status, 200);
    await limited.close();
  });
});

describe('sockets', () => {
  test("a realtime token of a session carries its tenant's events, and its socket ends with the session", async () => {
    const { id, token: key } = await mint({ abilities: ['events:read'] });
    const minted = await harness.call('POST', '/v1/realtime/tokens', { key });
    assert.equal(minted.status, 201);
    const socket = new WebSocket(`${harness.url.replace(/^http/, 'ws')}/v1/realtime?token=${minted.body.token}`);
    const closed = Promise.withResolvers<number>();
    socket.onclose = ({ code }) => closed.resolve(code);
    const received: string[] = [];
    socket.onmessage = ({ data }) => received.push(String(data));
    await new Promise((resolve) => {
      socket.onopen = resolve;
    });
    const optOut = (tenant_id: string) =>
      harness.call('POST', '/v1/opt_outs', { body: { tenant_id, external_number: '+16025550177' } });
    await optOut(await makeTenant(harness));
    await optOut(tenantId);
    const events = () => received.filter((text) => text.includes('opt_out.created'));
    await until('the event arrives', () => events().length > 0);
    assert.equal(events().length, 1);
    assert.ok(events()[0]?.includes(tenantId));
    await harness.call('DELETE', `${PATH}/${id}`);
    assert.equal(await closed.promise, 4401);
  });

  test('without calls:place a web client is refused to dial, except 911; it ends with the session', async () => {
    const { id: webClientId } = await makeWebClient(harness, tenantId);
    const { id, token: key } = await mint({ abilities: ['phone'] });
    const login = await harness.call('POST', `/v1/web_clients/${webClientId}/tokens`, { key });
    const phone = await connectWebClient(harness, login.body.token);
    await phone.receive('registered');
    phone.send({ type: 'place', to: '+16025550143', ref: 'one' });
    assert.equal((await phone.receive('error')).code, 'key_not_permitted');
    phone.send({ type: 'place', to: '911', ref: 'two' });
    assert.notEqual((await phone.receive('error')).code, 'key_not_permitted');
    await harness.call('DELETE', `${PATH}/${id}`);
    assert.equal(await phone.closed, 4403);
    assert.equal(await (await connectWebClient(harness, login.body.token)).closed, 4401);
  });
});

describe('pages of other origins', () => {
  const preflight = (path: string, method: string, origin = ORIGIN) =>
    fetch(`${harness.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
    });

  test('a preflight is answered on operations that sessions open, without credentials, and on no others', async () => {
    const { status, headers } = await preflight('/v1/conversations/cnv_1/timeline', 'GET');
    assert.equal(status, 204);
    assert.deepEqual(
      ['origin', 'methods', 'headers', 'credentials'].map((name) => headers.get(`access-control-allow-${name}`)),
      [ORIGIN, 'GET', 'authorization, content-type, idempotency-key, range', null],
    );
    assert.equal((await preflight('/v1/messages', 'POST')).headers.get('access-control-allow-methods'), 'GET, POST');
    for (const path of ['/v1/tenants', '/v1/api_keys', '/v1/browser_sessions', '/v1/nothing', '/v1/messages/x/y']) {
      const reply = await preflight(path, 'GET');
      assert.notEqual(reply.status, 204, path);
      assert.equal(reply.headers.get('access-control-allow-origin'), null, path);
    }
  });

  test('a page reads replies and refusals of its token; a key gets no such headers', async () => {
    const { token } = await mint({ abilities: ['conversations:read'] });
    const origins = async (key: string, path = '/v1/conversations') =>
      (await use(key, path, { origin: ORIGIN })).headers.get('access-control-allow-origin');
    assert.equal(await origins(token), ORIGIN);
    assert.equal(await origins(token, '/v1/calls'), ORIGIN);
    assert.equal(await origins(`svcbs_test_${'0'.repeat(32)}`), ORIGIN);
    assert.equal(await origins(token, '/v1/tenants'), null);
    assert.equal(await origins(harness.account.test_key), null);
  });

  test('a token with origins is refused to pages of others, which read why, and to requests without one', async () => {
    const { token } = await mint({ allowed_origins: [ORIGIN] });
    assert.equal((await use(token, '/v1/conversations', { origin: ORIGIN })).status, 200);
    for (const origin of ['https://evil.example', 'null']) {
      const reply = await use(token, '/v1/conversations', { origin });
      refused(reply, 403, 'key_not_permitted');
      assert.ok(reply.body.error.message.includes(`pages of ${origin}:`), reply.body.error.message);
      assert.equal(reply.headers.get('access-control-allow-origin'), origin);
    }
    const reply = await use(token, '/v1/conversations', {});
    refused(reply, 403, 'key_not_permitted');
    assert.equal(reply.headers.get('access-control-allow-origin'), null);
  });
});
