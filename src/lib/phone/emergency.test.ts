import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emergencyNumberOf } from './emergency.ts';

test('an emergency number is recognized in every dialled form', () => {
  for (const number of ['911', '933'] as const) {
    const [a, b, c] = number;
    const forms = [
      number,
      Number(number),
      ` ${number} `,
      `+1${number}`,
      `1${number}`,
      `+1 ${number}`,
      `${a}-${b}-${c}`,
      `${a}\u2011${b}\u2212${c}`,
      `\u202a${number}\u202c`,
      `\u200b${a}\u00ad${b}${c}\ufeff`,
      String.fromCodePoint(...[...number].map((digit) => 0xff10 + Number(digit))),
    ];
    for (const form of forms) assert.equal(emergencyNumberOf(form), number, JSON.stringify(form));
  }
});

test('no other number is an emergency number', () => {
  for (const value of [
    '+19115550143',
    '9110',
    '91',
    '411',
    '+1602911',
    '',
    null,
    undefined,
    {},
    ['911'],
    true,
    9.11e5,
  ]) {
    assert.equal(emergencyNumberOf(value), undefined, JSON.stringify(value));
  }
});
