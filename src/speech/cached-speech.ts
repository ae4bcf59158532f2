/** Speaks each text once: concurrent requests share one run, and the audio stays in memory. */
import type { Pcm } from '../audio/pcm.ts';
import { createPcmCache } from './pcm-cache.ts';
import type { VoiceChoice } from './port.ts';

/** `isFinal` is false for a substitute: a later request may get better speech. A substitute is not cached. */
export type SpokenText = { readonly pcm: Pcm; readonly isFinal: boolean };

/** Some 17 minutes. */
const CACHE_BYTES_MAX = 16_000_000;

/** Returns a function that speaks a text by `make`, once for each text and choice, and returns the audio as a copy. */
export function createCachedSpeech(
  make: (text: string, choice?: VoiceChoice) => Promise<SpokenText>,
  bytesMax = CACHE_BYTES_MAX,
): (text: string, choice?: VoiceChoice) => Promise<Pcm> {
  const cache = createPcmCache(bytesMax);
  const running = new Map<string, Promise<Pcm>>();

  async function makeAndCache(key: string, text: string, choice?: VoiceChoice): Promise<Pcm> {
    const { pcm, isFinal } = await make(text, choice);
    if (isFinal) cache.keep(key, pcm);
    return pcm;
  }

  /** Concurrent requests for the same text share one run (single-flight). */
  function makeOnce(key: string, text: string, choice?: VoiceChoice): Promise<Pcm> {
    const started = running.get(key) ?? makeAndCache(key, text, choice).finally(() => running.delete(key));
    running.set(key, started);
    return started;
  }

  return async (text, choice) => {
    const key = keyOf(text, choice);
    return (cache.find(key) ?? (await makeOnce(key, text, choice))).slice();
  };
}

function keyOf(text: string, choice?: VoiceChoice): string {
  if (choice === undefined) return text;
  const { language, voice, voiceLanguage } = choice;
  return JSON.stringify([language, voice, voiceLanguage, text]);
}
