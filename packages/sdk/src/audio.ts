/** G.711 mu-law (ITU-T G.711, tables 2a and 2b): a byte for each sample of 16 bits, 8,000 samples a second. */

/** Samples, and bytes of mu-law, in a second. */
export const SAMPLE_RATE = 8_000;
/** The byte of silence. */
export const MULAW_SILENCE = 0xff;

const BIAS = 132;
const MAGNITUDE_MAX = 32_635;
const SIGN = 0x80;

const DECODED = Int16Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + BIAS) << ((bits >> 4) & 0x07)) - BIAS;
  return (bits & SIGN) === 0 ? magnitude : -magnitude;
});

/** Encodes samples of 16 bits at 8 kHz. */
export function encodeMulaw(samples: Int16Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(samples, (sample) => {
    const biased = Math.min(Math.abs(sample), MAGNITUDE_MAX) + BIAS;
    const segment = 24 - Math.clz32(biased);
    return ~((sample < 0 ? SIGN : 0) | (segment << 4) | ((biased >> (segment + 3)) & 0x0f)) & 0xff;
  });
}

/** Decodes to samples of 16 bits at 8 kHz. */
export function decodeMulaw(codes: Uint8Array): Int16Array<ArrayBuffer> {
  return Int16Array.from(codes, (code) => DECODED[code] as number);
}

/** Taps of the low-pass filter on each side of a sample, at the lower of the two rates. */
const TAPS = 16;
/** The pass band ends a little below half of the lower rate, to leave room for the slope of the filter. */
const PASS_BAND = 0.9;

/**
 * Converts samples from one rate to another, through a low-pass filter: for speech models that use 16 or 24 kHz. Each
 * call is separate; convert whole utterances, because the filter has no samples beyond their ends.
 */
export function resample(samples: Int16Array, fromHz: number, toHz: number): Int16Array<ArrayBuffer> {
  if (fromHz === toHz) return Int16Array.from(samples);
  const step = fromHz / toHz;
  const cutoff = Math.min(1, toHz / fromHz) * PASS_BAND;
  const reach = TAPS / cutoff;
  return Int16Array.from({ length: Math.round(samples.length / step) }, (_, index) => {
    const centre = index * step;
    let sum = 0;
    let weights = 0;
    for (let at = Math.ceil(centre - reach); at <= centre + reach; at += 1) {
      const weight = tap((at - centre) * cutoff, (at - centre) / reach);
      weights += weight;
      sum += weight * (samples[at] ?? 0);
    }
    return Math.max(-32_768, Math.min(32_767, Math.round(sum / weights)));
  });
}

/** A sinc under a Hann window. */
function tap(x: number, share: number): number {
  const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
  return sinc * (0.5 + 0.5 * Math.cos(Math.PI * share));
}
