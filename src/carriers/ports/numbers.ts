/** The numbers port: searching a carrier's phone numbers, ordering one, giving one back. */
import type { Ledger } from '../../lib/scope.ts';
import type { Found, Outcome } from './outcome.ts';
import type { OrderingTenant } from './tenant.ts';

export const CAPABILITIES = ['sms', 'mms', 'voice'] as const;
export type Capability = (typeof CAPABILITIES)[number];

type NumberSearch = {
  /** Three digits. */
  readonly areaCode?: string;
  readonly locality?: string;
  /** Digits found anywhere in the national number. */
  readonly contains?: string;
  readonly limit: number;
};

/** A number on sale. The fields are those of the API. */
export type AvailableNumber = {
  /** E.164. */
  readonly phone_number: string;
  readonly locality: string;
  readonly region: string;
  readonly capabilities: readonly Capability[];
  /** Decimal string, such as "1.00". */
  readonly monthly_price_usd: string;
};

/** Names an order, also before the carrier has it. */
type OrderName = { readonly ref: string; readonly phoneNumber: string };

export type NumberOrder = OrderName & { readonly tenant: OrderingTenant };

export type OrderedNumber = { readonly carrierRef: string; readonly capabilities: readonly Capability[] };

/** Something that the carrier did with a number. The domain ignores a report older than the last one of the number. */
export type NumberReport = {
  readonly type: 'number.suspended' | 'number.restored' | 'number.ported_out';
  /** E.164. */
  readonly phoneNumber: string;
  readonly occurredAt: Date;
};

export type NumbersPort = {
  search(ledger: Ledger, search: NumberSearch): Promise<readonly AvailableNumber[]>;
  /** Idempotent by `ref` if the carrier allows it; otherwise an unclear answer is `unknown`. */
  order(ledger: Ledger, order: NumberOrder): Promise<Outcome<OrderedNumber, 'number_unavailable'>>;
  findOrder(ledger: Ledger, order: OrderName): Promise<Found<OrderedNumber>>;
  /** Releasing a number that is already released is `accepted`. */
  release(ledger: Ledger, number: { phoneNumber: string; carrierRef: string }): Promise<Outcome<object>>;
};
