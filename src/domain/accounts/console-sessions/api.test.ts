import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeToken, postToken, signIn } from '../../../../test/support/console.ts';
import { type Reply, useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { now } from '../../../lib/time/time.ts';
import { updateAccountStatus } from '../index.ts';

// The test controls the clock of the edge's memory, so that only expired entries are read again.
let nowMs = now();
const clock: Clock = { now: () => nowMs };

const harness = await useHarness({ startWorkers: false, clock });
const { db } = harness.context;
const accountId = harness.account.id;
const stranger = await harness.secondAccount();

function refused(reply: Reply, status: number, code: string): void {
  assert.deepEqual([reply.status, reply.body.error?.code], [status, code], JSON.stringify(reply.body));
}

describe('signing in', () => {
  test('a link opens one session', async () => {
    const token = await makeToken(harness);
    const replies = await Promise.all([postToken(harness, token), postToken(harness, token)]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 401]);
    refused(await postToken(harness, token), 401, 'invalid_sign_in_link');
  });

  test('a link that has expired opens none, and is gone', async () => {
    const token = await makeToken(harness);
    await sql(db, "update console_links set expires_at = now() - interval '1 second'");
    refused(await postToken(harness, token), 401, 'invalid_sign_in_link');
  });

  test('other texts open none', async () => {
    for (const token of ['x', 'a'.repeat(43), `${await makeToken(harness)}x`]) {
      refused(await postToken(harness, token), 401, 'invalid_sign_in_link');
    }
    refused(await postToken(harness, ' '), 400, 'missing_fields');
  });

  test('the cookie is for the console alone, and no script reads it', async () => {
    const { setCookie, session } = await signIn(harness);
    assert.match(setCookie, /^dialplane_console=[\w-]{43}; Path=\/console; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    const lifeMs = Date.parse(session.expires_at) - Date.parse(session.created_at);
    assert.equal(lifeMs, 12 * 60 * 60 * 1000);
  });

  test('neither the token nor the cookie is stored', async () => {
    const token = await makeToken(harness);
    const { cookie } = await signIn(harness);
    const rows = await sql<object>(
      db,
      'select l::text from console_links l union all select s::text from console_sessions s',
    );
    const stored = JSON.stringify(rows);
    assert.ok(!stored.includes(token) && !stored.includes(cookie.split('=')[1] as string));
  });

  test('a browser that signs in again ends its earlier session', async () => {
    const earlier = await signIn(harness);
    await postToken(harness, await makeToken(harness), { headers: { cookie: earlier.cookie } });
    refused(await earlier.call('GET', '/session'), 401, 'not_signed_in');
  });

  test('a link of an account signs in for that account alone', async () => {
    const { session, call } = await signIn(harness, accountId);
    assert.deepEqual([session.role, session.account_id, session.is_current], ['account', accountId, true]);
    const { body } = await call('GET', '/session');
    assert.equal(body.default_account_id, accountId);
    assert.match(body.version, /^\d+\.\d+\.\d+/);
  });
});

describe('a session', () => {
  test('without its cookie there is none', async () => {
    for (const cookie of ['', 'dialplane_console=', `dialplane_console=${'a'.repeat(43)}`, 'other=x']) {
      refused(
        await harness.call('GET', '/console/api/session', { key: null, headers: { cookie } }),
        401,
        'not_signed_in',
      );
    }
    const key = harness.account.test_key;
    refused(await harness.call('GET', '/console/api/session', { key }), 401, 'not_signed_in');
  });

  test('the cookie opens nothing beside the console', async () => {
    const { cookie } = await signIn(harness);
    refused(await harness.call('GET', '/v1/tenants', { key: null, headers: { cookie } }), 401, 'missing_api_key');
  });

  test('signing out removes the cookie, and the session is over', async () => {
    const { call } = await signIn(harness);
    const reply = await call('DELETE', '/session');
    assert.equal(reply.status, 204);
    assert.match(reply.headers.get('set-cookie') ?? '', /^dialplane_console=; Path=\/console; Max-Age=0; HttpOnly/);
    refused(await call('GET', '/session'), 401, 'not_signed_in');
  });

  test('a session ends after 12 hours, also if this process remembers it', async () => {
    const { session, call } = await signIn(harness);
    assert.equal((await call('GET', '/session')).status, 200);
    const before = nowMs;
    nowMs = Date.parse(session.expires_at);
    refused(await call('GET', '/session'), 401, 'not_signed_in');
    nowMs = before;
  });

  test('an ended session is refused at once here, and elsewhere within 5 seconds', async () => {
    const [operator, victim, other] = [await signIn(harness), await signIn(harness), await signIn(harness)];
    for (const { call } of [victim, other]) assert.equal((await call('GET', '/session')).status, 200);
    assert.equal((await operator.call('DELETE', `/sessions/${victim.session.id}`)).status, 204);
    refused(await victim.call('GET', '/session'), 401, 'not_signed_in');
    // Simulates a session that another process ended, with its notification lost.
    await sql(db, 'delete from console_sessions where id = $1', [other.session.id]);
    nowMs += 3_001;
    refused(await other.call('GET', '/session'), 401, 'not_signed_in');
  });

  test('a session of one account sees and ends the sessions of that account alone', async () => {
    const [own, sibling] = [await signIn(harness, stranger.id), await signIn(harness, stranger.id)];
    const [operator, foreign] = [await signIn(harness), await signIn(harness, accountId)];
    const { body } = await own.call('GET', '/sessions');
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [sibling.session.id, own.session.id],
    );
    assert.deepEqual(
      body.data.map((each: { is_current: boolean }) => each.is_current),
      [false, true],
    );
    for (const { session } of [operator, foreign]) {
      refused(await own.call('DELETE', `/sessions/${session.id}`), 404, 'console_session_not_found');
    }
    assert.equal((await own.call('DELETE', `/sessions/${sibling.session.id}`)).status, 204);
    const all = (await operator.call('GET', '/sessions?limit=100')).body.data;
    assert.ok(all.some(({ id }: { id: string }) => id === foreign.session.id));
  });
});

