import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { powerAt, powerOf } from '../../test/support/tone-power.ts';
import { resample } from './resample.ts';

const AMPLITUDE = 10_000;
const FULL = AMPLITUDE ** 2 / 2;

const sineAt = (frequencyHz: number, rateHz: number) =>
  Int16Array.from({ length: rateHz }, (_, i) => AMPLITUDE * Math.sin((2 * Math.PI * frequencyHz * i) / rateHz));
const decibels = (power: number) => 10 * Math.log10(Math.max(power, 1e-9) / FULL);
/** Leaves out the edges, where the filter includes the silence before and after the sound. */
const inner = (pcm: Int16Array) => pcm.subarray(400, -400);

for (const rateHz of [22_050, 16_000, 44_100, 48_000]) {
  describe(`from ${rateHz} Hz`, () => {
    test('a second stays a second', () => {
      assert.equal(resample(new Int16Array(rateHz), rateHz).length, 8_000);
    });

    test('the telephone band keeps its loudness to a quarter of a decibel, and its frequency', () => {
      for (const frequencyHz of [100, 300, 1_000, 2_000, 3_000, 3_300]) {
        const converted = inner(resample(sineAt(frequencyHz, rateHz), rateHz));
        assert.ok(Math.abs(decibels(powerOf(converted))) < 0.25, `${frequencyHz}`);
        assert.ok(Math.abs(decibels(powerAt(converted, frequencyHz))) < 0.25, `${frequencyHz}`);
      }
    });

    test('sound above the new band does not return as a false tone: it is 50 dB down', () => {
      for (const frequencyHz of [4_500, 5_000, 6_000, 7_000, 7_900]) {
        const converted = inner(resample(sineAt(frequencyHz, rateHz), rateHz));
        assert.ok(decibels(powerOf(converted)) < -50, `${frequencyHz}: ${decibels(powerOf(converted))}`);
      }
    });

    test('constant loudness stays exactly constant', () => {
      const converted = inner(resample(new Int16Array(rateHz).fill(1_234), rateHz));
      assert.ok(converted.every((sample) => sample === 1_234));
    });

    test('a click keeps its position, to within a sample', () => {
      const click = new Int16Array(rateHz);
      click[rateHz / 2] = 30_000;
      const converted = resample(click, rateHz);
      const loudest = converted.indexOf(Math.max(...converted));
      assert.ok(Math.abs(loudest - 4_000) <= 1, `${loudest}`);
    });
  });
}

test('audio of 8 kHz is returned unchanged, as a copy', () => {
  const pcm = Int16Array.of(1, 2, 3);
  const converted = resample(pcm, 8_000);
  assert.deepEqual(converted, pcm);
  assert.notEqual(converted.buffer, pcm.buffer);
});

test('an impossible rate is refused', () => {
  for (const rate of [0, -1, 22_050.5, 1_000_000, Number.NaN]) assert.throws(() => resample(new Int16Array(1), rate));
});
