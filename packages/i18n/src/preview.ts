/**
 * The texts of previews that the server writes in English: for calls, for voicemails, and for messages that have files
 * and no text.
 */
export type PreviewTexts = {
  readonly call: string;
  readonly missedCall: string;
  readonly voicemail: (length: string) => string;
  readonly files: (count: number) => string;
};

/** What the last activity of a conversation is: `last_activity_kind`. */
type ActivityKind = 'message' | 'call' | 'missed_call' | 'voicemail';

/**
 * Returns a `last_message_preview` in the language of the texts. A message's preview has a person's words, which stay
 * as they are. One exception: the words "[media]" are translated, because a message with files has the same preview.
 */
export function translatePreview(preview: string, kind: ActivityKind | null, texts: PreviewTexts): string {
  if (kind === 'call' && preview === 'Call') return texts.call;
  if (kind === 'missed_call' && preview === 'Missed call') return texts.missedCall;
  const [, length] = /^Voicemail, (\d+:\d\d)$/.exec(preview) ?? [];
  if (kind === 'voicemail' && length !== undefined) return texts.voicemail(length);
  const [isFiles, count = '1'] = /^\[(?:(\d+) )?media\]$/.exec(preview) ?? [];
  return kind !== 'message' || isFiles === undefined ? preview : texts.files(Number(count));
}
