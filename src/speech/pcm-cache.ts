import type { Pcm } from '../audio/pcm.ts';

type Bytes = { readonly byteLength: number };

/** A cache of audio in one form, by default PCM. */
export type PcmCache<Audio extends Bytes = Pcm> = {
  find(text: string): Audio | undefined;
  keep(text: string, pcm: Audio): void;
};

/**
 * Caches audio by its text or name, up to `bytesMax` bytes of audio and text. Drops the least recently used entry
 * first.
 */
export function createPcmCache<Audio extends Bytes = Pcm>(bytesMax: number): PcmCache<Audio> {
  const kept = new Map<string, Audio>();
  let bytes = 0;
  const drop = (text: string) => {
    const pcm = kept.get(text);
    if (pcm !== undefined && kept.delete(text)) bytes -= sizeOf(text, pcm);
  };
  return {
    find(text) {
      const pcm = kept.get(text);
      if (pcm === undefined) return undefined;
      // Inserting it again keeps the map in order of use.
      kept.delete(text);
      kept.set(text, pcm);
      return pcm;
    },
    keep(text, pcm) {
      drop(text);
      if (sizeOf(text, pcm) > bytesMax) return;
      kept.set(text, pcm);
      bytes += sizeOf(text, pcm);
      for (const oldest of kept.keys()) {
        if (bytes <= bytesMax) break;
        drop(oldest);
      }
    },
  };
}

function sizeOf(text: string, pcm: Bytes): number {
  return pcm.byteLength + 2 * text.length;
}
