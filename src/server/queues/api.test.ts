import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from '../../../test/contract/requests.ts';
import { signIn } from '../../../test/support/console.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { databaseMs, sql } from '../../../test/support/jobs.ts';
import { createAttemptCounter } from './attempt-counter.ts';
import { sweepAttempts } from './attempt-queries.ts';

const harness = await useHarness({ startWorkers: false });
const { db } = harness.context;
const operator = await signIn(harness);
const [{ id: ledgerId } = { id: 0 }] = await sql<{ id: number }>(
  db,
  `select id from ledgers where account_id = $1 and mode = 'test'`,
  [harness.account.id],
);

type Counts = { readonly kind: string; readonly attempts: number; readonly failed_attempts: number };
const attemptsOf = ({ attempts }: { readonly attempts: readonly Counts[] }) =>
  attempts.filter(({ kind }) => kind.startsWith('stuck.'));

type Kind = { readonly kind: string; readonly oldest_due_seconds: number };

const beganMs = await databaseMs(db);

await sql(
  db,
  `insert into jobs (ledger_id, id, queue, kind, payload, run_at, attempts, lease_token) values
     ($1, 'late', 'default', 'stuck.kind', '{}', now() - interval '90 seconds', 0, null),
     ($1, 'running', 'default', 'stuck.kind', '{}', now() + interval '1 minute', 1, 'token'),
     ($1, 'failed', 'default', 'stuck.kind', '{}', now() + interval '1 minute', 3, null),
     ($1, 'waiting', 'default', 'stuck.kind', '{}', now() + interval '1 day', 0, null)`,
  [ledgerId],
);
await sql(
  db,
  `insert into lanes (ledger_id, kind, group_id, lane_key, pending, failures, run_at) values
     ($1, 'stuck.lane', 'one', 'a', 1, 0, now() - interval '30 seconds'),
     ($1, 'stuck.lane', 'one', 'b', 1, 2, now() + interval '30 seconds'),
     ($1, 'stuck.lane', 'two', 'c', 1, 0, 'infinity')`,
  [ledgerId],
);

test('jobs and lanes are counted by kind and state, with the age of the longest due', async () => {
  const { status, body } = await operator.call('GET', '/queues');
  assert.equal(status, 200);
  const passedS = ((await databaseMs(db)) - beganMs) / 1_000 + 1;
  const { oldest_due_seconds: age, ...jobs } = body.jobs.find(({ kind }: Kind) => kind === 'stuck.kind');
  assert.deepEqual(jobs, {
    ...{ queue: 'default', kind: 'stuck.kind', is_partial: false },
    ...{ due: 1, running: 1, failed: 1, waiting: 1 },
  });
  assert.ok(age >= 90 && age <= 90 + passedS, `${age}`);
  const { oldest_due_seconds: laneAge, ...lanes } = body.lanes.find(({ kind }: Kind) => kind === 'stuck.lane');
  assert.deepEqual(lanes, { kind: 'stuck.lane', is_partial: false, due: 1, running: 0, failed: 1, waiting: 0 });
  assert.ok(laneAge >= 30 && laneAge <= 30 + passedS, `${laneAge}`);
});

test('attempts of all processes are counted by kind and result, without those that another worker took over', async () => {
  const { log } = harness.context;
  const [one, other] = [createAttemptCounter({ db, log }), createAttemptCounter({ db, log })];
  for (const result of ['done', 'done', 'failed', 'lost'] as const) one.count({ kind: 'stuck.kind', result });
  other.count({ kind: 'stuck.kind', result: 'done' });
  other.count({ kind: 'stuck.lane', result: 'failed' });
  await Promise.all([one.flush(), other.flush()]);
  other.count({ kind: 'stuck.lane', result: 'failed' });
  await one.close();
  await other.close();
  const { body } = await operator.call('GET', '/queues');
  assert.deepEqual(attemptsOf(body), [
    { kind: 'stuck.kind', attempts: 4, failed_attempts: 1 },
    { kind: 'stuck.lane', attempts: 2, failed_attempts: 2 },
  ]);
  const hours = ((await databaseMs(db)) - Date.parse(body.attempts_since)) / 3_600_000;
  assert.ok(hours >= 23 && hours < 25, `${hours}`);
});

