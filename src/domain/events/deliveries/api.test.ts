import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { deliveriesOf, happen, type Json, register } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { until } from '../../../../test/support/jobs.ts';
import { assertSigned, type Received, type Receiver, startReceiver } from '../../../../test/support/receiver.ts';

const PATH = '/v1/webhook_endpoints';
/** The next attempt after this answer comes only when the test moves the clock. */
const FAILS = { status: 500, headers: { 'retry-after': '3600' } };

const harness = await useHarness();
let receiver: Receiver;
let endpoint: Json;
beforeEach(async () => {
  receiver = await startReceiver();
  endpoint = await register(harness, { url: receiver.url });
});
afterEach(async () => {
  receiver.release();
  await harness.call('DELETE', `${PATH}/${endpoint.id}`);
  await receiver.close();
});

const sequences = (received: readonly Received[]) => received.map(({ event }) => event.sequence);

/** Waits until the oldest delivery of the endpoint has the status, and returns it. */
async function delivery(status: string, index = -1): Promise<Json> {
  let found: Json;
  await until(`the delivery is ${status}`, async () => {
    found = (await deliveriesOf(harness, endpoint.id)).at(index);
    return found?.status === status;
  });
  return found;
}

const patch = (change: Record<string, unknown>) =>
  harness.call('PATCH', `${PATH}/${endpoint.id}`, { body: { url: receiver.url, ...change } });

const retry = (deliveryId: string) => harness.call('POST', `${PATH}/${endpoint.id}/deliveries/${deliveryId}/retry`);

test('an event arrives signed and equal to the event of the API', async () => {
  const [event] = await happen(harness, { resource: 'arrives', data: { text: 'grüße 👋 \u0001' } });
  await receiver.arrived(1);
  const [received] = receiver.received;
  assert.ok(received);
  assertSigned(received, endpoint.secret);
  assert.equal(received.headers['content-type'], 'application/json');
  assert.equal(received.headers['webhook-id'], event?.id);
  const shown = await harness.call('GET', `/v1/events/${event?.id}`);
  assert.deepEqual(received.event, shown.body);
  const stored = await delivery('delivered');
  assert.equal(stored.object, 'webhook_delivery');
  assert.equal(stored.event_id, event?.id);
  assert.equal(stored.event_type, 'message.received');
  assert.equal(stored.next_attempt_at, null);
  assert.equal(stored.attempts.length, 1);
  assert.equal(stored.attempts[0].response_status, 200);
  assert.equal(stored.attempts[0].error, null);
});

test('an endpoint gets only the types it asked for', async () => {
  await patch({ enabled_events: ['message.failed'] });
  await happen(harness, { resource: 'filtered' }, { resource: 'filtered', type: 'message.failed' });
  await receiver.arrived(1);
  await delivery('delivered');
  assert.deepEqual(
    receiver.received.map(({ event }) => event.type),
    ['message.failed'],
  );
});

test('an event is not sent before the previous one of its resource is delivered; other resources do not wait', async () => {
  let failures = 2;
  receiver.answer(({ event }) => (event.resource_id === 'stuck' && failures-- > 0 ? FAILS : {}));
  await happen(harness, { resource: 'stuck' }, { resource: 'stuck' }, { resource: 'free' }, { resource: 'stuck' });
  // The two lanes are drained concurrently, so either may be first.
  await until('both resources have been tried', () =>
    ['free', 'stuck'].every((resource) => receiver.received.some(({ event }) => event.resource_id === resource)),
  );
  assert.deepEqual(sequences(receiver.received.filter(({ event }) => event.resource_id === 'stuck')), [1]);
  await harness.advance(7_300);
  await receiver.arrived(6);
  const stuck = receiver.received.filter(({ event }) => event.resource_id === 'stuck');
  assert.deepEqual(sequences(stuck), [1, 1, 1, 2, 3]);
});

