import type { Db } from '../../db/database.ts';
import type { AvailableNumber, Capability, NumbersPort } from '../ports/numbers.ts';
import { describeInventoryNumber, isInventoryNumber, searchInventory } from './inventory.ts';
import { hasOrder, listTakenNumbers, releaseNumber, takeNumber } from './numbers-queries.ts';

/**
 * The numbers capability of test mode. Orders are filled immediately and cost nothing. A ledger can order each number
 * once: a released number is not sold again before a reset. Numbers outside the inventory, such as the magic numbers,
 * cannot be ordered.
 */
export function createSimulatedNumbers(db: Db): NumbersPort {
  return {
    search: async (ledger, { areaCode, locality, contains, limit }) => {
      const taken = await listTakenNumbers(db, ledger, areaCode ?? null);
      const isTaken = (phoneNumber: string) => taken.has(phoneNumber);
      return searchInventory({ areaCode, locality, contains, limit, isTaken }) as AvailableNumber[];
    },
    order: async (ledger, { ref, phoneNumber }) => {
      if (!isInventoryNumber(phoneNumber) || (await takeNumber(db, ledger, phoneNumber, ref)) !== ref) {
        return { outcome: 'rejected', reason: 'number_unavailable' };
      }
      return { outcome: 'accepted', carrierRef: ref, capabilities: capabilitiesOf(phoneNumber) };
    },
    findOrder: async (ledger, { ref, phoneNumber }) => {
      if (!(await hasOrder(db, ledger, phoneNumber, ref))) return { found: 'absent' };
      return { found: 'accepted', carrierRef: ref, capabilities: capabilitiesOf(phoneNumber) };
    },
    release: async (ledger, { phoneNumber }) => {
      await releaseNumber(db, ledger, phoneNumber);
      return { outcome: 'accepted' };
    },
  };
}

function capabilitiesOf(phoneNumber: string): readonly Capability[] {
  return (describeInventoryNumber(phoneNumber)?.capabilities ?? []) as Capability[];
}
