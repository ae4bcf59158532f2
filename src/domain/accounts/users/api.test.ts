/** The people of the console: their rights, and their names in the log of changes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Browser, signIn, signInUser } from '../../../../test/support/console.ts';
import { type Reply, useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { now } from '../../../lib/time/time.ts';

// The test controls the clock of the edge's memory, so that only expired entries are read again.
const clock: Clock = { now: () => startedMs };
const startedMs = now();

const harness = await useHarness({ startWorkers: false, clock });
const { db } = harness.context;
const accountId = harness.account.id;
const stranger = await harness.secondAccount();
const operator = await signIn(harness);

let people = 0;
const newEmail = () => `person${people++}@example.com`;

function refused(reply: Reply, status: number, code: string, param?: string): void {
  const { error } = reply.body ?? {};
  assert.deepEqual([reply.status, error?.code, error?.param], [status, code, param], JSON.stringify(reply.body));
}

/** Adds a user as an operator. */
async function add(role: string, account: string | null = role === 'operator' ? null : accountId) {
  const body = { email: newEmail(), role, account_id: account };
  const reply = await operator.call('POST', '/users', { body });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

/** Signs a new user in. */
async function enter(role: string, account?: string | null) {
  const user = await add(role, account);
  return { user, browser: await signInUser(harness, operator, user.id) };
}

const TENANTS = (account = accountId) => `/ledgers/${account}/test/v1/tenants`;
const listTenants = ({ call }: Browser, account = accountId) => call('GET', TENANTS(account));
const makeTenant = ({ call }: Browser) => call('POST', TENANTS(), { body: { name: 'Made by a user' } });

describe('users', () => {
  test('a user has one address, in lower case, and one role', async () => {
    const email = newEmail();
    const body = { email: email.toUpperCase(), role: 'viewer', account_id: accountId };
    const made = await operator.call('POST', '/users', { body });
    assert.equal(made.status, 201);
    const { id, created_at, ...shown } = made.body;
    assert.match(id, /^usr_/);
    assert.deepEqual(shown, {
      ...{ object: 'user', email, role: 'viewer', account_id: accountId },
      ...{ is_by_claim: false, last_signed_in_at: null },
    });
    refused(await operator.call('POST', '/users', { body }), 409, 'email_taken', 'email');
  });

  test('a role that does not fit the account is refused, and so are other accounts', async () => {
    const post = (fields: object) => operator.call('POST', '/users', { body: { email: newEmail(), ...fields } });
    refused(await post({ role: 'operator', account_id: accountId }), 400, 'invalid_body', 'account_id');
    refused(await post({ role: 'admin' }), 400, 'invalid_body', 'account_id');
    refused(await post({ role: 'admin', account_id: 'acct_none' }), 404, 'account_not_found', 'account_id');
    refused(await post({ role: 'owner', account_id: accountId }), 400, 'invalid_body', 'role');
    refused(await post({ role: 'operator', email: 'dana' }), 400, 'invalid_body', 'email');
  });

  test('an admin has the users of the own account, and makes no operators', async () => {
    const { user, browser } = await enter('admin', stranger.id);
    const foreign = await add('viewer');
    const { body } = await browser.call('GET', '/users');
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [user.id],
    );
    const post = (fields: object) => browser.call('POST', '/users', { body: { email: newEmail(), ...fields } });
    const made = await post({ role: 'viewer' });
    assert.deepEqual([made.status, made.body.account_id], [201, stranger.id]);
    refused(await post({ role: 'operator' }), 403, 'operator_required', 'role');
    refused(await post({ role: 'viewer', account_id: accountId }), 404, 'account_not_found', 'account_id');
    for (const [method, path, sent] of [
      ['PATCH', `/users/${foreign.id}`, { role: 'admin' }],
      ['DELETE', `/users/${foreign.id}`, undefined],
      ['POST', `/users/${foreign.id}/sign_in_link`, undefined],
    ] as const) {
      refused(await browser.call(method, path, sent && { body: sent }), 404, 'user_not_found');
    }
    refused(
      await browser.call('PATCH', `/users/${user.id}`, { body: { role: 'operator' } }),
      ...([403, 'operator_required', 'role'] as const),
    );
  });
});

