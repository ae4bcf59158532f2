import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mulawOfAlaw, sampleOfAlaw } from './alaw.ts';
import { decodeMulaw } from './mulaw.ts';

test('codes have the values of the tables of G.711', () => {
  // Rows of table 1a: the code, with its inverted bits, and the value that it decodes to.
  const known = [
    [0b1101_0101, 1],
    [0b1101_0100, 3],
    [0b1101_1010, 31],
    [0b1100_0101, 33],
    [0b1111_0101, 66],
    [0b1010_1010, 4_032],
  ] as const;
  for (const [code, value] of known) {
    assert.equal(sampleOfAlaw(code), value * 8);
    assert.equal(sampleOfAlaw(code ^ 0x80), -value * 8, 'table 1b has the negative values');
  }
});

test('the mu-law of a code sounds like it: within half a step of either law', () => {
  const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
  const heard = decodeMulaw(mulawOfAlaw(codes));
  for (const code of codes) {
    const sample = sampleOfAlaw(code);
    assert.ok(Math.abs((heard[code] as number) - sample) <= Math.max(8, Math.abs(sample) / 30), `${code}`);
  }
});
