/**
 * The only vocabulary in which the domain and a carrier speak. It is split by capability, so that a ledger may take
 * numbers and texts from one carrier and calls from another. Commands go out through a capability; what happens at the
 * carrier comes back as a CarrierEvent, possibly late, twice or out of order.
 *
 * `ref` is always Dialplane's own id of the thing: commands carry it, events bring it back, and a carrier that takes
 * no idempotency key is asked by it what became of a command whose answer was lost.
 */
import type { Ledger } from '../lib/scope.ts';

/**
 * What became of a command.
 * - accepted: the carrier has it.
 * - rejected: it never will; `reason` is one of the port's words, not the carrier's.
 * - unavailable: it certainly has not; try again, not before `retryAfterMs` if given.
 * - unknown: it may have; ask (`find…`) before anything else, never repeat blindly.
 */
export type Outcome<Accepted, Reason extends string = string> =
  | ({ readonly outcome: 'accepted' } & Accepted)
  | { readonly outcome: 'rejected'; readonly reason: Reason }
  | { readonly outcome: 'unavailable'; readonly retryAfterMs?: number }
  | { readonly outcome: 'unknown' };

/** What the carrier knows of a command whose answer was lost. `undecided`: ask again later. */
export type Found<Accepted> = ({ readonly found: 'accepted' } & Accepted) | { readonly found: 'absent' | 'undecided' };

export const CAPABILITIES = ['sms', 'mms', 'voice'] as const;
export type Capability = (typeof CAPABILITIES)[number];

export type AvailableNumber = {
  readonly phone_number: string;
  readonly locality: string;
  readonly region: string;
  readonly capabilities: readonly Capability[];
  /** Decimal string, such as "1.00". */
  readonly monthly_price_usd: string;
};

export type NumberSearch = {
  /** Three digits. */
  readonly areaCode?: string;
  readonly locality?: string;
  /** Digits found anywhere in the national number. */
  readonly contains?: string;
  readonly limit: number;
};

export type NumberOrder = { readonly ref: string; readonly phoneNumber: string };

export type OrderedNumber = { readonly carrierRef: string; readonly capabilities: readonly Capability[] };

export type NumbersPort = {
  search(ledger: Ledger, search: NumberSearch): Promise<readonly AvailableNumber[]>;
  /** Idempotent by `ref` where the carrier allows it; otherwise an unclear answer is `unknown`. */
  order(ledger: Ledger, order: NumberOrder): Promise<Outcome<OrderedNumber, 'number_unavailable'>>;
  findOrder(ledger: Ledger, order: NumberOrder): Promise<Found<OrderedNumber>>;
  /** Releasing a number that is already gone is `accepted`. */
  release(ledger: Ledger, number: { phoneNumber: string; carrierRef: string }): Promise<Outcome<object>>;
};

export type OutboundMessage = {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
};

/** Why a text did not arrive, in the words callers see as `error_code` and `failure_reason`. */
export const MESSAGE_FAILURES = ['carrier_rejected', 'send_failed', 'unreachable', 'spam_blocked', 'expired'] as const;
export type MessageFailure = (typeof MESSAGE_FAILURES)[number];

export type MessagingPort = {
  send(ledger: Ledger, message: OutboundMessage): Promise<Outcome<object, MessageFailure>>;
  findSend(ledger: Ledger, ref: string): Promise<Found<object>>;
};

/** The capabilities of one carrier; what it lacks is absent. */
export type Carrier = {
  readonly name: string;
  readonly numbers?: NumbersPort;
  readonly messaging?: MessagingPort;
};

export type CarrierEvent =
  | {
      readonly type: 'message.received';
      /** The carrier's id of the text: a repeat with the same id is the same text. */
      readonly carrierMessageId: string;
      readonly from: string;
      readonly to: string;
      readonly body: string;
      readonly mediaUrls: readonly string[];
    }
  | {
      readonly type: 'message.receipt';
      readonly ref: string;
      readonly status: 'sent' | 'delivered' | 'failed';
      readonly failureReason?: MessageFailure;
    };

/**
 * Where an adapter hands over events. It resolves once the event's effects are committed; until then the adapter
 * must keep the event and hand it over again after a crash.
 */
export type CarrierEventSink = (ledger: Ledger, events: readonly CarrierEvent[]) => Promise<void>;

/** The carrier of a ledger. Throws `carrier_unavailable` (ApiError) when nothing can carry the capability. */
export type Carriers = {
  numbers(ledger: Ledger): NumbersPort;
  messaging(ledger: Ledger): MessagingPort;
};
