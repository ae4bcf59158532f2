import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { E911Port, EmergencyAddress } from '../../src/carriers/ports/e911.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { useSubject } from './subject.ts';

/** An E911 capability under test. */
export type E911Subject = {
  readonly e911: E911Port;
  readonly ledger: Ledger;
  /** A number that can be registered. */
  readonly phoneNumber: string;
  /** An address that is accepted. */
  readonly good: EmergencyAddress;
  /** An address that is refused with suggestions. */
  readonly bad: EmergencyAddress;
  /** Frees everything that the subject opened. */
  close(): Promise<void>;
};

/** Checks an E911 capability. */
export function describeE911Conformance(name: string, makeSubject: () => Promise<E911Subject>): void {
  describe(`${name}: E911`, () => {
    const subject = useSubject(makeSubject);

    const register = (ref: string, address: EmergencyAddress) =>
      subject().e911.registerAddress(subject().ledger, { ref, address });
    const carrierRefOf = async (ref: string) => {
      const outcome = await register(ref, subject().good);
      if (outcome.outcome !== 'accepted') assert.fail(`the address was ${outcome.outcome}`);
      return outcome.carrierRef;
    };

    test('an address registered again with its ref is the same address', async () => {
      const ref = newId('e911_address');
      assert.ok((await carrierRefOf(ref)).length > 0);
      assert.equal(await carrierRefOf(ref), await carrierRefOf(ref));
    });

    test('an address whose answer was lost is found by its ref, one never sent is not', async () => {
      const ref = newId('e911_address');
      assert.equal((await subject().e911.findAddress(subject().ledger, ref)).found, 'absent');
      const carrierRef = await carrierRefOf(ref);
      assert.deepEqual(await subject().e911.findAddress(subject().ledger, ref), { found: 'accepted', carrierRef });
    });

    test('a refused address is not stored, and each suggestion for it is accepted', async () => {
      const ref = newId('e911_address');
      const outcome = await register(ref, subject().bad);
      if (outcome.outcome !== 'rejected') assert.fail(`the address was ${outcome.outcome}`);
      assert.equal((await subject().e911.findAddress(subject().ledger, ref)).found, 'absent');
      assert.ok(outcome.suggestions.length > 0);
      for (const address of outcome.suggestions) {
        assert.equal((await register(newId('e911_address'), address)).outcome, 'accepted');
      }
    });

    test('a number is registered at an address, at another and at none; each step can be repeated', async () => {
      const [ref, other] = [newId('e911_address'), newId('e911_address')];
      const addresses = [
        { ref, carrierRef: await carrierRefOf(ref) },
        { ref: other, carrierRef: await carrierRefOf(other) },
        null,
      ];
      for (const address of addresses) {
        for (let times = 0; times < 2; times++) {
          const assignment = { phoneNumber: subject().phoneNumber, address };
          assert.deepEqual(await subject().e911.assignAddress(subject().ledger, assignment), { outcome: 'accepted' });
        }
      }
    });

    test('an address can be removed, and removed again', async () => {
      const ref = newId('e911_address');
      const carrierRef = await carrierRefOf(ref);
      for (let times = 0; times < 2; times++) {
        assert.deepEqual(await subject().e911.removeAddress(subject().ledger, { ref, carrierRef }), {
          outcome: 'accepted',
        });
      }
      assert.equal((await subject().e911.findAddress(subject().ledger, ref)).found, 'absent');
    });
  });
}
