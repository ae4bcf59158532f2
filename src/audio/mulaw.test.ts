import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../test/support/property.ts';
import { decodeMulaw, encodeMulaw, MULAW_SILENCE } from './mulaw.ts';

const encodeOne = (sample: number) => encodeMulaw(Int16Array.of(sample))[0] as number;
const decodeOne = (code: number) => decodeMulaw(Uint8Array.of(code))[0] as number;

/** From the scale of G.711 to the 16 bits used here. */
const SCALE = 4;
/** G.711 table 2a: the code of a positive value, its lowest decision value, and the value it decodes to. */
const TABLE_2A = [
  [0x80, 7_903, 8_031],
  [0x8f, 4_063, 4_191],
  [0x90, 3_935, 3_999],
  [0x9f, 2_015, 2_079],
  [0xa0, 1_951, 1_983],
  [0xaf, 991, 1_023],
  [0xb0, 959, 975],
  [0xbf, 479, 495],
  [0xc0, 463, 471],
  [0xcf, 223, 231],
  [0xd0, 215, 219],
  [0xdf, 95, 99],
  [0xe0, 91, 93],
  [0xef, 31, 33],
  [0xf0, 29, 30],
  [0xfe, 1, 2],
  [0xff, 0, 0],
] as const;

describe('G.711', () => {
  test('codes decode to the values of its tables 2a and 2b', () => {
    for (const [code, , value] of TABLE_2A) {
      assert.equal(decodeOne(code), value * SCALE, code.toString(16));
      assert.equal(decodeOne(code & 0x7f), -value * SCALE + 0, code.toString(16));
    }
  });

  test('a value is encoded by the decision values of its tables', () => {
    for (const [code, decision] of TABLE_2A) {
      assert.equal(encodeOne(decision * SCALE), code, code.toString(16));
      if (decision === 0) continue;
      assert.equal(encodeOne(decision * SCALE - 1), code + 1, code.toString(16));
      assert.equal(encodeOne(-decision * SCALE), code & 0x7f, code.toString(16));
      assert.equal(encodeOne(-decision * SCALE + 1), (code + 1) & 0x7f, code.toString(16));
    }
  });

  test('every code survives decoding and encoding, except the second zero, which becomes the first', () => {
    for (let code = 0; code < 256; code++) {
      assert.equal(encodeOne(decodeOne(code)), code === 0x7f ? 0xff : code, code.toString(16));
    }
  });

  test('a louder sample never decodes to a softer one', () => {
    const all = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);
    const heard = decodeMulaw(encodeMulaw(all));
    for (let i = 1; i < heard.length; i++) assert.ok((heard[i] as number) >= (heard[i - 1] as number), `${all[i]}`);
  });

  test('the loudest samples get the loudest codes, and silence the code of silence', () => {
    assert.equal(encodeOne(32_767), 0x80);
    assert.equal(encodeOne(-32_768), 0x00);
    assert.equal(encodeOne(0), MULAW_SILENCE);
  });
});

test('any audio is decoded to within half a step: 3 % of its amplitude, or 4', () => {
  checkProperty(
    fc.property(fc.int16Array({ min: -32_124, max: 32_124 }), (pcm) => {
      const heard = decodeMulaw(encodeMulaw(pcm));
      assert.equal(heard.length, pcm.length);
      pcm.forEach((sample, i) => {
        const error = Math.abs((heard[i] as number) - sample);
        assert.ok(error <= Math.max(4, (Math.abs(sample) + 132) / 32), `${sample} as ${heard[i]}`);
      });
    }),
  );
});

test('a second encoding changes nothing', () => {
  checkProperty(
    fc.property(fc.int16Array(), (pcm) => {
      const once = decodeMulaw(encodeMulaw(pcm));
      assert.deepEqual(decodeMulaw(encodeMulaw(once)), once);
    }),
  );
});
