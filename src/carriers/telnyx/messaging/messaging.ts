/**
 * Texts through Telnyx. Telnyx cannot recognise a repeated send, so a text is stored in the book and sent once. If the
 * answer is lost, the reports about the text replace it: they arrive at an address that contains our id.
 */
import { textAt, valueAt } from '../../../lib/json-object.ts';
import type { MessageFailure, MessagingPort, OutboundMessage, TextRefusal } from '../../ports/messaging.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { type Answer, outcomeOf } from '../client/client.ts';
import { judgeText } from '../client/errors.ts';
import type { TelnyxLine } from '../client/line.ts';
import type { MediaFetcher } from '../client/media.ts';
import { readReceipt } from './receipts.ts';

/** The operation of sending a text, in the book of requests. */
export const SEND = 'send';
/** The record in the book of a text that Telnyx has accepted: Telnyx's id. */
export type SentText = { readonly carrierRef: string };

/** The part of a report address that comes before our id of the text. */
export const TEXT_PATH = '/messages/';

/** Telnyx accepts texts of up to ten segments. */
const SEGMENTS_MAX = 10;

export function createMessaging(line: TelnyxLine, fetchMedia: MediaFetcher): MessagingPort {
  const { client, book } = line;
  return {
    segmentsMax: SEGMENTS_MAX,
    send: async (ledger, message) => {
      const send = async () =>
        readSend(await client.ask({ method: 'POST', path: '/messages', body: bodyOf(message, line) }));
      const outcome = await book.ask<SentText, MessageFailure, TextRefusal>(
        { ledger, operation: SEND, ref: message.ref },
        send,
      );
      return outcome.outcome === 'accepted' ? { outcome: 'accepted' } : outcome;
    },
    findSend: async (_ledger, ref) => {
      const booked = await book.find<Partial<SentText>>({ operation: SEND, ref });
      if (booked.found !== 'accepted') return { found: booked.found };
      // An operator may state that the text was accepted. In that case its id stays unknown.
      const { carrierRef: id } = booked;
      if (id === undefined) return { found: 'accepted' };
      const answer = await client.ask({ method: 'GET', path: '/messages/{id}', params: { id } });
      const receipt = answer.is === 'answered' ? readReceipt(valueAt(answer.body, 'data')) : undefined;
      return { found: 'accepted', ...(receipt !== undefined && { receipt }) };
    },
    fetchMedia: async (_ledger, address) => {
      const file = await fetchMedia(address);
      return typeof file === 'string' ? undefined : file;
    },
  };
}

function bodyOf(message: OutboundMessage, { reportUrl, failoverUrl }: TelnyxLine): object {
  const { ref, from, to, body, mediaUrls } = message;
  return {
    from,
    to,
    ...(body !== '' && { text: body }),
    ...(mediaUrls.length > 0 && { media_urls: mediaUrls }),
    webhook_url: `${reportUrl}${TEXT_PATH}${ref}`,
    webhook_failover_url: `${failoverUrl}${TEXT_PATH}${ref}`,
    use_profile_webhooks: false,
  };
}

function readSend(answer: Answer): Outcome<SentText, MessageFailure, TextRefusal> {
  if (answer.is === 'refused') {
    const { verdict, ...detail } = judgeText(answer);
    if (verdict === 'later') return { outcome: 'unavailable', ...detail };
    if (verdict === 'account') return { outcome: 'unavailable', cause: 'account', ...detail };
    return { outcome: 'rejected', reason: verdict, ...detail };
  }
  if (answer.is === 'busy') {
    // Telnyx also gives this answer if the messaging profile has reached its cost limit.
    const { verdict, ...detail } = judgeText(answer);
    return { ...outcomeOf(answer), ...(verdict === 'account' && { cause: verdict }), ...detail };
  }
  if (answer.is !== 'answered') return outcomeOf(answer);
  const carrierRef = textAt(answer.body, 'data', 'id');
  return carrierRef === undefined ? { outcome: 'unknown' } : { outcome: 'accepted', carrierRef };
}
