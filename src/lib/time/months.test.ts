import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthsAfter } from './months.ts';

test('months from the 31st end on the last day of short months and on the 31st again after them', () => {
  const anchor = new Date('2027-01-31T12:34:56.789Z');
  const days = Array.from({ length: 14 }, (_, months) => monthsAfter(anchor, months).toISOString().slice(0, 10));
  assert.deepEqual(days, [
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
    '2027-05-31',
    '2027-06-30',
    '2027-07-31',
    '2027-08-31',
    '2027-09-30',
    '2027-10-31',
    '2027-11-30',
    '2027-12-31',
    '2028-01-31',
    '2028-02-29',
  ]);
  assert.equal(monthsAfter(anchor, 1).toISOString(), '2027-02-28T12:34:56.789Z');
});
