import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveriesOf, happen, type Json, register, testLedger } from '../../../../test/support/events.ts';
import { startHarness, useHarness } from '../../../../test/support/harness.ts';
import { until } from '../../../../test/support/jobs.ts';
import { startReceiver } from '../../../../test/support/receiver.ts';
import { writeCursor } from '../../../http/schemas/pagination.ts';
import { emitEvent } from '../index.ts';

const harness = await useHarness();

const list = async (query: string, key?: string): Promise<Json> =>
  (await harness.call('GET', `/v1/events?${query}`, key === undefined ? {} : { key })).body;
const ids = (page: Json): string[] => page.data.map(({ id }: { id: string }) => id);

test('events are listed newest first in pages, and filtered by type, resource and time', async () => {
  const [first] = await happen(harness, { resource: 'list' });
  const rest = await happen(harness, { resource: 'list', type: 'message.failed' }, { resource: 'list' });
  const all = [first, ...rest].map((event) => event?.id as string).reverse();
  const page = await list('resource_id=list&limit=2');
  assert.deepEqual(ids(page), all.slice(0, 2));
  const last = await list(`resource_id=list&limit=2&after=${page.next_cursor}`);
  assert.deepEqual(ids(last), all.slice(2));
  assert.equal(last.next_cursor, null);
  assert.deepEqual(ids(await list('resource_id=list&type=message.failed')), [rest[0]?.id]);
  assert.deepEqual(ids(await list('resource_id=list&end=2020-01-01')), []);
  assert.deepEqual(ids(await list('resource_id=list&start=2020-01-01')), all);
});

test('events are found by the id of an opt-out whose plus sign was left unencoded', async () => {
  const resource = 'tnt_1:+16025550188';
  const [event] = await happen(harness, { resource, type: 'opt_out.created' });
  assert.deepEqual(ids(await list(`resource_id=${encodeURIComponent(resource)}`)), [event?.id]);
  assert.deepEqual(ids(await list(`resource_id=${resource}`)), [event?.id]);
});

for (const [query, code, param] of [
  ['type=x', 'unknown_event_type', 'type'],
  ['start=x', 'invalid_start', 'start'],
  ['end=x', 'invalid_end', 'end'],
  ['start=2026-01-02&end=2026-01-01', 'invalid_range', 'start'],
  ['order=up', 'invalid_body', 'order'],
  ['after=x', 'invalid_cursor', 'after'],
  ['order=asc&after=x', 'invalid_cursor', 'after'],
  ['order=asc&after=evt_00000000000000000000000000', 'invalid_cursor', 'after'],
  [`order=asc&after=${writeCursor(['events:asc', 'x', 'y'])}`, 'invalid_cursor', 'after'],
  ['tenant_id=tnt_none', 'tenant_not_found', 'tenant_id'],
  ['limit=101', 'invalid_body', 'limit'],
] as const) {
  test(`the list refuses ${query} as ${code}`, async () => {
    const page = await list(query);
    assert.equal(page.error?.code, code);
    assert.equal(page.error?.param, param);
  });
}

test('a forward reader does not miss an event that commits late', async () => {
  const { db } = harness.context;
  const ledgerId = await testLedger(harness);
  const event = (resource: string) =>
    ({ type: 'message.received', tenantId: null, resourceId: resource, data: { object: 'message' } }) as const;
  const [start] = await happen(harness, { resource: 'start' });
  const late = Promise.withResolvers<void>();
  const written = Promise.withResolvers<string>();
  const slow = db.transaction(async (tx) => {
    written.resolve((await emitEvent(tx, ledgerId, event('slow'))).id);
    await late.promise;
  });
  const slowId = await written.promise;
  const quick = await db.transaction((tx) => emitEvent(tx, ledgerId, event('quick')));
  try {
    // The quick transaction has committed and is newer, but a reader must not pass the slow one.
    assert.deepEqual(ids(await list(`order=asc&after=${start?.id}`)), []);
    assert.equal(ids(await list('limit=1'))[0], quick.id);
  } finally {
    late.resolve();
    await slow;
  }
  await until('both are shown in order', async () => {
    const seen = ids(await list(`order=asc&after=${start?.id}`));
    return seen.length === 2 && seen[0] === slowId && seen[1] === quick.id;
  });
});

