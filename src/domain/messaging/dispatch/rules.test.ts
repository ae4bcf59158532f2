import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Candidate, type Pace, pacificDay, planRound, SLOT_MS, WAIT_MAX_MS, WINDOW_MS } from './rules.ts';

const NOW = new Date('2026-11-20T18:00:00Z');
const PACE: Pace = {
  now: NOW,
  messagesPerMinute: 15,
  dailyCap: 1_000,
  inWindow: 0,
  windowMovesAt: null,
  segmentsToday: 0,
};

function candidate(id: string, changes: Partial<Candidate> = {}): Candidate {
  return {
    id,
    conversationId: `cnv_${id}`,
    segments: 1,
    createdAt: NOW,
    ahead: false,
    exempt: false,
    hasEnded: false,
    obstacle: null,
    previousMs: null,
    ...changes,
  };
}

test('what finds the minute full waits until the first of it has left', () => {
  const pace = { ...PACE, inWindow: 14, windowMovesAt: new Date(NOW.getTime() + 7_000) };
  const plan = planRound(pace, [candidate('a'), candidate('b'), candidate('c')]);
  assert.deepEqual(plan.handOver, ['a']);
  assert.deepEqual([plan.full, plan.waitMs], [true, 7_000]);
  const fresh = planRound({ ...PACE, messagesPerMinute: 1 }, [candidate('a'), candidate('b')]);
  assert.equal(fresh.waitMs, WINDOW_MS + SLOT_MS);
});

test('what waits longest is looked at again the moment it expires', () => {
  const createdAt = new Date(NOW.getTime() - WAIT_MAX_MS + 2_000);
  const pace = { ...PACE, inWindow: 15, windowMovesAt: new Date(NOW.getTime() + 7_000) };
  assert.equal(planRound(pace, [candidate('a', { createdAt })]).waitMs, 2_000);
  const expired = planRound(PACE, [candidate('a', { createdAt: new Date(NOW.getTime() - WAIT_MAX_MS) })]);
  assert.deepEqual(expired.fail, [{ id: 'a', errorCode: 'expired' }]);
});

test('a campaign whose throughput is not granted yet keeps its texts waiting', () => {
  const plan = planRound({ ...PACE, messagesPerMinute: null, dailyCap: null }, [candidate('a')]);
  assert.deepEqual([plan.handOver, plan.fail, plan.full], [[], [], true]);
});

test('a text over what is left of the day fails, and a shorter one after it still goes', () => {
  const pace = { ...PACE, segmentsToday: 998 };
  const plan = planRound(pace, [candidate('a', { segments: 3 }), candidate('b', { segments: 2 }), candidate('c')]);
  assert.deepEqual(plan.handOver, ['b']);
  assert.deepEqual(plan.fail, [
    { id: 'a', errorCode: 'daily_cap_exceeded' },
    { id: 'c', errorCode: 'daily_cap_exceeded' },
  ]);
});

test('a text that may not go out takes no place of one that may', () => {
  const plan = planRound({ ...PACE, messagesPerMinute: 1 }, [
    candidate('a', { obstacle: 'recipient_opted_out' }),
    candidate('b', { hasEnded: true }),
    candidate('c'),
  ]);
  assert.deepEqual([plan.handOver, plan.drop], [['c'], ['b']]);
});

test('a confirmation goes in spite of the cap, and counts towards it', () => {
  const pace = { ...PACE, segmentsToday: 999 };
  const plan = planRound(pace, [candidate('z', { ahead: true }), candidate('y', { ahead: true }), candidate('a')]);
  assert.deepEqual([plan.handOver, plan.segments], [['z', 'y'], 2]);
  assert.deepEqual(plan.fail, [{ id: 'a', errorCode: 'daily_cap_exceeded' }]);
});

