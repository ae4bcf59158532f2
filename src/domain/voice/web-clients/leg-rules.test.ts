import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, type LegOfWebClient, LOOKS_AGAIN_MAX, ring, take } from './leg-rules.ts';

const legId = 'leg_1';
const leg = (state: LegOfWebClient['state'], wasRung = true): LegOfWebClient => {
  return { legId, wasRung, state, endReason: null };
};

test('a web client rings if it is logged in and free, and is looked for again if its session is overdue', () => {
  const rung = ring(legId, 'available', 0);
  assert.deepEqual([rung.state, rung.reports, rung.check?.misses], ['ringing', [{ type: 'leg_ringing', legId }], 0]);
  const later = ring(legId, 'overdue', LOOKS_AGAIN_MAX - 1);
  assert.deepEqual([later.state, later.reports, later.check?.misses], ['dialing', [], LOOKS_AGAIN_MAX]);
  for (const [status, cause] of [
    ['busy', 'busy'],
    ['unreachable', 'unreachable'],
  ] as const) {
    const ended = { state: 'ended', endReason: cause, reports: [{ type: 'leg_ended', legId, cause }] };
    assert.deepEqual(ring(legId, status, 0), ended);
  }
});

test('a leg that rings is answered or declined, one that is up is hung up, and an ended one does nothing', () => {
  assert.deepEqual(take(leg('ringing'), { do: 'answer' })?.reports, [{ type: 'leg_answered', legId }]);
  assert.equal(take(leg('dialing'), { do: 'answer' })?.reports.length, 2);
  assert.equal(take(leg('up'), { do: 'answer' }), undefined);
  assert.equal(take(leg('up', false), { do: 'answer' }), undefined);
  const endings = (['ringing', 'up'] as const).map((state) => take(leg(state), { do: 'hang_up' })?.endReason);
  assert.deepEqual(endings, ['declined', 'hangup']);
  const reason = 'answered_elsewhere';
  assert.equal(take(leg('ringing'), { do: 'cancel', reason })?.endReason, reason);
  for (const request of ['answer', 'hang_up', 'lose'] as const) {
    assert.equal(take(leg('ended'), { do: request }), undefined);
  }
});

test('a leg ends with its web client: at once if it was revoked, and with the second check that does not find it', () => {
  assert.deepEqual(check(leg('up'), 'unreachable', 0)?.check, { inMs: 5_000, misses: 1 });
  assert.deepEqual(check(leg('up'), 'available', 1)?.check, { inMs: 10_000, misses: 0 });
  assert.deepEqual(check(leg('up'), 'unreachable', 1)?.reports, [{ type: 'leg_ended', legId, cause: 'hangup' }]);
  assert.equal(check(leg('ringing'), 'revoked', 0)?.endReason, 'unreachable');
  assert.equal(check(leg('ended'), 'available', 0), undefined);
});
