import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../support/harness.ts';

const harness = await useHarness();

async function makeNumber(): Promise<{ tenant: string; number: string; e164: string }> {
  const tenant = await harness.call('POST', '/v1/tenants', { body: { name: 'Desert Paws Clinic' } });
  assert.equal(tenant.status, 201, JSON.stringify(tenant.body));
  const search = await harness.call('GET', '/v1/phone_numbers/available?area_code=602&limit=1');
  assert.equal(search.status, 200, JSON.stringify(search.body));
  const bought = await harness.call('POST', '/v1/phone_numbers', {
    body: { tenant_id: tenant.body.id, phone_number: search.body.data[0].phone_number },
  });
  assert.equal(bought.status, 201, JSON.stringify(bought.body));
  return { tenant: tenant.body.id, number: bought.body.id, e164: bought.body.phone_number };
}

test('a tenant buys a number and sends a text, which is delivered a second later', async () => {
  const { number } = await makeNumber();
  const sent = await harness.call('POST', '/v1/messages', {
    body: { from: number, to: '+16025550143', body: 'Your appointment is tomorrow at 9.' },
  });
  assert.equal(sent.status, 201, JSON.stringify(sent.body));
  assert.equal(sent.body.status, 'queued');
  await harness.advance(2);
  const delivered = await harness.call('GET', `/v1/messages/${sent.body.id}`);
  assert.equal(delivered.body.status, 'delivered');
  assert.deepEqual(
    delivered.body.status_history.map((entry: { status: string }) => entry.status),
    ['queued', 'delivered'],
  );
});

test('a person texts back, and the conversation has both texts', async () => {
  const { number, e164 } = await makeNumber();
  const sent = await harness.call('POST', '/v1/messages', {
    body: { from: number, to: '+16025550143', body: 'Hello' },
  });
  const reply = await harness.call('POST', '/v1/test/inbound_messages', {
    body: { from: '+16025550143', to: e164, body: 'Hi there' },
  });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  assert.equal(reply.body.conversation_id, sent.body.conversation_id);
  const timeline = await harness.call('GET', `/v1/conversations/${sent.body.conversation_id}/timeline`);
  assert.equal(timeline.body.data.length, 2, JSON.stringify(timeline.body));
});

test('STOP blocks sends until START', async () => {
  const { number, e164 } = await makeNumber();
  const from = '+16025550144';
  await harness.call('POST', '/v1/test/inbound_messages', { body: { from, to: e164, body: 'Stop!' } });
  const refused = await harness.call('POST', '/v1/messages', { body: { from: number, to: from, body: 'Hello' } });
  assert.equal(refused.status, 422, JSON.stringify(refused.body));
  assert.equal(refused.body.error.code, 'recipient_opted_out');
  await harness.call('POST', '/v1/test/inbound_messages', { body: { from, to: e164, body: 'START' } });
  const accepted = await harness.call('POST', '/v1/messages', { body: { from: number, to: from, body: 'Hello' } });
  assert.equal(accepted.status, 201, JSON.stringify(accepted.body));
});