test('a text whose number needs no campaign any more goes out, however full minute and day are', () => {
  const exempt = candidate('b', { exempt: true });
  const plan = planRound({ ...PACE, inWindow: 15, segmentsToday: 1_000 }, [candidate('z', { ahead: true }), exempt]);
  assert.deepEqual([plan.handOver, plan.messages, plan.segments, plan.full], [['b'], 0, 0, true]);
  const more = planRound(PACE, [exempt, candidate('c', { exempt: true, conversationId: exempt.conversationId })]);
  assert.deepEqual([more.handOver, more.waitMs], [['b'], 50]);
});

test('a confirmation that finds the minute full waits, and what is past its time behind it has failed', () => {
  const createdAt = new Date(NOW.getTime() - WAIT_MAX_MS);
  const soon = new Date(NOW.getTime() - WAIT_MAX_MS + 3_000);
  const pace = { ...PACE, inWindow: 15, windowMovesAt: new Date(NOW.getTime() + 7_000) };
  const plan = planRound(pace, [
    candidate('z', { ahead: true }),
    candidate('a', { createdAt }),
    candidate('b', { createdAt: soon }),
    candidate('c', { obstacle: 'recipient_opted_out' }),
  ]);
  assert.deepEqual([plan.handOver, plan.full, plan.waitMs], [[], true, 3_000]);
  assert.deepEqual(plan.fail, [{ id: 'a', errorCode: 'expired' }]);
});

test('no round exceeds minute or day, and none lets a text pass another of its conversation', () => {
  const arbitrary = fc.record({
    conversationId: fc.constantFrom('x', 'y', 'z'),
    segments: fc.integer({ min: 1, max: 4 }),
    previousMs: fc.constantFrom(null, null, 50),
    obstacle: fc.constantFrom(null, null, 'send_failed' as const),
    over: fc.boolean(),
    ahead: fc.constant(false),
  });
  fc.assert(
    fc.property(
      fc.array(arbitrary, { maxLength: 30 }),
      fc.nat(5),
      fc.nat(12),
      fc.nat(6),
      (made, room, segmentsToday, inWindow) => {
        const all = made.map((each, index) => candidate(String(index).padStart(2, '0'), each));
        const pace = { ...PACE, messagesPerMinute: room, inWindow, dailyCap: 10, segmentsToday, windowMovesAt: NOW };
        const plan = planRound(pace, all);
        assert.ok(plan.handOver.length <= Math.max(0, room - inWindow));
        const segments = all.filter(({ id }) => plan.handOver.includes(id)).reduce((sum, one) => sum + one.segments, 0);
        assert.ok(segments === 0 || segmentsToday + segments <= 10);
        assert.equal(plan.segments, segments);
        for (const id of plan.handOver) {
          const self = all.find((one) => one.id === id) as Candidate;
          const ahead = all.filter((one) => one.conversationId === self.conversationId && one.id < id);
          const done = [...plan.drop, ...plan.fail.map((one) => one.id)];
          assert.ok(ahead.every((one) => done.includes(one.id)));
        }
      },
    ),
  );
});

test('days begin at midnight in Pacific time, also when the clocks change', () => {
  const days = [
    ['2026-11-20T07:59:59Z', '2026-11-19'],
    ['2026-11-20T08:00:00Z', '2026-11-20'],
    // 25 hours long: daylight saving ends.
    ['2026-11-01T06:59:59Z', '2026-10-31'],
    ['2026-11-01T07:00:00Z', '2026-11-01'],
    ['2026-11-02T07:59:59Z', '2026-11-01'],
    ['2026-11-02T08:00:00Z', '2026-11-02'],
    // 23 hours long.
    ['2027-03-14T07:59:59Z', '2027-03-13'],
    ['2027-03-15T06:59:59Z', '2027-03-14'],
    ['2027-03-15T07:00:00Z', '2027-03-15'],
  ] as const;
  for (const [at, day] of days) assert.equal(pacificDay(new Date(at)), day, at);
});