describe('sessions of users', () => {
  test('a session is named by its user, and so are the changes that it makes', async () => {
    const { user, browser } = await enter('admin');
    const name = { id: user.id, email: user.email };
    assert.deepEqual([browser.session.role, browser.session.user], ['admin', name]);
    const { body } = await operator.call('GET', '/sessions');
    const listed = body.data.find(({ id }: { id: string }) => id === browser.session.id);
    assert.deepEqual(listed.user, name);
    const tenant = await makeTenant(browser);
    assert.equal(tenant.status, 201);
    const log = await harness.call('GET', '/v1/audit_log');
    const entry = log.body.data.find(({ resource_id }: { resource_id: string }) => resource_id === tenant.body.id);
    assert.deepEqual(entry.actor, { type: 'user', ...name });
    const signedIn = await sql<{ at: Date | null }>(db, 'select last_signed_in_at as at from users where id = $1', [
      user.id,
    ]);
    assert.ok(signedIn[0]?.at instanceof Date);
  });

  test('a role that changes is that of open sessions at once, and links that are out open nothing', async () => {
    const { user, browser } = await enter('admin');
    assert.equal((await makeTenant(browser)).status, 201);
    const link = await operator.call('POST', `/users/${user.id}/sign_in_link`);
    const changed = await operator.call('PATCH', `/users/${user.id}`, { body: { role: 'viewer' } });
    assert.deepEqual([changed.status, changed.body.role], [200, 'viewer']);
    refused(await makeTenant(browser), 403, 'key_not_permitted');
    assert.equal((await browser.call('GET', '/session')).body.role, 'viewer');
    const late = await harness.call('POST', '/console/api/session', {
      ...{ key: null, headers: { 'dialplane-console': '1' }, body: { token: link.body.url.split('#')[1] } },
    });
    refused(late, 401, 'invalid_sign_in_link');
  });

  test('a user who becomes an operator opens every account, and one who moves opens the new one alone', async () => {
    const { user, browser } = await enter('admin');
    refused(await listTenants(browser, stranger.id), 404, 'account_not_found');
    await operator.call('PATCH', `/users/${user.id}`, { body: { role: 'operator' } });
    assert.equal((await listTenants(browser, stranger.id)).status, 200);
    await operator.call('PATCH', `/users/${user.id}`, { body: { role: 'support', account_id: stranger.id } });
    refused(await listTenants(browser), 404, 'account_not_found');
    assert.equal((await listTenants(browser, stranger.id)).status, 200);
  });

  test('the sessions of a removed user are refused at once', async () => {
    const { user, browser } = await enter('support');
    assert.equal((await operator.call('DELETE', `/users/${user.id}`)).status, 204);
    refused(await browser.call('GET', '/session'), 401, 'not_signed_in');
    refused(await operator.call('DELETE', `/users/${user.id}`), 404, 'user_not_found');
    const log = await harness.call('GET', '/v1/audit_log');
    const actions = log.body.data.flatMap((entry: { resource_id: string; action: string; details: object }) =>
      entry.resource_id === user.id ? [[entry.action, entry.details]] : [],
    );
    const details = { email: user.email, role: 'support' };
    assert.deepEqual(actions, [
      ['user.removed', details],
      ['user.added', details],
    ]);
  });

  test('who may not change the account sees and ends the own sessions alone', async () => {
    const { user, browser } = await enter('viewer');
    const [second, other] = [await signInUser(harness, operator, user.id), await enter('viewer')];
    const { body } = await browser.call('GET', '/sessions');
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [second.session.id, browser.session.id],
    );
    const foreign = `/sessions/${other.browser.session.id}`;
    refused(await browser.call('DELETE', foreign), 404, 'console_session_not_found');
    assert.equal((await browser.call('DELETE', `/sessions/${second.session.id}`)).status, 204);
    refused(await second.call('GET', '/session'), 401, 'not_signed_in');
  });
});
