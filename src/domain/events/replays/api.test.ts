import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { deliveriesOf, happen, type Json, register, testLedger } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { useReceiver } from '../../../../test/support/receiver.ts';
import { emitEvents } from '../emit.ts';

const harness = await useHarness();
const receiver = await useReceiver();
let endpoint: Json;
let started: string;

/** Each test has separate ledger time, so that its range has only its events. */
beforeEach(async () => {
  await harness.advance(3_600);
  started = (await harness.call('GET', '/v1/test/clock')).body.now;
  receiver.answer({});
  receiver.received.length = 0;
});

/** Other tests' events do not reach this receiver. */
afterEach(() => call('DELETE', ''));

const now = async (): Promise<string> => (await harness.call('GET', '/v1/test/clock')).body.now;
const call = (method: string, path: string, body?: Json, headers = {}) =>
  harness.call(method, `/v1/webhook_endpoints/${endpoint.id}${path}`, { body, headers });
const replay = async (body: Json = {}): Promise<Json> => {
  const reply = await call('POST', '/replays', { start: started, ...body });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
};
/** Waits until the replay has ended, and returns it. */
async function ended({ id }: Json): Promise<Json> {
  let found: Json;
  await until('the replay ends', async () => {
    await harness.advance(1);
    found = (await call('GET', `/replays/${id}`)).body;
    return found.status !== 'running';
  });
  return found;
}
const idsOf = (resource: string) =>
  receiver.received.filter(({ event }) => event.resource_id === resource).map(({ event }) => event.sequence);

test('a replay sends the events of its range again, in order per resource and with the same ids and bytes', async () => {
  await happen(harness, { resource: 'before-a' });
  const start = await now();
  await happen(harness, { resource: 'a' }, { resource: 'b' }, { resource: 'a' });
  await happen(harness, { resource: 'a' });
  const end = await now();
  await happen(harness, { resource: 'after' });
  endpoint = await register(harness, { url: receiver.url });
  const made = await replay({ start, end });
  assert.equal(made.status, 'running');
  assert.equal(made.object, 'webhook_replay');
  const done = await ended(made);
  assert.deepEqual([done.status, done.delivery_count], ['completed', 4]);
  await receiver.arrived(4);
  assert.deepEqual(idsOf('a'), [1, 2, 3]);
  assert.deepEqual(idsOf('b'), [1]);
  assert.equal(receiver.received.length, 4);
  const again = await ended(await replay({ start, end }));
  assert.equal(again.delivery_count, 4);
  await receiver.arrived(8);
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 4);
});

test('a replay of more events than one step reads sends each once, also if its process is gone in between', async () => {
  const count = 620;
  await happen(harness, ...Array.from({ length: count }, (_, n) => ({ resource: `many-${n % 40}` })));
  endpoint = await register(harness, { url: receiver.url, enabled_events: ['message.received'] });
  const made = await replay();
  // Another worker takes over a step, as after a crash. The step of the worker without a claim must not count. Its
  // lease ends after a second instead of 30.
  const lose = `update jobs set lease_token = 'lost', run_at = now() + interval '1 second' where kind = $1`;
  await sql(harness.context.db, lose, ['webhook_endpoint.replay']);
  const done = await ended(made);
  assert.deepEqual([done.status, done.delivery_count], ['completed', count]);
  await receiver.arrived(count);
  for (let n = 0; n < 40; n++) {
    const sequences = idsOf(`many-${n}`);
    assert.deepEqual(
      sequences,
      Array.from({ length: sequences.length }, (_, index) => index + 1),
    );
  }
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, count);
});

test('a replay has the types that were asked for, and otherwise those of the endpoint', async () => {
  await happen(harness, { resource: 'typed' }, { resource: 'typed', type: 'message.failed' });
  endpoint = await register(harness, { url: receiver.url, enabled_events: ['message.failed'] });
  const ofEndpoint = await ended(await replay());
  assert.deepEqual([ofEndpoint.event_types, ofEndpoint.delivery_count], [['message.failed'], 1]);
  const asked = await ended(await replay({ event_types: ['message.received', 'message.received'] }));
  assert.deepEqual([asked.event_types, asked.delivery_count], [['message.received'], 1]);
});

test('with only_missed what was accepted or waits is left out, and what was given up is sent', async () => {
  endpoint = await register(harness, { url: receiver.url });
  receiver.answer(({ event }) => (event.resource_id === 'accepted' ? {} : { status: 410 }));
  await happen(harness, { resource: 'accepted' });
  await receiver.arrived(1);
  await happen(harness, { resource: 'given up' });
  await until('the endpoint is off', async () => (await call('GET', '')).body.status === 'disabled');
  await happen(harness, { resource: 'while off' });
  receiver.answer({ status: 500 });
  await call('PATCH', '', { status: 'active' });
  await happen(harness, { resource: 'waits' });
  await until('one waits', async () => (await deliveriesOf(harness, endpoint.id, '&status=failed')).length === 1);
  receiver.received.length = 0;
  receiver.answer({});
  const done = await ended(await replay({ only_missed: true }));
  await receiver.arrived(done.delivery_count);
  assert.ok(['given up', 'while off'].every((resource) => idsOf(resource).length > 0));
  assert.deepEqual(idsOf('accepted'), []);
  // The endpoint was switched off, so it also gets the events about that. They belong to the account.
  const own = receiver.received.filter(({ event }) => event.type === 'webhook_endpoint.disabled').length;
  assert.equal(done.delivery_count, 2 + own);
});