describe('requests of other sites', () => {
  test('are refused by what the browser says of them, reads too', async () => {
    const { call } = await signIn(harness);
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      refused(await call('GET', '/session', { headers }), 403, 'cross_site_request');
      refused(await call('DELETE', '/session', { headers }), 403, 'cross_site_request');
      refused(
        await call('POST', `/ledgers/${accountId}/test/v1/tenants`, { headers, body: { name: 'x' } }),
        403,
        'cross_site_request',
      );
      refused(await postToken(harness, await makeToken(harness), { headers }), 403, 'cross_site_request');
    }
    for (const headers of [
      { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' },
      { 'sec-fetch-site': 'none' },
    ]) {
      assert.equal((await call('GET', '/session', { headers })).status, 200);
    }
  });

  test('a change without the header of the console is refused', async () => {
    const { cookie } = await signIn(harness);
    const bare = { key: null, headers: { cookie } };
    refused(await harness.call('DELETE', '/console/api/session', bare), 403, 'cross_site_request');
    const tenants = `/console/api/ledgers/${accountId}/test/v1/tenants`;
    refused(await harness.call('POST', tenants, { ...bare, body: { name: 'x' } }), 403, 'cross_site_request');
    assert.equal((await harness.call('GET', tenants, bare)).status, 200);
    const token = await makeToken(harness);
    const reply = await harness.call('POST', '/console/api/session', { key: null, body: { token } });
    refused(reply, 403, 'cross_site_request');
  });
});

