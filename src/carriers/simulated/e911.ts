import type { Db } from '../../db/database.ts';
import type { E911Port } from '../ports/e911.ts';
import { examineAddress } from './addresses.ts';
import {
  assignNumberToAddress,
  deleteAddress,
  hasAddress,
  insertAddress,
  unassignNumberFromAddress,
} from './e911-queries.ts';

/** The E911 capability of test mode. It decides immediately, and stores the address of each number. */
export function createSimulatedE911(db: Db): E911Port {
  return {
    registerAddress: async (ledger, { ref, address }) => {
      const finding = examineAddress(address);
      if (finding !== undefined) return { outcome: 'rejected', ...finding };
      await insertAddress(db, ledger, ref);
      return { outcome: 'accepted', carrierRef: ref };
    },
    findAddress: async (ledger, ref) =>
      (await hasAddress(db, ledger, ref)) ? { found: 'accepted', carrierRef: ref } : { found: 'absent' },
    removeAddress: async (ledger, { carrierRef }) => {
      await deleteAddress(db, ledger, carrierRef);
      return { outcome: 'accepted' };
    },
    assignAddress: async (ledger, { phoneNumber, address }) => {
      if (address === null) await unassignNumberFromAddress(db, ledger, phoneNumber);
      else if (!(await assignNumberToAddress(db, ledger, { phoneNumber, ref: address.carrierRef }))) {
        return { outcome: 'rejected', reason: 'address_not_found' };
      }
      return { outcome: 'accepted' };
    },
  };
}
