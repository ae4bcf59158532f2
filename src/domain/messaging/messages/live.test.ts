import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import { until } from '../../../../test/support/jobs.ts';
import { newPerson, read, refusal, trySend } from '../../../../test/support/messages.ts';
import { useLiveLine } from '../../../../test/support/money.ts';
import { findOnSale, makeTenant } from '../../../../test/support/numbers.ts';
import type { MessagingPort } from '../../../carriers/ports/messaging.ts';

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

test('a text of more segments than the carrier takes is refused by the send and by the check', async () => {
  const [seven, eight] = ['x'.repeat(7 * 153), 'x'.repeat(7 * 153 + 1)];
  const limited = (real: MessagingPort): MessagingPort => ({ ...real, segmentsMax: 7 });
  await withPort(harness, 'messaging', limited, async () => {
    assert.equal((await trySend(harness, { from, to: newPerson(), body: seven }, { key })).status, 201);
    const reply = await trySend(harness, { from, to: newPerson(), body: eight }, { key });
    assert.deepEqual(refusal(reply), [400, 'message_too_long', 'body']);
    assert.match(reply.body.error.message, /8 segments.* at most 7/);
    const { body } = await harness.call('POST', '/v1/messages/check', {
      key,
      body: { from, to: newPerson(), body: eight },
    });
    assert.deepEqual([body.accepted, body.segments, body.error.code], [false, 8, 'message_too_long']);
    // A message with media is one segment, and errors about the number come first.
    const media_urls = ['https://example.com/a.png'];
    assert.equal((await trySend(harness, { from, to: newPerson(), body: eight, media_urls }, { key })).status, 201);
    const unknown = await trySend(harness, { from: 'num_none', to: newPerson(), body: eight }, { key });
    assert.deepEqual(refusal(unknown).slice(0, 2), [404, 'from_number_not_found']);
  });
  assert.equal((await trySend(harness, { from, to: newPerson(), body: eight }, { key })).status, 201);
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
