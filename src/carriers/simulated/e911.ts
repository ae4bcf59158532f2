import type { Db } from '../../db/database.ts';
import type { E911Port } from '../ports/e911.ts';
import { examineAddress } from './addresses.ts';
import { assignToAddress, dropAddress, isAddressKept, keepAddress, unassignFromAddress } from './e911-queries.ts';

/** The emergency registry of test mode: it decides at once, and keeps which number is at which address. */
export function createSimulatedE911(db: Db): E911Port {
  return {
    registerAddress: async (ledger, { ref, address }) => {
      const finding = examineAddress(address);
      if (finding !== undefined) return { outcome: 'rejected', ...finding };
      await keepAddress(db, ledger, ref);
      return { outcome: 'accepted', carrierRef: ref };
    },
    findAddress: async (ledger, ref) =>
      (await isAddressKept(db, ledger, ref)) ? { found: 'accepted', carrierRef: ref } : { found: 'absent' },
    removeAddress: async (ledger, { carrierRef }) => {
      await dropAddress(db, ledger, carrierRef);
      return { outcome: 'accepted' };
    },
    assignAddress: async (ledger, { phoneNumber, carrierRef }) => {
      if (carrierRef === null) await unassignFromAddress(db, ledger, phoneNumber);
      else if (!(await assignToAddress(db, ledger, { phoneNumber, ref: carrierRef }))) {
        return { outcome: 'rejected', reason: 'address_not_found' };
      }
      return { outcome: 'accepted' };
    },
  };
}
