import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from './harness.ts';
import { makeLine } from './numbers.ts';

const harness = await useHarness();

test('a harness is settled when the work that is due has been done', async () => {
  const { number } = await makeLine(harness);
  const text = { from: number.id, to: '+16025550143', body: 'Hello' };
  const stop = { from: text.to, to: number.phone_number, body: 'STOP' };
  await harness.call('POST', '/v1/test/inbound_messages', { body: stop });
  await harness.settled();
  const reply = await harness.call('POST', '/v1/messages', { body: text });
  assert.equal(reply.body.error.code, 'recipient_opted_out');
});
