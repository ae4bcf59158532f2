/**
 * Text-to-speech of the simulated calls: by espeak-ng where it is installed, otherwise by tones of about the same
 * length. Which of the two is found out once; the same text always sounds the same.
 */
import type { Logger } from 'pino';
import type { Pcm } from '../audio/pcm.ts';
import { findSpeechProgram, SPEECH_PROGRAM, type SpeechProgram, speak } from './espeak.ts';
import { createPcmCache } from './pcm-cache.ts';
import { createSlots } from './slots.ts';
import { tonesFor } from './speech-tones.ts';

export { tonesFor } from './speech-tones.ts';

export type Synthesizer = {
  /** The text as audio, in memory of the caller's own. Never fails: what cannot be spoken becomes tones. */
  synthesize(text: string): Promise<Pcm>;
  /** What speaks here. */
  name(): Promise<SynthesizerName>;
};

export const SYNTHESIZER_NAMES = ['espeak-ng', 'tones'] as const;
export type SynthesizerName = (typeof SYNTHESIZER_NAMES)[number];

export type SynthesizerOptions = {
  log: Logger;
  program?: Partial<SpeechProgram>;
  /** Bytes of audio to keep for texts that are said again; 16 MB by default, some 17 minutes. */
  cacheBytesMax?: number;
};

const CACHE_BYTES_MAX = 16_000_000;
const PROCESSES_MAX = 2;
/** Longer texts are cut: no prompt or greeting is as long. */
const TEXT_CHARS_MAX = 5_000;

/** Makes a synthesizer; nothing is started before the first text. */
export function createSynthesizer({ log, program, cacheBytesMax = CACHE_BYTES_MAX }: SynthesizerOptions): Synthesizer {
  const speaker = { ...SPEECH_PROGRAM, ...program };
  const cache = createPcmCache(cacheBytesMax);
  const slots = createSlots(PROCESSES_MAX);
  const running = new Map<string, Promise<Pcm>>();
  let found: Promise<SynthesizerName> | undefined;

  function name(): Promise<SynthesizerName> {
    found ??= synthesizerName(speaker.command);
    return found;
  }

  async function make(text: string): Promise<Pcm> {
    if (text === '' || (await name()) === 'tones') return tonesFor(text);
    try {
      const pcm = await slots.run(() => speak(speaker, text));
      cache.keep(text, pcm);
      return pcm;
    } catch (error) {
      // Not kept: the next time it may speak again.
      log.warn({ err: error }, 'speech failed, tones stand in for it');
      return tonesFor(text);
    }
  }

  /** Those who ask for the same text at the same time share one making of it. */
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

/** What a synthesizer on this machine would speak with. */
export async function synthesizerName(command?: string): Promise<SynthesizerName> {
  return (await findSpeechProgram(command)) === undefined ? 'tones' : 'espeak-ng';
}
