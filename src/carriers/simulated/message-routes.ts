import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { applyMessagingEvents, findInboundByCarrierRef, findMessage, Message } from '../../domain/messaging/index.ts';
import { findOwnedNumber } from '../../domain/numbers/index.ts';
import { write } from '../../http/idempotency.ts';
import { Closed, Id, ListOf, Nullable, PHONE_SHAPE, Timestamp } from '../../http/schemas.ts';
import type { RoutePlugin } from '../../http/types.ts';
import { ApiError } from '../../lib/errors.ts';
import { visible } from '../../lib/scope.ts';
import { MESSAGE_FAILURES } from '../port.ts';
import { listOutbox } from './message-queries.ts';

const tags = ['Test mode'];
const config = { testOnly: true } as const;

const InboundMessage = Closed({
  from: Type.String({
    pattern: `(${PHONE_SHAPE})|^[0-9]{3,6}$|^anonymous$`,
    errorCode: 'invalid_phone',
    description: 'E.164, a short code or "anonymous"',
  }),
  to: Type.String({ pattern: PHONE_SHAPE, errorCode: 'invalid_phone' }),
  body: Type.Optional(Type.String({ maxLength: 1600, default: '' })),
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
          visible(scope, await findOwnedNumber(tx, scope, to), 'phone_number_not_found');
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
        return write(context, { request, reply, status: 200 }, async (tx) => {
          const { id: ref } = visible(scope, await findMessage(tx, scope, params.message_id), 'message_not_found');
          const reason = body.failure_reason ?? undefined;
          const failureReason = body.status === 'failed' && reason !== undefined ? { failureReason: reason } : {};
          await applyMessagingEvents(tx, scope, [
            { type: 'message.receipt', ref, status: body.status, ...failureReason },
          ]);
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
          querystring: Closed({ to: Type.Optional(Type.String({ maxLength: 20 })) }),
          response: { 200: ListOf(OutboxItem) },
        },
      },
      async ({ scope, query }) => ({ data: await listOutbox(db, scope, query.to ?? null) }),
    );
  };
}
