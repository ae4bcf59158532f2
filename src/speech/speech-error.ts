/** A text that a program on this machine could not speak. The message says why, and does not quote the text. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
}
