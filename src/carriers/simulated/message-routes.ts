import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import type { Context } from '../../context.ts';
import {
  applyMessagingEvents,
  BODY_CHARS_MAX,
  findInboundByCarrierRef,
  findMessage,
  isBodyTooLong,
  Message,
} from '../../domain/messaging/index.ts';
import { findOwnedNumber } from '../../domain/numbers/index.ts';
import type { RoutePlugin } from '../../http/edge/types.ts';
import { releaseSlot } from '../../http/limits/admission.ts';
import { E164, PARTY } from '../../http/schemas/forms.ts';
import { Closed, FilterParty, Id, ListOf, Nullable, Timestamp } from '../../http/schemas/schemas.ts';
import { write } from '../../http/writes/write.ts';
import { ApiError } from '../../lib/errors.ts';
import { type Scope, visible } from '../../lib/scope.ts';
import { MESSAGE_FAILURES, type MessageFailure } from '../ports/messaging.ts';
import { isTextKnown, listOutbox } from './message-queries.ts';

const tags = ['Test mode'];
const config = { testOnly: true } as const;

const InboundMessage = Closed({
  from: Type.String({
    ...PARTY,
    errorCode: 'invalid_phone',
    description: 'E.164, a short code or "anonymous"',
  }),
  to: Type.String({ ...E164, errorCode: 'invalid_phone' }),
  body: Type.Optional(Type.String({ default: '', description: `At most ${BODY_CHARS_MAX} characters` })),
  media_urls: Type.Optional(Type.Array(Type.String({ maxLength: 2048, format: 'uri' }), { maxItems: 10 })),
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
  media_urls: Type.Array(Type.String()),
  at: Timestamp,
});

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

/** A text goes out a moment after it is accepted, unless it is paced or cannot go out. */
const GOES_OUT_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 20;

/** Waits until a text has gone out: ended before, it never would. */
async function awaitHandover({ db }: Context, scope: Scope, id: string): Promise<void> {
  const until = performance.now() + GOES_OUT_WITHIN_MS;
  const isToGoOut = async () => {
    const message = await findMessage(db, scope, id);
    const waits = message?.direction === 'outbound' && message.status === 'queued';
    return waits && !(await isTextKnown(db, scope.ledgerId, id));
  };
  while ((await isToGoOut()) && performance.now() < until) await sleep(LOOK_EVERY_MS);
}

/** Plays handsets: texts that arrive, receipts by hand, and what has reached a number. */
export function createMessageSimulation(): RoutePlugin {
  return (api, context) => {
    const { db } = context;
    api.post(
      '/test/inbound_messages',
      { config, schema: { tags, summary: 'Let a text arrive', body: InboundMessage, response: { 201: Message } } },
      async (request, reply) => {
        const { scope } = request;
        const { from, to, body = '', media_urls: mediaUrls = [] } = request.body;
        return write(context, { request, reply, status: 201 }, async (tx) => {
          if (body === '' && mediaUrls.length === 0) throw new ApiError('empty_message', { param: 'body' });
          if (isBodyTooLong(body)) throw new ApiError('body_too_long', { param: 'body' });
          const number = visible(scope, await findOwnedNumber(tx, scope, to), 'phone_number_not_found');
          if (!number.capabilities.includes('sms')) throw new ApiError('number_not_sms_capable', { param: 'to' });
          const carrierMessageId = `handset:${randomUUID()}`;
          await applyMessagingEvents(tx, scope, [
            { type: 'message.received', carrierMessageId, from, to, body, mediaUrls },
          ]);
          const message = await findInboundByCarrierRef(tx, scope, carrierMessageId);
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
        // Waiting, it holds no place of its ledger.
        releaseSlot(request);
        await awaitHandover(context, scope, params.message_id);
        return write(context, { request, reply, status: 200 }, async (tx) => {
          const failureReason = failureReasonOf(body);
          const message = visible(scope, await findMessage(tx, scope, params.message_id), 'message_not_found');
          if (message.direction === 'inbound') throw receiptMisplaced();
          const { id: ref } = message;
          const { status } = body;
          await applyMessagingEvents(tx, scope, [{ type: 'message.receipt', ref, status, ...failureReason }]);
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
          response: { 200: ListOf(OutboxItem) },
        },
      },
      async ({ scope, query }) => ({ data: await listOutbox(db, scope, query.to ?? null) }),
    );
  };
}
