/** The queue that a web client is sent with the caller of a queue. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, ringing, route } from '../../../test/support/calls.ts';
import { read } from '../../../test/support/messages.ts';
import { useLine } from '../../../test/support/numbers.ts';
import { logIn, makeWebClient } from '../../../test/support/web-clients.ts';

const { harness, line } = await useLine();
const { tenantId: tenant_id } = line;

test('a call at a web client has the queue whose caller it is, also after a new login and after a transfer', async () => {
  const [{ id: agent }, { id: colleague }] = [
    await makeWebClient(harness, tenant_id),
    await makeWebClient(harness, tenant_id),
  ];
  const body = { tenant_id, name: 'Support', agents: [agent] };
  const { id: queue_id } = (await harness.call('POST', '/v1/queues', { body })).body;
  await route(harness, line, { open_behavior: { type: 'queue', queue_id } });
  const support = { queue_id, name: 'Support' };
  const [phone, other] = [await logIn(harness, agent), await logIn(harness, colleague)];
  const { id } = await callIn(harness, line);
  assert.deepEqual((await phone.receive('incoming')).queue, support);
  phone.send({ type: 'answer', call_id: id });
  await phone.receiveMedia();
  const again = await logIn(harness, agent);
  assert.deepEqual((await again.receive('incoming')).queue, support);
  await again.receiveMedia();
  again.send({ type: 'transfer', call_id: id, to: colleague });
  assert.deepEqual((await other.receive('incoming')).queue, support);
  await harness.call('POST', `/v1/calls/${id}/hangup`);
  await other.receive('ended');
  await Promise.all([phone.closed, again.close(), other.close()]);
});

test('a call has no queue if it rang directly, or after the overflow of the queue', async () => {
  const { id: agent } = await makeWebClient(harness, tenant_id);
  const phone = await logIn(harness, agent);
  await route(harness, line, { open_behavior: ringing([agent]) });
  const first = await callIn(harness, line);
  assert.equal((await phone.receive('incoming')).queue, null);
  phone.send({ type: 'decline', call_id: first.id });
  await phone.receive('ended');
  const body = { tenant_id, name: 'Empty', max_wait_seconds: 10, overflow: ringing([agent]) };
  const { id: queue_id } = (await harness.call('POST', '/v1/queues', { body })).body;
  await route(harness, line, { open_behavior: { type: 'queue', queue_id } });
  await callIn(harness, line, { script: 'wait 200' });
  await harness.advance(2);
  assert.equal((await read(harness, `/queues/${queue_id}`)).waiting, 1);
  await harness.advance(10);
  assert.equal((await phone.receive('incoming')).queue, null);
  await phone.close();
});
