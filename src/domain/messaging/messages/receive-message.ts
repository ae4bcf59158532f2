import type { CarrierEvent } from '../../../carriers/ports/carrier.ts';
import { MEDIA_MAX, OTHER_RECIPIENTS_MAX } from '../../../carriers/ports/messaging.ts';
import type { Tx } from '../../../db/database.ts';
import { mediaTypeOf } from '../../../lib/http/media-types.ts';
import { newId } from '../../../lib/ids.ts';
import { ANONYMOUS } from '../../../lib/phone/party.ts';
import { isE164 } from '../../../lib/phone/phone.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { meterUsage } from '../../billing/index.ts';
import { emitEvent } from '../../events/index.ts';
import { findOwnedNumber, type OwnedNumber } from '../../numbers/index.ts';
import { planReply } from '../auto-replies/reply-job.ts';
import { touchConversation } from '../conversations/activity-queries.ts';
import { announceReopened } from '../conversations/announce.ts';
import { addPacedConfirmation } from '../dispatch/queries.ts';
import { planMedia } from '../media/keep-media.ts';
import { mediaPath } from '../media/media-link.ts';
import { insertCandidate } from '../opt-out-candidates/queries.ts';
import { optIn, optOut } from '../opt-outs/change-opt-out.ts';
import { classifyText, confirmationText, isDoubtful } from '../opt-outs/keywords.ts';
import { claimMoment } from '../opt-outs/queries.ts';
import { previewOf } from './draft.ts';
import { findInboundByCarrierRef, insertConfirmation, insertInbound } from './inbound-queries.ts';
import type { Message } from './schema.ts';
import { countSegments } from './segments.ts';
import { SUBMIT_KIND } from './submit-queries.ts';

export type InboundText = Extract<CarrierEvent, { type: 'message.received' }>;

/**
 * Stores an inbound text in its conversation, emits message.received, and applies STOP, START and HELP, whether sent as
 * a keyword or as a phrase. Each change is confirmed with one text; a second STOP is not confirmed. A text that was
 * received before, or for a number that the ledger does not own, changes nothing.
 * @returns the message, or undefined if nothing was stored
 */
export async function receiveMessage(tx: Tx, ledger: Ledger, text: InboundText): Promise<Message | undefined> {
  const number = await findOwnedNumber(tx, ledger, text.to);
  if (number === undefined) return undefined;
  if ((await findInboundByCarrierRef(tx, ledger, text.carrierMessageId)) !== undefined) return undefined;
  const id = newId('message');
  const { mediaUrls, media: kept = [] } = text;
  const media = [
    ...kept.map(({ contentType }, position) => ({
      url: mediaPath(id, position),
      content_type: mediaTypeOf(contentType),
    })),
    ...mediaUrls.map((url) => ({ url, content_type: null })),
  ].slice(0, MEDIA_MAX);
  const body = storable(text.body);
  const thread = { number, from: text.from, preview: previewOf(body, media.length), reopens: true };
  const message = await insertInbound(tx, ledger, {
    id,
    tenantId: number.tenant_id,
    phoneNumberId: number.id,
    conversationId: await findThread(tx, ledger, thread),
    from: text.from,
    to: text.to,
    body,
    media,
    segments: countSegments(body, media.length > 0).segments,
    carrierRef: text.carrierMessageId,
    otherRecipients: (text.otherRecipients ?? []).slice(0, OTHER_RECIPIENTS_MAX),
  });
  if (message === undefined) return undefined;
  await planMedia(tx, ledger, id, kept);
  const { id: resourceId, tenant_id: tenantId } = message;
  const [kind, quantity] =
    media.length > 0 ? ['mms_inbound' as const, 1] : ['sms_segment_inbound' as const, message.segments];
  await meterUsage(tx, ledger.ledgerId, [{ kind, quantity, tenantId, reference: resourceId }]);
  await emitEvent(tx, ledger.ledgerId, { type: 'message.received', tenantId, resourceId, isOnly: true, data: message });
  await applyKeyword(tx, ledger, { number, message, text });
  return message;
}

type Thread = {
  readonly number: OwnedNumber;
  readonly from: string;
  readonly preview: string;
  readonly reopens: boolean;
};

/**
 * Returns the conversation of an inbound text, and creates it if there is none. The text reopens the conversation; the
 * text's confirmation does not. Returns null for a hidden sender.
 */
async function findThread(tx: Tx, ledger: Ledger, { number, from, preview, reopens }: Thread): Promise<string | null> {
  if (from === ANONYMOUS) return null;
  const { id: phoneNumberId, tenant_id: tenantId } = number;
  const id = newId('conversation');
  const activity = { id, tenantId, phoneNumberId, externalNumber: from, preview, reopens };
  const touched = await touchConversation(tx, ledger, activity);
  await announceReopened(tx, ledger, touched);
  return touched.id;
}

/**
 * An inbound text is never refused for characters that cannot be stored: NUL is removed, lone surrogates are replaced.
 */
function storable(body: string): string {
  return body.replaceAll('\0', '').toWellFormed();
}

type Received = {
  readonly number: OwnedNumber;
  readonly message: Message;
  readonly text: InboundText;
};

/**
 * Applies STOP, START or HELP, and confirms it unless the carrier has confirmed it. A STOP or START that is older than
 * the last one is late. An ordinary text that may be meant as an opt-out is listed for a decision.
 */
async function applyKeyword(tx: Tx, ledger: Ledger, { number, message, text }: Received): Promise<void> {
  // Senders with hidden numbers look the same, so an opt-out would apply to all of them.
  if (message.from === ANONYMOUS) return;
  const key = { tenantId: message.tenant_id, externalNumber: message.from };
  const intent = classifyText(message.body);
  if (intent === null) {
    const isInDoubt = isE164(message.from) && isDoubtful(message.body);
    if (isInDoubt) return await insertCandidate(tx, ledger, message);
    // The other members of a group would read an automatic reply.
    if ((text.otherRecipients ?? []).length === 0) await planReply(tx, ledger, number, message);
    return;
  }
  if (intent.kind !== 'help' && !(await claimMoment(tx, ledger, key, text.occurredAt))) return;
  if (intent.kind === 'stop' && (await optOut(tx, ledger, key, { source: intent.source })) === undefined) return;
  if (intent.kind === 'start' && (await optIn(tx, ledger, key)) === undefined) return;
  // A short code cannot be texted back.
  if (text.isConfirmed === true || !isE164(message.from)) return;
  const sender = { name: number.sender_name, supportContact: number.support_contact };
  await confirm(tx, ledger, { number, answered: message }, confirmationText(intent.kind, sender));
}

type Answered = { number: OwnedNumber; answered: Message };

async function confirm(tx: Tx, ledger: Ledger, { number, answered }: Answered, body: string): Promise<void> {
  const id = newId('message');
  const thread = { number, from: answered.from, preview: previewOf(body, 0), reopens: false };
  const conversationId = await findThread(tx, ledger, thread);
  if (conversationId === null) return;
  await insertConfirmation(tx, ledger, {
    id,
    tenantId: answered.tenant_id,
    phoneNumberId: number.id,
    conversationId,
    from: answered.to,
    to: answered.from,
    body,
    segments: countSegments(body, false).segments,
  });
  const waiting = { numberId: number.id, messageId: id, conversationId };
  if (await addPacedConfirmation(tx, ledger, waiting)) return;
  await enqueue(tx, [
    {
      ledgerId: ledger.ledgerId,
      id: `${SUBMIT_KIND}:${id}`,
      queue: 'messaging',
      kind: SUBMIT_KIND,
      payload: { message_id: id },
    },
  ]);
}
