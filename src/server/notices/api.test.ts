/** Notices to operators. Any operator can settle a notice for all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from '../../../test/contract/requests.ts';
import { signIn, signInUser } from '../../../test/support/console.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { sql } from '../../../test/support/jobs.ts';
import { makeLive } from '../../../test/support/make-live.ts';
import { findOnSale } from '../../../test/support/numbers.ts';
import { sweepSettled } from './queries.ts';

const harness = await useHarness({ startWorkers: false });
const { account } = harness;
const { db } = harness.context;
const operator = await signIn(harness);
const made = await operator.call('POST', '/users', {
  body: { email: 'sam@example.com', role: 'operator', account_id: null },
});
const sam = await signInUser(harness, operator, made.body.id);

type Notice = { kind: string; subject_id: string; state: string; settled: { by: string } | null };

const list = async (by = operator): Promise<Notice[]> => (await by.call('GET', '/notices')).body.data;
const of = async (id: string) => (await list()).filter(({ subject_id }) => subject_id === id);
const keyOf = ({ kind, subject_id, state }: Notice) => ({ kind, subject_id, state });
const settle = (notice: Notice, by = operator) => by.call('POST', '/settled_notices', { body: keyOf(notice) });
const reopen = (notice: Notice, by = operator) =>
  by.call('DELETE', `/settled_notices?${new URLSearchParams(keyOf(notice))}`);
const actions = async () => {
  const { body } = await harness.call('GET', '/v1/audit_log', { key: account.live_key });
  return body.data.filter(({ action }: { action: string }) => action.startsWith('notice.'));
};
const counts = async () => {
  const { body } = await operator.call('GET', '/account_standings');
  const { emergency_calls, port_outs, failing_endpoints } = body.data[0];
  return { emergency_calls, port_outs, failing_endpoints };
};

const endpoint = await harness.call('POST', '/v1/webhook_endpoints', {
  ...{ key: account.live_key, body: { url: 'https://platform.example/hooks' } },
});
const endpointId: string = endpoint.body.id;
const fail = (minutes: number) =>
  sql(db, 'update webhook_endpoints set failing_since = now() - make_interval(mins => $2) where id = $1', [
    ...[endpointId, minutes],
  ]);

const one = async (id: string): Promise<Notice> => {
  const [notice, ...more] = await of(id);
  assert.deepEqual(more, []);
  return notice ?? assert.fail(`no notice of ${id}`);
};

test('a settled notice is settled for all operators by the person who settled it first, and is not counted', async () => {
  await fail(20);
  const notice = await one(endpointId);
  const { since, ...about } = notice as Notice & { since: string };
  assert.ok(Date.parse(since) > 0);
  assert.deepEqual(about, {
    ...{ object: 'notice', kind: 'failing_endpoint', subject_id: endpointId, state: notice.state },
    ...{ name: 'https://platform.example/hooks', detail: null, settled: null },
    ...{ account_id: account.id, account_name: (await operator.call('GET', '/accounts')).body.data[0].name },
  });
  assert.equal((await counts()).failing_endpoints, 1);
  const first = await settle(notice, sam);
  assert.deepEqual([first.status, first.body.settled.by], [200, 'sam@example.com']);
  const again = await settle(notice);
  assert.deepEqual([again.status, again.body], [200, first.body]);
  assert.deepEqual(await one(endpointId), first.body);
  assert.equal((await counts()).failing_endpoints, 0);
  const [entry, ...more] = await actions();
  assert.deepEqual(more, []);
  assert.deepEqual(
    [entry.action, entry.resource_id, entry.actor.email, entry.details],
    ['notice.settled', endpointId, 'sam@example.com', { kind: 'failing_endpoint' }],
  );
});

test('a new series of failures of a settled endpoint is a new notice, and so is its end by the product', async () => {
  assert.notEqual((await one(endpointId)).settled, null);
  await fail(5);
  const second = await one(endpointId);
  assert.equal(second.settled, null);
  assert.equal((await counts()).failing_endpoints, 1);
  assert.equal((await settle(second)).body.settled.by, 'operator');
  await sql(db, `update webhook_endpoints set status = 'disabled', disabled_reason = 'failing' where id = $1`, [
    endpointId,
  ]);
  assert.equal((await one(endpointId)).settled, null);
});

test('a notice that is opened again is counted again, and opening it twice is recorded once', async () => {
  const notice = await one(endpointId);
  await settle(notice);
  const before = (await actions()).length;
  for (let times = 0; times < 2; times++) assert.equal((await reopen(notice, sam)).status, 204);
  assert.equal((await one(endpointId)).settled, null);
  assert.equal((await counts()).failing_endpoints, 1);
  const entries = await actions();
  assert.deepEqual([entries.length, entries[0].action], [before + 1, 'notice.reopened']);
});

test('calls to 911 and connections without funds are notices, and each call and alarm is settled apart', async () => {
  await sql(
    db,
    `insert into events (ledger_id, id, type, event_version, resource_id, sequence, data, created_at)
     select id, 'evt_' || hours, 'emergency_call.placed', '1', 'call_' || hours, 1, '{"from":"+16025550120"}',
       now() - make_interval(hours => hours)
     from ledgers, unnest(array[1, 2, 25]) as hours where account_id = $1 and mode = 'live'`,
    [account.id],
  );
  assert.equal((await counts()).emergency_calls, 2);
  const call = await one('call_1');
  assert.equal((await settle(call)).status, 200);
  assert.equal((await counts()).emergency_calls, 1);
  assert.equal((await one('call_2')).settled, null);
  assert.deepEqual(await of('call_25'), []);
  // In test mode the clock can be ahead, and people are simulated.
  await sql(
    db,
    `insert into events (ledger_id, id, type, event_version, resource_id, sequence, data, created_at)
     select id, 'evt_test' || hours, 'emergency_call.placed', '1', 'call_test', 1, '{}',
       now() + make_interval(hours => hours)
     from ledgers, unnest(array[-1, 0, 8000]) as hours where account_id = $1 and mode = 'test'`,
    [account.id],
  );
  assert.deepEqual(await of('call_test'), []);
  await sql(
    db,
    `insert into carrier_connections (id, kind, name, status, settings, credentials)
     values ('ccn_1', 'telnyx', 'Main', 'active', '{}', '')`,
    [],
  );
  await sql(
    db,
    `insert into carrier_alarms (connection_id, capability, carrier_code, title, since, last_at)
     select 'ccn_1', capability, '20100', 'Insufficient Funds', clock_timestamp(), clock_timestamp()
     from unnest(array['messaging', 'voice']) as capability`,
    [],
  );
  const [alarm, other] = await of('ccn_1');
  assert.ok(alarm !== undefined && other !== undefined);
  assert.equal((await settle(alarm)).status, 200);
  const isSettled = (await of('ccn_1')).map(({ state, settled }) => [state, settled !== null]);
  assert.deepEqual(Object.fromEntries(isSettled), { [alarm.state]: true, [other.state]: false });
  assert.equal((await actions())[0].resource_id, 'ccn_1');
  await sql(db, `update carrier_alarms set since = since + interval '1 hour' where connection_id = 'ccn_1'`, []);
  assert.deepEqual(
    (await of('ccn_1')).map(({ settled }) => settled),
    [null, null],
  );
});

test('a settlement of more than 30 days is deleted, so that a cause that still exists is a notice again', async () => {
  const notice = await one('call_1');
  await sql(db, `update settled_notices set settled_at = now() - interval '29 days'`, []);
  assert.equal(await sweepSettled(db, 100), 0);
  assert.notEqual((await one('call_1')).settled, null);
  await sql(db, `update settled_notices set settled_at = now() - interval '31 days' where subject_id = 'call_1'`, []);
  assert.equal(await sweepSettled(db, 100), 1);
  assert.deepEqual(await one('call_1'), { ...notice, settled: null });
});

test('a notice that does not exist is refused with its field, and so are a wrong kind and a missing state', async () => {
  const notice = await one('call_1');
  const post = (body: object) => operator.call('POST', '/settled_notices', { body: { ...keyOf(notice), ...body } });
  assertRefused(await post({ subject_id: 'call_none' }), 400, 'invalid_body', 'subject_id');
  assertRefused(await post({ state: 'earlier' }), 400, 'invalid_body', 'subject_id');
  assertRefused(await post({ kind: 'weather' }), 400, 'invalid_body', 'kind');
  assertRefused(await post({ state: undefined }), 400, 'missing_fields', 'state');
  const wrong = await operator.call('DELETE', '/settled_notices?kind=weather&subject_id=call_1&state=x');
  assertRefused(wrong, 400, 'invalid_body', 'kind');
  assert.equal((await one('call_1')).settled, null);
});

test('a session of one account neither reads nor settles notices', async () => {
  const notice = await one('call_1');
  const ofAccount = await signIn(harness, account.id);
  for (const reply of [await ofAccount.call('GET', '/notices'), await settle(notice, ofAccount)]) {
    assertRefused(reply, 403, 'operator_required');
  }
  assert.equal((await settle(notice)).status, 200);
  assertRefused(await reopen(notice, ofAccount), 403, 'operator_required');
  assert.notEqual((await one('call_1')).settled, null);
});

test('a number that another carrier asks for is settled for one request, and the next request is a new notice', async () => {
  const { id, test_key: key } = await harness.secondAccount();
  const tenant = await harness.call('POST', '/v1/tenants', { key, body: { name: 'Asked for' } });
  const body = { tenant_id: tenant.body.id, phone_number: await findOnSale(harness, key) };
  const numberId: string = (await harness.call('POST', '/v1/phone_numbers', { key, body })).body.id;
  await makeLive(db, id);
  const ask = (reference: string | null, minutes: number) =>
    sql(
      db,
      `insert into number_port_outs (ledger_id, number_id, carrier_ref, status, carrier_name, reported_at)
       select ledger_id, id, $2, 'pending', 'Copper Wireless', now() - make_interval(mins => $3)
       from phone_numbers where id = $1
       on conflict (ledger_id, number_id) do update set carrier_ref = excluded.carrier_ref, reported_at = excluded.reported_at`,
      [numberId, reference, minutes],
    );
  await ask(null, 20);
  const first = await one(numberId);
  assert.equal((await settle(first, sam)).body.settled.by, 'sam@example.com');
  assert.notEqual((await one(numberId)).settled, null);
  await ask(null, 10);
  assert.equal((await one(numberId)).settled, null);
  await ask('port_7', 5);
  assert.equal((await settle(await one(numberId))).status, 200);
  await ask('port_7', 1);
  assert.notEqual((await one(numberId)).settled, null);
  await sql(db, `update number_port_outs set status = 'rejected' where number_id = $1`, [numberId]);
  assert.deepEqual(await of(numberId), []);
});
