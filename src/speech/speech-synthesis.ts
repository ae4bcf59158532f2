/**
 * Text-to-speech of simulated calls: by espeak-ng if it is installed, otherwise by tones of about the same length. The
 * choice is made once. The same text always sounds the same.
 */
import type { Logger } from 'pino';
import { createCachedSpeech, type SpokenText } from './cached-speech.ts';
import { findSpeechProgram, SPEECH_PROGRAM, type SpeechProgram, speak } from './espeak.ts';
import type { Synthesizer } from './port.ts';
import { createSlots } from './slots.ts';
import { tonesFor } from './speech-tones.ts';

/** A synthesizer that never fails: a text that cannot be spoken becomes tones. For test ledgers only. */
export type TestSynthesizer = Synthesizer & {
  /** Returns what the synthesizer speaks with. */
  name(): Promise<SynthesizerName>;
};

type SynthesizerName = 'espeak-ng' | 'tones';

export type SynthesizerOptions = {
  log: Logger;
  program?: Partial<SpeechProgram>;
  /** Bytes of audio in the cache. */
  cacheBytesMax?: number;
};

const PROCESSES_MAX = 2;
/** Longer texts are cut. No prompt or greeting is that long. */
export const TEXT_CHARS_MAX = 5_000;

/** Returns a synthesizer. It starts no program before the first text. */
export function createSynthesizer({ log, program, cacheBytesMax }: SynthesizerOptions): TestSynthesizer {
  const speaker = { ...SPEECH_PROGRAM, ...program };
  const slots = createSlots(PROCESSES_MAX);
  const synthesize = createCachedSpeech(make, cacheBytesMax);
  let found: Promise<SynthesizerName> | undefined;

  function name(): Promise<SynthesizerName> {
    found ??= findSpeechProgram(speaker.command).then(
      (version) => (version === undefined ? 'tones' : 'espeak-ng'),
      (error: unknown) => {
        // No process could be started; the next text may find one.
        found = undefined;
        throw error;
      },
    );
    return found;
  }

  async function make(text: string): Promise<SpokenText> {
    if (text === '' || (await name()) === 'tones') return { pcm: tonesFor(text), isFinal: false };
    try {
      return { pcm: await slots.run(() => speak(speaker, text)), isFinal: true };
    } catch (error) {
      // The tones are not cached: the next attempt may succeed.
      log.warn({ err: error }, 'speech program failed; playing tones instead');
      return { pcm: tonesFor(text), isFinal: false };
    }
  }

  return { name, synthesize: (text) => synthesize(text.trim().slice(0, TEXT_CHARS_MAX)) };
}
