/**
 * Text-to-speech of simulated calls: by the voice of this machine, or by tones of about the same length if it fails.
 * The same text always sounds the same.
 */
import type { Logger } from 'pino';
import { createCachedSpeech, type SpokenText } from './cached-speech.ts';
import { createLocalVoice, type LocalVoice } from './local-voice.ts';
import type { Synthesizer, VoiceChoice } from './port.ts';
import { SpeechError } from './speech-error.ts';
import { tonesFor } from './speech-tones.ts';

export type SynthesizerOptions = {
  readonly log: Logger;
  readonly voice?: LocalVoice;
  /** Bytes of audio in the cache. */
  readonly cacheBytesMax?: number;
};

/** Longer texts are cut. No prompt or greeting is that long. */
export const TEXT_CHARS_MAX = 5_000;

/**
 * Returns a synthesizer that never fails: a text that cannot be spoken becomes tones. For test ledgers only. It starts
 * nothing before the first text.
 */
export function createSynthesizer({ log, voice, cacheBytesMax }: SynthesizerOptions): Synthesizer {
  const { speak } = voice ?? createLocalVoice({ log });
  const synthesize = createCachedSpeech(make, cacheBytesMax);

  async function make(text: string, choice?: VoiceChoice): Promise<SpokenText> {
    if (text === '') return { pcm: tonesFor(text), isFinal: false };
    try {
      return await speak(text, choice?.language);
    } catch (error) {
      if (!(error instanceof SpeechError)) throw error;
      // The tones are not cached: the next attempt may succeed.
      log.warn({ err: error }, 'a text could not be spoken; playing tones instead');
      return { pcm: tonesFor(text), isFinal: false };
    }
  }

  return { synthesize: (text, choice) => synthesize(text.trim().slice(0, TEXT_CHARS_MAX), choice) };
}