test('attempts of a day ago are not counted, and are deleted', async () => {
  await sql(db, `update attempt_counts set hour = hour - interval '1 day' where kind = 'stuck.lane'`, []);
  const { body } = await operator.call('GET', '/queues');
  assert.deepEqual(
    attemptsOf(body).map(({ kind }) => kind),
    ['stuck.kind'],
  );
  assert.equal(await sweepAttempts(db, 10), 1);
  assert.equal(await sweepAttempts(db, 10), 0);
});

test('jobs are listed the longest due first, by kind and state, with their account', async () => {
  const list = async (query: string) => (await operator.call('GET', `/jobs?${query}`)).body.data;
  const all = await list('kind=stuck.kind');
  assert.deepEqual(
    all.map(({ id, state }: { id: string; state: string }) => [id, state]),
    [
      ['late', 'due'],
      ...all.slice(1, 3).map((job: { id: string; state: string }) => [job.id, job.id]),
      ['waiting', 'waiting'],
    ],
  );
  assert.deepEqual([all[0].account_id, all[0].mode], [harness.account.id, 'test']);
  const failed = await list('kind=stuck.kind&state=failed');
  assert.deepEqual(
    failed.map(({ id, attempts }: { id: string; attempts: number }) => [id, attempts]),
    [['failed', 3]],
  );
  assert.equal((await list('kind=stuck.kind&limit=2')).length, 2);
});

test('endpoints that fail are listed with their account and mode, live mode first; others are not', async () => {
  const { account } = harness;
  const make = async (key: string, name: string): Promise<string> => {
    const url = `https://platform.example/${name}`;
    return (await harness.call('POST', '/v1/webhook_endpoints', { key, body: { url } })).body.id;
  };
  const fail = (id: string) => sql(db, 'update webhook_endpoints set failing_since = now() where id = $1', [id]);
  const list = async () => (await operator.call('GET', '/failing_endpoints')).body.data;
  const [inTest, inLive] = [await make(account.test_key, 'test'), await make(account.live_key, 'live')];
  const given = await make(account.live_key, 'gone');
  assert.deepEqual(await list(), []);
  for (const id of [inTest, inLive]) await fail(id);
  await sql(db, "update webhook_endpoints set status = 'disabled', disabled_reason = 'gone' where id = $1", [given]);
  const [first, second, third] = await list();
  assert.deepEqual([first.id, second.id, third.id], [inLive, given, inTest]);
  const { failing_since, ...about } = first;
  assert.ok(failing_since !== null);
  assert.deepEqual(about, {
    ...{ object: 'failing_endpoint', id: inLive, url: 'https://platform.example/live', tenant_id: null },
    ...{ status: 'active', disabled_reason: null },
    ...{
      account_id: account.id,
      account_name: (await operator.call('GET', '/accounts')).body.data[0].name,
      mode: 'live',
    },
  });
  assert.deepEqual([second.status, second.disabled_reason], ['disabled', 'gone']);
  await harness.call('DELETE', `/v1/webhook_endpoints/${inLive}`, { key: account.live_key });
  assert.ok(!(await list()).some(({ id }: { id: string }) => id === inLive));
});

test('a session of one account reaches none of it, and wrong filters are refused', async () => {
  const ofAccount = await signIn(harness, harness.account.id);
  for (const path of ['/queues', '/jobs', '/failing_endpoints']) {
    assertRefused(await ofAccount.call('GET', path), 403, 'operator_required');
  }
  assertRefused(await operator.call('GET', '/jobs?state=lost'), 400, 'invalid_body', 'state');
  assertRefused(await operator.call('GET', `/jobs?kind=${'x'.repeat(101)}`), 400, 'invalid_body', 'kind');
});
