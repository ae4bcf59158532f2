import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findQueueProblems, longestBesideMs, type QueueChange, type QueueFacts } from './queue-findings.ts';

const call = { id: 'call_1', status: 'completed', completed: 1, queued: 1, reasons: ['answered'], gaveUp: false };

const place = (callId: string, atMs: number, state: 'waiting' | 'offered' | 'gone', sinceMs: number): QueueChange => {
  return { callId, atMs, transaction: 1, place: state, sinceMs };
};
const leg = (
  callId: string,
  atMs: number,
  agent: string,
  state: 'ringing' | 'up' | 'talked' | 'declined',
): QueueChange => {
  return { callId, atMs, transaction: 1, agent, leg: `${callId} ${agent}`, state };
};

/** One caller and then another, each answered immediately by an agent. */
const CHANGES = [
  place('call_1', 1_000, 'waiting', 900),
  place('call_1', 1_100, 'offered', 900),
  leg('call_1', 1_100, 'ann', 'ringing'),
  leg('call_1', 2_000, 'ann', 'up'),
  place('call_1', 2_000, 'gone', 900),
  place('call_2', 2_100, 'waiting', 2_050),
  leg('call_1', 9_000, 'ann', 'talked'),
  place('call_2', 9_500, 'offered', 2_050),
  leg('call_2', 9_500, 'ann', 'ringing'),
  leg('call_2', 9_900, 'ann', 'up'),
  place('call_2', 9_900, 'gone', 2_050),
];

const GOOD: QueueFacts = {
  calls: [call],
  changes: CHANGES,
  present: new Map([['ann', [{ fromMs: 0, toMs: 20_000 }]]]),
  excused: [],
};

const having = (facts: Partial<QueueFacts>) => findQueueProblems({ ...GOOD, ...facts });

test('a queue that serves one caller after the other has no problem', () => {
  assert.deepEqual(findQueueProblems(GOOD), []);
});

test('a caller who ends twice, never leaves the queue or is sent on is a problem; one who gave up is none', () => {
  for (const wrong of [
    { completed: 2 },
    { queued: 2 },
    { reasons: [] },
    { reasons: ['overflow'] },
    { status: 'missed' },
  ]) {
    assert.equal(having({ calls: [{ ...call, ...wrong }] }).length, 1, JSON.stringify(wrong));
  }
  const left = { ...call, status: 'missed', reasons: ['abandoned'] };
  assert.equal(having({ calls: [left] }).length, 1);
  assert.deepEqual(having({ calls: [{ ...left, gaveUp: true }] }), []);
  const early = { ...call, queued: 0, reasons: [] };
  assert.equal(having({ calls: [early] }).length, 1);
  assert.deepEqual(having({ calls: [{ ...early, gaveUp: true }] }), []);
});

test('a second agent for a caller and a second caller for an agent are problems, and so is a ring after the answer', () => {
  const [, , , , ...rest] = CHANGES;
  const second = (...more: QueueChange[]) => having({ changes: [...CHANGES.slice(0, 4), ...more, ...rest] });
  assert.deepEqual(second(leg('call_1', 2_000, 'bob', 'up')), ['call_1 has a second agent, bob']);
  assert.deepEqual(second(leg('call_3', 2_000, 'ann', 'up'), leg('call_3', 2_001, 'ann', 'talked')), [
    'ann has a second caller, call_3',
  ]);
  const again = [...CHANGES, leg('call_2', 9_950, 'ann', 'talked'), leg('call_2', 9_960, 'bob', 'ringing')];
  assert.deepEqual(having({ changes: again }), ['call_2 rings bob after it was answered']);
});

test('an agent who is being hung up is no second agent, and must not get the caller any more', () => {
  const rung = [...CHANGES.slice(0, 4), place('call_3', 2_000, 'offered', 950), leg('call_3', 2_000, 'bob', 'ringing')];
  const returned = [...rung, place('call_3', 2_100, 'waiting', 950), leg('call_3', 2_200, 'cid', 'ringing')];
  assert.deepEqual(having({ present: new Map(), changes: returned }), []);
  assert.deepEqual(having({ present: new Map(), changes: [...returned, leg('call_3', 2_300, 'bob', 'up')] }), [
    'call_3 has bob, who was hung up',
  ]);
});

test('a caller who is offered before an earlier one is a problem, unless that one has just come back', () => {
  const late = [place('call_1', 1_000, 'waiting', 900), place('call_2', 1_001, 'waiting', 950)];
  const none = new Map();
  assert.deepEqual(having({ present: none, changes: [...late, place('call_2', 1_002, 'offered', 950)] }), [
    'call_2 was offered before call_1, who came 50 ms earlier',
  ]);
  const back = [place('call_1', 1_000, 'offered', 900), ...late];
  assert.deepEqual(having({ present: none, changes: [...back, place('call_2', 1_002, 'offered', 950)] }), []);
  const offer = place('call_2', 2_002, 'offered', 950);
  assert.equal(having({ present: none, changes: [...back, offer] }).length, 1);
  // The decision began before the transaction that put the other caller back into the queue.
  assert.deepEqual(having({ present: none, changes: [...back, { ...offer, transaction: 0 }] }), []);
});

test('a caller who is left waiting beside a free agent is a problem, except when that is excused', () => {
  const present = new Map([
    ['ann', [{ fromMs: 0, toMs: 60_000 }]],
    ['bob', [{ fromMs: 3_000, toMs: 50_000 }]],
  ]);
  const changes = [place('call_1', 1_000, 'waiting', 900), leg('call_2', 1_000, 'ann', 'ringing')];
  const ended = [place('call_1', 40_000, 'gone', 900), leg('call_2', 60_000, 'ann', 'talked')];
  const facts = { present, changes: [...changes, ...ended] };
  assert.deepEqual(having(facts), ['call_1 waited beside bob, who was free: 37000 ms, from 2000 ms on']);
  assert.deepEqual(having({ ...facts, excused: [{ fromMs: 10_000, toMs: 20_000 }] }), []);
  assert.equal(having({ ...facts, excused: [{ fromMs: 3_000, toMs: 4_000 }] }).length, 1);
});

test('the longest time that a caller waited beside a free agent is that of both, without the rest after a refusal', () => {
  const present = new Map([
    ['ann', [{ fromMs: 0, toMs: 20_000 }]],
    ['bob', [{ fromMs: 3_000, toMs: 5_000 }]],
  ]);
  assert.equal(longestBesideMs(GOOD), 500);
  assert.equal(longestBesideMs({ ...GOOD, present }), 2_000);
  const rested = [leg('call_3', 2_000, 'bob', 'ringing'), leg('call_3', 2_100, 'bob', 'declined')];
  assert.equal(
    longestBesideMs({ ...GOOD, present, changes: [...CHANGES.slice(0, 5), ...rested, ...CHANGES.slice(5)] }),
    500,
  );
});
