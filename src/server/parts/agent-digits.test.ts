import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { silentLog, until, useJobsDatabase } from '../../../test/support/jobs.ts';
import { createBus } from '../../db/bus.ts';
import type { AgentDigits } from '../../domain/voice/index.ts';
import { publishDigits, subscribeDigits } from './agent-digits.ts';

const { openOther } = await useJobsDatabase();

async function startBus() {
  const bus = createBus(openOther(), silentLog);
  closeAfterTests(() => bus.close());
  await bus.start();
  return bus;
}

test('a key that is pressed twice comes twice, and a message that the bus repeats comes once', async () => {
  const [one, two] = [await startBus(), await startBus()];
  const payloads: string[] = [];
  one.subscribe('agent-digits', (payload) => payloads.push(payload));
  const taken: AgentDigits[] = [];
  subscribeDigits(two, (digits) => taken.push(digits));
  const pressed = { callId: 'call_1', digits: '1' };
  publishDigits(one, pressed);
  publishDigits(one, pressed);
  await until('both have come', () => taken.length === 2);
  for (const payload of payloads.splice(0)) one.publish('agent-digits', payload);
  publishDigits(one, { ...pressed, digits: '2' });
  await until('the last has come', () => taken.at(-1)?.digits === '2');
  assert.deepEqual(taken, [pressed, pressed, { ...pressed, digits: '2' }]);
});
