/** What operators do with accounts in the console. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signIn } from '../../../test/support/console.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { sql } from '../../../test/support/jobs.ts';
import { makeLive } from '../../../test/support/make-live.ts';
import { findOnSale } from '../../../test/support/numbers.ts';
import { listLedgers } from '../../domain/accounts/index.ts';

const harness = await useHarness({ startWorkers: false });
const { account, context } = harness;
const operator = await signIn(harness);
const other = await harness.secondAccount();

const standingOf = async (id: string) => {
  const { body } = await operator.call('GET', '/account_standings');
  return body.data.find(({ account_id }: { account_id: string }) => account_id === id);
};
const credit = (body: object, id = account.id) => operator.call('POST', `/accounts/${id}/credit`, { body });
const latestActor = async (key: string) => (await harness.call('GET', '/v1/audit_log', { key })).body.data[0];

test('a credit is added once for each reference, and is in the audit log of live mode', async () => {
  const first = await credit({ amount_usd: '250.50', reference: 'wire 7' });
  assert.deepEqual(first.body, {
    ...{ object: 'account_credit', account_id: account.id, is_credited: true, balance_usd: '250.50' },
  });
  const again = await credit({ amount_usd: '250.50', reference: 'wire 7' });
  assert.deepEqual([again.body.is_credited, again.body.balance_usd], [false, '250.50']);
  assert.equal((await credit({ amount_usd: '0.0001', reference: 'wire 8' })).body.balance_usd, '250.5001');
  assert.equal((await standingOf(account.id)).balance_usd, '250.5001');
  assert.equal((await standingOf(other.id)).balance_usd, '0.00');
  const entry = await latestActor(account.live_key);
  assert.deepEqual([entry.action, entry.details], ['account.credited', { amount_usd: '0.0001', reference: 'wire 8' }]);
  assert.deepEqual(entry.actor, { type: 'console', id: operator.session.id });
});

test('an amount that is none is refused with its field, and an unknown account is not found', async () => {
  for (const amount_usd of ['0', '0.00', '-5', '1e3', '1.2345678', 'ten', 5]) {
    const { status, body } = await credit({ amount_usd, reference: 'x' });
    assert.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_body', 'amount_usd'], `${amount_usd}`);
  }
  assert.equal((await credit({ amount_usd: '5' })).body.error.param, 'reference');
  for (const path of ['suspend', 'resume', 'credit']) {
    const body = path === 'credit' ? { amount_usd: '5', reference: 'x' } : undefined;
    const reply = await operator.call('POST', `/accounts/acct_none/${path}`, body && { body });
    assert.deepEqual([reply.status, reply.body.error.code], [404, 'account_not_found'], path);
  }
});

test('a suspended account is refused, is seen as suspended, and is resumed', async () => {
  const { body } = await operator.call('POST', `/accounts/${other.id}/suspend`);
  assert.deepEqual([body.id, body.status], [other.id, 'suspended']);
  assert.equal((await standingOf(other.id)).status, 'suspended');
  const refused = await harness.call('GET', '/v1/tenants', { key: other.live_key });
  assert.equal(refused.body.error.code, 'account_suspended');
  assert.equal((await operator.call('POST', `/accounts/${other.id}/resume`)).body.status, 'active');
  const { db } = context;
  const ledgerIds = (await listLedgers(db, other.id)).map(({ id }) => id);
  const entries = await sql<{ action: string }>(
    db,
    'select action from audit_log where ledger_id = any($1) and resource_id = $2 order by action, ledger_id',
    [ledgerIds, other.id],
  );
  const actions = entries.map(({ action }) => action).filter((action) => action !== 'account.created');
  assert.deepEqual(actions, ['account.resumed', 'account.resumed', 'account.suspended', 'account.suspended']);
});

test('the list is read page by page, newest account first', async () => {
  const first = await operator.call('GET', '/account_standings?limit=1');
  assert.deepEqual([first.body.data[0].account_id, first.body.has_more], [other.id, true]);
  const next = await operator.call('GET', `/account_standings?limit=1&after=${first.body.next_cursor}`);
  assert.deepEqual([next.body.data[0].account_id, next.body.has_more], [account.id, false]);
});

test('texts and calls of the last 24 hours that failed are counted, those before are not', async () => {
  const { id, test_key: key } = await harness.secondAccount();
  const post = async (path: string, body: object) => {
    const reply = await harness.call('POST', `/v1${path}`, { key, body });
    assert.ok(reply.status < 300, JSON.stringify(reply.body));
    return reply.body;
  };
  const { id: tenant_id } = await post('/tenants', { name: 'Fails' });
  const { id: from } = await post('/phone_numbers', { tenant_id, phone_number: await findOnSale(harness, key) });
  for (const body of ['one', 'two', 'three']) await post('/messages', { from, to: '+16025550143', body });
  for (const to of ['+16025550144', '+16025550145']) await post('/calls', { from, to, connect_to: '+16025550120' });
  const { db } = context;
  await sql(db, `update messages set status = 'failed' where tenant_id = $1`, [tenant_id]);
  await sql(db, `update calls set status = 'failed', outcome = 'failed' where tenant_id = $1`, [tenant_id]);
  for (const [table, column] of [
    ['messages', 'created_at'],
    ['calls', 'started_at'],
  ]) {
    await sql(
      db,
      `update ${table} set ${column} = ${column} - interval '25 hours'
       where id = (select min(id) from ${table} where tenant_id = $1)`,
      [tenant_id],
    );
  }
  await makeLive(context.db, id);
  const { failed_texts, failed_calls } = await standingOf(id);
  assert.deepEqual([failed_texts, failed_calls], [2, 1]);
  assert.equal((await standingOf(account.id)).failed_texts, 0);
});

test('endpoints of live mode that fail are counted', async () => {
  const before = await standingOf(account.id);
  assert.deepEqual([before.failed_texts, before.failed_calls, before.failing_endpoints], [0, 0, 0]);
  const { body } = await harness.call('POST', '/v1/webhook_endpoints', {
    ...{ key: account.live_key, body: { url: 'https://platform.example/hooks' } },
  });
  await sql(context.db, 'update webhook_endpoints set failing_since = now() where id = $1', [body.id]);
  assert.equal((await standingOf(account.id)).failing_endpoints, 1);
  await harness.call('DELETE', `/v1/webhook_endpoints/${body.id}`, { key: account.live_key });
  assert.equal((await standingOf(account.id)).failing_endpoints, 0);
});

test('calls to 911 of the last 24 hours and numbers that another carrier asks for are counted', async () => {
  const { id, test_key: key } = await harness.secondAccount();
  const tenant = await harness.call('POST', '/v1/tenants', { key, body: { name: 'Asked for' } });
  const body = { tenant_id: tenant.body.id, phone_number: await findOnSale(harness, key) };
  const number = await harness.call('POST', '/v1/phone_numbers', { key, body });
  await makeLive(context.db, id);
  const { db } = context;
  const ledgerId = (await listLedgers(db, id)).find(({ mode }) => mode === 'live')?.id;
  const counts = async () => {
    const { emergency_calls, port_outs } = await standingOf(id);
    return [emergency_calls, port_outs];
  };
  assert.deepEqual(await counts(), [0, 0]);
  for (const [event, hours] of [
    ['evt_1', 1],
    ['evt_2', 25],
  ] as const) {
    await sql(
      db,
      `insert into events (ledger_id, id, tenant_id, type, event_version, resource_id, sequence, data, created_at)
       values ($1, $2, $3, 'emergency_call.placed', '1', 'call_1', 1, '{}', now() - make_interval(hours => $4))`,
      [ledgerId, event, tenant.body.id, hours],
    );
  }
  await sql(
    db,
    `insert into number_port_outs (ledger_id, number_id, status, reported_at) values ($1, $2, 'pending', now())`,
    [ledgerId, number.body.id],
  );
  assert.deepEqual(await counts(), [1, 1]);
  await sql(db, `update number_port_outs set status = 'rejected' where number_id = $1`, [number.body.id]);
  assert.deepEqual(await counts(), [1, 0]);
});