test('the order of writing is numeric by transaction, not by digits', async () => {
  const { test_key: key, id } = await harness.secondAccount();
  const { db } = harness.context;
  for (const [event, written] of [
    ['evt_b', '9'],
    ['evt_a', '10'],
    ['evt_c', '10'],
  ]) {
    const text = `insert into events (ledger_id, id, type, event_version, resource_id, sequence, data, created_at, written_by)
       select l.id, $2, 'message.received', '2026-11-20', 'r', 1, '{}', now(), $3::xid8
       from ledgers l where l.account_id = $1 and l.mode = 'test'`;
    await db.query({ name: '', text }, [id, event, written]);
  }
  assert.deepEqual(ids(await list('order=asc', key)), ['evt_b', 'evt_a', 'evt_c']);
  const first = await list('order=asc&limit=1', key);
  assert.deepEqual(ids(await list(`order=asc&after=${first.next_cursor}`, key)), ['evt_a', 'evt_c']);
});

test('a forward reader gets every event once, by cursors and by the id of the last event', async () => {
  const [start] = await happen(harness, { resource: 'forward' });
  const made: string[] = [];
  for (let n = 0; n < 7; n++) made.push(...(await happen(harness, { resource: 'forward' })).map(({ id }) => id));
  await until('all are final', async () => ids(await list(`order=asc&after=${start?.id}`)).length === 7);
  const seen: string[] = [];
  let after: string | undefined = start?.id;
  while (after !== undefined && after !== null) {
    const page: Json = await list(`order=asc&limit=3&after=${after}`);
    seen.push(...ids(page));
    after = page.next_cursor;
  }
  assert.deepEqual(seen, made);
  assert.deepEqual(ids(await list(`order=asc&after=${made[4]}`)), made.slice(5));
});

test('a key of one tenant sees the events of its tenant and no event of the account', async () => {
  const tenants = await Promise.all(
    ['One', 'Two'].map((name) => harness.call('POST', '/v1/tenants', { body: { name } })),
  );
  const [one, two] = tenants.map(({ body }) => body.id as string);
  const key = await harness.tenantKey(one as string);
  const [own, other, account] = await happen(
    harness,
    { resource: 'r', tenantId: one as string },
    { resource: 'r', tenantId: two as string },
    { resource: 'r', tenantId: null },
  );
  assert.deepEqual(ids(await list('', key)), [own?.id]);
  assert.deepEqual(ids(await list(`tenant_id=${two}`)), [other?.id]);
  assert.equal((await list(`tenant_id=${two}`, key)).error.code, 'tenant_restricted_key');
  const get = async (id: string | undefined) => (await harness.call('GET', `/v1/events/${id}`, { key })).body;
  assert.equal((await get(own?.id)).id, own?.id);
  assert.equal((await get(other?.id)).error.code, 'tenant_restricted_key');
  assert.equal((await get(account?.id)).error.code, 'event_not_found');
  const resend = await harness.call('POST', `/v1/events/${own?.id}/resend`, { key });
  assert.equal(resend.body.error.code, 'key_not_permitted');
  assert.equal((await list(`order=asc&after=${other?.id}`, key)).error.code, 'invalid_cursor');
});

test("another account's or mode's event is not found", async () => {
  const [event] = await happen(harness, { resource: 'private' });
  const other = await harness.secondAccount();
  for (const key of [other.test_key, harness.account.live_key]) {
    const reply = await harness.call('GET', `/v1/events/${event?.id}`, { key });
    assert.equal(reply.body.error.code, 'event_not_found');
  }
});

test('an event is sent again to every active endpoint that wants it, or to one that is named', async () => {
  const receiver = await startReceiver();
  try {
    const [event] = await happen(harness, { resource: 'resend' });
    const wants = await register(harness, { url: receiver.url });
    const other = await register(harness, { url: receiver.url, enabled_events: ['message.failed'] });
    const reply = await harness.call('POST', `/v1/events/${event?.id}/resend`);
    assert.equal(reply.status, 200);
    assert.equal(reply.body.id, event?.id);
    await receiver.arrived(1);
    await harness.call('POST', `/v1/events/${event?.id}/resend`, { body: { endpoint_id: other.id } });
    await receiver.arrived(2);
    assert.equal(new Set(receiver.received.map(({ event }) => event.id)).size, 1);
    for (const { id } of [wants, other]) {
      await until('it is recorded', async () => (await deliveriesOf(harness, id))[0]?.status === 'delivered');
      assert.equal((await deliveriesOf(harness, id)).length, 1);
    }
    const none = await harness.call('POST', `/v1/events/${event?.id}/resend`, { body: { endpoint_id: 'whe_none' } });
    assert.equal(none.body.error.code, 'webhook_endpoint_not_found');
    assert.equal(none.body.error.param, 'endpoint_id');
    assert.equal((await harness.call('POST', '/v1/events/evt_none/resend')).body.error.code, 'event_not_found');
  } finally {
    await receiver.close();
  }
});

