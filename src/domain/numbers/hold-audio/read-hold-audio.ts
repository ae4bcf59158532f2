import { buffer } from 'node:stream/consumers';
import type { Context } from '../../../context.ts';
import { createPcmCache } from '../../../speech/pcm-cache.ts';

/** Bytes of audio that the process keeps, so that calls with the same audio share it. */
const CACHE_BYTES_MAX = 24 * 1024 * 1024;

/**
 * Returns the reader of hold audio by its reference (`audioRef` of a command). It returns mu-law, 8 kHz, five minutes
 * at most, which callers share and must not change; undefined if the audio was deleted.
 */
export function createHoldAudioReader({ blobs }: Pick<Context, 'blobs'>) {
  const cache = createPcmCache<Uint8Array>(CACHE_BYTES_MAX);
  return async (audioRef: string): Promise<Uint8Array | undefined> => {
    const cached = cache.find(audioRef);
    if (cached !== undefined) return cached;
    const blob = await blobs.get(audioRef);
    if (blob === undefined) return undefined;
    const mulaw = await buffer(blob.stream);
    cache.keep(audioRef, mulaw);
    return mulaw;
  };
}
