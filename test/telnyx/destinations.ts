/**
 * The outcome of a text depends on its recipient. Area codes are free to choose.
 *
 * | Number | What happens |
 * | --- | --- |
 * | +1 xxx 554 03yy | the request is refused with error 403yy |
 * | +1 xxx 554 00yy | the text is sent, then `delivery_failed` with error 400yy |
 * | +1 xxx 554 1yyy | the text is sent, then `delivery_failed` with error 40yyy |
 * | +1 xxx 554 9001 | the text is never sent: `sending_failed` with error 40008 |
 * | +1 xxx 554 9002 | the text is sent, then `delivery_unconfirmed`; the handset has it |
 * | +1 xxx 554 9003 | the text is sent, then `expired` |
 * | +1 xxx 554 9004 | the text is sent, and nothing follows; the handset has it |
 * | +1 xxx 554 9005 | the request is answered with 429 |
 * | +1 xxx 554 9006 | the text is sent, then `delivery_failed` with error 40300: the person is blocked |
 * | +1 xxx 554 9007 | the text is sent, then `gw_timeout` |
 * | +1 xxx 554 9008 | the text is sent, then `dlr_timeout`; the handset has it |
 * | +1 xxx 554 9009 | the text is sent, then `failed` with error 40001 |
 * | any other | the text is sent, then `delivered` |
 */
import type { MessageError, MessageStatus } from './state.ts';

export type Fate = {
  /** False: the carrier does not take it, and there is no `message.sent`. */
  readonly isSent: boolean;
  /** Null: no final status follows. */
  readonly final: Exclude<MessageStatus, 'queued' | 'sent'> | null;
  readonly errors: readonly MessageError[];
  /** True: the person can read it. */
  readonly isRead: boolean;
};

const MAGIC = /^\+1\d{3}55(4\d{4})$/;
/** Telnyx's titles of errors of receipts. */
const TITLES: Readonly<Record<string, string>> = {
  '40001': 'Not routable',
  '40002': 'Blocked as spam - temporary',
  '40003': 'Blocked as spam - permanent',
  '40004': 'Rejected by destination',
  '40005': 'Message expired during transmission',
  '40006': 'Recipient server unavailable',
  '40008': 'Undeliverable',
  '40009': 'Invalid message body',
  '40011': 'Too many requests',
  '40012': 'Invalid messaging destination number',
  '40014': 'Message expired in queue',
  '40015': 'Blocked as spam - internal',
  '40016': 'T-Mobile 10DLC Sending Limit Reached',
  '40017': 'AT&T 10DLC Spam Message Rejected',
  '40018': 'AT&T 10DLC Sending Limit Reached',
};
const SENT = { isSent: true, errors: [] } as const;

/** Returns the error code that refuses texts to a number, or undefined. */
export function refusalTo(to: string): string | undefined {
  const code = MAGIC.exec(to)?.[1];
  if (code === '49005') return '10011';
  return code?.startsWith('403') ? code : undefined;
}

/** Returns the fate of an accepted text. */
export function fateOf(to: string): Fate {
  const code = MAGIC.exec(to)?.[1];
  if (code === '49001') return { isSent: false, final: 'sending_failed', errors: [error('40008')], isRead: false };
  if (code === '49002') return { ...SENT, final: 'delivery_unconfirmed', isRead: true };
  if (code === '49003') return { ...SENT, final: 'expired', isRead: false };
  if (code === '49004') return { ...SENT, final: null, isRead: true };
  if (code === '49006') return { ...SENT, final: 'delivery_failed', errors: [error('40300')], isRead: false };
  if (code === '49007') return { ...SENT, final: 'gw_timeout', isRead: false };
  if (code === '49008') return { ...SENT, final: 'dlr_timeout', isRead: true };
  if (code === '49009') return { ...SENT, final: 'failed', errors: [error('40001')], isRead: false };
  if (code?.startsWith('400')) {
    return { isSent: true, final: 'delivery_failed', errors: [error(code)], isRead: false };
  }
  if (code?.startsWith('41')) {
    return { isSent: true, final: 'delivery_failed', errors: [error(`40${code.slice(2)}`)], isRead: false };
  }
  return { ...SENT, final: 'delivered', isRead: true };
}

function error(code: string): MessageError {
  return { code, title: TITLES[code] ?? `Error ${code}`, detail: `The number stands for error ${code}.` };
}
