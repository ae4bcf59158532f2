import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '../../db/database.ts';
import type { RoutePlugin } from '../../http/edge/types.ts';
import { releaseSlot } from '../../http/limits/admission.ts';
import { E164, PARTY } from '../../http/schemas/forms.ts';
import { Closed, FilterParty, Id, ListOf, Nullable, READ_CHARS_MAX, Timestamp } from '../../http/schemas/schemas.ts';
import { write } from '../../http/writes/write.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { type Ledger, type Scope, visible } from '../../lib/scope.ts';
import { monotonicMs, sleep } from '../../lib/time/time.ts';
import { type Static, type TSchema, Type } from '../../lib/type.ts';
import type { CarrierEvent, TakeEvents } from '../ports/carrier.ts';
import { MEDIA_MAX, MESSAGE_FAILURES, type MessageFailure } from '../ports/messaging.ts';
import type { Capability } from '../ports/numbers.ts';
import { findTextStatus, listOutbox, OUTBOX_ROWS_MAX } from './message-queries.ts';

type Message = { readonly id: string; readonly tenant_id: string; readonly direction: string; readonly status: string };
type OwnedNumber = { readonly tenant_id: string; readonly capabilities: readonly Capability[] };

/** The functions that these routes need from the domain. */
export type MessageDomain = {
  /** The API's schema of a message. */
  readonly Message: TSchema;
  readonly bodyCharsMax: number;
  isBodyTooLong(body: string): boolean;
  findMessage(db: Db, ledger: Ledger, id: string): Promise<Message | undefined>;
  /** Returns the inbound message for the text with this carrier id. */
  findInboundByCarrierRef(tx: Tx, ledger: Ledger, carrierMessageId: string): Promise<Message | undefined>;
  /** Returns the tenant's number with these digits (E.164), unless it is released. */
  findOwnedNumber(db: Db, ledger: Ledger, phoneNumber: string): Promise<OwnedNumber | undefined>;
};

const tags = ['Test mode'];
const config = { testOnly: true } as const;

const inboundMessage = (bodyCharsMax: number) =>
  Closed({
    from: Type.String({
      ...PARTY,
      errorCode: 'invalid_phone',
      description: 'E.164, a short code or "anonymous"',
    }),
    to: Type.String({ ...E164, errorCode: 'invalid_phone' }),
    other_recipients: Type.Optional(
      Type.Array(Type.String({ ...PARTY, errorCode: 'invalid_phone' }), {
        maxItems: 20,
        description: 'Who else the text is sent to: it is a group text',
      }),
    ),
    body: Type.Optional(
      Type.String({
        maxLength: READ_CHARS_MAX,
        lengthCode: 'body_too_long',
        default: '',
        description: `At most ${bodyCharsMax} characters`,
      }),
    ),
    media_urls: Type.Optional(Type.Array(Type.String({ maxLength: 2048, format: 'uri' }), { maxItems: MEDIA_MAX })),
  });

const ForcedReceipt = Closed({
  status: Type.Enum(['sent', 'delivered', 'failed']),
  failure_reason: Type.Optional(Nullable(Type.Enum(MESSAGE_FAILURES))),
});

const OutboxItem = Type.Object({
  message_id: Type.String(),
  from: Type.String(),
  to: Type.String(),
  body: Type.String(),
  media_urls: Type.Array(Type.String(), { maxItems: MEDIA_MAX }),
  at: Timestamp,
});

/** How long a forced receipt waits for its message to be sent. Without pacing a message is sent almost immediately. */
const SENT_WITHIN_MS = 2_000;
const POLL_EVERY_MS = 20;

type MessageRoutesOptions = { readonly takeEvents: TakeEvents; readonly domain: MessageDomain };

function receivedEvent(text: InboundText, carrierMessageId: string): CarrierEvent {
  const { from, to, body = '', media_urls: mediaUrls = [], other_recipients: otherRecipients = [] } = text;
  return { type: 'message.received', carrierMessageId, from, to, otherRecipients, body, mediaUrls };
}

