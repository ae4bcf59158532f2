import type { Ledger } from '../../lib/scope.ts';
import type { Found, Outcome, Registered } from './outcome.ts';

/** Where help is sent to. The fields are those of the API. */
export type EmergencyAddress = {
  readonly street: string;
  readonly unit: string | null;
  readonly city: string;
  /** Two letters. */
  readonly state: string;
  /** ZIP or ZIP+4. */
  readonly postal_code: string;
};

/** What is wrong with an address to which help cannot be sent. */
export const ADDRESS_FAULTS = ['address_not_found', 'state_mismatch', 'house_number_missing'] as const;
export type AddressFault = (typeof ADDRESS_FAULTS)[number];

export type AddressRegistration = { readonly ref: string; readonly address: EmergencyAddress };

export type E911Port = {
  /** Validates the dispatchable location and keeps it. Idempotent by `ref`; an unclear answer is `unknown`. */
  registerAddress(
    ledger: Ledger,
    registration: AddressRegistration,
  ): Promise<Outcome<Registered, AddressFault, { readonly suggestions: readonly EmergencyAddress[] }>>;
  findAddress(ledger: Ledger, ref: string): Promise<Found<Registered>>;
  /** Removing an address that is already gone is `accepted`. */
  removeAddress(ledger: Ledger, address: { ref: string; carrierRef: string }): Promise<Outcome<object>>;
  /**
   * Registers a number at an address, in place of any other, or with null at none. Idempotent. A number that is
   * released takes its registration with it.
   */
  assignAddress(
    ledger: Ledger,
    assignment: { phoneNumber: string; carrierRef: string | null },
  ): Promise<Outcome<object>>;
};
