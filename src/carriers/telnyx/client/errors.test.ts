import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeDial } from './errors.ts';

const errorsWith = (...codes: string[]) => codes.map((code) => ({ code, title: 'Refused', detail: 'Words' }));

/** What a refused dial means, by its code. */
const VERDICTS = {
  number: ['10002', '10016', '40012'],
  limit: ['90040', '90041', '90042', '90043', '90049'],
  account: ['10010', '10015', '20001', '20012', '20013', '20014', '20100'],
  other: ['10005', '90020', '90034', '90050', '200130', ''],
};

for (const [verdict, codes] of Object.entries(VERDICTS)) {
  test(`a dial that is refused with ${codes.join(', ')} is about: ${verdict}`, () => {
    for (const code of codes) assert.equal(judgeDial(errorsWith(code)).verdict, verdict, code);
  });
}

test('of several errors of a dial, one about its number decides, then the limit, then the account', () => {
  const codes = ['99999', '20013', '90041', '10016'];
  for (const [last, verdict] of [['account'], ['limit'], ['number']].entries()) {
    const { verdict: found, errorDetail } = judgeDial(errorsWith(...codes.slice(0, last + 2)));
    assert.deepEqual([found, errorDetail?.carrier_code], [...verdict, codes[last + 1]]);
  }
});

test('a dial that is refused without an error is about none of them', () => {
  assert.deepEqual(judgeDial([]), { verdict: 'other' });
});
