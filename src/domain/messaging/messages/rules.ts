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
 * `sent` is reported by some live carriers only. A receipt that comes late, twice or out of order finds no arrow and
 * changes nothing: the first end is the end.
 */
export const messageMachine: Machine<MessageState> = {
  queued: ['sent', 'delivered', 'failed'],
  sent: ['delivered', 'failed'],
  delivered: [],
  failed: [],
  received: [],
};

/** Why an outbound message failed: its `error_code`, and the `failure_reason` of its event. */
export type MessageErrorCode = MessageFailure;

export const MESSAGE_DIRECTIONS = ['inbound', 'outbound'] as const;
export type MessageDirection = (typeof MESSAGE_DIRECTIONS)[number];

/** Longest body of a send, in Unicode code points. */
export const BODY_CHARS_MAX = 1600;

/** Most media of a send. */
export const MEDIA_URLS_MAX = 10;

/**
 * True when a body is over BODY_CHARS_MAX. Characters are code points, because that is how JSON Schema's `maxLength`
 * (and so every generated client) and PostgreSQL's `char_length` count them: all of them agree on one body, and an
 * emoji is one character to the person who typed it. What a body costs is counted apart, in segments.
 */
export function isBodyTooLong(body: string): boolean {
  if (body.length <= BODY_CHARS_MAX) return false;
  // A code point is at most two units, so no need to walk a body that is too long either way.
  if (body.length > 2 * BODY_CHARS_MAX) return true;
  let codePoints = 0;
  for (const _ of body) codePoints += 1;
  return codePoints > BODY_CHARS_MAX;
}

// White space, controls, U+2800, and what Unicode has shown as nothing at all (zero-width characters among them).
const NOTHING_TO_SEE = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** True when a handset would show nothing of the body. */
export function isBlank(body: string): boolean {
  return NOTHING_TO_SEE.test(body);
}

/** Longest preview, in UTF-16 code units, the mark of a cut included. */
export const PREVIEW_CHARS_MAX = 120;

const WHITE_SPACE_TO_COLLAPSE = /[^\S ]|^ | $| {2}/;

/**
 * One line that stands for a message in a list of conversations: the body with white space collapsed, cut to
 * PREVIEW_CHARS_MAX with an ellipsis and never inside a surrogate pair; without a body a word on its `mediaCount` media.
 */
export function previewOf(body: string, mediaCount: number): string {
  const line = WHITE_SPACE_TO_COLLAPSE.test(body) ? body.trim().replace(/\s+/g, ' ') : body;
  if (line === '') return mediaCount === 0 ? '' : mediaCount === 1 ? '[media]' : `[${mediaCount} media]`;
  if (line.length <= PREVIEW_CHARS_MAX) return line;
  return `${cutWhole(line, PREVIEW_CHARS_MAX - 1).trimEnd()}…`;
}

/** The first `unitsMax` code units, or one fewer where that would halve a surrogate pair. */
function cutWhole(text: string, unitsMax: number): string {
  const last = text.charCodeAt(unitsMax - 1);
  return text.slice(0, (last & 0xfc00) === 0xd800 ? unitsMax - 1 : unitsMax);
}
