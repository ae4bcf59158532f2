/** Telnyx's published codes of errors, and what they mean here. */
import type { MessageFailure } from '../../ports/messaging.ts';
import type { ErrorDetail } from '../../ports/outcome.ts';
import type { TelnyxError } from './client.ts';

/**
 * Why a text failed. `account`: the state of the operator's account does not allow it, so it waits until the operator
 * corrects that. `later`: Telnyx will accept it later.
 */
type TextVerdict = MessageFailure | 'account' | 'later';

const CODES: Readonly<Record<TextVerdict, readonly string[]>> = {
  recipient_opted_out: ['40300'],
  spam_blocked: ['40002', '40003', '40015', '40017', '40322'],
  unreachable: ['40001', '40006', '40008', '40012', '40310'],
  daily_cap_exceeded: ['40016', '40018'],
  expired: ['40005', '40014'],
  account: ['10010', '20012', '20013', '20014', '20100'],
  later: ['40318'],
  send_failed: ['40305', '40309', '40312', '40314', '40315', '40320', '40329', '40330', '40333'],
  // Every code that is not in the table.
  carrier_rejected: [],
  // Decided here, never by Telnyx.
  campaign_suspended: [],
};

const BY_CODE = new Map(
  Object.entries(CODES).flatMap(([verdict, codes]) => codes.map((code) => [code, verdict as TextVerdict])),
);

/**
 * Why a dial was refused.
 * - number: the number cannot be called, in any form.
 * - limit: the account has reached its limit of calls.
 * - account: the state or the setup of the account allows no call now.
 * - other: none of these.
 */
type DialVerdict = 'number' | 'limit' | 'account' | 'other';

/** In order: a number that cannot be called is never dialled, whatever other errors there are. */
const DIAL_CODES: readonly (readonly [verdict: DialVerdict, codes: RegExp])[] = [
  ['number', /^(?:10002|10016|40012)$/],
  ['limit', /^9004\d$/],
  ['account', /^(?:10010|10015|20\d{3})$/],
];

/** Longer than any code that Telnyx publishes. */
const CODE_CHARS_MAX = 40;
const TITLE_CHARS_MAX = 200;

/** The verdict on a text, and the error that it comes from. */
type Judged = { readonly verdict: TextVerdict; readonly errorDetail?: ErrorDetail };

/** Returns the verdict of the first known code. A text with other codes was refused by the recipient's carrier. */
export function judgeText(errors: readonly TelnyxError[]): Judged {
  const known = errors.find(({ code }) => BY_CODE.has(code));
  const verdict = BY_CODE.get(known?.code ?? '') ?? 'carrier_rejected';
  return { verdict, ...detailOf(known ?? errors[0]) };
}

/** Returns the verdict on a dial that was refused, and the error that it comes from. */
export function judgeDial(errors: readonly TelnyxError[]): {
  readonly verdict: DialVerdict;
  readonly errorDetail?: ErrorDetail;
} {
  for (const [verdict, codes] of DIAL_CODES) {
    const known = errors.find(({ code }) => codes.test(code));
    if (known !== undefined) return { verdict, ...detailOf(known) };
  }
  return { verdict: 'other', ...detailOf(errors[0]) };
}

/** Returns the part of an error that callers see; nothing of an error without a code. */
export function detailOf(error: TelnyxError | undefined): { readonly errorDetail?: ErrorDetail } {
  if (error === undefined || error.code === '') return {};
  const { code, title } = error;
  return { errorDetail: { carrier_code: code.slice(0, CODE_CHARS_MAX), title: title.slice(0, TITLE_CHARS_MAX) } };
}
