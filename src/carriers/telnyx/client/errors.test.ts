import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeDial, refusedByAccount } from './errors.ts';

const errorsWith = (...codes: string[]) => codes.map((code) => ({ code, title: 'Refused', detail: 'Words' }));

/** What a refused dial means, by its code. */
const VERDICTS = {
  number: ['10002', '10016'],
  limit: ['10039', '90041', '90042', '90043', '90103'],
  account: ['10010', '10038', '20000', '20002', '20012', '20013', '20014', '20016', '20017', '20100'],
  // Malformed requests, unanswered calls, and missing sounds, streams and addresses. They do not concern the account.
  other: [
    '10005',
    '10015',
    '20200',
    '40012',
    '90020',
    '90034',
    '90040',
    '90044',
    '90045',
    '90049',
    '90102',
    '200130',
    '',
  ],
};

for (const [verdict, codes] of Object.entries(VERDICTS)) {
  test(`a dial that is refused with ${codes.join(', ')} is about: ${verdict}`, () => {
    for (const code of codes) assert.equal(judgeDial({ errors: errorsWith(code) }).verdict, verdict, code);
  });
}

test('a dial or a request that is refused with 402 is about the account, whatever its code', () => {
  const refused = { errors: errorsWith('99999'), status: 402 };
  const errorDetail = { carrier_code: '99999', title: 'Refused' };
  assert.deepEqual(judgeDial(refused), { verdict: 'account', errorDetail });
  assert.deepEqual(refusedByAccount(refused), { outcome: 'unavailable', cause: 'account', errorDetail });
  assert.deepEqual(refusedByAccount({ errors: [], status: 402 }), { outcome: 'unavailable', cause: 'account' });
});

test('a request is refused by the account with the codes of accounts alone', () => {
  for (const code of VERDICTS.account) {
    const { cause } = refusedByAccount({ errors: errorsWith('1', code), status: 403 }) ?? {};
    assert.equal(cause, 'account', code);
  }
  for (const code of [...VERDICTS.other, ...VERDICTS.number]) {
    assert.equal(refusedByAccount({ errors: errorsWith(code), status: 403 }), undefined, code);
  }
});

test('of several errors of a dial, one about its number decides, then the limit, then the account', () => {
  const codes = ['99999', '20013', '90041', '10016'];
  for (const [last, verdict] of [['account'], ['limit'], ['number']].entries()) {
    const { verdict: found, errorDetail } = judgeDial({ errors: errorsWith(...codes.slice(0, last + 2)) });
    assert.deepEqual([found, errorDetail?.carrier_code], [...verdict, codes[last + 1]]);
  }
});

test('a dial that is refused without an error is about none of them', () => {
  assert.deepEqual(judgeDial({ errors: [] }), { verdict: 'other' });
});
