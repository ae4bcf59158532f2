/** The messaging port: sends texts through a carrier. Receipts and inbound texts come back as carrier events. */
import type { Ledger } from '../../lib/scope.ts';
import type { ErrorDetail, Found, Outcome } from './outcome.ts';

/** The most media files of a text. */
export const MEDIA_MAX = 10;

/** The most recipients of a group text, without the number that received it. */
export const OTHER_RECIPIENTS_MAX = 100;

export type OutboundMessage = {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
};

/** Why a text did not arrive. Callers see these words as `error_code` and `failure_reason`. */
export const MESSAGE_FAILURES = [
  'carrier_rejected',
  'send_failed',
  'unreachable',
  'spam_blocked',
  'daily_cap_exceeded',
  'expired',
  'recipient_opted_out',
  'campaign_suspended',
] as const;
export type MessageFailure = (typeof MESSAGE_FAILURES)[number];

/** The status of a text that the carrier has accepted. */
export type TextReceipt = {
  readonly status: 'sent' | 'delivered' | 'failed';
  /** The reason of a failed text. */
  readonly failureReason?: MessageFailure;
  /**
   * True if the text failed because the carrier blocks all texts of the tenant to the person. The person is then opted
   * out.
   */
  readonly isBlocked?: boolean;
  /** The carrier's own error of a failed text, if the carrier names it. */
  readonly errorDetail?: ErrorDetail;
};

/** Details of the refusal of a text. */
export type TextRefusal = { readonly errorDetail?: ErrorDetail };

/** A file of an inbound text. The carrier keeps it for a limited time. `ref` is the carrier's name for it. */
export type CarrierMedia = { readonly ref: string; readonly contentType: string | null };

export type FetchedMedia = { readonly bytes: Uint8Array; readonly contentType: string | null };

/** Every carrier accepts texts of up to this many segments: no `segmentsMax` is smaller. */
export const SEGMENTS_ALWAYS_TAKEN = 6;

export type MessagingPort = {
  /**
   * The most segments of a text that the carrier accepts; absent if the carrier accepts every text that the product
   * sends.
   */
  readonly segmentsMax?: number;
  /**
   * Idempotent by `ref` if the carrier allows it. Otherwise the outcome of an unclear answer is `unknown`. A refusal
   * with `recipient_opted_out` opts the person out.
   */
  send(ledger: Ledger, message: OutboundMessage): Promise<Outcome<object, MessageFailure, TextRefusal>>;
  /** `receipt` is absent if the carrier does not know it. */
  findSend(ledger: Ledger, ref: string): Promise<Found<{ readonly receipt?: TextReceipt }>>;
  /**
   * Returns a file of an inbound text; undefined if the carrier does not have it. Throws if the carrier does not
   * answer. Absent if the carrier reports public addresses only.
   */
  fetchMedia?(ledger: Ledger, ref: string): Promise<FetchedMedia | undefined>;
};
