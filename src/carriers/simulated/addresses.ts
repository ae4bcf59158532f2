import type { AddressFault, EmergencyAddress } from '../ports/e911.ts';
import { statesOfZip, zipOfState } from './zip-prefixes.ts';

/** An address with this ZIP code cannot be registered. */
const REFUSED_ZIP = '00000';

const HOUSE_NUMBER = /^[NSEW]?\d/i;
const PO_BOX = /^(p\.?\s*o\.?|post\s+office)\s*box\b/i;

/** House numbers for suggestions. They are added to a street without a number. */
const SUGGESTED_HOUSES = ['100', '200'];

export type AddressFinding = { readonly reason: AddressFault; readonly suggestions: readonly EmergencyAddress[] };

/**
 * Returns the problem of an address; undefined if there is none. The ZIP code must be in the address's state, and the
 * street must begin with a house number. Every suggestion passes this check.
 */
export function examineAddress(address: EmergencyAddress): AddressFinding | undefined {
  if (PO_BOX.test(address.street)) return { reason: 'po_box', suggestions: [] };
  const streets = HOUSE_NUMBER.test(address.street)
    ? [address.street]
    : SUGGESTED_HOUSES.map((house) => `${house} ${address.street}`);
  const states = statesOfZip(address.postal_code);
  if (address.postal_code.startsWith(REFUSED_ZIP) || states.length === 0) {
    const postal_code = zipOfState(address.state);
    const suggestions = postal_code === undefined ? [] : streets.map((street) => ({ ...address, street, postal_code }));
    return { reason: 'address_not_found', suggestions };
  }
  const isInState = states.includes(address.state);
  if (isInState && streets.includes(address.street)) return undefined;
  const suggestions = (isInState ? [address.state] : states).flatMap((state) =>
    streets.map((street) => ({ ...address, street, state })),
  );
  return { reason: isInState ? 'house_number_missing' : 'state_mismatch', suggestions };
}
