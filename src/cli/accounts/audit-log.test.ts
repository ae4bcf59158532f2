import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runHere } from '../../../test/support/cli-process.ts';
import { TEST_SECRET, useHarness } from '../../../test/support/harness.ts';
import { makeTenant } from '../../../test/support/numbers.ts';
import { PAPER_KEY, PAPER_KIND } from '../../../test/support/paper-carrier.ts';

const harness = await useHarness({ startWorkers: false });
const folder = await mkdtemp(join(tmpdir(), 'dialplane-audit-'));
after(() => rm(folder, { recursive: true, force: true }));

type Entry = { actor: { type: string; id: string }; action: string; resource_id: string; details: object };

const dialplane = (...words: string[]) =>
  runHere(words, { DATABASE_URL: harness.databaseUrl, DIALPLANE_SECRET: TEST_SECRET }, [PAPER_KIND]);

async function json(...words: string[]) {
  const { code, out, err } = await dialplane(...words, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

/** Returns the log of the key's account in the key's mode, oldest first. */
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
  const about = { permissions: 'write', last4: made.last4 };
  const rotated = { permissions: 'write', last4: next.last4, new_key_id: next.id, expires_in_seconds: 9 };
  assert.deepEqual((await log(key)).slice(1), [
    ['operator', 'accounts credit', 'account.credited', id, { amount_usd: '5.00', reference: 'wire 8' }],
    ['operator', 'keys create', 'api_key.created', made.id, about],
    ['operator', 'keys rotate', 'api_key.rotated', made.id, rotated],
    ['operator', 'keys revoke', 'api_key.revoked', made.id, about],
  ]);
  assert.equal((await log(harness.account.test_key)).length, 1);
});

test('the live log of each account has what the operator does to a connection that the account may use', async () => {
  const [one, other] = [await json('accounts', 'create', 'One'), await json('accounts', 'create', 'Other')];
  const secrets = join(folder, 'secrets');
  await writeFile(secrets, `api_key=${PAPER_KEY}`);
  const add = (name: string, ...more: string[]) =>
    json('carriers', 'add', 'paper', name, '--set', 'region=us', '--secrets-from', secrets, ...more);
  const shared = await add('shared');
  const own = await add('own', '--account', one.id);
  await json('carriers', 'use', 'voice', 'shared');
  await json('carriers', 'use', 'voice', 'own', '--account', one.id);
  for (const verb of ['drain', 'disable', 'enable']) await json('carriers', verb, 'shared');

  const about = { kind: 'paper', name: 'shared' };
  const ofShared = [
    ['operator', 'carriers add', 'carrier_connection.added', shared.id, about],
    ['operator', 'carriers use', 'carrier_connection.chosen', shared.id, { ...about, capability: 'voice' }],
    ['operator', 'carriers drain', 'carrier_connection.drained', shared.id, about],
    ['operator', 'carriers disable', 'carrier_connection.disabled', shared.id, about],
    ['operator', 'carriers enable', 'carrier_connection.enabled', shared.id, about],
  ];
  assert.deepEqual((await log(other.live_key)).slice(1), ofShared);
  const ofOwn = (await log(one.live_key)).filter(([, , , id]: string[]) => id === own.id);
  const details = { kind: 'paper', name: 'own' };
  assert.deepEqual(ofOwn, [
    ['operator', 'carriers add', 'carrier_connection.added', own.id, details],
    ['operator', 'carriers use', 'carrier_connection.chosen', own.id, { ...details, capability: 'voice' }],
  ]);
  assert.equal((await log(other.test_key)).length, 1);
});

test('the live log of an account has the numbers that the operator imports', async () => {
  const account = await json('accounts', 'create', 'Imports');
  const secrets = join(folder, 'secrets-of-import');
  await writeFile(secrets, `api_key=${PAPER_KEY}`);
  await json('carriers', 'add', 'paper', 'imports', '--set', 'region=us', '--secrets-from', secrets);
  const tenantId = await makeTenant(harness, account.live_key);
  const file = join(folder, 'numbers');
  await writeFile(file, '+14155550188');
  await json('numbers', 'import', file, '--connection', 'imports', '--tenant', tenantId);
  const [[type, command, action, , details]] = (await log(account.live_key)).slice(-1);
  assert.deepEqual(
    [type, command, action, details],
    ['operator', 'numbers import', 'phone_number.imported', { phone_number: '+14155550188' }],
  );
});

test('a group of commands shows its own help', async () => {
  for (const [group, own, other] of [
    ['accounts', 'credit ACCOUNT_ID', 'rotate KEY_ID'],
    ['keys', 'rotate KEY_ID', 'credit ACCOUNT_ID'],
  ] as const) {
    const { code, out, err } = await dialplane(group, '--help');
    assert.deepEqual([code, err], [0, '']);
    assert.ok(out.includes(own) && !out.includes(other), out);
  }
});
