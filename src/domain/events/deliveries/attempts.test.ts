import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { deliveriesOf, happen, type Json, register } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { useReceiver } from '../../../../test/support/receiver.ts';

const harness = await useHarness();
const receiver = await useReceiver();
let endpoint: Json;

beforeEach(async () => {
  receiver.answer({});
  receiver.received.length = 0;
  endpoint = await register(harness, { url: `${receiver.url}/hooks` });
});

// Everything that the receiver gets after this comes from the endpoint of the test.
afterEach(async () => {
  assert.equal((await harness.call('DELETE', `/v1/webhook_endpoints/${endpoint.id}`)).status, 204);
});

/** Waits until the endpoint's newest delivery has the status, and returns it as GET does. */
async function detail(status: string): Promise<Json> {
  let id = '';
  await until(`the delivery is ${status}`, async () => {
    const [newest] = await deliveriesOf(harness, endpoint.id);
    id = newest?.id;
    return newest?.status === status;
  });
  const reply = await harness.call('GET', `/v1/webhook_endpoints/${endpoint.id}/deliveries/${id}`);
  assert.equal(reply.status, 200);
  return reply.body;
}

test('a refused attempt shows the request with its signatures, and the answer', async () => {
  receiver.answer({
    status: 401,
    headers: { 'x-request-id': 'abc', 'www-authenticate': 'Signature', 'set-cookie': 'session=1', 'retry-after': '9' },
    body: 'bad signature',
  });
  await happen(harness, { resource: 'refused' });
  const { attempts, request_body } = await detail('failed');
  const [sent] = receiver.received;
  const [attempt] = attempts;
  assert.equal(request_body, sent?.body);
  assert.equal(attempt.url, endpoint.url);
  assert.deepEqual(
    attempt.request_headers,
    Object.fromEntries(Object.keys(attempt.request_headers).map((name) => [name, sent?.headers[name]])),
  );
  for (const name of ['service-signature', 'webhook-signature', 'webhook-id', 'webhook-timestamp', 'content-type']) {
    assert.ok(name in attempt.request_headers, name);
  }
  assert.deepEqual(attempt.response_headers, {
    'retry-after': '9',
    'www-authenticate': 'Signature',
    'x-request-id': 'abc',
  });
  assert.equal(attempt.response_body, 'bad signature');
});

test('an accepted attempt shows its request without signatures, and the answer', async () => {
  receiver.answer({ headers: { server: 'hooks' } });
  await happen(harness, { resource: 'accepted' });
  const { attempts, request_body } = await detail('delivered');
  const [sent] = receiver.received;
  assert.equal(request_body, sent?.body);
  assert.deepEqual(attempts[0].request_headers, {
    'content-type': 'application/json',
    'user-agent': 'Dialplane-Webhooks/1',
    'webhook-id': sent?.event.id,
    'webhook-timestamp': sent?.headers['webhook-timestamp'],
  });
  assert.deepEqual(attempts[0].response_headers, { server: 'hooks' });
});

test('each attempt has the address to which it went', async () => {
  receiver.answer({ status: 500, headers: { 'retry-after': '3600' } });
  await happen(harness, { resource: 'moved' });
  await detail('failed');
  const url = `${receiver.url}/elsewhere`;
  receiver.answer({});
  await harness.call('PATCH', `/v1/webhook_endpoints/${endpoint.id}`, { body: { url } });
  await harness.advance(3_700);
  const { attempts } = await detail('delivered');
  assert.deepEqual(
    attempts.map((attempt: Json) => attempt.url),
    [endpoint.url, url],
  );
});

test('a header of the answer is stored up to its first 200 characters', async () => {
  receiver.answer({ status: 302, headers: { location: `/${'x'.repeat(5_000)}` } });
  await happen(harness, { resource: 'long' });
  const { attempts } = await detail('failed');
  assert.equal(attempts[0].response_headers.location, `/${'x'.repeat(199)}`);
});

test('of more than 100 attempts the latest are shown, oldest first', async () => {
  await happen(harness, { resource: 'often' });
  const { id, attempts: made } = await detail('delivered');
  const stored = Array.from({ length: 101 }, (_, index) => ({ ...made[0], request_headers: {}, duration_ms: index }));
  await sql(harness.context.db, 'update deliveries set attempts = $1 where id = $2', [JSON.stringify(stored), id]);
  const { attempts } = await detail('delivered');
  assert.deepEqual([attempts.length, attempts[0].duration_ms, attempts[99].duration_ms], [100, 1, 100]);
});

test('an attempt that an older program recorded is shown without what it lacks', async () => {
  await happen(harness, { resource: 'old' });
  const { id, event_id } = await detail('delivered');
  const stored = {
    at: '2026-11-22T09:46:05.004Z',
    response_status: 200,
    duration_ms: 1,
    error: null,
    response_body: null,
  };
  await sql(harness.context.db, 'update deliveries set attempts = $1 where id = $2', [JSON.stringify([stored]), id]);
  const { attempts } = await detail('delivered');
  const request_headers = {
    'content-type': 'application/json',
    'user-agent': 'Dialplane-Webhooks/1',
    'webhook-id': event_id,
  };
  assert.deepEqual(attempts, [{ ...stored, url: null, request_headers, response_headers: null }]);
});
