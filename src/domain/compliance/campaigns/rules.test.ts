import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { monthsAfter } from '../../../lib/months.ts';
import { monthAt } from './months.ts';
import { CAMPAIGN_INPUTS, CAMPAIGN_STATES, campaignMoves, inputOf } from './rules.ts';

test('every input in every state leads where the drawing says, and nowhere else', () => {
  const drawn = {
    draft: { submit: 'pending_review', end: 'suspended' },
    pending_review: { approve: 'approved', reject: 'rejected', end: 'suspended' },
    approved: { suspend: 'suspended', end: 'suspended' },
    rejected: {},
    suspended: { approve: 'approved' },
  } as const;
  for (const state of CAMPAIGN_STATES) {
    for (const input of CAMPAIGN_INPUTS) {
      const { from, to } = campaignMoves[input];
      const moved = from.includes(state) ? to : undefined;
      assert.equal(moved, (drawn[state] as Record<string, string>)[input], `${state}, ${input}`);
    }
  }
});

test('a review is an input of the machine, and one still pending is none', () => {
  assert.deepEqual((['pending', 'approved', 'rejected', 'suspended'] as const).map(inputOf), [
    null,
    'approve',
    'reject',
    'suspend',
  ]);
});

const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

test('every moment lies in the month that has begun and before the next begins', () => {
  fc.assert(
    fc.property(moment, fc.integer({ min: 0, max: 3_000 * 86_400_000 }), (since, laterMs) => {
      const at = new Date(since.getTime() + laterMs);
      const month = monthAt(since, at);
      assert.ok(month >= 0);
      assert.ok(monthsAfter(since, month) <= at);
      assert.ok(at < monthsAfter(since, month + 1));
    }),
  );
});

test('months of the 31st begin on the last day of shorter months, and on the 31st again', () => {
  const since = new Date('2027-01-31T15:30:00Z');
  const starts = [0, 1, 2, 3, 13].map((month) => monthsAfter(since, month).toISOString().slice(0, 10));
  assert.deepEqual(starts, ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2028-02-29']);
  assert.equal(monthAt(since, new Date('2027-02-28T15:29:59Z')), 0);
  assert.equal(monthAt(since, new Date('2027-02-28T15:30:00Z')), 1);
});
