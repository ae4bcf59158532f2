import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NumbersPort } from '../../src/carriers/ports/numbers.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { useSubject } from './subject.ts';

/** A numbers capability under test. */
export type NumbersSubject = {
  readonly numbers: NumbersPort;
  readonly ledger: Ledger;
  /** Frees everything that the subject opened. */
  close(): Promise<void>;
};

/**
 * Checks a numbers capability.
 * @param areaCode the carrier sells more than ten numbers with this area code
 */
export function describeNumbersConformance(
  name: string,
  makeSubject: () => Promise<NumbersSubject>,
  areaCode = '602',
): void {
  describe(`${name}: numbers`, () => {
    const subject = useSubject(makeSubject);

    const search = (limit: number) => subject().numbers.search(subject().ledger, { areaCode, limit });
    const tenant = { id: newId('tenant'), name: 'Desert Dental' };
    const order = (ref: string, phoneNumber: string) =>
      subject().numbers.order(subject().ledger, { ref, phoneNumber, tenant });
    const find = (ref: string, phoneNumber: string) =>
      subject().numbers.findOrder(subject().ledger, { ref, phoneNumber });
    const onSale = async () => (await search(1))[0]?.phone_number ?? assert.fail('nothing on sale');

    test('a search returns as many numbers as asked, all of its area code, each described', async () => {
      const found = await search(5);
      assert.equal(found.length, 5);
      assert.equal(new Set(found.map((number) => number.phone_number)).size, 5);
      for (const number of found) {
        assert.match(number.phone_number, new RegExp(`^\\+1${areaCode}\\d{7}$`));
        assert.match(number.monthly_price_usd, /^\d+\.\d{2}$/);
        assert.ok(number.capabilities.length > 0);
      }
    });

    test('an order returns the number, and the carrier no longer offers it', async () => {
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

    test('of concurrent orders for one number exactly one is accepted', async () => {
      const phoneNumber = await onSale();
      const refs = Array.from({ length: 8 }, () => newId('phone_number'));
      const outcomes = await Promise.all(refs.map((ref) => order(ref, phoneNumber)));
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'accepted').length, 1);
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'rejected').length, 7);
    });

    test('a number that has an owner is refused to another order', async () => {
      const phoneNumber = await onSale();
      await order(newId('phone_number'), phoneNumber);
      assert.deepEqual(await order(newId('phone_number'), phoneNumber), {
        outcome: 'rejected',
        reason: 'number_unavailable',
      });
    });

    test('a number that is never on sale is refused', async () => {
      assert.deepEqual(await order(newId('phone_number'), '+15005550001'), {
        outcome: 'rejected',
        reason: 'number_unavailable',
      });
    });

    test('an order whose answer was lost is found, with its carrier ref and capabilities', async () => {
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
        const released = await subject().numbers.release(subject().ledger, { phoneNumber, carrierRef });
        assert.equal(released.outcome, 'accepted');
      }
    });
  });
}
