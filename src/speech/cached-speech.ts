/** Speaks a text once, however often it is asked for: concurrent requests share one run, and audio stays in memory. */
import type { Pcm } from '../audio/pcm.ts';
import { createPcmCache } from './pcm-cache.ts';

/** `isFinal`: false for speech that stands in for a better one, which a later request may get. It is not cached. */
export type SpokenText = { readonly pcm: Pcm; readonly isFinal: boolean };

/** Some 17 minutes. */
const CACHE_BYTES_MAX = 16_000_000;

/** Returns a function that speaks a text by `make`, once for each text, and returns the audio as a copy. */
export function createCachedSpeech(
  make: (text: string) => Promise<SpokenText>,
  bytesMax = CACHE_BYTES_MAX,
): (text: string) => Promise<Pcm> {
  const cache = createPcmCache(bytesMax);
  const running = new Map<string, Promise<Pcm>>();

  async function makeAndCache(text: string): Promise<Pcm> {
    const { pcm, isFinal } = await make(text);
    if (isFinal) cache.keep(text, pcm);
    return pcm;
  }

  /** Concurrent requests for the same text share one run (single-flight). */
  function makeOnce(text: string): Promise<Pcm> {
    const started = running.get(text) ?? makeAndCache(text).finally(() => running.delete(text));
    running.set(text, started);
    return started;
  }

  return async (text) => (cache.find(text) ?? (await makeOnce(text))).slice();
}
