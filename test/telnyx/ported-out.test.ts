import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runNow } from '../support/jobs.ts';
import { buyNumber } from '../support/numbers.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, key, tenantId, number, get } = await useTelnyxLine();
const { db } = harness.context;

test('a number that was ported away ends here with the next question, and the others stay', async () => {
  const kept = await buyNumber(harness, tenantId, key);
  await telnyx.control.setNumber({ phoneNumber: number.phone_number, status: 'ported-out' });
  await runNow(db, 'sweep.telnyx_ported_out');
  const gone = await harness.call('GET', `/v1/phone_numbers/${number.id}`, { key });
  assert.ok(gone.status === 404 || gone.body.status === 'released', JSON.stringify(gone.body));
  assert.equal((await get(`/phone_numbers/${kept.id}`)).status, 'active');
  const released = await telnyx.control.requests({ operation: 'DELETE /phone_numbers/{id}' });
  assert.deepEqual(released, [], 'nothing is to be released at Telnyx');
});
