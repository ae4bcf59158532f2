import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeMulaw as decodeOnServer, encodeMulaw as encodeOnServer } from '../../../src/audio/mulaw.ts';
import { decodeMulaw, decodeSample, encodeMulaw, encodeSample, MULAW_SILENCE } from '../src/mulaw.js';

test('every sample is encoded as on the server', () => {
  const samples = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);
  assert.deepEqual(
    Uint8Array.from(samples, (sample) => encodeSample(sample)),
    encodeOnServer(samples),
  );
});

test('every code is decoded as on the server', () => {
  const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
  assert.deepEqual(
    Int16Array.from(codes, (code) => decodeSample(code)),
    decodeOnServer(codes),
  );
});

test('samples of the audio thread are decoded and encoded to the same codes', () => {
  const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
  // Two codes mean silence. The encoder writes the code of minus zero as the other one.
  const expected = Uint8Array.from(codes, (code) => (code === 0x7f ? MULAW_SILENCE : code));
  assert.deepEqual(encodeMulaw(decodeMulaw(codes)), expected);
});

test('samples that are too loud are clipped', () => {
  assert.deepEqual([...encodeMulaw(Float32Array.of(2, 1, -1, -2, 0))], [0x80, 0x80, 0x00, 0x00, MULAW_SILENCE]);
});
