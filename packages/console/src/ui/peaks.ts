/** The loudness of an audio file over its length: values from 0 to 1, for parts of equal length. */
export type Peaks = { readonly values: readonly number[]; readonly seconds: number };

const PARTS = 160;
/** A larger file would take too long to draw, so it plays without its waveform. */
const BYTES_MAX = 60_000_000;
/**
 * The loudest part of a quiet recording, such as one of a quiet room or line, is drawn at this share of full loudness.
 */
const QUIETEST_TOP = 0.02;
/** The waveforms of this many files stay in memory, so that scrolling a list does not read them again. */
const KEPT_MAX = 30;

const kept = new Map<string, Promise<Peaks>>();

/** Reads an audio file of this origin and measures it. Reads the same file only once. */
export function readPeaks(src: string): Promise<Peaks> {
  let peaks = kept.get(src);
  if (peaks === undefined) {
    peaks = measure(src);
    kept.set(src, peaks);
    peaks.catch(() => kept.delete(src));
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_MAX) break;
      kept.delete(oldest);
    }
  }
  return peaks;
}

async function measure(src: string): Promise<Peaks> {
  const reply = await fetch(src);
  if (!reply.ok) throw new Error(`The audio could not be read (status ${reply.status}).`);
  if (Number(reply.headers.get('content-length') ?? 0) > BYTES_MAX) {
    await reply.body?.cancel();
    throw new Error('The audio is too long for a waveform.');
  }
  const bytes = await reply.arrayBuffer();
  // An offline context decodes without a sound card, and before the person has touched the page.
  const audio = await new OfflineAudioContext(1, 1, 8000).decodeAudioData(bytes);
  return { values: peaksOf(audio.getChannelData(0)), seconds: audio.duration };
}

/** Returns the largest amplitude of each part, as a share of the largest amplitude of all. */
function peaksOf(samples: Float32Array): number[] {
  const size = Math.max(1, Math.ceil(samples.length / PARTS));
  const peaks = Array.from({ length: Math.ceil(samples.length / size) }, (_, part) => {
    let peak = 0;
    for (let at = part * size; at < Math.min(samples.length, (part + 1) * size); at += 1) {
      peak = Math.max(peak, Math.abs(samples[at] as number));
    }
    return peak;
  });
  const top = Math.max(QUIETEST_TOP, ...peaks);
  return peaks.map((peak) => peak / top);
}
