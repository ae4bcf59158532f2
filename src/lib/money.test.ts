import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../test/support/property.ts';
import { formatUsd, parseUsd } from './money.ts';

test('an amount is written with two places at least and six at most', () => {
  const written: [bigint, string][] = [
    [0n, '0.00'],
    [20_000_000n, '20.00'],
    [20_500_000n, '20.50'],
    [7_900n, '0.0079'],
    [-7_900n, '-0.0079'],
    [-1n, '-0.000001'],
    [1_000_001n, '1.000001'],
    [9_223_372_036_854_775_807n, '9223372036854.775807'],
  ];
  for (const [micros, text] of written) assert.equal(formatUsd(micros), text);
});

test('decimal dollars are read exactly', () => {
  const read: [string, bigint][] = [
    ['20', 20_000_000n],
    ['0.1', 100_000n],
    ['0.29', 290_000n],
    ['1.005', 1_005_000n],
    ['-3.000001', -3_000_001n],
    ['999999999999.999999', 999_999_999_999_999_999n],
  ];
  for (const [text, micros] of read) assert.equal(parseUsd(text), micros);
});

test('a text that is not a decimal number of at most six places is no amount', () => {
  const wrong = [
    '',
    ' 1',
    '1.',
    '.5',
    '1.0000001',
    '1,5',
    '1e3',
    '+1',
    '--1',
    '$5',
    '0x10',
    'NaN',
    '1234567890123',
    '1\n',
  ];
  for (const text of wrong) assert.equal(parseUsd(text), undefined, JSON.stringify(text));
});

test('every amount is read back as it was written', () => {
  const max = 999_999_999_999_999_999n;
  checkProperty(fc.property(fc.bigInt({ min: -max, max }), (micros) => parseUsd(formatUsd(micros)) === micros));
});
