/** What Telnyx says about a text that it has taken, as receipts. */
import { listAt, textAt, valueAt } from '../../lib/json-object.ts';
import type { MessageFailure, TextReceipt } from '../ports/messaging.ts';
import type { TelnyxError } from './client.ts';

/** Codes of texts that Telnyx could not send, for reasons of its own. */
const SEND_FAILED = new Set(['20100', '40312', '40314', '40318', '40333']);
/** The person has texted STOP to a number of the profile. */
const OPTED_OUT = '40300';
const OPTED_OUT_HERE = 'recipient_opted_out';

/** Returns why a text failed. Most reasons are those of the person's carrier. */
export function failureOf(codes: readonly string[]): MessageFailure {
  if (codes.includes(OPTED_OUT)) return OPTED_OUT_HERE;
  return codes.some((code) => SEND_FAILED.has(code)) ? 'send_failed' : 'carrier_rejected';
}

/** Returns the codes of a refusal. */
export function codesOf(errors: readonly TelnyxError[]): string[] {
  return errors.map(({ code }) => code);
}

/**
 * Reads a text as Telnyx describes it, in a report or in an answer.
 * @returns undefined while it waits at Telnyx
 */
export function readReceipt(text: unknown): TextReceipt | undefined {
  const codes = listAt(text, 'errors').map((error) => String(valueAt(error, 'code') ?? ''));
  switch (textAt(text, 'to', 0, 'status')) {
    case 'delivered':
      return { status: 'delivered' };
    case 'failed':
    case 'sending_failed':
    case 'delivery_failed': {
      const failureReason = failureOf(codes);
      return { status: 'failed', failureReason, ...(failureReason === OPTED_OUT_HERE && { isBlocked: true }) };
    }
    // Its time was over: at Telnyx, at the gateway of the person's carrier, or for a receipt.
    case 'expired':
    case 'gw_timeout':
    case 'dlr_timeout':
      return { status: 'failed', failureReason: 'expired' };
    // No receipt came from the person's carrier, and none will: it stays sent.
    case 'delivery_unconfirmed':
    case 'sent':
      return { status: 'sent' };
    default:
      return undefined;
  }
}
