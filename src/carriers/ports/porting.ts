import type { Ledger } from '../../lib/scope.ts';
import type { EmergencyAddress } from './e911.ts';
import type { OrderedNumber } from './numbers.ts';
import type { Found, Outcome } from './outcome.ts';

/**
 * Whether a number can come over; `reason` is a sentence for people, null where it can. Numbers with the same
 * `losing_carrier`, whatever it is called, can be in one port-in; null where that cannot be told.
 */
export type Portability = {
  readonly phone_number: string;
  readonly portable: boolean;
  readonly reason: string | null;
  readonly losing_carrier: string | null;
};

/** A request to take numbers over. Submitted again after a correction it has the same `ref` and the next `attempt`. */
export type PortInOrder = {
  readonly ref: string;
  /** 1 for the first submission. */
  readonly attempt: number;
  readonly submittedAt: Date;
  readonly phoneNumbers: readonly string[];
  readonly entityName: string;
  readonly authorizedPerson: string;
  readonly billingPhoneNumber: string;
  readonly accountNumber: string;
  readonly pin: string | null;
  readonly serviceAddress: Omit<EmergencyAddress, 'unit'>;
};

export type PortedNumber = OrderedNumber & { readonly phoneNumber: string };

/** What has become of a submission. `detail` is a sentence for people. */
export type PortInReport =
  | { readonly status: 'action_needed' | 'cancelled'; readonly detail: string | null }
  | { readonly status: 'foc_confirmed'; readonly detail: string | null; readonly focDate: Date }
  | { readonly status: 'completed'; readonly detail: string | null; readonly numbers: readonly PortedNumber[] };

export type PortingPort = {
  /** One verdict for each number, in the order given, without any effect. Throws carrier_unavailable (ApiError). */
  checkPortability(ledger: Ledger, phoneNumbers: readonly string[]): Promise<readonly Portability[]>;
  /** Idempotent by `ref` and `attempt`; an unclear answer is `unknown`. `reason` is a sentence for people. */
  submitPortIn(ledger: Ledger, order: PortInOrder): Promise<Outcome<object>>;
  findPortIn(ledger: Ledger, submission: { ref: string; attempt: number }): Promise<Found<object>>;
  /** Cancelling what is cancelled, or was never submitted, is `accepted`. */
  cancelPortIn(ledger: Ledger, ref: string): Promise<Outcome<object, 'too_late'>>;
};
