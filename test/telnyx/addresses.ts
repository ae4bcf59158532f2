/**
 * Emergency addresses, and the numbers at them. An address cannot be changed. It cannot be removed while a number is at
 * it.
 */
import { checkQuery, ok, orNotFound, PAGE_PARAMETERS, page, Refusal } from './replies.ts';
import type { Call, Route } from './routes.ts';
import { type Address, findOwned, nextNumericId, nowText, type OwnedNumber, type Place, type State } from './state.ts';

type NewAddress = Omit<Address, 'record_type' | 'id' | 'created_at' | 'updated_at'> & {
  readonly validate_address?: boolean;
};

/** The states of the ZIP codes that the emulator knows, by their first two digits. Other ZIP codes fit any state. */
const STATES: Readonly<Record<string, string>> = { '85': 'AZ', '86': 'AZ', '88': 'NV', '89': 'NV', '90': 'CA' };
const REFERENCE_FILTER = 'filter[customer_reference][eq]';

/** Returns the operations of addresses. */
export function addressRoutes(state: State): Route[] {
  return [
    {
      name: 'POST /addresses/actions/validate',
      answer: ({ body }) => {
        const place = body as Place;
        const suggested = suggestionFor(place);
        const isValid = suggested === place;
        const errors = isValid ? [] : [{ code: '20200', title: 'Invalid address', detail: 'No such place is known.' }];
        return ok({ record_type: 'address_validation', result: isValid ? 'valid' : 'invalid', suggested, errors });
      },
    },
    { name: 'POST /addresses', answer: ({ body }) => ok(addAddress(state, body as NewAddress)) },
    {
      name: 'GET /addresses',
      answer: ({ query }) => {
        checkQuery(query, [REFERENCE_FILTER, ...PAGE_PARAMETERS]);
        const reference = query.get(REFERENCE_FILTER);
        const all = [...state.addresses.values()].reverse();
        return page(reference === null ? all : all.filter((one) => one.customer_reference === reference), query);
      },
    },
    {
      name: 'DELETE /addresses/{id}',
      answer: ({ params }) => {
        const address = orNotFound(state.addresses.get(params['id'] ?? ''));
        const isUsed = [...state.numbers.values()].some(
          ({ emergency_enabled, emergency_address_id }) => emergency_enabled && emergency_address_id === address.id,
        );
        if (isUsed) throw new Refusal('10015', 'A number is at the address.');
        state.addresses.delete(address.id);
        return ok(address);
      },
    },
    { name: 'POST /phone_numbers/{id}/actions/enable_emergency', answer: (call) => enableEmergency(state, call) },
  ];
}

/** Returns the place if help can be sent there, else a similar place. */
function suggestionFor(place: Place): Place {
  const { street_address, postal_code = '', administrative_area } = place;
  const known = STATES[postal_code.slice(0, 2)];
  const hasHouse = /^\d/.test(street_address);
  if (hasHouse && (known === undefined || known === administrative_area)) return place;
  return {
    ...place,
    street_address: hasHouse ? street_address : `1 ${street_address}`,
    ...(known !== undefined && { administrative_area: known }),
  };
}

function addAddress(state: State, { validate_address, ...given }: NewAddress): Address {
  if (validate_address === true && suggestionFor(given) !== given) {
    throw new Refusal('10015', 'The address is invalid.', { pointer: '/street_address' });
  }
  const [id, now] = [nextNumericId(state), nowText()];
  const address: Address = { record_type: 'address', ...given, id, created_at: now, updated_at: now };
  state.addresses.set(id, address);
  return address;
}

/** Registers a number at an address, at once or, if `emergencyPends` is set, when a control says so. */
function enableEmergency(state: State, { params, body }: Call) {
  const { emergency_enabled, emergency_address_id } = body as {
    emergency_enabled: boolean;
    emergency_address_id: string;
  };
  const number = orNotFound([...state.numbers.values()].find(({ id }) => id === params['id']));
  orNotFound(findOwned(state, number.phone_number));
  if (emergency_enabled) orNotFound(state.addresses.get(emergency_address_id));
  const [during, after] = emergency_enabled ? ['provisioning', 'active'] : ['deprovisioning', 'disabled'];
  number.emergency_enabled = emergency_enabled;
  number.emergency_address_id = emergency_address_id;
  number.emergency_status = state.emergencyPends ? (during as string) : (after as string);
  number.updated_at = nowText();
  return { ...ok(voiceSettingsOf(number)), status: state.emergencyPends ? 202 : 200 };
}

function voiceSettingsOf(number: OwnedNumber): object {
  const { id, phone_number, connection_id, customer_reference } = number;
  const { emergency_enabled, emergency_address_id, emergency_status } = number;
  const emergency = { emergency_enabled, emergency_address_id, emergency_status };
  return { record_type: 'voice_settings', id, phone_number, connection_id, customer_reference, emergency };
}
