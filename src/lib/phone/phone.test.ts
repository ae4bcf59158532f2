import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AREA_CODE_COUNTRY } from './nanp.ts';
import {
  areaCodeOf,
  HIGH_COST_PREFIXES,
  isDialable,
  isE164,
  isHighCost,
  isShortCode,
  isTollFree,
  isUsOrCanada,
} from './phone.ts';

function expectAll(check: (text: string) => boolean, expected: boolean, texts: readonly string[]): void {
  for (const text of texts) assert.equal(check(text), expected, JSON.stringify(text));
}

const MALFORMED = [
  '',
  '+',
  '16025551234',
  '+06025551234',
  '+1602555123x',
  ' +16025551234',
  '+16025551234\n',
  '+1 6025551234',
];

test('E.164 is a plus sign and 7 to 15 digits without a leading zero', () => {
  expectAll(isE164, true, ['+1234567', '+123456789012345', '+16025551234', '+447911123456']);
  expectAll(isE164, false, [...MALFORMED, '+123456', '+1234567890123456', '+１６０２５５５１２３４']);
});

test('a +1 number is dialable only with exactly ten digits of numbering-plan shape', () => {
  expectAll(isDialable, true, ['+16025551234', '+12125550100', '+18005550199', '+447911123456', '+33123456']);
  const misshapen = ['+1602555123', '+160255512345', '+11025551234', '+10025551234', '+16021551234', '+16020551234'];
  expectAll(isDialable, false, [...MALFORMED, ...misshapen]);
});

test('every magic test number is dialable', () => {
  expectAll(
    isDialable,
    true,
    Array.from({ length: 10_000 }, (_, line) => `+1500555${String(line).padStart(4, '0')}`),
  );
});

test('only +1 numbers have an area code', () => {
  assert.equal(areaCodeOf('+16025551234'), '602');
  assert.equal(areaCodeOf('+447911123456'), undefined);
  assert.equal(areaCodeOf('+1602555123'), undefined);
});

test('states, territories, Canada and toll-free are within the default reach', () => {
  expectAll(
    isUsOrCanada,
    true,
    ['602', '212', '907', '808', '787', '671', '416', '604', '867', '800', '833'].map((code) => `+1${code}2345678`),
  );
});

test('the Caribbean, non-geographic codes and the rest of the world are outside the default reach', () => {
  const caribbean = '242 246 264 268 284 345 441 473 649 658 664 721 758 767 784 809 829 849 868 869 876'.split(' ');
  const others = ['500', '600', '700', '710', '900', '222', '999'];
  expectAll(
    isUsOrCanada,
    false,
    [...caribbean, ...others].map((code) => `+1${code}2345678`),
  );
  expectAll(isUsOrCanada, false, ['+447911123456', '+526621234567', '+1602']);
});

test('every area code of the table is well formed', () => {
  for (const code of AREA_CODE_COUNTRY.keys()) assert.match(code, /^[2-9](?!11)\d\d$/);
});

test('a number under a listed prefix is high-cost', () => {
  assert.equal(isHighCost('+16054551234', HIGH_COST_PREFIXES), true);
  assert.equal(isHighCost('+16054561234', HIGH_COST_PREFIXES), false);
  assert.equal(isHighCost('+88213456789', ['8821']), true);
  assert.equal(isHighCost('+16054551234', []), false);
});

test('premium numbers are high-cost with every list', () => {
  assert.equal(isHighCost('+19002345678', []), true);
  assert.equal(isHighCost('+16029761234', []), true);
  assert.equal(isHighCost('+16022976123', []), false);
  assert.equal(isHighCost('+499001234567', []), false);
});

test('an empty prefix in the list refuses nothing', () => {
  assert.equal(isHighCost('+16025551234', ['']), false);
});

test('a number is toll-free by its area code', () => {
  expectAll(
    isTollFree,
    true,
    ['800', '833', '844', '855', '866', '877', '888'].map((code) => `+1${code}2345678`),
  );
  expectAll(isTollFree, false, ['+16028001234', '+18022345678', '+448001234567', '+1800']);
});

test('a short code is five or six digits, the first from 2 to 9', () => {
  expectAll(isShortCode, true, ['22395', '733733']);
  expectAll(isShortCode, false, ['', '2239', '7337334', '12345', '012345', '22a95', '+22395', 'anonymous']);
});
