import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { detectDigits, heardDigits } from './detect-digits.ts';
import { decodeMulaw, encodeMulaw } from './mulaw.ts';
import { concat, gain, mix, type Pcm, samplesOf, silence } from './pcm.ts';
import { beep, dtmf, pulsingTone, ramped, sine } from './tones.ts';

const KEYS = [...'0123456789ABCD*#'];
const keys = fc.array(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 12 }).map((list) => list.join(''));

/** White noise from a seed, so that a failure can be repeated. */
function noise(samples: number, amplitude: number, seed: number): Pcm {
  let state = seed | 1;
  return Int16Array.from({ length: samples }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state / 2 ** 31) * amplitude;
  });
}

/** A voiced sound: a fundamental that glides, and its harmonics under two formants. */
function vowel(samples: number, pitchHz: number): Pcm {
  return Int16Array.from({ length: samples }, (_, i) => {
    const phase = (2 * Math.PI * pitchHz * i * (1 + i / samples / 10)) / 8_000;
    let sum = 0;
    for (let harmonic = 1; harmonic <= 20; harmonic++) {
      const hz = harmonic * pitchHz;
      const loudness = 1 / (1 + ((hz - 700) / 200) ** 2) + 0.6 / (1 + ((hz - 1_250) / 200) ** 2);
      sum += loudness * Math.sin(harmonic * phase);
    }
    return 5_000 * sum;
  });
}

describe('keys are heard', () => {
  test('as they were pressed, repeated ones too', () => {
    fc.assert(
      fc.property(keys, (digits) => assert.equal(heardDigits(dtmf(digits)), digits)),
      { numRuns: 60 },
    );
  });

  test('when they began, to 5 ms, and for as long as they were held', () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 0, max: 3_000 }), (digits, leadMs) => {
        const heard = detectDigits(concat([silence(leadMs), dtmf(digits), silence(100)]));
        assert.deepEqual(heard.map(({ digit }) => digit).join(''), digits);
        heard.forEach(({ atMs, durationMs }, i) => {
          assert.ok(Math.abs(atMs - (leadMs + i * 200)) <= 5, `${atMs} for ${leadMs + i * 200}`);
          assert.ok(Math.abs(durationMs - 100) <= 8, `${durationMs}`);
        });
      }),
      { numRuns: 60 },
    );
  });

  test('through mu-law, softly or loudly, over noise 15 dB below', () => {
    const factors = fc.double({ min: 0.03, max: 2.5, noNaN: true });
    fc.assert(
      fc.property(keys, factors, fc.integer(), (digits, factor, seed) => {
        const pressed = gain(dtmf(digits), factor);
        const heard = mix([
          { pcm: pressed, at: 0 },
          { pcm: noise(pressed.length, 1_800 * factor, seed), at: 0 },
        ]);
        assert.equal(heardDigits(decodeMulaw(encodeMulaw(heard))), digits);
      }),
      { numRuns: 60 },
    );
  });

  test('while the other party speaks more softly', () => {
    const pressed = concat([silence(500), dtmf('1w2#'), silence(200)]);
    const mixed = mix([
      { pcm: pressed, at: 0 },
      { pcm: gain(vowel(pressed.length, 120), 0.3), at: 0 },
    ]);
    assert.equal(heardDigits(mixed), '12#');
  });

  test('when one of the tones is 6 dB softer than the other', () => {
    for (const [low, high] of [
      [8_000, 4_000],
      [4_000, 8_000],
    ] as const) {
      const tones = [
        { pcm: sine({ frequencyHz: 770, samples: 800, amplitude: low }), at: 400 },
        { pcm: sine({ frequencyHz: 1_336, samples: 800, amplitude: high }), at: 400 },
      ];
      assert.equal(heardDigits(mix(tones, 2_000)), '5');
    }
  });

  test('at the very beginning and the very end of the audio', () => {
    const [heard] = detectDigits(dtmf('7').subarray(0, 800));
    assert.equal(heard?.digit, '7');
    assert.ok((heard?.atMs ?? 99) <= 5);
    assert.equal(detectDigits(concat([silence(100), dtmf('7').subarray(0, 800)])).length, 1);
  });

  test('once, however long one is held', () => {
    const held = mix([
      { pcm: sine({ frequencyHz: 697, samples: 16_000 }), at: 0 },
      { pcm: sine({ frequencyHz: 1_209, samples: 16_000 }), at: 0 },
    ]);
    const [heard, ...others] = detectDigits(concat([silence(100), held, silence(100)]));
    assert.deepEqual(others, []);
    assert.ok(Math.abs((heard?.durationMs ?? 0) - 2_000) <= 8);
  });
});

describe('nothing is heard', () => {
  test('in silence, noise, tones and audio too short for a key', () => {
    const quiet: [string, Pcm][] = [
      ['silence', silence(2_000)],
      ['nothing', new Int16Array(0)],
      ['noise', noise(16_000, 12_000, 7)],
      ['the beep', beep()],
      ['the pulsing tone', pulsingTone({ frequencyHz: 440, samples: 16_000 })],
      ['one tone of a pair', sine({ frequencyHz: 697, samples: 8_000 })],
      ['20 ms of a key', concat([silence(100), dtmf('5').subarray(0, samplesOf(20)), silence(100)])],
    ];
    for (const [name, pcm] of quiet) assert.deepEqual(detectDigits(pcm), [], name);
  });

  test('in voices of any pitch', () => {
    for (let pitchHz = 80; pitchHz <= 400; pitchHz += 5) {
      assert.deepEqual(detectDigits(ramped(vowel(6_000, pitchHz))), [], `${pitchHz} Hz`);
    }
  });
});
