import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson } from '../../../../test/support/messages.ts';
import { useLine } from '../../../../test/support/numbers.ts';

const { harness, number } = await useLine({ startWorkers: false });
const { db } = harness.context;

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

async function send(): Promise<string> {
  const headers = { traceparent: TRACE };
  const { status, body } = await harness.call('POST', '/v1/messages', {
    headers,
    body: { from: number.id, to: newPerson(), body: 'Hello' },
  });
  assert.equal(status, 201);
  return body.id;
}

const report = async (id: string, status: string) => {
  const reply = await harness.call('POST', `/v1/test/messages/${id}/receipt`, { body: { status } });
  assert.equal(reply.status, 200);
};
const eventsOf = (id: string) =>
  sql(db, 'select type, sequence, traceparent from events where resource_id = $1 order by sequence', [id]);
const counters = (id: string) => sql(db, 'select last from event_sequences where resource_id = $1', [id]);

test('the only event of a text has number 1 and the trace context of its request, and leaves no counter', async () => {
  const id = await send();
  assert.deepEqual(await counters(id), [{ last: 0 }]);
  await report(id, 'delivered');
  assert.deepEqual(await eventsOf(id), [{ type: 'message.delivered', sequence: 1, traceparent: TRACE }]);
  assert.deepEqual(await counters(id), []);
});

test('two events of a text are numbered in their order, also if a receipt is repeated', async () => {
  const id = await send();
  for (const status of ['sent', 'sent', 'failed', 'delivered']) await report(id, status);
  assert.deepEqual(await eventsOf(id), [
    { type: 'message.sent', sequence: 1, traceparent: TRACE },
    { type: 'message.failed', sequence: 2, traceparent: TRACE },
  ]);
  assert.deepEqual(await counters(id), [{ last: 2 }]);
});

test('the event of an inbound text has number 1 and leaves no counter', async () => {
  const { id } = await arrive(harness, newPerson(), number.phone_number, 'Hi');
  assert.deepEqual(await eventsOf(id), [{ type: 'message.received', sequence: 1, traceparent: null }]);
  assert.deepEqual(await counters(id), []);
});
