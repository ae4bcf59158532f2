import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../test/support/jobs.ts';
import { newPerson, read, refusal, trySend } from '../../../../test/support/messages.ts';
import { useLiveLine } from '../../../../test/support/money.ts';
import { findOnSale, makeTenant } from '../../../../test/support/numbers.ts';

const { harness, key, from } = await useLiveLine();

test('a live key sends through its carrier, and the receipt arrives', async () => {
  const reply = await trySend(harness, { from, to: newPerson(), body: 'Hi' }, { key });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  await until('the text is delivered', async () => {
    return (await read(harness, `/messages/${reply.body.id}`, key)).status === 'delivered';
  });
  assert.equal(
    (await harness.call('GET', `/v1/messages/${reply.body.id}`)).status,
    404,
    'the test key does not find it',
  );
});

test('live texts go only to the United States and Canada, including toll-free numbers', async () => {
  for (const to of ['+16025550143', '+14165550143', '+18005550143', '+17875550143']) {
    assert.equal((await trySend(harness, { from, to, body: 'Hi' }, { key })).status, 201, to);
  }
  for (const to of ['+442071838750', '+18765550143', '+18095550143', '+15005550001', '+16054551234', '+19005550123']) {
    const reply = await trySend(harness, { from, to, body: 'Hi' }, { key });
    assert.deepEqual(refusal(reply), [422, 'destination_not_supported', 'to'], to);
    const check = await harness.call('POST', '/v1/messages/check', { key, body: { from, to, body: 'Hi' } });
    assert.deepEqual([check.body.accepted, check.body.error.code], [false, 'destination_not_supported']);
  }
});

test('media of a live text must be on the public internet, whatever test texts may use', async () => {
  for (const url of ['http://localhost/a.png', 'https://localhost/a.png', 'https://127.0.0.1/a.png']) {
    const reply = await trySend(harness, { from, to: '+16025550143', media_urls: [url] }, { key });
    assert.deepEqual(refusal(reply), [400, 'invalid_body', 'media_urls[0]'], url);
  }
});

test('test texts go to any destination', async () => {
  const tenantId = await makeTenant(harness);
  const body = { tenant_id: tenantId, phone_number: await findOnSale(harness) };
  const bought = await harness.call('POST', '/v1/phone_numbers', { body });
  const reply = await trySend(harness, { from: bought.body.id, to: '+442071838750', body: 'Hi' });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
});

test('the simulation is closed to live keys', async () => {
  for (const [method, path, body] of [
    ['POST', '/v1/test/inbound_messages', { from: newPerson(), to: newPerson(), body: 'Hi' }],
    ['POST', '/v1/test/messages/msg_x/receipt', { status: 'delivered' }],
    ['GET', '/v1/test/outbox', undefined],
  ] as const) {
    const reply = await harness.call(method, path, { key, ...(body && { body }) });
    assert.deepEqual(refusal(reply).slice(0, 2), [403, 'test_mode_only']);
  }
});
