/** The numbers port: searches a carrier's phone numbers, orders them, and returns them. */
import { isTollFree } from '../../lib/phone/phone.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { Found, Outcome } from './outcome.ts';
import type { OrderingTenant } from './tenant.ts';

export const CAPABILITIES = ['sms', 'mms', 'voice'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Why a toll-free number is for calls only, although its carrier sells it for texts. */
export const NO_TOLL_FREE_TEXTS =
  'A toll-free number sends texts only after a verification of its own, which no carrier connection makes. It takes calls.';

/**
 * Returns the possible uses of a number. Carriers deliver texts of a toll-free number only after a verification, and
 * admit no toll-free number to a campaign. No adapter can request that verification, so a toll-free number is for calls
 * only.
 */
export function usableCapabilities(phoneNumber: string, capabilities: readonly Capability[]): Capability[] {
  return capabilities.filter((capability) => capability === 'voice' || !isTollFree(phoneNumber));
}

type NumberSearch = {
  /** Three digits, such as `602`. */
  readonly areaCode?: string;
  readonly locality?: string;
  /** Digits to find anywhere in the national number. */
  readonly contains?: string;
  readonly limit: number;
};

/** A number on sale. The fields are the API's. */
export type AvailableNumber = {
  /** E.164. */
  readonly phone_number: string;
  readonly locality: string;
  readonly region: string;
  readonly capabilities: readonly Capability[];
  /** Decimal string, such as "1.00". */
  readonly monthly_price_usd: string;
  /** Why `capabilities` lacks texts although the carrier offers them: a sentence for people. */
  readonly texts_unavailable?: string;
};

/** Names an order, even before the carrier has it. */
type OrderName = { readonly ref: string; readonly phoneNumber: string };

export type NumberOrder = OrderName & { readonly tenant: OrderingTenant };

export type OrderedNumber = { readonly carrierRef: string; readonly capabilities: readonly Capability[] };

/**
 * A report of something that the carrier did with a number. The domain ignores a report that is older than the number's
 * last one.
 */
export type NumberReport = {
  readonly type: 'number.suspended' | 'number.restored' | 'number.ported_out';
  /** E.164. */
  readonly phoneNumber: string;
  readonly occurredAt: Date;
};

export const PORT_OUT_STATUSES = ['pending', 'ported', 'rejected'] as const;
export type PortOutStatus = (typeof PORT_OUT_STATUSES)[number];

/** The progress of a number's move to another carrier. That carrier has requested the number. */
export type PortOutReport = {
  readonly type: 'number.port_out';
  /** E.164. */
  readonly phoneNumber: string;
  /** The carrier's id of the request; null if it names none. In that case the report is about the newest request. */
  readonly carrierRef: string | null;
  readonly status: PortOutStatus;
  /** Where the number moves to; null if that is not known. */
  readonly carrierName: string | null;
  /** The reason for the rejection, in the carrier's words; null if the carrier names none. */
  readonly reason: string | null;
  readonly occurredAt: Date;
};

export type NumbersPort = {
  search(ledger: Ledger, search: NumberSearch): Promise<readonly AvailableNumber[]>;
  /** Idempotent by `ref` if the carrier allows it. Otherwise the outcome of an unclear answer is `unknown`. */
  order(ledger: Ledger, order: NumberOrder): Promise<Outcome<OrderedNumber, 'number_unavailable'>>;
  findOrder(ledger: Ledger, order: OrderName): Promise<Found<OrderedNumber>>;
  /** The outcome is `accepted` if the number is already released. */
  release(ledger: Ledger, number: { phoneNumber: string; carrierRef: string }): Promise<Outcome<object>>;
};
