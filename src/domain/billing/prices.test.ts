import assert from 'node:assert/strict';
import { test } from 'node:test';
import standard from './prices.json' with { type: 'json' };
import { readPrices, STANDARD_PRICES } from './prices.ts';

const list = (prices: object) => ({ ...standard, prices: { ...standard.prices, ...prices } });

test('prices are exact amounts of micro-dollars', () => {
  assert.equal(STANDARD_PRICES.sms_segment_outbound, 7_900n);
  assert.equal(readPrices(list({ number_month: 0 })).number_month, 0n);
});

test('an invalid list is refused with an error that names the fault', () => {
  for (const price of [0.5, -1, '7900', null, 1e12, Number.NaN]) {
    assert.throws(() => readPrices(list({ stream_minute: price })), /the price of stream_minute/);
  }
  const { mms_inbound: _, ...without } = standard.prices;
  assert.throws(() => readPrices({ ...standard, prices: without }), /mms_inbound/);
  assert.throws(() => readPrices(list({ sms_segment: 1 })), /sms_segment$/);
  assert.throws(() => readPrices(list({ campaign_setup: 1 })), /campaign_setup/);
  assert.throws(() => readPrices({ ...standard, unit: 'cents' }), /micro-dollars/);
  for (const none of [null, [], 'prices', { ...standard, prices: [] }]) assert.throws(() => readPrices(none));
});
