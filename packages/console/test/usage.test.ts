/** What the usage page computes: periods, sums and the CSV file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf } from '../src/lib/csv.ts';
import { costOf, pricesOf, sumByKind } from '../src/pages/usage/kinds.ts';
import { lastDay, partsOf, periodOf } from '../src/pages/usage/period.ts';
import { ticksTo } from '../src/ui/ticks.ts';

const NOW = new Date('2026-03-15T23:30:00Z');

test('a text that a spreadsheet would execute gets an apostrophe, a negative amount does not', () => {
  const cells = ['=1+1', '+1', '-2+3', '@SUM(A1)', '\t=1', ' =1', '-0.0079', '12', 'a=b'];
  const [, ...lines] = csvOf(
    ['cell'],
    cells.map((cell) => [cell]),
  ).split('\r\n');
  assert.deepEqual(lines, ["'=1+1", "'+1", "'-2+3", "'@SUM(A1)", "'\t=1", "' =1", '-0.0079', '12', 'a=b', '']);
});

test('commas, quotes and line breaks stay inside of their cell', () => {
  assert.equal(
    csvOf(
      ['a', 'b'],
      [
        ['1,2', 'say "no"\nnow'],
        [null, 3],
      ],
    ),
    'a,b\r\n"1,2","say ""no""\nnow"\r\n,3\r\n',
  );
});

test('a period is whole days of UTC, and its last day is included', () => {
  assert.deepEqual(periodOf({}, NOW), { start: '2026-03-01', end: '2026-03-16' });
  assert.deepEqual(periodOf({ period: 'last-month' }, NOW), { start: '2026-02-01', end: '2026-03-01' });
  assert.deepEqual(periodOf({ period: '7d' }, NOW), { start: '2026-03-09', end: '2026-03-16' });
  const custom = periodOf({ period: 'custom', start: '2026-01-05', end: '2026-01-31' }, NOW);
  assert.deepEqual(custom, { start: '2026-01-05', end: '2026-02-01' });
  assert.equal(lastDay(custom), '2026-01-31');
});

test('an address with a wrong period shows the month to date, and days in the wrong order are put in order', () => {
  const month = periodOf({}, NOW);
  assert.deepEqual(periodOf({ period: '__proto__' }, NOW), month);
  assert.deepEqual(periodOf({ period: 'custom', start: 'x', end: '2026-99-99' }, NOW), month);
  const swapped = periodOf({ period: 'custom', start: '2026-02-02', end: '2026-01-01' }, NOW);
  assert.deepEqual(swapped, { start: '2026-01-01', end: '2026-02-03' });
});

test('a period has at most two years, cut into at most 31 parts without a gap', () => {
  for (const [start, end] of [
    ['2026-03-01', '2026-03-31'],
    ['2026-01-01', '2026-03-15'],
    ['1970-01-01', '2026-03-15'],
  ] as const) {
    const period = periodOf({ period: 'custom', start, end }, NOW);
    const parts = partsOf(period);
    assert.ok(parts.length <= 31, `${parts.length} parts`);
    assert.equal(parts[0]?.start, period.start);
    assert.equal(parts.at(-1)?.end, period.end);
    for (const [index, part] of parts.entries()) assert.equal(parts[index + 1]?.start ?? period.end, part.end);
  }
  const longest = periodOf({ period: 'custom', start: '1970-01-01', end: '2026-03-15' }, NOW);
  assert.ok(Date.parse(longest.end) - Date.parse(longest.start) <= 731 * 86_400_000);
});

test('costs are exact: amounts are added as whole micro-dollars', () => {
  const prices = pricesOf([
    { kind: 'sms_segment_outbound', unit: 'segment', amount_usd: '0.0079' },
    { kind: 'call_minute_inbound', unit: 'minute', amount_usd: '0.0085' },
  ]);
  const items = [
    { kind: 'sms_segment_outbound', quantity: 3_000_001 },
    { kind: 'call_minute_inbound', quantity: 3 },
  ] as const;
  assert.equal(costOf(items, prices), 3_000_001 * 7_900 + 3 * 8_500);
});

test('the usage of a period is the sum of its days', () => {
  const items = [
    { day: '2026-03-01', kind: 'number_month', quantity: 1 },
    { day: '2026-03-01', kind: 'mms_inbound', quantity: 2 },
    { day: '2026-03-02', kind: 'number_month', quantity: 4 },
  ] as const;
  assert.deepEqual(sumByKind(items), [
    { kind: 'number_month', quantity: 5 },
    { kind: 'mms_inbound', quantity: 2 },
  ]);
});

test('the axis of a chart has round, whole values up to its highest value', () => {
  assert.deepEqual(ticksTo(0), [0, 1]);
  assert.deepEqual(ticksTo(1), [0, 1]);
  assert.deepEqual(ticksTo(3), [0, 1, 2, 3]);
  assert.deepEqual(ticksTo(31), [0, 10, 20, 30, 40]);
  assert.deepEqual(ticksTo(1_234_567), [0, 500_000, 1_000_000, 1_500_000]);
  for (let highest = 1; highest < 1e15; highest = highest * 3 + 1) {
    const ticks = ticksTo(highest);
    assert.ok(ticks.length <= 6 && (ticks.at(-1) as number) >= highest && (ticks.at(-2) as number) < highest);
  }
});
