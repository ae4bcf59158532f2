import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skip } from '../../../test/support/stepping-time.ts';
import { createAlarm } from './alarm.ts';

function openAlarm() {
  const rings = { count: 0 };
  return {
    rings,
    ...createAlarm(() => {
      rings.count++;
    }),
  };
}

test('an alarm rings once, at the earliest time that it was set to', async () => {
  const { rings, set } = openAlarm();
  set(2_000);
  set(1_000);
  set(3_000);
  await skip(1_000);
  assert.equal(rings.count, 1);
  await skip(5_000);
  assert.equal(rings.count, 1);
});

test('an alarm that was cleared can be set again', async () => {
  const { rings, set, clear } = openAlarm();
  set(1_000);
  clear();
  await skip(2_000);
  assert.equal(rings.count, 0);
  set(1_000);
  await skip(1_000);
  assert.equal(rings.count, 1);
});

test('an alarm that is closed never rings, whatever sets it', async () => {
  const { rings, set, close } = openAlarm();
  set(1_000);
  close();
  set(1_000);
  await skip(5_000);
  assert.equal(rings.count, 0);
});
