/** Returns a seed that depends only on the text: its 32-bit FNV-1a hash. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

// Each step (addition, xor with the value's own right shift, multiplication by an odd number) is invertible modulo
// 2^bits. So the whole function maps 0 .. 2^bits-1 onto itself.
function scramble(value: number, bits: number, seed: number): number {
  const mask = 2 ** bits - 1;
  const shift = Math.max(1, bits >>> 1);
  let mixed = (value + seed) & mask;
  mixed ^= mixed >>> shift;
  mixed = Math.imul(mixed, 0x2c1b3c6d) & mask;
  mixed ^= mixed >>> shift;
  mixed = Math.imul(mixed, 0x297a2d39 ^ (seed << 1)) & mask;
  return mixed ^ (mixed >>> shift);
}

/**
 * Returns the image of `index` under a permutation of 0 .. size-1. `seed` chooses the permutation; size is at most
 * 2^30. A value outside the range is scrambled again until it is inside. This takes less than two rounds on average,
 * because the scrambled range is less than twice the range.
 */
export function permute(index: number, size: number, seed: number): number {
  const bits = 32 - Math.clz32(size - 1);
  let value = index;
  do {
    value = scramble(value, bits, seed);
  } while (value >= size);
  return value;
}
