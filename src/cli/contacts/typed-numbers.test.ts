/** Telephone numbers in the forms that people in the United States write. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNumbers } from './typed-numbers.ts';

const numbersOf = (cell: string) => readNumbers(cell).map((each) => ('number' in each ? each.number : each.why));

test('usual writings of a number are the same number', () => {
  for (const typed of [
    '(602) 555-0143',
    '602-555-0143',
    '602.555.0143',
    '602 555 0143',
    '6025550143',
    '1-602-555-0143',
    '16025550143',
    '+1 (602) 555-0143',
    '+16025550143',
    'tel:+1-602-555-0143',
    '011 1 602 555 0143',
    '602\u2013555\u20110143',
    '\u202a(602) 555\u2010 0143\u202c',
    "'6025550143",
    '="6025550143"',
    '６０２５５５０１４３',
  ]) {
    assert.deepEqual(numbersOf(typed), ['+16025550143'], typed);
  }
});

test('a number of another country has its code', () => {
  assert.deepEqual(numbersOf('+44 20 7946 0958'), ['+442079460958']);
  assert.deepEqual(numbersOf('011 44 20 7946 0958'), ['+442079460958']);
});

test('a cell can have several numbers, or none', () => {
  assert.deepEqual(numbersOf('(602) 555-0143; 602-555-0144'), ['+16025550143', '+16025550144']);
  assert.deepEqual(numbersOf('602-555-0143 ::: 602-555-0144'), ['+16025550143', '+16025550144']);
  assert.deepEqual(numbersOf('602-555-0143\n602-555-0144'), ['+16025550143', '+16025550144']);
  assert.deepEqual(numbersOf(' '), []);
});

test('what is no number says why', () => {
  for (const [typed, why] of [
    ['555-0143', /has no area code/],
    ['602-555-0143 x12', /has an extension/],
    ['(602) 555-0143 ext. 12', /has an extension/],
    ['6.02556E+09', /rounded/],
    ['call Sam', /is not a telephone number/],
    ['102-555-0143', /can exist/],
    ['602-155-0143', /can exist/],
    ['60255501431', /can exist/],
    ['442079460958', /can exist/],
  ] as const) {
    assert.match(String(numbersOf(typed)), why, typed);
  }
});
