/** The E911 port: registers emergency addresses, and assigns numbers to them. */
import type { Ledger } from '../../lib/scope.ts';
import type { Assigned, Found, Outcome, Registered } from './outcome.ts';

/** The place where emergency services go. The fields are the API's. */
export type EmergencyAddress = {
  readonly street: string;
  readonly unit: string | null;
  readonly city: string;
  /** Two letters. */
  readonly state: string;
  /** ZIP or ZIP+4. */
  readonly postal_code: string;
};

/** The most corrected addresses in a refusal. */
export const SUGGESTIONS_MAX = 10;

/** Why an address is refused. Emergency services could not be sent there. */
export type AddressFault = 'address_not_found' | 'state_mismatch' | 'house_number_missing' | 'po_box';

type AddressRegistration = { readonly ref: string; readonly address: EmergencyAddress };

export type E911Port = {
  /**
   * Validates and stores an address for emergency services. Idempotent by `ref`. The outcome is `unknown` if the answer
   * is unclear.
   */
  registerAddress(
    ledger: Ledger,
    registration: AddressRegistration,
  ): Promise<Outcome<Registered, AddressFault, { readonly suggestions: readonly EmergencyAddress[] }>>;
  findAddress(ledger: Ledger, ref: string): Promise<Found<Registered>>;
  /** The outcome is `accepted` if the address is already removed. */
  removeAddress(ledger: Ledger, address: { ref: string; carrierRef: string }): Promise<Outcome<object>>;
  /**
   * Registers a number at an address, in place of an earlier one. Null means no address. Idempotent. The carrier drops
   * the registration of a number that is released.
   */
  assignAddress(
    ledger: Ledger,
    assignment: { phoneNumber: string; address: { ref: string; carrierRef: string } | null },
  ): Promise<Outcome<Assigned>>;
};
