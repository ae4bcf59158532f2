import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate } from '../../../../test/support/jobs.ts';
import { skip } from '../../../../test/support/stepping-time.ts';
import { createFairQueue, createShares } from './turns.ts';

test('a ledger with one conversion waits for no more than the running one of a ledger with thirty', async () => {
  const queue = createFairQueue();
  const started: string[] = [];
  const first = gate();
  const convert = (ledgerId: number, name: string) =>
    queue.run(ledgerId, async () => {
      started.push(name);
      if (started.length === 1) await first.opened;
    });
  const many = Array.from({ length: 30 }, (_, index) => convert(1, `a${index}`));
  const other = convert(2, 'b0');
  const third = convert(3, 'c0');
  first.open();
  await Promise.all([...many, other, third]);
  assert.deepEqual(started.slice(0, 5), ['a0', 'a1', 'b0', 'c0', 'a2']);
  assert.deepEqual(
    started.filter((name) => name.startsWith('a')),
    Array.from({ length: 30 }, (_, index) => `a${index}`),
  );
});

test('a conversion that fails ends its turn', async () => {
  const queue = createFairQueue();
  await assert.rejects(
    queue.run(1, () => Promise.reject(new Error('broken'))),
    /broken/,
  );
  assert.equal(await queue.run(1, async () => 'next'), 'next');
});

test('work beyond the share of its ledger comes back later, a step after the one before it', async () => {
  const enter = createShares({ totalMax: 3, ledgerMax: 2 });
  const shares = [enter(1), enter(1)];
  const delays = [enter(1), enter(1), enter(1)].map((share) => 'delayMs' in share && Math.round(share.delayMs / 10));
  assert.deepEqual(delays, [25, 50, 75]);
  assert.ok('end' in enter(2), 'another ledger has room');
  assert.ok('delayMs' in enter(3), 'the total is reached');
  for (const share of shares) if ('end' in share) share.end();
  await skip(1_000);
  assert.ok('end' in enter(1));
});

test('no work is put off by more than 30 s', () => {
  const enter = createShares({ totalMax: 1, ledgerMax: 1 });
  enter(1);
  const delays = Array.from({ length: 200 }, () => enter(1)).map((share) => ('delayMs' in share ? share.delayMs : 0));
  assert.ok(Math.max(...delays) <= 30_000);
});
