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

/**
 * Returns a `last_message_preview` in the language of the texts. What people wrote stays as it is. The API does not say
 * who wrote a preview, so a person's whole text "Call" or "Missed call" is translated in the list of conversations.
 */
export function translatePreview(preview: string, texts: PreviewTexts): string {
  if (preview === 'Call') return texts.call;
  if (preview === 'Missed call') return texts.missedCall;
  const [, length] = /^Voicemail, (\d+:\d\d)$/.exec(preview) ?? [];
  if (length !== undefined) return texts.voicemail(length);
  const [isFiles, count = '1'] = /^\[(?:(\d+) )?media\]$/.exec(preview) ?? [];
  return isFiles === undefined ? preview : texts.files(Number(count));
}
