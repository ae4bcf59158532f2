import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PortingOrder } from './porting-orders.ts';
import { readProgress } from './porting-progress.ts';

const [ONE, TWO, THREE] = ['+13035550001', '+13035550002', '+13035550003'];
const [MONDAY, FRIDAY] = [new Date('2026-03-02T15:00:00Z'), new Date('2026-03-06T15:00:00Z')];

const order = (status: string, phoneNumbers: readonly string[], change: Partial<PortingOrder> = {}): PortingOrder => ({
  id: `${status} ${phoneNumbers.join()}`,
  status,
  details: [],
  phoneNumbers,
  focDate: null,
  updatedAt: MONDAY,
  canText: true,
  hasRequirements: true,
  ...change,
});
const of = (...orders: PortingOrder[]) => readProgress(orders, [ONE, TWO]);

test('the order that is worst off decides', () => {
  const dated = order('foc-date-confirmed', [TWO], { focDate: FRIDAY });
  assert.deepEqual(of(order('submitted', [ONE]), dated), { is: 'in_review' });
  assert.deepEqual(of(order('cancel-pending', [ONE]), dated), { is: 'in_review' });
  const stopped = order('exception', [ONE], { details: ['The PIN is wrong.', 'So is the name.'] });
  assert.deepEqual(of(stopped, dated), { is: 'action_needed', detail: 'The PIN is wrong. So is the name.' });
});

test('all have a date: the latest of them counts, also if one is ported already', () => {
  const later = order('foc-date-confirmed', [TWO], { focDate: FRIDAY });
  const ported = order('ported', [ONE], { focDate: MONDAY });
  assert.deepEqual(of(ported, later), { is: 'foc_confirmed', focDate: FRIDAY });
  assert.deepEqual(of(ported, { ...later, status: 'ported' }), { is: 'ported', focDate: FRIDAY });
});

test('a number without an order keeps the port-in from being confirmed', () => {
  assert.deepEqual(of(order('ported', [ONE])), { is: 'in_review' });
  assert.deepEqual(of(), { is: 'in_review' });
});

test('a date that Telnyx does not show is that of the last change', () => {
  assert.deepEqual(of(order('ported', [ONE, TWO])), { is: 'ported', focDate: MONDAY });
});

test('orders of numbers that were taken out, and cancelled ones that were replaced, do not count', () => {
  const removed = order('exception', [THREE]);
  const replaced = order('cancelled', [ONE]);
  const current = order('foc-date-confirmed', [ONE, TWO], { focDate: FRIDAY });
  assert.deepEqual(of(removed, replaced, current), { is: 'foc_confirmed', focDate: FRIDAY });
});

test('a port-in is cancelled when all of its orders are, and needs action when only some are', () => {
  const first = order('cancelled', [ONE], { details: ['Asked for by the customer.'] });
  const second = order('cancelled', [TWO]);
  assert.deepEqual(of(first, second), { is: 'cancelled', focDate: null, detail: 'Asked for by the customer.' });
  assert.deepEqual(of(first, order('submitted', [TWO])), {
    is: 'action_needed',
    detail: `The order of ${ONE} is cancelled. Asked for by the customer.`,
  });
});