/** The routes that act as handsets: inbound texts, forced receipts, and the texts that a number has received. */
export function createMessageSimulation({ takeEvents, domain }: MessageRoutesOptions): RoutePlugin {
  const { Message, findMessage } = domain;
  return (api, context) => {
    const { db } = context;
    const body = inboundMessage(domain.bodyCharsMax);
    api.post(
      '/test/inbound_messages',
      {
        config,
        schema: { tags, summary: 'Let a text arrive', body, response: { 201: Message } },
        preHandler: async ({ body: text }) => checkText(text, domain),
      },
      async (request, reply) => {
        const { scope } = request;
        const { to } = request.body;
        return await write(context, { request, reply, status: 201 }, async (tx) => {
          const number = visible(scope, await domain.findOwnedNumber(tx, scope, to), 'phone_number_not_found', 'to');
          if (!number.capabilities.includes('sms')) throw new ApiError('number_not_sms_capable', { param: 'to' });
          const carrierMessageId = `handset:${randomUUID()}`;
          await takeEvents(tx, scope, [receivedEvent(request.body, carrierMessageId)]);
          const message = await domain.findInboundByCarrierRef(tx, scope, carrierMessageId);
          if (message === undefined) throw new ApiError('phone_number_not_found', { param: 'to' });
          return message;
        });
      },
    );

    api.post(
      '/test/messages/:message_id/receipt',
      {
        config,
        schema: {
          tags,
          summary: 'Force a receipt',
          params: Type.Object({ message_id: Id }),
          body: ForcedReceipt,
          response: { 200: Message },
        },
      },
      async (request, reply) => {
        const { scope, params, body } = request;
        // The wait below must not count as a running request of the ledger.
        releaseSlot(request);
        await waitUntilSent({ db, findMessage }, scope, params.message_id);
        return write(context, { request, reply, status: 200 }, async (tx) => {
          const failureReason = failureReasonOf(body);
          const message = visible(scope, await findMessage(tx, scope, params.message_id), 'message_not_found');
          if (message.direction === 'inbound') throw receiptMisplaced();
          const { id: ref } = message;
          const { status } = body;
          await takeEvents(tx, scope, [{ type: 'message.receipt', ref, status, ...failureReason }]);
          return visible(scope, await findMessage(tx, scope, ref), 'message_not_found');
        });
      },
    );

    api.get(
      '/test/outbox',
      {
        config,
        schema: {
          tags,
          summary: 'What handsets have received, newest first',
          querystring: Closed({ to: FilterParty }),
          response: { 200: ListOf(OutboxItem, OUTBOX_ROWS_MAX) },
        },
      },
      async ({ scope, query }) => ({ data: await listOutbox(db, scope, query.to ?? null) }),
    );
  };
}

type InboundText = Static<ReturnType<typeof inboundMessage>>;

/** Checks rules that the text's schema cannot express. Errors: empty_message, body_too_long. */
function checkText({ body = '', media_urls = [] }: InboundText, domain: MessageDomain): void {
  if (body === '' && media_urls.length === 0) throw new ApiError('empty_message', { param: 'body' });
  if (domain.isBodyTooLong(body)) throw new ApiError('body_too_long', { param: 'body' });
}

/**
 * Waits until the carrier has a queued message. An earlier receipt would end the message before it is sent. Gives up
 * after SENT_WITHIN_MS, because a message may be paced or impossible to send.
 */
async function waitUntilSent(
  { db, findMessage }: { db: Db } & Pick<MessageDomain, 'findMessage'>,
  scope: Scope,
  id: string,
): Promise<void> {
  const until = monotonicMs() + SENT_WITHIN_MS;
  const isWaiting = async () => {
    const message = await findMessage(db, scope, id);
    const isQueued = message?.direction === 'outbound' && message.status === 'queued';
    return isQueued && (await findTextStatus(db, scope.ledgerId, id)) === undefined;
  };
  while ((await isWaiting()) && monotonicMs() < until) await sleep(POLL_EVERY_MS);
}

function failureReasonOf({ status, failure_reason }: Static<typeof ForcedReceipt>): { failureReason?: MessageFailure } {
  if (failure_reason === undefined || failure_reason === null) return {};
  if (status === 'failed') return { failureReason: failure_reason };
  const message = `"failure_reason" means nothing to a message that is ${status}.`;
  throw new ApiError('invalid_body', { param: 'failure_reason', message });
}

function receiptMisplaced(): ApiError {
  const message = 'An inbound message takes no receipt: it has arrived already.';
  return new ApiError('invalid_body', { param: 'message_id', message });
}
