/** All failed deliveries of an endpoint, tried again by one request. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { deliveriesOf, happen, type Json, register, testLedger } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { useReceiver } from '../../../../test/support/receiver.ts';

/** Hundreds of deliveries take long on a machine that is busy. */
const MANY_MS = 60_000;

const harness = await useHarness();
const receiver = await useReceiver();
let endpoint: Json;

const call = (method: string, path: string, body?: Json) =>
  harness.call(method, `/v1/webhook_endpoints/${endpoint.id}${path}`, { body });
const retryAll = () => call('POST', '/deliveries/retry_failed');

async function ended({ id }: Json): Promise<Json> {
  let found: Json;
  const hasEnded = async () => {
    await harness.advance(1);
    found = (await call('GET', `/replays/${id}`)).body;
    return found.status !== 'running';
  };
  await until('the retry ends', hasEnded, MANY_MS);
  return found;
}

const statusesOf = async (): Promise<string[]> =>
  (await deliveriesOf(harness, endpoint.id)).map(({ status }) => status);

/** Stops automatic retries in the lanes of the endpoint. A lane in progress is checked again after it has ended. */
async function holdLanes(): Promise<void> {
  const { db } = harness.context;
  const later = `clock_timestamp() + interval '10 hours'`;
  const hold = `update lanes set run_at = ${later} where group_id = $1 and lease_token is null`;
  const others = `select 1 from lanes where group_id = $1 and run_at < clock_timestamp() + interval '9 hours'`;
  await until('no lane is due soon', async () => {
    await sql(db, hold, [endpoint.id]);
    return (await sql(db, others, [endpoint.id])).length === 0;
  });
}

beforeEach(async () => {
  endpoint = await register(harness, { url: receiver.url, enabled_events: ['message.received'] });
  receiver.received.length = 0;
});

/** Makes deliveries fail: the deliveries of a and b wait for another attempt, the delivery of c was given up. */
async function fail(): Promise<void> {
  const { db } = harness.context;
  receiver.answer({ status: 500 });
  await happen(harness, { resource: 'a' }, { resource: 'a' }, { resource: 'b' }, { resource: 'c' });
  const failed = async () => (await statusesOf()).filter((each) => each === 'failed').length === 3;
  await until('each resource has failed', failed);
  await harness.settled();
  await holdLanes();
  const given = `select delivery_id from waiting_deliveries where endpoint_id = $1 and resource_id = 'c'`;
  await sql(db, `update deliveries set status = 'given_up', next_attempt_at = null where id in (${given})`, [
    endpoint.id,
  ]);
  await sql(db, `delete from waiting_deliveries where endpoint_id = $1 and resource_id = 'c'`, [endpoint.id]);
  await sql(db, `delete from lanes where group_id = $1 and lane_key = 'c'`, [endpoint.id]);
}

test('those that wait and those that were given up are tried again, and the reply counts them', async () => {
  await fail();
  receiver.answer({});
  const { status, body } = await retryAll();
  assert.deepEqual([status, body.object, body.retries_failed, body.total_count], [202, 'webhook_replay', true, 3]);
  const done = await ended(body);
  assert.deepEqual([done.status, done.delivery_count], ['completed', 3]);
  await until(
    'all are delivered',
    async () => (await statusesOf()).join() === 'delivered,delivered,delivered,delivered',
  );
  const sequences = receiver.received
    .filter(({ event }) => event.resource_id === 'a')
    .map(({ event }) => event.sequence);
  assert.deepEqual(sequences.slice(-2), [1, 2]);
  assert.equal((await ended((await retryAll()).body)).delivery_count, 0);
});

test('more than a step has are all tried, each once, also if a step is repeated', async () => {
  receiver.answer({ status: 500 });
  const count = 230;
  await happen(harness, ...Array.from({ length: count }, (_, index) => ({ resource: `many-${index}` })));
  const failed = async () =>
    (
      await sql(harness.context.db, `select 1 from deliveries where endpoint_id = $1 and status = 'failed'`, [
        endpoint.id,
      ])
    ).length;
  await until('all have failed', async () => (await failed()) === count, MANY_MS);
  await harness.settled();
  await holdLanes();
  receiver.answer({});
  const { body } = await retryAll();
  // Another worker takes over a step, as after a crash. The step of the worker without a claim must not count. Its
  // lease ends after a second instead of 30.
  const lose = `update jobs set lease_token = 'lost', run_at = now() + interval '1 second' where kind = $1`;
  await sql(harness.context.db, lose, ['webhook_endpoint.replay']);
  const done = await ended(body);
  assert.deepEqual([body.total_count, done.status, done.delivery_count], [count, 'completed', count]);
  await until('none has failed', async () => (await failed()) === 0, MANY_MS);
});

test('one that is off is not tried, and one at a time', async () => {
  await fail();
  await sql(
    harness.context.db,
    `insert into waiting_deliveries (ledger_id, endpoint_id, resource_id, sequence, delivery_id, event_id)
     select $1, $2, 'crowd', n, 'whd_crowd' || n, 'evt_' || n from generate_series(1, 2000) n`,
    [await testLedger(harness), endpoint.id],
  );
  const { body } = await retryAll();
  await until(
    'those that wait are tried',
    async () => (await call('GET', `/replays/${body.id}`)).body.delivery_count === 2,
  );
  const second = await retryAll();
  assert.deepEqual([second.status, second.body.error.code], [409, 'replay_in_progress']);
  assert.equal((await call('POST', `/replays/${body.id}/cancel`)).body.status, 'canceled');
  await call('PATCH', '', { status: 'disabled' });
  const refused = await retryAll();
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'webhook_endpoint_disabled']);
});

test('an endpoint says since when it fails, and no longer once it accepts', async () => {
  assert.equal((await call('GET', '')).body.failing_since, null);
  await fail();
  const { failing_since } = (await call('GET', '')).body;
  assert.ok(Date.parse(failing_since) > 0);
  receiver.answer({});
  await ended((await retryAll()).body);
  await until('it works', async () => (await call('GET', '')).body.failing_since === null);
});
