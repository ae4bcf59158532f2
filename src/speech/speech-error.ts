/** A text that a program on this machine could not speak. The message says why, and has nothing of the text. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
}
