import { ApiError } from '../../../lib/errors.ts';
import { isDialable } from '../../../lib/phone.ts';
import { checkTargetUrl } from '../../../outbound/address-guard.ts';
import { isBlank, isBodyTooLong, previewOf } from './rules.ts';
import type { Media, SendMessage } from './schema.ts';
import { countSegments, type Encoding } from './segments.ts';

/** A message that may be sent as far as it can be judged without looking anything up. */
export type Draft = {
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly media: readonly Media[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly segments: number;
  readonly encoding: Encoding;
  readonly preview: string;
};

/**
 * Judges a send by itself. Errors in this order: empty_message, body_too_long, invalid_body (text that cannot be kept,
 * a media address that is not https or not public), invalid_to. Media has to be public with test keys too: the network
 * fetches it, and not a process of this machine.
 */
export function checkDraft(wanted: SendMessage): Draft {
  const body = wanted.body ?? '';
  const urls = wanted.media_urls ?? [];
  if (isBlank(body) && urls.length === 0) throw new ApiError('empty_message', { param: 'body' });
  if (isBodyTooLong(body)) throw new ApiError('body_too_long', { param: 'body' });
  if (!isStorable(body)) {
    const message = '"body" must be well-formed Unicode without the NUL character.';
    throw new ApiError('invalid_body', { param: 'body', message });
  }
  const media = urls.map((url, index) => toMedia(url, index));
  if (!isDialable(wanted.to)) throw new ApiError('invalid_to', { param: 'to' });
  return {
    from: wanted.from,
    to: wanted.to,
    body,
    media,
    metadata: wanted.metadata ?? {},
    ...countSegments(body, media.length > 0),
    preview: previewOf(body, media.length),
  };
}

/** Half a surrogate pair would be stored as something else than was sent. */
function isStorable(body: string): boolean {
  return body.isWellFormed() && !body.includes('\0');
}

function toMedia(url: string, index: number): Media {
  const check = checkTargetUrl(url, { allowLocalHttp: false });
  if (!check.ok) {
    const param = `media_urls[${index}]`;
    throw new ApiError('invalid_body', { param, message: `"${param}" cannot be fetched: ${check.message}` });
  }
  return { url, content_type: contentTypeOf(check.url.pathname) };
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  mp4: 'video/mp4',
  '3gp': 'video/3gpp',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  amr: 'audio/amr',
  pdf: 'application/pdf',
  vcf: 'text/vcard',
};

/** By the name alone: the media itself is fetched by the carrier, not here. */
function contentTypeOf(path: string): string | null {
  return CONTENT_TYPES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? null;
}
