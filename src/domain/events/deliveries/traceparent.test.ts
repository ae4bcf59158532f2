import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { register } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { newPerson } from '../../../../test/support/messages.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { useReceiver } from '../../../../test/support/receiver.ts';

const harness = await useHarness();
const receiver = await useReceiver();
await register(harness, { url: receiver.url });
const line = await makeLine(harness);

const newTrace = () => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;

/** The traceparent of each delivery about the resource, in order, with the type of its event. */
async function tracesOf(resourceId: string, count: number): Promise<unknown[]> {
  const about = () => receiver.received.filter(({ event }) => event.resource_id === resourceId);
  await until('they arrive', () => about().length >= count);
  return about().map(({ event, headers }) => [event.type, headers['traceparent']]);
}

const send = (to: string, headers: Record<string, string>) =>
  harness.call('POST', '/v1/messages', { body: { from: line.number.id, to, body: 'Hello' }, headers });

test('the trace context of a send reaches the webhooks of its message, and no others', async () => {
  const [one, two, none] = [newTrace(), newTrace(), undefined];
  const sent = await Promise.all([
    send(newPerson(), { traceparent: one }),
    send(newPerson(), { traceparent: two }),
    send(newPerson(), {}),
    send(newPerson(), { traceparent: 'not a trace context' }),
  ]);
  const found = await Promise.all(sent.map(({ body }) => tracesOf(body.id, 1)));
  assert.deepEqual(
    found,
    [one, two, none, none].map((trace) => [['message.delivered', trace]]),
  );
});

test('the event of a request itself carries its trace context, and a later event of the resource does not', async () => {
  const person = newPerson();
  const traceparent = newTrace();
  const body = { tenant_id: line.tenantId, external_number: person };
  await harness.call('POST', '/v1/opt_outs', { body, headers: { traceparent } });
  const path = `/v1/opt_outs/${encodeURIComponent(person)}?tenant_id=${line.tenantId}`;
  assert.equal((await harness.call('DELETE', path)).status, 204);
  assert.deepEqual(await tracesOf(`${line.tenantId}:${person}`, 2), [
    ['opt_out.created', traceparent],
    ['opt_out.removed', undefined],
  ]);
});

test('an event sent again carries the trace context of the request that caused it', async () => {
  const traceparent = newTrace();
  const { body: message } = await send(newPerson(), { traceparent });
  await tracesOf(message.id, 1);
  const [event] = await sql<{ id: string }>(harness.context.db, 'select id from events where resource_id = $1', [
    message.id,
  ]);
  await harness.call('POST', `/v1/events/${event?.id}/resend`, { headers: { traceparent: newTrace() } });
  assert.deepEqual(await tracesOf(message.id, 2), Array(2).fill(['message.delivered', traceparent]));
});

test('a test event carries the trace context of its request', async () => {
  const traceparent = newTrace();
  const { data } = (await harness.call('GET', '/v1/webhook_endpoints')).body;
  const before = receiver.received.length;
  await harness.call('POST', `/v1/webhook_endpoints/${data[0].id}/test`, { headers: { traceparent } });
  assert.equal(receiver.received.at(before)?.headers['traceparent'], traceparent);
});