test('an event is not found after its 30 days, even before it is swept', async () => {
  const own = await startHarness({ startWorkers: false });
  try {
    const endpoint = await register(own, { url: 'https://hooks.example.com/in' });
    const [old] = await happen(own, { resource: 'msg_past' });
    await own.context.db.query(
      { name: '', text: "update ledgers set clock_offset = '29 days 23 hours' where mode = 'test'" },
      [],
    );
    const [young] = await happen(own, { resource: 'msg_past' });
    const listed = async (query: string) =>
      (await own.call('GET', `/v1/events?resource_id=msg_past${query}`)).body.data.map(({ id }: { id: string }) => id);
    assert.deepEqual(await listed(''), [young?.id, old?.id]);
    const [delivery] = (await deliveriesOf(own, endpoint.id)).slice(-1);

    await own.context.db.query(
      { name: '', text: "update ledgers set clock_offset = '30 days 1 minute' where mode = 'test'" },
      [],
    );
    assert.deepEqual(await listed(''), [young?.id]);
    await until('the order of writing is final', async () => (await listed('&order=asc'))[0] === young?.id);
    assert.deepEqual(await listed('&order=asc'), [young?.id]);
    assert.equal((await own.call('GET', `/v1/events?after=${old?.id}`)).body.error.param, 'after');
    for (const [method, action] of [
      ['GET', ''],
      ['POST', '/resend'],
    ] as const) {
      const reply = await own.call(method, `/v1/events/${old?.id}${action}`);
      assert.deepEqual([reply.status, reply.body.error.code], [404, 'event_not_found']);
    }
    assert.deepEqual(
      (await deliveriesOf(own, endpoint.id)).map(({ event_id }) => event_id),
      [young?.id],
    );
    const retry = `/v1/webhook_endpoints/${endpoint.id}/deliveries/${delivery?.id}/retry`;
    assert.equal((await own.call('POST', retry)).body.error.code, 'delivery_not_found');
    assert.equal((await own.call('GET', `/v1/events/${young?.id}`)).status, 200);
  } finally {
    await own.close();
  }
});

test('events and their deliveries are swept after 30 days of ledger time, and lanes with swept deliveries continue', async () => {
  const own = await startHarness();
  const receiver = await startReceiver();
  try {
    const endpoint = await register(own, { url: receiver.url });
    await own.call('PATCH', `/v1/webhook_endpoints/${endpoint.id}`, {
      body: { url: receiver.url, status: 'disabled' },
    });
    const [old] = await happen(own, { resource: 'msg_swept' }, { resource: 'kept' });
    await own.advance(29 * 86_400);
    const [young] = await happen(own, { resource: 'kept' });
    await own.advance(2 * 86_400);
    await own.context.db.query({ name: '', text: `update jobs set run_at = now() where kind = 'sweep.events'` }, []);
    own.context.db.signal({ topic: 'jobs', payload: 'default' });
    const stored = { name: '', text: 'select 1 from events where id = $1' };
    await until('the sweep has run', async () => (await own.context.db.query(stored, [old?.id])).length === 0);
    assert.equal((await own.call('GET', `/v1/events/${young?.id}`)).body.sequence, 2);
    const sequences = await own.context.db.query<{ resource_id: string }>(
      { name: '', text: `select resource_id from event_sequences where resource_id in ('kept', 'msg_swept')` },
      [],
    );
    assert.deepEqual(sequences, [{ resource_id: 'kept' }]);
    await own.call('PATCH', `/v1/webhook_endpoints/${endpoint.id}`, { body: { url: receiver.url, status: 'active' } });
    await receiver.arrived(1);
    assert.deepEqual(
      receiver.received.map(({ event }) => event.id),
      [young?.id],
    );
    const lanes = { name: '', text: 'select 1 from lanes' };
    await until('no lane is left', async () => (await own.context.db.query(lanes, [])).length === 0);
  } finally {
    await receiver.close();
    await own.close();
  }
});
