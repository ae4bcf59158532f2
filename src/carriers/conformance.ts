/**
 * What the domain relies on, whichever carrier is behind the port. Each adapter runs these suites from a test of its
 * own: the simulated one in process, others against recorded exchanges.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '../lib/ids.ts';
import type { Ledger } from '../lib/scope.ts';
import type { NumbersPort } from './port.ts';

/** A numbers capability under test. `close` frees what making it took. */
export type NumbersSubject = { readonly numbers: NumbersPort; readonly ledger: Ledger; close(): Promise<void> };

/** @param areaCode one in which the carrier has more than ten numbers on sale */
export function describeNumbersConformance(
  name: string,
  makeSubject: () => Promise<NumbersSubject>,
  areaCode = '602',
): void {
  describe(`${name}: numbers`, () => {
    let subject: NumbersSubject;
    before(async () => {
      subject = await makeSubject();
    });
    after(() => subject.close());

    const search = (limit: number) => subject.numbers.search(subject.ledger, { areaCode, limit });
    const order = (ref: string, phoneNumber: string) => subject.numbers.order(subject.ledger, { ref, phoneNumber });
    const find = (ref: string, phoneNumber: string) => subject.numbers.findOrder(subject.ledger, { ref, phoneNumber });
    const onSale = async () => (await search(1))[0]?.phone_number ?? assert.fail('nothing on sale');

    test('a search keeps to its area code and limit and describes each number', async () => {
      const found = await search(5);
      assert.equal(found.length, 5);
      assert.equal(new Set(found.map((number) => number.phone_number)).size, 5);
      for (const number of found) {
        assert.match(number.phone_number, new RegExp(`^\\+1${areaCode}\\d{7}$`));
        assert.match(number.monthly_price_usd, /^\d+\.\d{2}$/);
        assert.ok(number.capabilities.length > 0);
      }
    });

    test('an order brings the number, and the carrier no longer offers it', async () => {
      const phoneNumber = await onSale();
      const outcome = await order(newId('phone_number'), phoneNumber);
      if (outcome.outcome !== 'accepted') assert.fail(`the order was ${outcome.outcome}`);
      assert.ok(outcome.carrierRef.length > 0);
      assert.ok(outcome.capabilities.includes('voice'));
      const offered = (await search(10)).map((number) => number.phone_number);
      assert.ok(!offered.includes(phoneNumber));
    });

    test('an order repeated with its ref is the same order', async () => {
      const ref = newId('phone_number');
      const phoneNumber = await onSale();
      const first = await order(ref, phoneNumber);
      assert.equal(first.outcome, 'accepted');
      assert.deepEqual(await order(ref, phoneNumber), first);
    });

    test('of orders placed together for one number exactly one is accepted', async () => {
      const phoneNumber = await onSale();
      const refs = Array.from({ length: 8 }, () => newId('phone_number'));
      const outcomes = await Promise.all(refs.map((ref) => order(ref, phoneNumber)));
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'accepted').length, 1);
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'rejected').length, 7);
    });

    test('a number somebody has is refused to another order', async () => {
      const phoneNumber = await onSale();
      await order(newId('phone_number'), phoneNumber);
      assert.deepEqual(await order(newId('phone_number'), phoneNumber), {
        outcome: 'rejected',
        reason: 'number_unavailable',
      });
    });

    test('a number that is not on sale anywhere is refused', async () => {
      assert.deepEqual(await order(newId('phone_number'), '+15005550001'), {
        outcome: 'rejected',
        reason: 'number_unavailable',
      });
    });

    test('an order whose answer was lost is found, with what it brought', async () => {
      const ref = newId('phone_number');
      const phoneNumber = await onSale();
      assert.equal((await find(ref, phoneNumber)).found, 'absent');
      const outcome = await order(ref, phoneNumber);
      if (outcome.outcome !== 'accepted') assert.fail(`the order was ${outcome.outcome}`);
      const { carrierRef, capabilities } = outcome;
      assert.deepEqual(await find(ref, phoneNumber), { found: 'accepted', carrierRef, capabilities });
      assert.equal((await find(newId('phone_number'), phoneNumber)).found, 'absent');
    });

    test('a number can be released, and released again', async () => {
      const phoneNumber = await onSale();
      const outcome = await order(newId('phone_number'), phoneNumber);
      if (outcome.outcome !== 'accepted') assert.fail(`the order was ${outcome.outcome}`);
      const { carrierRef } = outcome;
      for (let times = 0; times < 2; times++) {
        const released = await subject.numbers.release(subject.ledger, { phoneNumber, carrierRef });
        assert.equal(released.outcome, 'accepted');
      }
    });
  });
}
