import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { concat, samplesOf, silence } from '../../../audio/pcm.ts';
import { silencePauses } from './recording-pauses.ts';

const sound = (ms: number, value: number) => new Int16Array(samplesOf(ms)).fill(value);
const spans = [
  { fromMs: 1_000, untilMs: 3_000 },
  { fromMs: 4_000, untilMs: 5_000 },
];
const wanted = concat([sound(1_000, 1), silence(2_000), sound(1_000, 2), silence(1_000), sound(1_000, 3)]);

describe('the pauses of a recording at Telnyx', () => {
  test('are inserted where their audio is missing', () => {
    const audio = concat([sound(1_000, 1), sound(1_000, 2), sound(1_000, 3)]);
    assert.deepEqual(silencePauses(audio, { spans, durationMs: 6_000 }), wanted);
  });

  test('last as long as the carrier left out, whatever the delays of the commands', () => {
    const audio = concat([sound(1_000, 1), sound(1_000, 2)]);
    const made = silencePauses(audio, { spans: [{ fromMs: 1_000, untilMs: 3_000 }], durationMs: 4_300 });
    assert.deepEqual(made, concat([sound(1_000, 1), silence(2_300), sound(1_000, 2)]));
  });

  test('are overwritten where their audio is there', () => {
    const audio = concat([sound(1_000, 1), sound(2_000, 9), sound(1_000, 2), sound(1_000, 9), sound(1_000, 3)]);
    assert.deepEqual(silencePauses(audio, { spans, durationMs: 6_000 }), wanted);
  });

  test('that began before the recording, or last to its end, are within it', () => {
    const all = [
      { fromMs: -500, untilMs: 1_000 },
      { fromMs: 2_000, untilMs: 9_000 },
    ];
    const made = silencePauses(sound(1_000, 1), { spans: all, durationMs: 3_000 });
    assert.deepEqual(made, concat([silence(1_000), sound(1_000, 1), silence(1_000)]));
  });
});