test('a repeat of the request with its Idempotency-Key starts no second replay', async () => {
  await happen(harness, { resource: 'once' });
  endpoint = await register(harness, { url: receiver.url });
  const headers = { 'idempotency-key': `replay-${endpoint.id}` };
  const first = await call('POST', '/replays', { start: started }, headers);
  await ended(first.body);
  const second = await call('POST', '/replays', { start: started }, headers);
  assert.equal(second.body.id, first.body.id);
  assert.equal((await call('GET', '/replays')).body.data.length, 1);
  await receiver.arrived(1);
  assert.equal(receiver.received.length, 1);
});

/** Fills the endpoint's queue with the maximum of waiting deliveries that a replay allows. */
async function crowd(): Promise<void> {
  await sql(
    harness.context.db,
    `insert into waiting_deliveries (ledger_id, endpoint_id, resource_id, sequence, delivery_id, event_id)
     select $1, $2, 'crowd', n, 'whd_' || n, 'evt_' || n from generate_series(1, 2000) n`,
    [await testLedger(harness), endpoint.id],
  );
}

test('a replay waits while 2,000 deliveries wait for the endpoint, and an endpoint has one at a time', async () => {
  await happen(harness, { resource: 'later' });
  endpoint = await register(harness, { url: receiver.url });
  await crowd();
  const made = await replay();
  await harness.advance(30);
  const waiting = (await call('GET', `/replays/${made.id}`)).body;
  assert.deepEqual([waiting.status, waiting.delivery_count], ['running', 0]);
  const second = await call('POST', '/replays', { start: started });
  assert.deepEqual([second.status, second.body.error.code], [409, 'replay_in_progress']);
  await sql(harness.context.db, 'delete from waiting_deliveries where endpoint_id = $1', [endpoint.id]);
  await harness.advance(60);
  assert.equal((await ended(made)).delivery_count, 1);
  await receiver.arrived(1);
});

test('a canceled replay makes no more deliveries, and the next may start', async () => {
  await happen(harness, { resource: 'never' });
  endpoint = await register(harness, { url: receiver.url });
  await crowd();
  const made = await replay();
  const canceled = await call('POST', `/replays/${made.id}/cancel`);
  assert.deepEqual([canceled.status, canceled.body.status], [200, 'canceled']);
  assert.notEqual(canceled.body.ended_at, null);
  assert.deepEqual((await call('POST', `/replays/${made.id}/cancel`)).body, canceled.body);
  await sql(harness.context.db, 'delete from waiting_deliveries where endpoint_id = $1', [endpoint.id]);
  await harness.advance(600);
  assert.equal(receiver.received.length, 0);
  assert.equal((await ended(await replay())).delivery_count, 1);
});

test('a replay ends when its endpoint is switched off or deleted', async () => {
  await happen(harness, { resource: 'off' });
  endpoint = await register(harness, { url: receiver.url });
  await crowd();
  const made = await replay();
  await call('PATCH', '', { status: 'disabled' });
  await harness.advance(600);
  assert.equal((await ended(made)).status, 'canceled');
  const refused = await call('POST', '/replays', { start: started });
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'webhook_endpoint_disabled']);
  await call('PATCH', '', { status: 'active' });
  await replay();
  await call('DELETE', '');
  await harness.advance(600);
  const left = await sql(harness.context.db, `select 1 from jobs where kind = 'webhook_endpoint.replay'`, []);
  assert.equal(left.length, 0);
  assert.deepEqual(idsOf('off'), []);
});

test('a range that ends before it begins, or begins in the future, is refused', async () => {
  endpoint = await register(harness, { url: receiver.url });
  const end = new Date(Date.parse(started) - 1).toISOString();
  const future = new Date(Date.parse(started) + 86_400_000).toISOString();
  for (const body of [{ start: started, end }, { start: future }]) {
    const reply = await call('POST', '/replays', body);
    assert.deepEqual([reply.status, reply.body.error.code], [400, 'invalid_range']);
  }
});

test('an event that is committed after the replay began is not passed over', async () => {
  endpoint = await register(harness, { url: receiver.url, enabled_events: ['message.failed'] });
  const held = Promise.withResolvers<void>();
  const ledgerId = await testLedger(harness);
  let isWritten = false;
  const late = harness.context.db.transaction(async (tx) => {
    const data = { object: 'message', id: 'late' };
    await emitEvents(tx, ledgerId, [{ type: 'message.received', tenantId: null, resourceId: 'late', data }]);
    isWritten = true;
    await held.promise;
  });
  await until('it is written', () => isWritten);
  const made = await replay({ event_types: ['message.received'] });
  await harness.advance(1);
  assert.equal((await call('GET', `/replays/${made.id}`)).body.status, 'running');
  held.resolve();
  await late;
  assert.equal((await ended(made)).delivery_count, 1);
  await receiver.arrived(1);
});
