import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FRAME_SAMPLES, frameAt, frameCount, toFrames } from './frames.ts';
import { concat } from './pcm.ts';

test('frames one after the other are the audio, filled up with silence', () => {
  fc.assert(
    fc.property(fc.int16Array({ maxLength: 1_000 }), (pcm) => {
      const frames = toFrames(pcm);
      assert.equal(frames.length, frameCount(pcm));
      assert.ok(frames.every((frame) => frame.length === FRAME_SAMPLES));
      const joined = concat(frames);
      assert.deepEqual(joined.slice(0, pcm.length), pcm);
      assert.ok(joined.subarray(pcm.length).every((sample) => sample === 0));
      assert.ok(joined.length - pcm.length < FRAME_SAMPLES);
    }),
  );
});

test('a frame is 20 ms, 160 samples, and beyond the end it is silence', () => {
  assert.equal(FRAME_SAMPLES, 160);
  assert.deepEqual(frameAt(Int16Array.of(1, 2), 3), new Int16Array(160));
});

test('changing a frame does not change the audio', () => {
  const pcm = new Int16Array(320).fill(1);
  frameAt(pcm, 0).fill(9);
  toFrames(pcm)[1]?.fill(9);
  assert.ok(pcm.every((sample) => sample === 1));
});
