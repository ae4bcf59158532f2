import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Resampler } from '../src/resampler.js';

function tone(hz: number, rate: number, samples: number): Float32Array {
  return Float32Array.from({ length: samples }, (_, i) => Math.sin((2 * Math.PI * hz * i) / rate));
}

/** Resamples in pieces of the size that an audio thread has. */
function convert(samples: Float32Array, fromHz: number, toHz: number, piece = 128): Float32Array {
  const resampler = new Resampler(fromHz, toHz);
  const pieces: number[] = [];
  for (let at = 0; at < samples.length; at += piece) pieces.push(...resampler.push(samples.subarray(at, at + piece)));
  return Float32Array.from(pieces);
}

/** Returns the amplitude at a frequency, by correlation. Leaves out the start, where the filter fills. */
function levelAt(samples: Float32Array, hz: number, rate: number): number {
  const settled = samples.subarray(Math.floor(samples.length / 4));
  let [real, imaginary] = [0, 0];
  settled.forEach((sample, i) => {
    real += sample * Math.cos((2 * Math.PI * hz * i) / rate);
    imaginary += sample * Math.sin((2 * Math.PI * hz * i) / rate);
  });
  return (2 * Math.hypot(real, imaginary)) / settled.length;
}

for (const rate of [48_000, 44_100, 16_000]) {
  test(`tones in the telephone band keep their amplitude, from ${rate} Hz to 8,000`, () => {
    for (const hz of [300, 1_000, 3_000]) {
      const level = levelAt(convert(tone(hz, rate, rate), rate, 8_000), hz, 8_000);
      assert.ok(Math.abs(level - 1) < 0.02, `${hz} Hz came out at ${level}`);
    }
  });

  test(`tones above the band do not alias, from ${rate} Hz to 8,000`, () => {
    for (const hz of [5_000, 6_500, 7_600]) {
      const converted = convert(tone(hz, rate, rate), rate, 8_000);
      const loudest = Math.max(...converted.subarray(2_000).map(Math.abs));
      assert.ok(loudest < 0.01, `${hz} Hz came through at ${loudest}`);
    }
  });

  test(`playback at ${rate} Hz has the tone and no image of it`, () => {
    const converted = convert(tone(1_000, 8_000, 8_000), 8_000, rate, 160);
    assert.ok(Math.abs(levelAt(converted, 1_000, rate) - 1) < 0.02);
    assert.ok(levelAt(converted, 7_000, rate) < 0.01);
  });

  test(`no samples are lost or added over time, from ${rate} Hz to 8,000 and back`, () => {
    const down = convert(new Float32Array(10 * rate), rate, 8_000);
    assert.ok(Math.abs(down.length - 80_000) <= 1, String(down.length));
    const up = convert(new Float32Array(80_000), 8_000, rate, 160);
    assert.ok(Math.abs(up.length - 10 * rate) <= Math.ceil(rate / 8_000), String(up.length));
  });
}

test('the size of the pieces makes no difference', () => {
  const samples = tone(700, 48_000, 9_600);
  assert.deepEqual(convert(samples, 48_000, 8_000, 128), convert(samples, 48_000, 8_000, 4_800));
});
