import type { MessageFailure } from '../../../carriers/ports/messaging.ts';
import type { Machine } from '../../../lib/machine.ts';

export const MESSAGE_STATES = ['scheduled', 'queued', 'sent', 'delivered', 'failed', 'canceled', 'received'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/**
 *   outbound   scheduled ──┬──> queued   at its time
 *                          ├──> failed   at its time, if it may not be sent any more
 *                          └──> canceled
 *
 *              queued ──> sent ──┬──> delivered
 *                │               └──> failed
 *                ├──────────────────> delivered
 *                └──────────────────> failed
 *
 *   inbound    received
 *
 * `sent` is reported by some live carriers only. A late, repeated or out-of-order receipt matches no arrow and changes
 * nothing: the first final status stays.
 */
export const messageMachine: Machine<MessageState> = {
  scheduled: ['queued', 'failed', 'canceled'],
  queued: ['sent', 'delivered', 'failed'],
  sent: ['delivered', 'failed'],
  delivered: [],
  failed: [],
  canceled: [],
  received: [],
};

/** Why an outbound message failed: its `error_code` and the `failure_reason` of its event. */
export type MessageErrorCode = MessageFailure | 'insufficient_balance';

export const MESSAGE_DIRECTIONS = ['inbound', 'outbound'] as const;
export type MessageDirection = (typeof MESSAGE_DIRECTIONS)[number];

/** Longest body of a send, in Unicode code points. */
export const BODY_CHARS_MAX = 1600;
