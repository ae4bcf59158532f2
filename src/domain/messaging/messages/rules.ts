import type { MessageFailure } from '../../../carriers/ports/messaging.ts';
import type { Machine } from '../../../lib/machine.ts';

export const MESSAGE_STATES = ['queued', 'sent', 'delivered', 'failed', 'received'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/**
 *   outbound   queued ──> sent ──┬──> delivered
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
  queued: ['sent', 'delivered', 'failed'],
  sent: ['delivered', 'failed'],
  delivered: [],
  failed: [],
  received: [],
};

/** Why an outbound message failed: its `error_code` and the `failure_reason` of its event. */
export type MessageErrorCode = MessageFailure;

export const MESSAGE_DIRECTIONS = ['inbound', 'outbound'] as const;
export type MessageDirection = (typeof MESSAGE_DIRECTIONS)[number];

/** Longest body of a send, in Unicode code points. */
export const BODY_CHARS_MAX = 1600;

/** Most media of a send. */
export const MEDIA_URLS_MAX = 10;
