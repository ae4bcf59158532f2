import { parseRetryAfter } from '../../../lib/http/retry-after.ts';
import type { Mode } from '../../../lib/scope.ts';
import { OUTBOUND_FAILURES } from '../../../outbound/outbound-error.ts';
import { retryDelayMs } from './retry-schedule.ts';

/**
 *   pending ──> delivered <── failed ──> given_up
 *       └─────────────────────┘ ^ └─┐
 *                               └───┘
 * A manual retry moves any of them back to pending.
 */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'given_up'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Measured from the start of the request to the last byte of the reply. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
/** Stored bytes of a reply. */
export const RESPONSE_BYTES_MAX = 1024;

/**
 * Headers of a reply that are stored: they name the server, the reason, and the number of the request in the receiver's
 * log.
 */
const SHOWN_HEADERS = [
  'allow',
  'cf-ray',
  'content-type',
  'location',
  'request-id',
  'retry-after',
  'server',
  'via',
  'www-authenticate',
  'x-amzn-requestid',
  'x-request-id',
] as const;
const HEADER_CHARS_MAX = 200;

/** Most attempts that a delivery shows: the attempts of ten rounds. */
export const ATTEMPTS_SHOWN_MAX = 100;

/** Results of attempts, for metrics. */
const ATTEMPT_LABELS = ['delivered', 'redirect', 'client_error', 'server_error', ...OUTBOUND_FAILURES] as const;
export type AttemptLabel = (typeof ATTEMPT_LABELS)[number];

/** Headers by lower-case name. */
export type HeaderTexts = Readonly<Record<string, string>>;

/** One attempt as it is stored. Attempts that an older program recorded have no address and no headers. */
export type Attempt = {
  /** Ledger time, RFC 3339. */
  at: string;
  url?: string;
  /** Headers that differ from attempt to attempt. The signatures are left out after a success, see decision 0053. */
  request_headers?: HeaderTexts;
  response_status: number | null;
  duration_ms: number;
  error: string | null;
  response_headers?: HeaderTexts | null;
  response_body: string | null;
};

/** The result of an attempt. */
export type AttemptResult = {
  readonly attempt: Attempt;
  readonly label: AttemptLabel;
  readonly retryAfter: string | string[] | undefined;
};

/** Returns the label of an HTTP status: only 2xx counts as delivered; redirects are not followed. */
export function labelOf(status: number): AttemptLabel {
  if (status >= 200 && status < 300) return 'delivered';
  if (status >= 500) return 'server_error';
  return status >= 400 ? 'client_error' : 'redirect';
}

/** Returns the sentence shown for a reply that is not 2xx, or null for 2xx. */
export function explainStatus(status: number): string | null {
  const label = labelOf(status);
  if (label === 'delivered') return null;
  if (label === 'redirect') return `The receiver answered ${status}; redirects are not followed.`;
  return `The receiver answered ${status}.`;
}

/** Returns the headers of a reply that are stored, each up to its first 200 characters. */
export function shownHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): HeaderTexts {
  const shown: Record<string, string> = {};
  for (const name of SHOWN_HEADERS) {
    const value = headers[name];
    if (value !== undefined) shown[name] = value.toString().slice(0, HEADER_CHARS_MAX);
  }
  return shown;
}

/** Returns true for a reply of 410: the receiver will never accept deliveries again (RFC 9110 15.5.11). */
export function isGone(result: AttemptResult): boolean {
  return result.attempt.response_status === 410;
}

export type Outcome = { status: 'delivered' | 'given_up'; delayMs: null } | { status: 'failed'; delayMs: number };

export const DELIVERED: Outcome = { status: 'delivered', delayMs: null };

/**
 * Decides the step after a failed attempt. Retry-After can delay a retry but never advances it before the schedule.
 * Otherwise a receiver that always asks for one second would use up all attempts in a few seconds.
 * @param attemptNumber from 1, in the current round of attempts
 */
export function judge(
  result: AttemptResult,
  { mode, attemptNumber, nowMs }: { mode: Mode; attemptNumber: number; nowMs: number },
): Outcome {
  const scheduledMs = retryDelayMs({ mode, attempt: attemptNumber, random: Math.random });
  if (scheduledMs === null) return { status: 'given_up', delayMs: null };
  const askedMs = parseRetryAfter(result.retryAfter, nowMs) ?? 0;
  return { status: 'failed', delayMs: Math.max(scheduledMs, askedMs) };
}
