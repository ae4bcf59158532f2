import type { FieldError } from '../../../lib/errors/errors.ts';
import { fieldError, refuseFields } from '../../../lib/errors/field-errors.ts';
import { mediaTypeOfName } from '../../../lib/http/media-types.ts';
import { isDialable } from '../../../lib/phone/phone.ts';
import { parseMoment } from '../../../lib/time/moments.ts';
import { checkTargetUrl } from '../../../outbound/address-guard.ts';
import { BODY_CHARS_MAX } from './rules.ts';
import type { Media, SendMessage } from './schema.ts';
import { countSegments, type Encoding } from './segments.ts';

/** A message that passed every check that needs no database. */
export type Draft = {
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly media: readonly Media[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly segments: number;
  readonly encoding: Encoding;
  readonly preview: string;
  /** When the text is to be sent; null for immediately. */
  readonly sendAt: Date | null;
  /** True once the quiet hours of its tenant have been considered. */
  readonly isPlanned: boolean;
};

/**
 * Checks a send without the database. Collects all mistakes, in this order: empty_message, body_too_long, invalid_body
 * (text that cannot be stored, a body together with a template, variables without one, a media address that is not
 * https or not public), invalid_to, invalid_send_at (not a moment). Media must be public with test keys too, because
 * the network fetches it. The draft of a send with a template has no body yet.
 */
export function checkDraft(wanted: SendMessage): Draft {
  const body = wanted.body ?? '';
  const urls = wanted.media_urls ?? [];
  const sendAt = wanted.send_at === undefined ? null : parseMoment(wanted.send_at);
  const targets = urls.map((url) => ({ url, check: checkTargetUrl(url, { allowLocalHttp: false }) }));
  refuseFields([
    ...(wanted.template_id === undefined ? wrongBody(body, urls.length > 0) : []),
    ...wrongTemplate(wanted),
    ...targets.flatMap(({ check }, index) => (check.ok ? [] : [wrongMedia(index, check.message)])),
    ...(isDialable(wanted.to) ? [] : [fieldError('to', 'invalid_to')]),
    ...(sendAt === undefined ? [fieldError('send_at', 'invalid_send_at')] : []),
  ]);
  const media = targets.flatMap(({ url, check }) =>
    check.ok ? [{ url, content_type: mediaTypeOfName(check.url.pathname) }] : [],
  );
  return {
    from: wanted.from,
    to: wanted.to,
    body,
    media,
    metadata: wanted.metadata ?? {},
    ...countSegments(body, media.length > 0),
    preview: previewOf(body, media.length),
    sendAt: sendAt ?? null,
    isPlanned: false,
  };
}

/** Sets the text of a draft with a template. Errors: empty_message, body_too_long, invalid_body. */
export function withBody(draft: Draft, body: string): Draft {
  const { length: mediaCount } = draft.media;
  refuseFields(wrongBody(body, mediaCount > 0));
  return { ...draft, body, ...countSegments(body, mediaCount > 0), preview: previewOf(body, mediaCount) };
}

function wrongTemplate({ body, template_id, variables }: SendMessage): FieldError[] {
  if (template_id !== undefined && body !== undefined) {
    return [fieldError('body', 'invalid_body', 'Give "body" or "template_id", not both.')];
  }
  if (template_id !== undefined || variables === undefined) return [];
  return [fieldError('variables', 'invalid_body', '"variables" are those of a template: give "template_id".')];
}

function wrongBody(body: string, hasMedia: boolean): FieldError[] {
  if (isBlank(body) && !hasMedia) return [fieldError('body', 'empty_message')];
  if (isBodyTooLong(body)) return [fieldError('body', 'body_too_long')];
  if (isStorable(body)) return [];
  return [fieldError('body', 'invalid_body', '"body" must be well-formed Unicode without the NUL character.')];
}

function wrongMedia(index: number, why: string): FieldError {
  const param = `media_urls[${index}]`;
  return fieldError(param, 'invalid_body', `"${param}" cannot be fetched: ${why}`);
}

/** PostgreSQL stores no NUL, and half a surrogate pair would be stored as another character. */
function isStorable(body: string): boolean {
  return body.isWellFormed() && !body.includes('\0');
}

/**
 * Returns true if a body is longer than BODY_CHARS_MAX. Characters are code points, as in JSON Schema's `maxLength`
 * (and so in every generated client) and in PostgreSQL's `char_length`. So an emoji is one character, as for the person
 * who typed it. The cost of a body is counted separately, in segments.
 */
export function isBodyTooLong(body: string): boolean {
  if (body.length <= BODY_CHARS_MAX) return false;
  // A code point is at most two units, so a body this long need not be counted.
  if (body.length > 2 * BODY_CHARS_MAX) return true;
  let codePoints = 0;
  for (const _ of body) codePoints += 1;
  return codePoints > BODY_CHARS_MAX;
}

// White space, controls, U+2800, and characters that Unicode defines as invisible (zero-width characters among them).
const NOTHING_TO_SEE = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Returns true if a handset would show nothing of the body. */
function isBlank(body: string): boolean {
  return NOTHING_TO_SEE.test(body);
}

/** Longest preview in UTF-16 code units, including the ellipsis. */
export const PREVIEW_CHARS_MAX = 120;

const WHITE_SPACE_TO_COLLAPSE = /[^\S ]|^ | $| {2}/;

/**
 * Returns the one-line preview of a message in a list of conversations: the body with white space collapsed, cut to
 * PREVIEW_CHARS_MAX with an ellipsis and never inside a surrogate pair. For a message without a body, the preview names
 * the `mediaCount` media.
 */
export function previewOf(body: string, mediaCount: number): string {
  const line = WHITE_SPACE_TO_COLLAPSE.test(body) ? body.trim().replace(/\s+/g, ' ') : body;
  if (line === '') return mediaCount === 0 ? '' : mediaCount === 1 ? '[media]' : `[${mediaCount} media]`;
  if (line.length <= PREVIEW_CHARS_MAX) return line;
  return `${cutWhole(line, PREVIEW_CHARS_MAX - 1).trimEnd()}…`;
}

/** Returns the first `unitsMax` code units, or one fewer if that would split a surrogate pair. */
function cutWhole(text: string, unitsMax: number): string {
  const last = text.charCodeAt(unitsMax - 1);
  return text.slice(0, (last & 0xfc00) === 0xd800 ? unitsMax - 1 : unitsMax);
}
