/** G.711 mu-law (ITU-T G.711, tables 2a and 2b): a byte for each 16-bit sample at 8 kHz. */

/** The code of silence. */
export const MULAW_SILENCE = 0xff;

const BIAS = 132;
const MAGNITUDE_MAX = 32_635;
const SIGN = 0x80;

const DECODED = Int16Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff;
  const segment = (bits >> 4) & 0x07;
  const magnitude = ((((bits & 0x0f) << 3) + BIAS) << segment) - BIAS;
  return (bits & SIGN) === 0 ? magnitude : -magnitude;
});

/**
 * @param {number} sample -32768 to 32767
 * @returns {number}
 */
export function encodeSample(sample) {
  const sign = sample < 0 ? SIGN : 0;
  const biased = Math.min(Math.abs(sample), MAGNITUDE_MAX) + BIAS;
  const segment = 31 - Math.clz32(biased) - 7;
  return ~(sign | (segment << 4) | ((biased >> (segment + 3)) & 0x0f)) & 0xff;
}

/**
 * @param {number} code 0 to 255
 * @returns {number}
 */
export function decodeSample(code) {
  return /** @type {number} */ (DECODED[code & 0xff]);
}

/**
 * Encodes samples of the Web Audio API, -1 to 1. Louder samples are clipped.
 * @param {Float32Array} samples
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeMulaw(samples) {
  const codes = new Uint8Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    const scaled = Math.round(/** @type {number} */ (samples[i]) * 32_768);
    codes[i] = encodeSample(Math.max(-32_768, Math.min(32_767, scaled)));
  }
  return codes;
}

/**
 * Decodes to samples of the Web Audio API.
 * @param {Uint8Array} codes
 * @returns {Float32Array<ArrayBuffer>} -1 to 1
 */
export function decodeMulaw(codes) {
  const samples = new Float32Array(codes.length);
  for (let i = 0; i < codes.length; i++) samples[i] = decodeSample(/** @type {number} */ (codes[i])) / 32_768;
  return samples;
}
