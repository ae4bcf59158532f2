import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { judgeText } from '../client/errors.ts';
import { readReceipt } from './receipts.ts';

const TITLE = 'Not delivered';
const textWith = (status: string, ...codes: string[]) => ({
  to: [{ phone_number: '+14805550142', status }],
  errors: codes.map((code) => ({ code, title: TITLE })),
});
const errorsWith = (...codes: string[]) =>
  codes.map((code) => ({ code, title: TITLE, detail: 'Words for the operator' }));

/** The status of a text that Telnyx has accepted, by the codes of its receipt. */
const REASONS = {
  spam_blocked: ['40002', '40003', '40015', '40017', '40322'],
  unreachable: ['40001', '40006', '40008', '40012', '40310'],
  daily_cap_exceeded: ['40016', '40018'],
  expired: ['40005', '40014'],
  recipient_opted_out: ['40300'],
  send_failed: [
    ...['10010', '20012', '20013', '20014', '20100', '40305', '40309', '40312', '40314', '40315', '40318', '40320'],
    ...['40329', '40330', '40333'],
  ],
  carrier_rejected: ['40004', '40007', '40009', '40011', '99999'],
};

describe('a receipt', () => {
  for (const [status, expected] of [
    ['queued', undefined],
    ['sending', undefined],
    ['sent', { status: 'sent' }],
    ['delivered', { status: 'delivered' }],
    ['delivery_unconfirmed', { status: 'sent' }],
    ['expired', { status: 'failed', failureReason: 'expired' }],
    ['gw_timeout', { status: 'failed', failureReason: 'expired' }],
    ['dlr_timeout', { status: 'failed', failureReason: 'expired' }],
    ['of a new kind', undefined],
  ] as const) {
    test(`of a text that is ${status}`, () => assert.deepEqual(readReceipt(textWith(status)), expected));
  }

  for (const [failureReason, codes] of Object.entries(REASONS)) {
    test(`with a code of ${failureReason} has that reason, and keeps the code and its title`, () => {
      for (const code of codes) {
        for (const status of ['delivery_failed', 'sending_failed', 'failed']) {
          const errorDetail = { carrier_code: code, title: TITLE };
          const isBlocked = failureReason === 'recipient_opted_out' && { isBlocked: true };
          const receipt = { status: 'failed', failureReason, errorDetail, ...isBlocked };
          assert.deepEqual(readReceipt(textWith(status, code)), receipt);
        }
      }
    });
  }

  test('of an expired text keeps the code', () => {
    const { errorDetail } = readReceipt(textWith('expired', '40014')) ?? {};
    assert.deepEqual(errorDetail, { carrier_code: '40014', title: TITLE });
  });

  test('without a recipient says nothing', () => assert.equal(readReceipt({}), undefined));
});

test('a refusal without a code that is known is that of a carrier, and the known one of several decides', () => {
  assert.deepEqual(judgeText([]), { verdict: 'carrier_rejected' });
  const errorDetail = { carrier_code: '40300', title: TITLE };
  assert.deepEqual(judgeText(errorsWith('1', '40300')), { verdict: 'recipient_opted_out', errorDetail });
});

test('a text waits for an account that is not in order, and for room in the queue of Telnyx', () => {
  for (const code of ['10010', '20012', '20013', '20014', '20100']) {
    assert.equal(judgeText(errorsWith(code)).verdict, 'account');
  }
  assert.equal(judgeText(errorsWith('40318')).verdict, 'later');
});

test('a code and a title of any length are cut', () => {
  const [error] = errorsWith('4'.repeat(50));
  const { errorDetail } = judgeText([{ ...error, code: error?.code ?? '', title: 'x'.repeat(300), detail: '' }]);
  assert.deepEqual([errorDetail?.carrier_code.length, errorDetail?.title.length], [40, 200]);
});
