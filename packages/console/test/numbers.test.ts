import assert from 'node:assert/strict';
import { test } from 'node:test';
import { e164Of, numberOf } from '../src/lib/numbers.ts';

const PASTED = [
  '(602) 555-0143',
  '\u202a+1 (602) 555\u20110143\u202c',
  '\u200e602\u200b555\u00ad0143\ufeff',
  '（６０２）５５５－０１４３',
  '602\u2212555\u20140143',
  '602\u00b7555\u20220143',
  '602/555~0143',
  'tel:+16025550143',
  '(602) 555-0143,',
];

test('a pasted number is read, whatever stands between its digits', () => {
  for (const text of PASTED) {
    assert.equal(e164Of(text), '+16025550143', JSON.stringify(text));
    assert.equal(numberOf(text), '+16025550143', JSON.stringify(text));
  }
  assert.equal(e164Of('\u202a+44 20 7946 0958\u202c'), '+442079460958');
});

test('a text that is no number stays as it is', () => {
  for (const text of ['wcl_01m7ymdnejg0j8', 'application', '555-0143', 'STOP']) assert.equal(e164Of(` ${text} `), text);
  assert.equal(numberOf('555'), undefined);
});
