/** Decodes a file's audio to samples of 16 bits, one channel, at the rate of the file. */
export type MonoAudio = { readonly sampleRateHz: number; readonly samples: Int16Array };

/** The file cannot be converted. `message` is a sentence for the customer who has named the file. */
export class AudioFileError extends Error {
  override readonly name = 'AudioFileError';
}
