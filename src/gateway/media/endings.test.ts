import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { skip } from '../../../test/support/stepping-time.ts';
import { createEndReports } from './endings.ts';

test('a failing report is retried for over a quarter of an hour, each time with how late it is', async () => {
  let nowMs = 0;
  const reports = createEndReports({ log: pino({ level: 'silent' }), retryMs: 1_000, nowMs: () => nowMs });
  const lates: number[] = [];
  reports.send('an end', async (lateMs) => {
    lates.push(lateMs);
    throw new Error('database down');
  });
  for (; nowMs < 3_600_000; ) {
    await new Promise((resolve) => setImmediate(resolve));
    nowMs += 1_000;
    await skip(1_000);
  }
  await reports.settle(60_000);
  assert.deepEqual(lates.slice(0, 4), [0, 1_000, 3_000, 7_000]);
  const last = lates.at(-1) as number;
  assert.ok(last > 900_000 && last < 1_800_000, `${last} ms`);
});

test('a stop waits once for reports that do not end', async () => {
  const reports = createEndReports({ log: pino({ level: 'silent' }), retryMs: 1_000, nowMs: () => 0 });
  reports.send('an end', () => new Promise(() => undefined));
  let isSettled = false;
  const settled = reports.settle(60_000).then(() => {
    isSettled = true;
  });
  await skip(30_000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isSettled, false);
  await skip(30_000);
  await settled;
  await reports.settle(2_000);
});
