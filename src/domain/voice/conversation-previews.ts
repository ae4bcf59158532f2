/** The previews of a conversation (`last_message_preview`) after a call or a voicemail. */
export const CALL_PREVIEW = 'Call';
export const MISSED_CALL_PREVIEW = 'Missed call';

/** Returns the preview of a voicemail, with its minutes and seconds: "Voicemail, 0:12". */
export function voicemailPreview(durationSeconds: number): string {
  const seconds = `${durationSeconds % 60}`.padStart(2, '0');
  return `Voicemail, ${Math.floor(durationSeconds / 60)}:${seconds}`;
}
