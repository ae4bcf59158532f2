import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AttemptResult, judge, labelOf } from './rules.ts';

const answered = (status: number, retryAfter?: string): AttemptResult => ({
  attempt: { at: '', response_status: status, duration_ms: 1, error: null, response_body: null },
  label: labelOf(status),
  retryAfter,
});
const at = (attemptNumber: number, mode: 'live' | 'test' = 'live') => ({ mode, attemptNumber, nowMs: 0 });

for (const [status, label] of [
  [200, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [301, 'redirect'],
  [400, 'client_error'],
  [410, 'client_error'],
  [500, 'server_error'],
] as const) {
  test(`a reply of ${status} is ${label}`, () => assert.equal(labelOf(status), label));
}

test('the first live retry comes after 5 s, the first test retry after 1 s, each within 10 %', () => {
  for (const [mode, delayMs] of [
    ['live', 5000],
    ['test', 1000],
  ] as const) {
    const outcome = judge(answered(500), at(1, mode));
    assert.ok(outcome.delayMs !== null && Math.abs(outcome.delayMs - delayMs) <= delayMs / 10);
  }
});

test('the tenth failure is the last', () => {
  assert.equal(judge(answered(500), at(9)).status, 'failed');
  assert.deepEqual(judge(answered(500), at(10)), { status: 'given_up', delayMs: null });
  assert.deepEqual(judge(answered(500, '60'), at(10)), { status: 'given_up', delayMs: null });
});

test('Retry-After delays a retry by up to 24 hours, and never advances it', () => {
  assert.equal(judge(answered(503, '120'), at(1)).delayMs, 120_000);
  assert.equal(judge(answered(503, '999999'), at(1)).delayMs, 86_400_000);
  assert.ok((judge(answered(503, '1'), at(3)).delayMs ?? 0) > 1_000_000);
});
