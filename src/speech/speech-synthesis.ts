/**
 * Text-to-speech of simulated calls: by espeak-ng if it is installed, otherwise by tones of about the same length. The
 * choice is made once. The same text always sounds the same.
 */
import type { Logger } from 'pino';
import type { Pcm } from '../audio/pcm.ts';
import { findSpeechProgram, SPEECH_PROGRAM, type SpeechProgram, speak } from './espeak.ts';
import { createPcmCache } from './pcm-cache.ts';
import { createSlots } from './slots.ts';
import { tonesFor } from './speech-tones.ts';

export type Synthesizer = {
  /** Returns the text as audio, as a copy. Never fails: a text that cannot be spoken becomes tones. */
  synthesize(text: string): Promise<Pcm>;
  /** Returns what the synthesizer speaks with. */
  name(): Promise<SynthesizerName>;
};

type SynthesizerName = 'espeak-ng' | 'tones';

export type SynthesizerOptions = {
  log: Logger;
  program?: Partial<SpeechProgram>;
  /** Bytes of audio in the cache; 16 MB by default, some 17 minutes. */
  cacheBytesMax?: number;
};

const CACHE_BYTES_MAX = 16_000_000;
const PROCESSES_MAX = 2;
/** Longer texts are cut. No prompt or greeting is that long. */
const TEXT_CHARS_MAX = 5_000;

/** Returns a synthesizer. It starts no program before the first text. */
export function createSynthesizer({ log, program, cacheBytesMax = CACHE_BYTES_MAX }: SynthesizerOptions): Synthesizer {
  const speaker = { ...SPEECH_PROGRAM, ...program };
  const cache = createPcmCache(cacheBytesMax);
  const slots = createSlots(PROCESSES_MAX);
  const running = new Map<string, Promise<Pcm>>();
  let found: Promise<SynthesizerName> | undefined;

  function name(): Promise<SynthesizerName> {
    found ??= findSpeechProgram(speaker.command).then((version) => (version === undefined ? 'tones' : 'espeak-ng'));
    return found;
  }

  async function make(text: string): Promise<Pcm> {
    if (text === '' || (await name()) === 'tones') return tonesFor(text);
    try {
      const pcm = await slots.run(() => speak(speaker, text));
      cache.keep(text, pcm);
      return pcm;
    } catch (error) {
      // The tones are not cached: the next attempt may succeed.
      log.warn({ err: error }, 'speech program failed; playing tones instead');
      return tonesFor(text);
    }
  }

  /** Concurrent requests for the same text share one run (single-flight). */
  function makeOnce(text: string): Promise<Pcm> {
    const started = running.get(text) ?? make(text).finally(() => running.delete(text));
    running.set(text, started);
    return started;
  }

  return {
    name,
    synthesize: async (text) => {
      const spoken = text.trim().slice(0, TEXT_CHARS_MAX);
      return (cache.find(spoken) ?? (await makeOnce(spoken))).slice();
    },
  };
}
