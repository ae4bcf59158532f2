/** Translates Telnyx's description of an accepted text to receipts. */
import { listAt, textAt } from '../../../lib/json-object.ts';
import type { TextReceipt } from '../../ports/messaging.ts';
import { readError } from '../client/client.ts';
import { detailOf, judgeText, type TelnyxError } from '../client/errors.ts';

/** Returns the errors in Telnyx's description of a text. */
export function errorsOf(text: unknown): TelnyxError[] {
  return listAt(text, 'errors').map(readError);
}

/**
 * Reads Telnyx's description of a text, in a report or in an answer.
 * @returns undefined while the text waits at Telnyx
 */
export function readReceipt(text: unknown): TextReceipt | undefined {
  const errors = errorsOf(text);
  switch (textAt(text, 'to', 0, 'status')) {
    case 'delivered':
    // The person has read the text. Telnyx's types have this status, but only RCS and WhatsApp report it.
    case 'read':
      return { status: 'delivered' };
    case 'failed':
    // The gateway of the recipient's carrier has refused the text. This status and the time-outs below are in Telnyx's
    // detail records.
    case 'gw_reject':
    case 'sending_failed':
    case 'delivery_failed':
      return readFailure(errors);
    // The text expired at Telnyx, at the recipient carrier's gateway, or before a receipt came.
    case 'expired':
    case 'gw_timeout':
    case 'dlr_timeout':
      return { status: 'failed', failureReason: 'expired', ...detailOf(errors[0]) };
    // The recipient's carrier has sent no receipt, and will not: the text stays sent.
    case 'delivery_unconfirmed':
    case 'dlr_unconfirmed':
    case 'sent':
      return { status: 'sent' };
    default:
      return undefined;
  }
}

/** Telnyx has accepted the text and ended it. So it is not sent again, whatever the reason. */
function readFailure(errors: readonly TelnyxError[]): TextReceipt {
  const { verdict, ...detail } = judgeText({ errors });
  const failureReason = verdict === 'account' || verdict === 'later' ? 'send_failed' : verdict;
  const isBlocked = failureReason === 'recipient_opted_out';
  return { status: 'failed', failureReason, ...detail, ...(isBlocked && { isBlocked }) };
}
