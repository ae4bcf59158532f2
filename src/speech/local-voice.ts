/**
 * Text-to-speech without a server: by espeak-ng if it is installed, otherwise by the voice that ships with Dialplane.
 * That voice also speaks a text that espeak-ng fails to speak. The search for espeak-ng is made once.
 */
import type { Logger } from 'pino';
import type { SpokenText } from './cached-speech.ts';
import { findSpeechProgram, SPEECH_PROGRAM, type SpeechProgram, speak } from './espeak.ts';
import { SHIPPED_VOICE, type ShippedVoice } from './shipped/shipped-voice.ts';
import { createSlots } from './slots.ts';
import { SpeechError } from './speech-error.ts';

export type LocalVoice = {
  /**
   * Speaks a text. Throws SpeechError.
   * @param language a tag such as `es-MX`, for espeak-ng; English if absent, or if espeak-ng does not speak it
   */
  speak(text: string, language?: string): Promise<SpokenText>;
};

export type LocalVoiceOptions = {
  readonly log: Logger;
  /** The program espeak-ng. */
  readonly program?: Partial<SpeechProgram>;
  readonly shipped?: ShippedVoice;
};

const PROCESSES_MAX = 2;

/** Returns the voice. It starts no program and no thread before the first text. */
export function createLocalVoice({ log, program, shipped = SHIPPED_VOICE }: LocalVoiceOptions): LocalVoice {
  const espeak = { ...SPEECH_PROGRAM, ...program };
  const slots = createSlots(PROCESSES_MAX);
  let found: Promise<string | undefined> | undefined;

  return {
    async speak(text, language) {
      found ??= findSpeechProgram(espeak.command);
      if ((await found) === undefined) return { pcm: await shipped.speak(text), isFinal: true };
      try {
        return { pcm: await slots.run(() => speak(espeak, text, language)), isFinal: true };
      } catch (error) {
        if (!(error instanceof SpeechError)) throw error;
        log.warn({ err: error }, 'espeak-ng failed; using the voice that ships with Dialplane');
        // The result is not cached: espeak-ng may speak the next request for this text.
        return { pcm: await shipped.speak(text), isFinal: false };
      }
    },
  };
}
