import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../test/support/property.ts';
import { readRange } from './audio.ts';

test('the forms of RFC 9110, 14.1.2', () => {
  const cases: [string, number, ReturnType<typeof readRange>][] = [
    ['bytes=0-499', 10_000, { start: 0, end: 499 }],
    ['bytes=500-999', 10_000, { start: 500, end: 999 }],
    ['bytes=-500', 10_000, { start: 9_500, end: 9_999 }],
    ['bytes=9500-', 10_000, { start: 9_500, end: 9_999 }],
    ['bytes=0-0', 10_000, { start: 0, end: 0 }],
    ['bytes=-1', 10_000, { start: 9_999, end: 9_999 }],
    ['BYTES=0-1', 10, { start: 0, end: 1 }],
    ['bytes=5-100', 10, { start: 5, end: 9 }],
    ['bytes=-100', 10, { start: 0, end: 9 }],
    ['bytes=0-99999999999999999999', 10, { start: 0, end: 9 }],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=10-20', 10, 'unsatisfiable'],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-5', 0, 'unsatisfiable'],
  ];
  for (const [header, size, expected] of cases) assert.deepEqual(readRange(header, size), expected, header);
});

test('a header that is not one well-formed range of bytes is ignored', () => {
  const others = [
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=2-1',
    'bytes=a-b',
    'bytes=0-1,3-4',
    'items=0-1',
    'bytes=1',
    'bytes=0x1-2',
  ];
  for (const header of others) assert.equal(readRange(header, 10), 'whole', header);
  assert.equal(readRange(undefined, 10), 'whole');
});

test('a part lies within the file and within the requested range', () => {
  checkProperty(
    fc.property(fc.nat(2_000), fc.nat(2_000), fc.nat(1_500), (a, b, size) => {
      const bytes = Array.from({ length: size }, (_, i) => i);
      const [start, end] = [Math.min(a, b), Math.max(a, b)];
      const expected: [string, number[]][] = [
        [`bytes=${start}-${end}`, bytes.slice(start, end + 1)],
        [`bytes=${start}-`, bytes.slice(start)],
        [`bytes=-${end}`, end === 0 ? [] : bytes.slice(-end)],
      ];
      for (const [header, part] of expected) {
        const range = readRange(header, size);
        if (part.length === 0) assert.equal(range, 'unsatisfiable');
        else
          assert.ok(
            typeof range === 'object' && assert.deepEqual(bytes.slice(range.start, range.end + 1), part) === undefined,
          );
      }
    }),
  );
});

test('any header can be read', () => {
  checkProperty(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^bytes=[0-9, -]{0,12}$/)), fc.nat(100), (header, size) => {
      const range = readRange(header, size);
      if (typeof range === 'string') return;
      assert.ok(0 <= range.start && range.start <= range.end && range.end < size);
    }),
  );
});
