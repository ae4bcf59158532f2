/** The porting port: moves numbers to this carrier from the carrier that has them (the losing carrier). */
import type { Ledger } from '../../lib/scope.ts';
import type { EmergencyAddress } from './e911.ts';
import type { OrderedNumber } from './numbers.ts';
import type { Found, Outcome } from './outcome.ts';
import type { OrderingTenant } from './tenant.ts';

/** Whether a number can be ported in. The fields are the API's. */
export type Portability = {
  readonly phone_number: string;
  readonly portable: boolean;
  /** Why the number cannot be ported: a sentence for people. Null if it can. */
  readonly reason: string | null;
  /** Numbers with the same losing carrier can be in one port-in. Null if the carrier does not know it. */
  readonly losing_carrier: string | null;
};

export const DOCUMENT_KINDS = ['letter_of_authorization', 'invoice'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export const DOCUMENT_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/**
 * A document that the customer has sent for a port-in. A port-in may have several documents of one kind. They are in
 * order of arrival.
 */
export type PortInDocument = {
  readonly ref: string;
  readonly kind: DocumentKind;
  readonly contentType: DocumentType;
  readonly sizeBytes: number;
  /** Reads the file, of at most 10 MiB. Throws if the store does not have it or does not answer. */
  read(): Promise<Uint8Array>;
};

/** A request to port numbers in. A submission after a correction has the same `ref` and the next `attempt`. */
export type PortInOrder = {
  readonly ref: string;
  /** 1 for the first submission. */
  readonly attempt: number;
  readonly submittedAt: Date;
  readonly tenant: OrderingTenant;
  readonly phoneNumbers: readonly string[];
  readonly entityName: string;
  readonly authorizedPerson: string;
  readonly billingPhoneNumber: string;
  readonly accountNumber: string;
  readonly pin: string | null;
  readonly serviceAddress: Omit<EmergencyAddress, 'unit'>;
  readonly documents: readonly PortInDocument[];
};

export type PortedNumber = OrderedNumber & { readonly phoneNumber: string };

/** Documents that the losing carrier requires and does not have. The domain tells the customer which ones. */
type Shortfall = { readonly missingDocuments?: readonly DocumentKind[] };

/** A new status of a submission. `detail` is a sentence for people. */
export type PortInReport =
  | ({ readonly status: 'action_needed'; readonly detail: string | null } & Shortfall)
  | { readonly status: 'cancelled'; readonly detail: string | null }
  | { readonly status: 'foc_confirmed'; readonly detail: string | null; readonly focDate: Date }
  | { readonly status: 'completed'; readonly detail: string | null; readonly numbers: readonly PortedNumber[] };

export type PortingPort = {
  /** Returns one verdict for each number, in the given order. Has no effect. Throws carrier_unavailable (ApiError). */
  checkPortability(ledger: Ledger, phoneNumbers: readonly string[]): Promise<readonly Portability[]>;
  /**
   * Idempotent by `ref` and `attempt`. The outcome of an unclear answer is `unknown`. `reason` is a sentence for
   * people.
   */
  submitPortIn(ledger: Ledger, order: PortInOrder): Promise<Outcome<object, string, Shortfall>>;
  /**
   * `reports` are the reports of the submission so far, in order; absent if the carrier cannot return them any more.
   * The domain ignores reports that it already has.
   */
  findPortIn(
    ledger: Ledger,
    submission: { ref: string; attempt: number },
  ): Promise<Found<{ readonly reports: readonly PortInReport[] }>>;
  /** The outcome is `accepted` if the port-in is already cancelled, or was never submitted. */
  cancelPortIn(ledger: Ledger, ref: string): Promise<Outcome<object, 'too_late'>>;
};