describe('the public API in the console', () => {
  test('an operator uses the ledgers of every account, each apart', async () => {
    const { call } = await signIn(harness);
    const made = await call('POST', `/ledgers/${stranger.id}/live/v1/tenants`, { body: { name: 'Live' } });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const names = async (path: string) =>
      (await call('GET', `/ledgers/${path}/v1/tenants`)).body.data.map(({ name }: { name: string }) => name);
    assert.deepEqual(await names(`${stranger.id}/live`), ['Live']);
    assert.deepEqual(await names(`${stranger.id}/test`), []);
    const { body } = await harness.call('GET', '/v1/tenants', { key: stranger.live_key });
    assert.equal(body.data[0].name, 'Live');
  });

  test('for a session of one account no other account exists', async () => {
    const { call } = await signIn(harness, accountId);
    assert.equal((await call('GET', `/ledgers/${accountId}/live/v1/tenants`)).status, 200);
    const foreign = await call('GET', `/ledgers/${stranger.id}/test/v1/tenants`);
    const unknown = await call('GET', '/ledgers/acct_none/test/v1/tenants');
    for (const reply of [foreign, unknown]) refused(reply, 404, 'account_not_found');
    assert.equal(foreign.body.error.message, unknown.body.error.message);
  });

  test('the session is the actor of the audit log, and the key of the request log', async () => {
    const { call, session } = await signIn(harness, accountId);
    const ledger = `/ledgers/${accountId}/test/v1`;
    const { body: key } = await call('POST', `${ledger}/api_keys`, { body: { name: 'Made in the console' } });
    const { body: log } = await call('GET', `${ledger}/audit_log?limit=1`);
    assert.deepEqual([log.data[0].action, log.data[0].resource_id], ['api_key.created', key.id]);
    assert.deepEqual(log.data[0].actor, { type: 'console', id: session.id });
    await call('GET', `${ledger}/tenants/tnt_none`);
    assert.equal((await call('POST', `${ledger}/realtime/tokens`, { body: {} })).status, 201);
    const { body: requests } = await call('GET', `${ledger}/request_log`);
    const made = requests.data.filter((each: { api_key_id: string }) => each.api_key_id === session.id);
    assert.deepEqual(
      made.map(({ method, route, status }: { method: string; route: string; status: number }) => [
        method,
        route,
        status,
      ]),
      [
        ['GET', '/v1/tenants/{tenant_id}', 404],
        ['POST', '/v1/api_keys', 201],
      ],
    );
  });

  test('a request of a suspended account is refused, and its session lives', async () => {
    const account = await harness.secondAccount();
    const { call } = await signIn(harness, account.id);
    await updateAccountStatus(db, account.id, 'suspended');
    refused(await call('GET', `/ledgers/${account.id}/test/v1/tenants`), 403, 'account_suspended');
    assert.equal((await call('GET', '/session')).status, 200);
  });

  test('only the paths of the API are led there', async () => {
    const { call } = await signIn(harness);
    for (const path of [
      `/ledgers/${accountId}/test/v2/tenants`,
      `/ledgers/${accountId}/other/v1/tenants`,
      `/ledgers/${accountId}/test/healthz`,
      `/ledgers/${accountId}/test/v1/../../healthz`,
      `/ledgers/${accountId}/test/v1/nothing`,
      '/nothing',
    ]) {
      refused(await call('GET', path), 404, 'not_found');
    }
  });

  test('a realtime token ends with the session that minted it', async () => {
    const { call, session } = await signIn(harness, accountId);
    const { body } = await call('POST', `/ledgers/${accountId}/test/v1/realtime/tokens`);
    const socket = new WebSocket(`${harness.url.replace('http', 'ws')}/v1/realtime?token=${body.token}`);
    const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)));
    await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
    await call('DELETE', `/sessions/${session.id}`);
    assert.equal(await closed, 4401);
  });
});

describe('accounts', () => {
  test('an operator makes accounts and sees all; a session of one account sees its own', async () => {
    const operator = await signIn(harness);
    const made = await operator.call('POST', '/accounts', { body: { name: 'Made in the console' } });
    assert.equal(made.status, 201);
    assert.deepEqual(Object.keys(made.body).sort(), ['created_at', 'id', 'name', 'object', 'status']);
    const { body: first } = await operator.call('GET', '/accounts?limit=1');
    assert.deepEqual([first.data[0].id, first.has_more], [made.body.id, true]);
    const { body: second } = await operator.call('GET', `/accounts?limit=100&after=${first.next_cursor}`);
    assert.ok(second.data.some(({ id }: { id: string }) => id === accountId));
    const own = await signIn(harness, accountId);
    const { body } = await own.call('GET', '/accounts');
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [accountId],
    );
    refused(await own.call('POST', '/accounts', { body: { name: 'x' } }), 403, 'operator_required');
    const { body: log } = await operator.call('GET', `/ledgers/${made.body.id}/live/v1/audit_log`);
    assert.deepEqual(log.data[0].actor, { type: 'console', id: operator.session.id });
  });
});

test('the sweep deletes expired links and sessions', async () => {
  const { session } = await signIn(harness);
  await sql(db, "update console_sessions set expires_at = now() - interval '1 second' where id = $1", [session.id]);
  const { sweepExpired } = await import('./queries.ts');
  assert.ok((await sweepExpired(db, 100)) > 0);
  assert.deepEqual(await sql(db, 'select from console_sessions where id = $1', [session.id]), []);
});
