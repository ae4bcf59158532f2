/**
 * Emergency addresses at Telnyx, and the numbers at them. An address is found by our id, which is its customer
 * reference.
 */
import { listAt, textAt, valueAt } from '../../../lib/json-object.ts';
import type { AddressFault, E911Port, EmergencyAddress } from '../../ports/e911.ts';
import type { Assigned, Found, Outcome, Registered } from '../../ports/outcome.ts';
import { type Answer, conclude, concludeRemoval, outcomeOf } from '../client/client.ts';
import { refusedByAccount } from '../client/errors.ts';
import type { TelnyxLine } from '../client/line.ts';
import { findNumber } from './numbers.ts';

const ADDRESS = 'emergency address';

type Registration = Outcome<Registered, AddressFault, { readonly suggestions: readonly EmergencyAddress[] }>;

/** @param business the name that emergency services get for each address */
export function createE911(line: TelnyxLine, business: string): E911Port {
  const { client, book } = line;
  return {
    registerAddress: async (ledger, { ref, address }) => {
      // The check of the address may be repeated. The address itself is sent once.
      const fault = await findFault(line, address);
      if (fault !== undefined) return fault;
      const send = async (): Promise<Outcome<Registered, AddressFault>> =>
        readRegistration(
          await client.ask({ method: 'POST', path: '/addresses', body: bodyOf(address, { ref, business }) }),
        );
      const outcome = await book.ask({ ledger, operation: ADDRESS, ref }, send);
      return outcome.outcome === 'rejected' ? { ...outcome, suggestions: [] } : outcome;
    },
    findAddress: async (_ledger, ref) => {
      const found = await findRegistered(line, ref);
      await book.settle({ operation: ADDRESS, ref }, found);
      return found;
    },
    removeAddress: async (_ledger, { carrierRef: id }) => {
      const answer = await client.ask({ method: 'DELETE', path: '/addresses/{id}', params: { id } });
      return concludeRemoval(answer);
    },
    assignAddress: (_ledger, { phoneNumber, address }) => assign(line, phoneNumber, address?.carrierRef ?? null),
  };
}

function bodyOf(address: EmergencyAddress, { ref, business }: { ref: string; business: string }): object {
  return {
    ...placeOf(address),
    // The documents contradict each other about the required names, so all names are sent.
    business_name: business,
    first_name: business,
    last_name: business,
    validate_address: true,
    customer_reference: ref,
  };
}

function placeOf({ street, unit, city, state, postal_code }: EmergencyAddress): Record<string, string> {
  return {
    country_code: 'US',
    street_address: street,
    ...(unit !== null && { extended_address: unit }),
    locality: city,
    administrative_area: state,
    postal_code,
  };
}

/** Asks whether emergency services can be sent to an address. Returns undefined if they can. */
async function findFault({ client }: TelnyxLine, address: EmergencyAddress): Promise<Registration | undefined> {
  const answer = await client.ask({ method: 'POST', path: '/addresses/actions/validate', body: placeOf(address) });
  if (answer.is === 'answered' && textAt(answer.body, 'data', 'result') === 'valid') return undefined;
  if (answer.is !== 'answered' && answer.is !== 'refused') return outcomeOf(answer);
  const byAccount = answer.is === 'refused' ? refusedByAccount(answer) : undefined;
  if (byAccount !== undefined) return byAccount;
  const suggested = answer.is === 'answered' ? valueAt(answer.body, 'data', 'suggested') : undefined;
  return { outcome: 'rejected', reason: faultOf(address, suggested), suggestions: readSuggestion(address, suggested) };
}

/**
 * Telnyx explains a problem of an address only in words. So the fault is derived from the address and Telnyx's
 * suggestions.
 */
function faultOf({ street, state }: EmergencyAddress, suggested: unknown): AddressFault {
  if (/\bp\.?\s*o\.?\s*box\b/i.test(street)) return 'po_box';
  if (!/\d/.test(street)) return 'house_number_missing';
  const suggestedState = textAt(suggested, 'administrative_area');
  return suggestedState !== undefined && suggestedState !== state ? 'state_mismatch' : 'address_not_found';
}

/** Returns the address with Telnyx's suggestions in place of its own parts. */
function readSuggestion(address: EmergencyAddress, suggested: unknown): EmergencyAddress[] {
  const fieldOf = (name: string, given: string) => textAt(suggested, name) ?? given;
  const suggestion: EmergencyAddress = {
    street: fieldOf('street_address', address.street),
    unit: textAt(suggested, 'extended_address') ?? address.unit,
    city: fieldOf('locality', address.city),
    state: fieldOf('administrative_area', address.state),
    postal_code: fieldOf('postal_code', address.postal_code),
  };
  const isNew = Object.entries(suggestion).some(([name, value]) => value !== address[name as keyof EmergencyAddress]);
  return isNew ? [suggestion] : [];
}

function readRegistration(answer: Answer): Outcome<Registered, AddressFault> {
  if (answer.is === 'refused') return refusedByAccount(answer) ?? { outcome: 'rejected', reason: 'address_not_found' };
  if (answer.is !== 'answered') return outcomeOf(answer);
  const carrierRef = textAt(answer.body, 'data', 'id');
  return carrierRef === undefined ? { outcome: 'unknown' } : { outcome: 'accepted', carrierRef };
}

async function findRegistered({ client }: TelnyxLine, ref: string): Promise<Found<Registered>> {
  const query = [['filter[customer_reference][eq]', ref]] as const;
  const answer = await client.ask({ method: 'GET', path: '/addresses', query });
  if (answer.is !== 'answered') return { found: 'undecided' };
  const registered = listAt(answer.body, 'data').find((address) => textAt(address, 'customer_reference') === ref);
  const carrierRef = textAt(registered, 'id');
  return carrierRef === undefined ? { found: 'absent' } : { found: 'accepted', carrierRef };
}

const NOT_REGISTERED = 'Telnyx could not register the number at the address';
const UNDER_WAY: ReadonlySet<string | undefined> = new Set(['provisioning', 'deprovisioning']);

/**
 * Registers a number at an address, or removes it from its address. Telnyx may need minutes. In that time a repeat of
 * the command returns the progress, which is read from the number.
 */
async function assign(line: TelnyxLine, phoneNumber: string, addressId: string | null): Promise<Outcome<Assigned>> {
  const { client } = line;
  const number = await findNumber(line, phoneNumber);
  if ('problem' in number) return conclude(number.problem);
  if (number.data === undefined) return addressId === null ? { outcome: 'accepted' } : { outcome: 'unknown' };
  const { data } = number;
  const current = valueAt(data, 'emergency_enabled') === true ? (textAt(data, 'emergency_address_id') ?? '') : null;
  const status = textAt(data, 'emergency_status');
  if (current === addressId) {
    // After this refusal the caller removes the number from the address, so the next attempt starts without one.
    if (addressId !== null && status === 'provisioning-failed') return { outcome: 'rejected', reason: NOT_REGISTERED };
    return { outcome: 'accepted', ...(UNDER_WAY.has(status) && { pending: true }) };
  }
  const answer = await client.ask({
    method: 'POST',
    path: '/phone_numbers/{id}/actions/enable_emergency',
    params: { id: textAt(data, 'id') ?? '' },
    body: {
      emergency_enabled: addressId !== null,
      emergency_address_id: addressId ?? textAt(data, 'emergency_address_id') ?? '',
    },
  });
  if (answer.is !== 'answered') return conclude(answer);
  const isPending = UNDER_WAY.has(textAt(answer.body, 'data', 'emergency', 'emergency_status'));
  return { outcome: 'accepted', ...(isPending && { pending: true }) };
}
