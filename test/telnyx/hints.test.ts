import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness } = await useTelnyxLine();

test('while Telnyx is slow, most hints wait, so that they do not hold up the reports of calls', async () => {
  const { ingress } = harness.connections.list()[0]?.connected ?? assert.fail();
  await telnyx.control.set({ roundTripMs: 2_000 });
  const hint = (id: string) => {
    const body = { payload: { id } };
    return ingress?.translate(harness.context.db, { id, key: id, type: 'porting_order.new_comment', body });
  };
  const looking = ['a', 'b', 'c', 'd'].map(hint);
  assert.deepEqual(await hint('e'), { is: 'wait' });
  for (const translation of await Promise.all(looking)) assert.deepEqual(translation, { is: 'foreign' });
  await telnyx.control.set({ roundTripMs: 0 });
  assert.deepEqual(await hint('e'), { is: 'foreign' });
});
