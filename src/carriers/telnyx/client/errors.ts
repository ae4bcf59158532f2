/** Telnyx's published error codes, and their meaning here. */
import type { MessageFailure } from '../../ports/messaging.ts';
import type { ErrorDetail, Outcome } from '../../ports/outcome.ts';

/** An error of Telnyx: its code, its title, and its text for the operator. */
export type TelnyxError = { readonly code: string; readonly title: string; readonly detail: string };

/**
 * Why a text failed. `account`: the state of the operator's account does not allow it, so the text waits until the
 * operator corrects that. `later`: Telnyx will accept it later.
 */
type TextVerdict = MessageFailure | 'account' | 'later';

const CODES: Readonly<Record<TextVerdict, readonly string[]>> = {
  recipient_opted_out: ['40300'],
  spam_blocked: ['40002', '40003', '40015', '40017', '40020', '40322', '30004', '30007'],
  unreachable: [
    ...['40001', '40006', '40008', '40012', '40301', '40310', '40319'],
    ...['30003', '30005', '30006', '42201'],
  ],
  daily_cap_exceeded: ['40016', '40018'],
  expired: ['40005', '40014'],
  // ACCOUNT has more codes.
  account: ['40314', '40333'],
  later: ['10011', '40011', '40318', '30008', '40500'],
  send_failed: [
    ...['40100', '40305', '40306', '40307', '40308', '40309', '40311', '40312', '40313', '40315', '40320', '40321'],
    ...['40325', '40329', '40330', '40331', '42200'],
  ],
  // All codes that are not in this table.
  carrier_rejected: [],
  // Dialplane itself sets this. Telnyx has no code for it.
  campaign_suspended: [],
};

const BY_CODE = new Map(
  Object.entries(CODES).flatMap(([verdict, codes]) => codes.map((code) => [code, verdict as TextVerdict])),
);

/** The codes of requests that the account or its key may not make. */
const ACCOUNT = /^(?:10010|1003[89]|20(?:0\d\d|100))$/;
/** Telnyx's HTTP status if the account has no money. */
const PAYMENT_REQUIRED = 402;

/**
 * Why a dial was refused.
 * - number: the number cannot be called, in any form.
 * - limit: the account has reached its limit of calls, or of dials in a second.
 * - account: the account may not call now, because of its state or its settings.
 * - other: none of these.
 */
type DialVerdict = 'number' | 'limit' | 'account' | 'other';

/** The order matters. A number that cannot be called is never dialled again, whatever other errors there are. */
const DIAL_CODES: readonly (readonly [verdict: DialVerdict, codes: RegExp])[] = [
  ['number', /^(?:10002|10016)$/],
  ['limit', /^(?:10039|9004[123]|90103)$/],
  ['account', ACCOUNT],
];

/** Longer than any code that Telnyx publishes. */
const CODE_CHARS_MAX = 40;
const TITLE_CHARS_MAX = 200;

/** The verdict on a text, and the error that led to it. */
type Judged = { readonly verdict: TextVerdict; readonly errorDetail?: ErrorDetail };

/** A refusal: Telnyx's errors, and the status of the answer if they came in one. */
type Refused = { readonly errors: readonly TelnyxError[]; readonly status?: number | undefined };

/**
 * Returns the verdict of the first known code. If all codes are unknown, the recipient's carrier has refused the text.
 */
export function judgeText({ errors, status }: Refused): Judged {
  const known = errors.find(({ code }) => BY_CODE.has(code));
  if (known === undefined) {
    const account = findAccountError({ errors, status });
    if (account !== undefined) return { verdict: 'account', ...detailOf(account) };
  }
  const verdict = BY_CODE.get(known?.code ?? '') ?? 'carrier_rejected';
  return { verdict, ...detailOf(known ?? errors[0]) };
}

/** Returns the verdict on a refused dial, and the error that led to it. */
export function judgeDial({ errors, status }: Refused): {
  readonly verdict: DialVerdict;
  readonly errorDetail?: ErrorDetail;
} {
  for (const [verdict, codes] of DIAL_CODES) {
    const known = errors.find(({ code }) => codes.test(code));
    if (known !== undefined) return { verdict, ...detailOf(known) };
  }
  return { verdict: status === PAYMENT_REQUIRED ? 'account' : 'other', ...detailOf(errors[0]) };
}

/**
 * Returns the outcome if the account does not allow the request now, whatever the request was. Returns undefined if the
 * account is not the reason.
 */
export function refusedByAccount(refused: Refused): Extract<Outcome<object>, { outcome: 'unavailable' }> | undefined {
  const error = findAccountError(refused);
  return error && { outcome: 'unavailable', cause: 'account', ...detailOf(error) };
}

function findAccountError({ errors, status }: Refused): TelnyxError | undefined {
  const known = errors.find(({ code }) => ACCOUNT.test(code));
  return known ?? (status === PAYMENT_REQUIRED ? (errors[0] ?? NO_MONEY) : undefined);
}

const NO_MONEY: TelnyxError = { code: '', title: '', detail: '' };

/** Returns the part of an error that callers see; an empty object for an error without a code. */
export function detailOf(error: TelnyxError | undefined): { readonly errorDetail?: ErrorDetail } {
  if (error === undefined || error.code === '') return {};
  const { code, title } = error;
  return { errorDetail: { carrier_code: code.slice(0, CODE_CHARS_MAX), title: title.slice(0, TITLE_CHARS_MAX) } };
}
