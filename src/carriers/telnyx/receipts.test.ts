import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failureOf, readReceipt } from './receipts.ts';

const textWith = (status: string, ...codes: string[]) => ({
  to: [{ phone_number: '+14805550142', status }],
  errors: codes.map((code) => ({ code, title: 'Not delivered' })),
});

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

  for (const [status, code, failureReason] of [
    ['delivery_failed', '40001', 'carrier_rejected'],
    ['failed', '40001', 'carrier_rejected'],
    ['sending_failed', '40318', 'send_failed'],
    ['sending_failed', '99999', 'carrier_rejected'],
  ] as const) {
    test(`of a text that is ${status} with ${code} has the reason ${failureReason}`, () => {
      assert.deepEqual(readReceipt(textWith(status, code)), { status: 'failed', failureReason });
    });
  }

  test('of a text that is blocked since a STOP opts the person out', () => {
    const receipt = { status: 'failed', failureReason: 'recipient_opted_out', isBlocked: true };
    assert.deepEqual(readReceipt(textWith('delivery_failed', '40300')), receipt);
  });

  test('without a recipient says nothing', () => assert.equal(readReceipt({}), undefined));
});

test('a refusal without a code that is known is that of a carrier', () => {
  assert.equal(failureOf([]), 'carrier_rejected');
  assert.equal(failureOf(['1', '40300']), 'recipient_opted_out');
});
