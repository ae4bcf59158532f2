import type { SendMessage } from '@dialplane/sdk/resources';

/** A text that the person is writing. */
export type Draft = {
  readonly body: string;
  readonly mediaUrls: readonly string[];
  /** With a template, the API makes the text from it, and `body` is left out. */
  readonly templateId: string | null;
  readonly variables: Readonly<Record<string, string>>;
  /** RFC 3339; null to send it now */
  readonly sendAt: string | null;
  readonly respectsQuietHours: boolean;
};

export const EMPTY_DRAFT: Draft = {
  body: '',
  mediaUrls: [],
  templateId: null,
  variables: {},
  sendAt: null,
  respectsQuietHours: false,
};

/** Returns true if the draft is as empty as a new one. */
export function isUntouched({ body, mediaUrls, templateId, sendAt, respectsQuietHours }: Draft): boolean {
  return body === '' && mediaUrls.length === 0 && templateId === null && sendAt === null && !respectsQuietHours;
}

/** Returns a draft with the texts and files of both drafts. Its template and time come from the second. */
export function joinDrafts(first: Draft | undefined, second: Draft): Draft {
  if (first === undefined) return second;
  return {
    ...second,
    body: [first.body, second.body].filter((body) => body !== '').join('\n'),
    mediaUrls: [...first.mediaUrls, ...second.mediaUrls],
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns true if a stored value is a draft. */
export function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const { body, mediaUrls, templateId, variables, sendAt, respectsQuietHours } = value as Record<string, unknown>;
  return (
    isText(body) &&
    Array.isArray(mediaUrls) &&
    mediaUrls.every(isText) &&
    (templateId === null || isText(templateId)) &&
    typeof variables === 'object' &&
    variables !== null &&
    Object.values(variables).every(isText) &&
    (sendAt === null || isText(sendAt)) &&
    typeof respectsQuietHours === 'boolean'
  );
}

/** The two ends of a conversation: the id of the own number, and the number of the person. */
export type Ends = { readonly from: string; readonly to: string };

/** Returns true if there is nothing to send yet. */
export function isEmpty({ body, mediaUrls, templateId }: Draft): boolean {
  return body.trim() === '' && templateId === null && mediaUrls.every((url) => url.trim() === '');
}

/** Returns the request that sends the draft. */
export function sendOf(draft: Draft, { from, to }: Ends): SendMessage {
  const media = draft.mediaUrls.map((url) => url.trim()).filter((url) => url !== '');
  return {
    from,
    to,
    ...(draft.templateId === null
      ? draft.body !== '' && { body: draft.body }
      : { template_id: draft.templateId, variables: { ...draft.variables } }),
    ...(media.length > 0 && { media_urls: media }),
    ...(draft.sendAt !== null && { send_at: draft.sendAt }),
    ...(draft.respectsQuietHours && { respect_quiet_hours: true }),
  };
}
