/** The porting port: moving numbers here from the carrier that has them (the losing carrier). */
import type { Ledger } from '../../lib/scope.ts';
import type { EmergencyAddress } from './e911.ts';
import type { OrderedNumber } from './numbers.ts';
import type { Found, Outcome } from './outcome.ts';

/** Whether a number can be ported in. The fields are those of the API. */
export type Portability = {
  readonly phone_number: string;
  readonly portable: boolean;
  /** Why not: a sentence for people. Null if the number is portable. */
  readonly reason: string | null;
  /** Numbers with the same name here can be in one port-in. Null if the carrier does not know. */
  readonly losing_carrier: string | null;
};

/** A request to port numbers in. A submission after a correction has the same `ref` and the next `attempt`. */
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

/** A new status of a submission. `detail` is a sentence for people. */
export type PortInReport =
  | { readonly status: 'action_needed' | 'cancelled'; readonly detail: string | null }
  | { readonly status: 'foc_confirmed'; readonly detail: string | null; readonly focDate: Date }
  | { readonly status: 'completed'; readonly detail: string | null; readonly numbers: readonly PortedNumber[] };

export type PortingPort = {
  /** Returns one verdict for each number, in the given order. Has no effect. Throws carrier_unavailable (ApiError). */
  checkPortability(ledger: Ledger, phoneNumbers: readonly string[]): Promise<readonly Portability[]>;
  /** Idempotent by `ref` and `attempt`; an unclear answer is `unknown`. `reason` is a sentence for people. */
  submitPortIn(ledger: Ledger, order: PortInOrder): Promise<Outcome<object>>;
  findPortIn(ledger: Ledger, submission: { ref: string; attempt: number }): Promise<Found<object>>;
  /** Cancelling a port-in that is already cancelled, or was never submitted, is `accepted`. */
  cancelPortIn(ledger: Ledger, ref: string): Promise<Outcome<object, 'too_late'>>;
};
