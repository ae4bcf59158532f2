import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createTicker } from './ticker.ts';

function start(options: { onSkip?: (ticks: number) => void } = {}) {
  const clock = manualClock(12_345.678);
  const errors: unknown[] = [];
  const ticker = createTicker({ clock, onError: (error) => errors.push(error), ...options });
  return { clock, ticker, errors };
}

const HOUR_MS = 3_600_000;

describe('an hour', () => {
  test('has 180,000 ticks, however late each timer fires', () => {
    const { clock, ticker } = start();
    const beganMs = clock.nowMs();
    let ticks = 0;
    let latestMs = 0;
    ticker.add((tick) => {
      latestMs = Math.max(latestMs, clock.nowMs() - beganMs - tick * 20);
      ticks++;
    });
    // Every wake-up is 0 to 6.9 ms late, as on a busy machine.
    let n = 0;
    while (clock.nowMs() - beganMs < HOUR_MS) clock.wakeNext((n++ * 2.3) % 6.9);
    assert.ok(Math.abs(ticks - 180_000) <= 1, String(ticks));
    assert.ok(latestMs < 20 + 6.9, String(latestMs));
  });

  test('ends with ticks as punctual as at its start', () => {
    const { clock, ticker } = start();
    const beganMs = clock.nowMs();
    let tick = 0;
    ticker.add((now) => {
      tick = now;
    });
    while (clock.nowMs() - beganMs < HOUR_MS) clock.wakeNext(0.4);
    const lateMs = clock.nowMs() - beganMs - tick * 20;
    assert.ok(lateMs >= 0 && lateMs < 21, String(lateMs));
  });
});

test('a late timer runs exactly the missed ticks, in order and at once', () => {
  const { clock, ticker } = start();
  const ticks: number[] = [];
  ticker.add((tick) => ticks.push(tick));
  clock.wakeNext();
  const [first = 0] = ticks;
  clock.wakeNext(100);
  assert.deepEqual(
    ticks,
    [0, 1, 2, 3, 4, 5, 6].map((n) => first + n),
  );
  clock.wakeNext();
  assert.equal(ticks.length, 8);
});

test('late listeners catch up tick by tick, not one listener after the other', () => {
  const { clock, ticker } = start();
  const runs: string[] = [];
  ticker.add((tick) => runs.push(`a${tick}`));
  ticker.add((tick) => runs.push(`b${tick}`));
  clock.wakeNext();
  runs.length = 0;
  clock.wakeNext(60);
  const ticks = runs.map((run) => Number(run.slice(1)));
  assert.deepEqual(
    ticks,
    ticks.toSorted((x, y) => x - y),
  );
  assert.ok(runs.length >= 6);
});

test('after a stall of more than a second the ticks jump, and one second is caught up', () => {
  const skipped: number[] = [];
  const { clock, ticker } = start({ onSkip: (ticks) => skipped.push(ticks) });
  const beganMs = clock.nowMs();
  const ticks: number[] = [];
  ticker.add((tick) => ticks.push(tick));
  clock.wakeNext();
  ticks.length = 0;
  clock.wakeNext(10_000);
  assert.ok(ticks.length <= 52, String(ticks.length));
  assert.ok((skipped[0] ?? 0) >= 448);
  const last = ticks.at(-1) as number;
  assert.ok(clock.nowMs() - beganMs - last * 20 < 20);
});

test('a thousand listeners are spread evenly over the ten phases of a tick', () => {
  const { clock, ticker } = start();
  const moments = new Map<number, number>();
  const count = () => moments.set(clock.nowMs(), (moments.get(clock.nowMs()) ?? 0) + 1);
  for (let n = 0; n < 1_000; n++) ticker.add(count);
  for (let n = 0; n < 10; n++) clock.wakeNext();
  assert.deepEqual([...moments.values()], Array(10).fill(100));
});

test('a listener that throws is removed and reported, and no other misses a tick', () => {
  const { clock, ticker, errors } = start();
  let ticks = 0;
  let failures = 0;
  ticker.add(() => {
    failures++;
    throw new Error('broken');
  });
  ticker.add(() => ticks++);
  for (let n = 0; n < 20; n++) clock.wakeNext();
  assert.equal(failures, 1);
  assert.equal(errors.length, 1);
  assert.ok(ticks >= 9);
});

test('without listeners there is no timer, and ticks still count', () => {
  const { clock, ticker } = start();
  const ticks: number[] = [];
  const remove = ticker.add((tick) => ticks.push(tick));
  clock.wakeNext();
  remove();
  remove();
  assert.equal(clock.timers, 0);
  clock.pass(1_000);
  const before = ticker.tick;
  ticker.add((tick) => ticks.push(tick));
  clock.wakeNext();
  assert.equal(ticks.length, 2);
  assert.ok((ticks[1] as number) - (ticks[0] as number) >= 50);
  assert.ok((ticks[1] as number) - before <= 1);
});

test('a listener can be removed, and another added, during a tick', () => {
  const { clock, ticker } = start();
  const runs: string[] = [];
  const removeFirst = ticker.add(() => {
    runs.push('first');
    removeFirst();
    ticker.add(() => runs.push('second'));
  });
  for (let n = 0; n < 3; n++) clock.wakeNext();
  assert.equal(runs.filter((run) => run === 'first').length, 1);
  assert.ok(runs.includes('second'));
  assert.equal(clock.timers, 1);
});

test('a stopped ticker runs nothing more', () => {
  const { clock, ticker } = start();
  ticker.add(() => assert.fail('ran'));
  ticker.stop();
  assert.equal(clock.timers, 0);
});
