import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lane } from '../../../queue/lanes/lane.ts';
import { createLaneLog } from './lane-log.ts';
import type { Recorded } from './lane-queries.ts';

type MadeAttempt = Parameters<ReturnType<typeof createLaneLog>['add']>[0];

const LANE = { ledgerId: 1, kind: 'webhook', groupId: 'we_1', laneKey: 'x', failures: 0, leaseToken: 't', leaseMs: 1 };
const attempt = (id: string) => ({ id }) as unknown as MadeAttempt;

test('an attempt that ends just as the one before it is written is written before the log settles', async () => {
  for (let turns = 0; turns < 12; turns++) {
    const stored: MadeAttempt[] = [];
    const begun = Promise.withResolvers<Recorded>();
    const log = createLaneLog(LANE as Lane, async (progress) => {
      stored.push(...progress.attempts);
      return begun.promise;
    });
    log.add(attempt('first'));
    const settled = log.settle();
    begun.resolve({} as Recorded);
    for (let turn = 0; turn < turns; turn++) await null;
    log.add(attempt('second'));
    await log.settle();
    assert.deepEqual(stored, [attempt('first'), attempt('second')], `${turns} microtasks later`);
    await settled;
  }
});
