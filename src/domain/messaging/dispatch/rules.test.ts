import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../../test/support/property.ts';
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
    waitsSince: NOW,
    ahead: false,
    exempt: false,
    hasEnded: false,
    obstacle: null,
    previousMs: null,
    ...changes,
  };
}

test('a text that finds the minute full waits until the first text leaves the window', () => {
  const pace = { ...PACE, inWindow: 14, windowMovesAt: new Date(NOW.getTime() + 7_000) };
  const plan = planRound(pace, [candidate('a'), candidate('b'), candidate('c')]);
  assert.deepEqual(plan.handOver, ['a']);
  assert.deepEqual([plan.full, plan.waitMs], [true, 7_000]);
  const fresh = planRound({ ...PACE, messagesPerMinute: 1 }, [candidate('a'), candidate('b')]);
  assert.equal(fresh.waitMs, WINDOW_MS + SLOT_MS);
});

test('the next round is due when the oldest waiting text expires', () => {
  const waitsSince = new Date(NOW.getTime() - WAIT_MAX_MS + 2_000);
  const pace = { ...PACE, inWindow: 15, windowMovesAt: new Date(NOW.getTime() + 7_000) };
  assert.equal(planRound(pace, [candidate('a', { waitsSince })]).waitMs, 2_000);
  const expired = planRound(PACE, [candidate('a', { waitsSince: new Date(NOW.getTime() - WAIT_MAX_MS) })]);
  assert.deepEqual(expired.fail, [{ id: 'a', errorCode: 'expired' }]);
});

test('the texts of a campaign without a granted throughput wait', () => {
  const plan = planRound({ ...PACE, messagesPerMinute: null, dailyCap: null }, [candidate('a')]);
  assert.deepEqual([plan.handOver, plan.fail, plan.full], [[], [], true]);
});

test('a text that exceeds the rest of the day fails, and a shorter one after it is still sent', () => {
  const pace = { ...PACE, segmentsToday: 998 };
  const plan = planRound(pace, [candidate('a', { segments: 3 }), candidate('b', { segments: 2 }), candidate('c')]);
  assert.deepEqual(plan.handOver, ['b']);
  assert.deepEqual(plan.fail, [
    { id: 'a', errorCode: 'daily_cap_exceeded' },
    { id: 'c', errorCode: 'daily_cap_exceeded' },
  ]);
});

test('a text that must not be sent does not count against the minute', () => {
  const plan = planRound({ ...PACE, messagesPerMinute: 1 }, [
    candidate('a', { obstacle: 'recipient_opted_out' }),
    candidate('b', { hasEnded: true }),
    candidate('c'),
  ]);
  assert.deepEqual([plan.handOver, plan.drop], [['c'], ['b']]);
});

test('a confirmation is sent even if the cap is used up, and counts against it', () => {
  const pace = { ...PACE, segmentsToday: 999 };
  const plan = planRound(pace, [candidate('z', { ahead: true }), candidate('y', { ahead: true }), candidate('a')]);
  assert.deepEqual([plan.handOver, plan.segments], [['z', 'y'], 2]);
  assert.deepEqual(plan.fail, [{ id: 'a', errorCode: 'daily_cap_exceeded' }]);
});

test('a text whose number needs no campaign any more is sent even if the minute and the day are full', () => {
  const exempt = candidate('b', { exempt: true });
  const plan = planRound({ ...PACE, inWindow: 15, segmentsToday: 1_000 }, [candidate('z', { ahead: true }), exempt]);
  assert.deepEqual([plan.handOver, plan.messages, plan.segments, plan.full], [['b'], 0, 0, true]);
  const more = planRound(PACE, [exempt, candidate('c', { exempt: true, conversationId: exempt.conversationId })]);
  assert.deepEqual([more.handOver, more.waitMs], [['b'], 50]);
});

test('a confirmation that finds the minute full waits, and expired texts after it fail', () => {
  const waitsSince = new Date(NOW.getTime() - WAIT_MAX_MS);
  const soon = new Date(NOW.getTime() - WAIT_MAX_MS + 3_000);
  const pace = { ...PACE, inWindow: 15, windowMovesAt: new Date(NOW.getTime() + 7_000) };
  const plan = planRound(pace, [
    candidate('z', { ahead: true }),
    candidate('a', { waitsSince }),
    candidate('b', { waitsSince: soon }),
    candidate('c', { obstacle: 'recipient_opted_out' }),
  ]);
  assert.deepEqual([plan.handOver, plan.full, plan.waitMs], [[], true, 3_000]);
  assert.deepEqual(plan.fail, [{ id: 'a', errorCode: 'expired' }]);
});

test('no round exceeds the minute or the day, or reorders a conversation', () => {
  const arbitrary = fc.record({
    conversationId: fc.constantFrom('x', 'y', 'z'),
    segments: fc.integer({ min: 1, max: 4 }),
    previousMs: fc.constantFrom(null, null, 50),
    obstacle: fc.constantFrom(null, null, 'send_failed' as const),
    hasEnded: fc.boolean(),
    ahead: fc.constant(false),
  });
  checkProperty(
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

test('days start at midnight in Pacific time, also when the clocks change', () => {
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
