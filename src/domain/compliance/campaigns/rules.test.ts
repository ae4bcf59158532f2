import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../../test/support/property.ts';
import { monthsAfter } from '../../../lib/time/months.ts';
import { monthAt } from './campaign-months.ts';
import { CAMPAIGN_INPUTS, CAMPAIGN_STATES, campaignMoves, inputOf, readRegistryRef, registryRef } from './rules.ts';

test('every input in every state makes the transition of the drawing, and no other', () => {
  const drawn = {
    draft: { submit: 'pending_review', end: 'suspended' },
    pending_review: { approve: 'approved', reject: 'rejected', end: 'suspended' },
    approved: { suspend: 'suspended', end: 'suspended' },
    rejected: { submit: 'pending_review', end: 'suspended' },
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

test('a review is an input of the machine, except a pending one', () => {
  assert.deepEqual((['pending', 'approved', 'rejected', 'suspended'] as const).map(inputOf), [
    null,
    'approve',
    'reject',
    'suspend',
  ]);
});

test('the registry has each submission under a name of its own, the first one under the id', () => {
  assert.deepEqual(
    [1, 2, 10].map((attempt) => registryRef('cmp_1', attempt)),
    ['cmp_1', 'cmp_1.2', 'cmp_1.10'],
  );
  for (const attempt of [1, 2, 10]) {
    assert.deepEqual(readRegistryRef(registryRef('cmp_1', attempt)), { id: 'cmp_1', attempt });
  }
  assert.deepEqual(readRegistryRef('cmp_1.x'), { id: 'cmp_1.x', attempt: 1 });
});

const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

test('every moment is in a month that has started, and before the next one starts', () => {
  checkProperty(
    fc.property(moment, fc.integer({ min: 0, max: 3_000 * 86_400_000 }), (since, laterMs) => {
      const at = new Date(since.getTime() + laterMs);
      const month = monthAt(since, at);
      assert.ok(month >= 0);
      assert.ok(monthsAfter(since, month) <= at);
      assert.ok(at < monthsAfter(since, month + 1));
    }),
  );
});

test('a campaign submitted on the 31st starts its months on the 31st, or on the last day of a shorter month', () => {
  const since = new Date('2027-01-31T15:30:00Z');
  const starts = [0, 1, 2, 3, 13].map((month) => monthsAfter(since, month).toISOString().slice(0, 10));
  assert.deepEqual(starts, ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2028-02-29']);
  assert.equal(monthAt(since, new Date('2027-02-28T15:29:59Z')), 0);
  assert.equal(monthAt(since, new Date('2027-02-28T15:30:00Z')), 1);
});
