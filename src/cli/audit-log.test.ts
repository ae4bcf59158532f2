import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere } from '../../test/support/cli-process.ts';
import { TEST_SECRET, useHarness } from '../../test/support/harness.ts';

const harness = await useHarness({ startWorkers: false });

type Entry = { actor: { type: string; id: string }; action: string; resource_id: string; details: object };

const dialplane = (...words: string[]) =>
  runHere(words, { DATABASE_URL: harness.databaseUrl, DIALPLANE_SECRET: TEST_SECRET });

async function json(...words: string[]) {
  const { code, out, err } = await dialplane(...words, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

/** The account's log in the mode of the key, oldest first. */
async function log(key: string) {
  const { body } = await harness.call('GET', '/v1/audit_log', { key });
  assert.ok(!JSON.stringify(body).includes('svc_'));
  return body.data
    .map(({ actor, action, resource_id, details }: Entry) => [actor.type, actor.id, action, resource_id, details])
    .reverse();
}

test('the audit log has the commands of the operator, in both modes if they concern the account', async () => {
  const account = await json('accounts', 'create', 'To audit');
  await json('accounts', 'suspend', account.id);
  await json('accounts', 'resume', account.id);
  const ofAccount = [
    ['operator', 'accounts create', 'account.created', account.id, {}],
    ['operator', 'accounts suspend', 'account.suspended', account.id, {}],
    ['operator', 'accounts resume', 'account.resumed', account.id, {}],
  ];
  assert.deepEqual(await log(account.test_key), ofAccount);
  assert.deepEqual(await log(account.live_key), ofAccount);
});

test('the audit log has credits, and what the operator does to keys, in the mode that it concerns', async () => {
  const { id, live_key: key } = harness.account;
  await json('accounts', 'credit', id, '5', '--reference', 'wire 8');
  const made = await json('keys', 'create', '--account', id, '--mode', 'live');
  const next = await json('keys', 'rotate', made.id, '--expires-in', '9');
  await json('keys', 'revoke', made.id);
  const about = { tenant_id: null, last4: made.last4 };
  const rotated = { tenant_id: null, last4: next.last4, new_key_id: next.id, expires_in_seconds: 9 };
  assert.deepEqual((await log(key)).slice(1), [
    ['operator', 'accounts credit', 'account.credited', id, { amount_usd: '5.00', reference: 'wire 8' }],
    ['operator', 'keys create', 'api_key.created', made.id, about],
    ['operator', 'keys rotate', 'api_key.rotated', made.id, rotated],
    ['operator', 'keys revoke', 'api_key.revoked', made.id, about],
  ]);
  assert.equal((await log(harness.account.test_key)).length, 1);
});

test('a group of commands shows its own help', async () => {
  for (const [group, own, other] of [
    ['accounts', 'accounts credit ACCOUNT_ID', 'keys list'],
    ['keys', 'keys rotate KEY_ID', 'accounts list'],
  ] as const) {
    const { code, out, err } = await dialplane(group, '--help');
    assert.deepEqual([code, err], [0, '']);
    assert.ok(out.includes(own) && !out.includes(other), out);
  }
});
