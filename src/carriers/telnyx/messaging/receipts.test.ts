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

/**
 * Why an accepted text failed, by the code of its receipt. The table has every published code about texts, from
 * Telnyx's complete list and from its other pages.
 */
const REASONS = {
  spam_blocked: ['40002', '40003', '40015', '40017', '40020', '40322', '30004', '30007'],
  unreachable: [
    ...['40001', '40006', '40008', '40012', '40301', '40310', '40319'],
    ...['30003', '30005', '30006', '42201'],
  ],
  daily_cap_exceeded: ['40016', '40018'],
  expired: ['40005', '40014'],
  recipient_opted_out: ['40300'],
  send_failed: [
    ...['10010', '10038', '10039', '20012', '20013', '20014', '20015', '20016', '20017', '20100', '40314', '40333'],
    ...['10011', '40011', '40318', '30008', '40500'],
    ...['40100', '40305', '40306', '40307', '40308', '40309', '40311', '40312', '40313', '40315', '40320', '40321'],
    ...['40325', '40329', '40330', '40331', '42200'],
  ],
  carrier_rejected: [
    ...['40004', '40007', '40009', '40010', '40013', '40019', '40302', '40304', '40316', '40317', '40327', '40328'],
    ...['40400', '42202', '42203', '42204', '42205', '47000', '99999'],
  ],
};

describe('a receipt', () => {
  for (const [status, expected] of [
    ['queued', undefined],
    ['sending', undefined],
    ['sent', { status: 'sent' }],
    ['delivered', { status: 'delivered' }],
    ['read', { status: 'delivered' }],
    ['delivery_unconfirmed', { status: 'sent' }],
    ['dlr_unconfirmed', { status: 'sent' }],
    ['gw_reject', { status: 'failed', failureReason: 'carrier_rejected' }],
    // The types of inbound texts.
    ['webhook_delivered', undefined],
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
  assert.deepEqual(judgeText({ errors: [] }), { verdict: 'carrier_rejected' });
  const errorDetail = { carrier_code: '40300', title: TITLE };
  assert.deepEqual(judgeText({ errors: errorsWith('1', '40300') }), { verdict: 'recipient_opted_out', errorDetail });
});

test('a text waits for an account that is not in order, and for room at Telnyx', () => {
  const codes = ['10010', '10038', '10039', '20012', '20013', '20014', '20015', '20016', '20017', '20100'];
  for (const code of [...codes, '40314', '40333']) {
    assert.equal(judgeText({ errors: errorsWith(code) }).verdict, 'account', code);
  }
  assert.equal(judgeText({ errors: errorsWith('99999'), status: 402 }).verdict, 'account');
  for (const code of ['10011', '40011', '40318', '40500']) {
    assert.equal(judgeText({ errors: errorsWith(code) }).verdict, 'later', code);
  }
});

test('a code and a title of any length are cut', () => {
  const [error] = errorsWith('4'.repeat(50));
  const { errorDetail } = judgeText({ errors: [{ code: error?.code ?? '', title: 'x'.repeat(300), detail: '' }] });
  assert.deepEqual([errorDetail?.carrier_code.length, errorDetail?.title.length], [40, 200]);
});