test('deliveries of one resource never overlap, for any number of workers', async () => {
  receiver.answer({ delayMs: 3 });
  for (let n = 0; n < 10; n++) await happen(harness, { resource: 'narrow' }, { resource: 'narrow' });
  await receiver.arrived(20);
  assert.deepEqual(
    sequences(receiver.received),
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
  assert.equal(receiver.openMax(), 1);
});

test('retries have the same id and the same bytes, and a signature with the time of the attempt', async () => {
  let failures = 3;
  receiver.answer(() => (failures-- > 0 ? { status: 503 } : {}));
  await happen(harness, { resource: 'again', data: { amount: 1.5, nested: { b: 1, a: [] } } });
  const failed = await delivery('failed');
  const readMs = Date.parse((await harness.call('GET', '/v1/test/clock')).body.now);
  const [nextMs, triedMs] = [Date.parse(failed.next_attempt_at), Date.parse(failed.attempts.at(-1).at)];
  const scheduledMs = ([1, 5, 30][failed.attempts.length - 1] ?? 0) * 1_000;
  assert.ok(nextMs >= triedMs + 0.9 * scheduledMs && nextMs <= readMs + 1.1 * scheduledMs, failed.next_attempt_at);
  await harness.advance(60);
  await receiver.arrived(4);
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
  for (const received of receiver.received) assertSigned(received, endpoint.secret);
  const { attempts } = await delivery('delivered');
  assert.deepEqual(
    attempts.map((attempt: Json) => attempt.response_status),
    [503, 503, 503, 200],
  );
  const waits = [1, 2].map((n) => (Date.parse(attempts[n].at) - Date.parse(attempts[n - 1].at)) / 1_000);
  assert.ok((waits[0] ?? 0) >= 0.9 && (waits[1] ?? 0) >= 4.5, `retries after ${waits} s`);
});

test('a retry waits for Retry-After', async () => {
  receiver.answer({ status: 503, headers: { 'retry-after': '3600' } });
  await happen(harness, { resource: 'later' });
  const failed = await delivery('failed');
  assert.ok(Date.parse(failed.next_attempt_at) - Date.parse(failed.attempts[0].at) >= 3_600_000);
  receiver.answer({});
  await harness.advance(3500);
  assert.equal(receiver.received.length, 1);
  await harness.advance(110);
  await receiver.arrived(2);
  await delivery('delivered');
});

test('a redirect is a failure and is not followed', async () => {
  const elsewhere = await startReceiver();
  try {
    receiver.answer({ status: 307, headers: { location: elsewhere.url } });
    await happen(harness, { resource: 'moved' });
    const { attempts } = await delivery('failed');
    assert.equal(attempts[0].response_status, 307);
    assert.match(attempts[0].error, /redirects are not followed/);
    assert.equal(elsewhere.received.length, 0);
  } finally {
    await elsewhere.close();
  }
});

test('each reply is stored with its delivery, with any characters', async () => {
  const replyTo = (eventId: string) => `"${eventId}", \\ {} \u001e \u001f \n ü`;
  receiver.answer(({ event }) => ({ body: replyTo(event.id) }));
  const resources = Array.from({ length: 12 }, (_, n) => ({ resource: `replies-${n % 3}` }));
  await happen(harness, ...resources);
  let stored: Json[] = [];
  await until('all are delivered', async () => {
    stored = await deliveriesOf(harness, endpoint.id);
    return stored.length === 12 && stored.every(({ status }) => status === 'delivered');
  });
  for (const { event_id, attempts } of stored) {
    assert.deepEqual(
      attempts.map(({ response_body }: Json) => response_body),
      [replyTo(event_id)],
    );
  }
});

test('the first kilobyte of a reply is stored', async () => {
  receiver.answer({ status: 400, body: `no: \0${'x'.repeat(5000)}` });
  await happen(harness, { resource: 'chatty' });
  const { attempts } = await delivery('failed');
  assert.equal(attempts[0].response_body.length, 1024);
  assert.match(attempts[0].response_body, /^no: \ufffdx+$/);
  assert.equal(attempts[0].error, 'The receiver answered 400.');
});

test('a receiver that is down is retried', async () => {
  await receiver.close();
  await happen(harness, { resource: 'down' });
  const { attempts } = await delivery('failed');
  assert.equal(attempts[0].response_status, null);
  assert.equal(attempts[0].error, 'The connection could not be opened.');
});

test('after the last attempt a delivery is given up and the next of its lane is sent', async () => {
  receiver.answer(({ event }) => (event.sequence === 1 ? { status: 500 } : {}));
  await happen(harness, { resource: 'hopeless' }, { resource: 'hopeless' });
  await harness.advance(4 * 86_400);
  const given = await delivery('given_up');
  assert.equal(given.attempts.length, 10);
  assert.equal(given.next_attempt_at, null);
  assert.deepEqual(sequences(receiver.received), [...Array(10).fill(1), 2]);
});

test('five days with failures only disable the endpoint', async () => {
  const watching = await startReceiver();
  try {
    await register(harness, { url: watching.url, enabled_events: ['webhook_endpoint.disabled'] });
    receiver.answer({ status: 500 });
    await happen(harness, { resource: 'dead' }, { resource: 'dead' });
    await harness.advance(4.9 * 86_400);
    assert.equal((await harness.call('GET', `${PATH}/${endpoint.id}`)).body.status, 'active');
    await harness.advance(1.5 * 86_400);
    const off = await harness.call('GET', `${PATH}/${endpoint.id}`);
    assert.equal(off.body.status, 'disabled');
    assert.equal(off.body.disabled_reason, 'failing');
    await delivery('given_up', 0);
    await watching.arrived(1);
    assert.equal(watching.received[0]?.event.data['disabled_reason'], 'failing');
    await happen(harness, { resource: 'dead' });
    assert.equal((await deliveriesOf(harness, endpoint.id)).length, 2);
  } finally {
    await watching.close();
  }
});

test('an endpoint without further attempts is disabled five days after its first failure, not earlier', async () => {
  receiver.answer({ status: 500 });
  await happen(harness, { resource: 'lonely' });
  await harness.advance(4 * 86_400);
  await delivery('given_up');
  await harness.advance(0.9 * 86_400);
  assert.equal((await harness.call('GET', `${PATH}/${endpoint.id}`)).body.status, 'active');
  await harness.advance(0.2 * 86_400);
  const off = (await harness.call('GET', `${PATH}/${endpoint.id}`)).body;
  assert.deepEqual([off.status, off.disabled_reason], ['disabled', 'failing']);
  const disabled = (await harness.call('GET', `/v1/events?resource_id=${endpoint.id}`)).body.data;
  assert.deepEqual(
    disabled.map(({ type }: { type: string }) => type),
    ['webhook_endpoint.disabled'],
  );
});

test('an endpoint that was enabled again, or works again, is not disabled for earlier failures', async () => {
  receiver.answer(({ event }) => (event.resource_id === 'works' ? {} : { status: 500 }));
  await happen(harness, { resource: 'lonely' });
  await harness.advance(4 * 86_400);
  await happen(harness, { resource: 'works' });
  await until('it works', () => receiver.received.some(({ event }) => event.resource_id === 'works'));
  await harness.advance(2 * 86_400);
  assert.equal((await harness.call('GET', `${PATH}/${endpoint.id}`)).body.status, 'active');

  await happen(harness, { resource: 'lonelier' });
  await harness.advance(4 * 86_400);
  for (const status of ['disabled', 'active']) {
    await harness.call('PATCH', `${PATH}/${endpoint.id}`, { body: { url: receiver.url, status } });
  }
  await harness.advance(2 * 86_400);
  assert.equal((await harness.call('GET', `${PATH}/${endpoint.id}`)).body.status, 'active');
});

test('a success in between restarts the five days', async () => {
  receiver.answer(({ event }) => (event.resource_id === 'works' ? {} : { status: 500 }));
  await happen(harness, { resource: 'fails' });
  await harness.advance(3 * 86_400);
  await happen(harness, { resource: 'works' });
  await until('it works', () => receiver.received.some(({ event }) => event.resource_id === 'works'));
  await happen(harness, { resource: 'fails' });
  await harness.advance(3 * 86_400);
  assert.equal((await harness.call('GET', `${PATH}/${endpoint.id}`)).body.status, 'active');
});

test('410 disables the endpoint immediately; enabled again it works', async () => {
  receiver.answer({ status: 410 });
  await happen(harness, { resource: 'gone' }, { resource: 'gone' }, { resource: 'gone, too' });
  await until('it is off', async () => {
    const { body } = await harness.call('GET', `${PATH}/${endpoint.id}`);
    return body.status === 'disabled' && body.disabled_reason === 'gone';
  });
  const statuses = (await deliveriesOf(harness, endpoint.id)).map(({ status }) => status);
  assert.deepEqual(statuses, ['given_up', 'given_up', 'given_up']);
  await happen(harness, { resource: 'gone' });
  assert.equal((await deliveriesOf(harness, endpoint.id)).length, 3);
  receiver.answer({});
  const on = await patch({ status: 'active' });
  assert.equal(on.body.disabled_reason, null);
  const count = receiver.received.length;
  await happen(harness, { resource: 'gone' });
  await receiver.arrived(count + 1);
  await delivery('delivered', 0);
});

test('while an endpoint is disabled by hand its deliveries wait; they are sent in order when it is enabled', async () => {
  receiver.answer(FAILS);
  await happen(harness, { resource: 'held' });
  await delivery('failed');
  await patch({ status: 'disabled' });
  await happen(harness, { resource: 'held' });
  await happen(harness, { resource: 'new' });
  await harness.advance(86_400);
  assert.equal(receiver.received.length, 1);
  receiver.answer({});
  await patch({ status: 'active' });
  await receiver.arrived(5);
  const held = receiver.received.slice(1).filter(({ event }) => event.resource_id === 'held');
  assert.deepEqual(sequences(held), [1, 2]);
  // The event about its disabling is among the collected events.
  assert.deepEqual(
    new Set(receiver.received.map(({ event }) => event.type)),
    new Set(['message.received', 'webhook_endpoint.disabled']),
  );
});

test('a change of address applies to the next delivery', async () => {
  const elsewhere = await startReceiver();
  try {
    receiver.answer({ hang: true });
    await happen(harness, ...Array.from({ length: 4 }, () => ({ resource: 'moving' })));
    await receiver.arrived(1);
    await patch({ url: elsewhere.url });
    receiver.release(FAILS.status, FAILS.headers);
    await delivery('failed');
    await harness.advance(3_700);
    await elsewhere.arrived(4);
    assert.deepEqual(sequences(elsewhere.received), [1, 2, 3, 4]);
    assert.equal(receiver.received.length, 1);
  } finally {
    await elsewhere.close();
  }
});

test('after a change of address nothing is sent to the old one, without a failure in between', async () => {
  const elsewhere = await startReceiver();
  try {
    await happen(harness, { resource: 'relocated' });
    await receiver.arrived(1);
    await delivery('delivered');
    await patch({ url: elsewhere.url });
    await happen(harness, { resource: 'relocated' });
    await elsewhere.arrived(1);
    assert.deepEqual(sequences(elsewhere.received), [2]);
    assert.equal(receiver.received.length, 1);
  } finally {
    await elsewhere.close();
  }
});

test('deleting an endpoint gives up its waiting deliveries, and later events have none for it', async () => {
  receiver.answer(FAILS);
  await happen(harness, { resource: 'deleted' }, { resource: 'deleted' });
  await delivery('failed');
  await harness.call('DELETE', `${PATH}/${endpoint.id}`);
  await happen(harness, { resource: 'after the deletion' });
  const left = await harness.context.db.query(
    { name: '', text: `select status from deliveries where endpoint_id = $1` },
    [endpoint.id],
  );
  assert.deepEqual(left, [{ status: 'given_up' }, { status: 'given_up' }]);
  await harness.advance(3_700);
  assert.equal(receiver.received.length, 1);
});

test('a manual retry sends a failed delivery immediately and a delivered one again', async () => {
  receiver.answer({ status: 500, headers: { 'retry-after': '80000' } });
  await happen(harness, { resource: 'by hand' });
  const failed = await delivery('failed');
  receiver.answer({});
  const first = await retry(failed.id);
  assert.equal(first.status, 200);
  assert.equal(first.body.status, 'pending');
  assert.equal(first.body.attempts.length, 1);
  await receiver.arrived(2);
  await delivery('delivered');
  await retry(failed.id);
  await receiver.arrived(3);
  assert.equal((await delivery('delivered')).attempts.length, 3);
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
  const none = await retry('whd_none');
  assert.equal(none.body.error.code, 'delivery_not_found');
});

test('a manual retry starts a new round of attempts for a delivery that was given up', async () => {
  receiver.answer({ status: 500 });
  await happen(harness, { resource: 'second round' });
  await harness.advance(4 * 86_400);
  const given = await delivery('given_up');
  receiver.answer(FAILS);
  await retry(given.id);
  await delivery('failed');
  receiver.answer({});
  await harness.advance(3_700);
  assert.equal((await delivery('delivered')).attempts.length, 12);
});

test('deliveries are listed newest first, and filtered by status and by event', async () => {
  receiver.answer(({ event }) => (event.resource_id === 'bad' ? { status: 500 } : {}));
  const [good] = await happen(harness, { resource: 'good' });
  await happen(harness, { resource: 'bad' });
  await delivery('delivered');
  await delivery('failed', 0);
  const failed = await deliveriesOf(harness, endpoint.id, '&status=failed');
  assert.equal(failed.length, 1);
  const ofGood = await deliveriesOf(harness, endpoint.id, `&event_id=${good?.id}`);
  assert.deepEqual(
    ofGood.map(({ event_id }) => event_id),
    [good?.id],
  );
  const wrong = await harness.call('GET', `${PATH}/${endpoint.id}/deliveries?status=lost`);
  assert.equal(wrong.body.error.code, 'invalid_body');
  assert.equal(wrong.body.error.param, 'status');
});
