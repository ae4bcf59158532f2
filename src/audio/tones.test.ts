import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../test/support/property.ts';
import { powerAt, powerOf } from '../../test/support/tone-power.ts';
import { concat, durationMsOf } from './pcm.ts';
import { beep, dtmf, pulsingTone, sine } from './tones.ts';

const ALL_DIGITS = '0123456789ABCD*#';

/** The tones of the keypad, as ITU-T Q.23 arranges them. */
const KEYPAD = [
  ['1', 697, 1209],
  ['2', 697, 1336],
  ['3', 697, 1477],
  ['A', 697, 1633],
  ['4', 770, 1209],
  ['5', 770, 1336],
  ['6', 770, 1477],
  ['B', 770, 1633],
  ['7', 852, 1209],
  ['8', 852, 1336],
  ['9', 852, 1477],
  ['C', 852, 1633],
  ['*', 941, 1209],
  ['0', 941, 1336],
  ['#', 941, 1477],
  ['D', 941, 1633],
] as const;

describe('a sine', () => {
  test('has its power at its frequency', () => {
    const pcm = sine({ frequencyHz: 440, samples: 8_000, amplitude: 10_000 });
    assert.ok(Math.abs(powerAt(pcm, 440) / (10_000 ** 2 / 2) - 1) < 0.01);
    assert.ok(powerAt(pcm, 500) < powerAt(pcm, 440) / 1_000);
  });

  test('made in pieces equals one made whole', () => {
    checkProperty(
      fc.property(fc.nat(2_000), fc.nat(2_000), fc.integer({ min: 1, max: 3_900 }), (first, second, frequencyHz) => {
        const whole = sine({ frequencyHz, samples: first + second });
        const pieces = [sine({ frequencyHz, samples: first }), sine({ frequencyHz, samples: second, from: first })];
        assert.deepEqual(concat(pieces), whole);
      }),
    );
  });
});

describe('the pulsing tone', () => {
  const tone = { frequencyHz: 440, amplitude: 10_000 };

  test('is on for half a second and off for the next', () => {
    const pcm = pulsingTone({ ...tone, samples: 24_000 });
    for (let second = 0; second < 3; second++) {
      const start = second * 8_000;
      assert.ok(powerAt(pcm, 440, { start, length: 4_000 }) > 0.95 * (10_000 ** 2 / 2));
      assert.equal(powerOf(pcm, { start: start + 4_000, length: 4_000 }), 0);
    }
  });

  test('made in frames equals one made whole, so it can be made during a call', () => {
    const frames = Array.from({ length: 150 }, (_, i) => pulsingTone({ ...tone, samples: 160, from: i * 160 }));
    assert.deepEqual(concat(frames), pulsingTone({ ...tone, samples: 24_000 }));
  });

  test('does not click: it rises and falls in small steps', () => {
    const pcm = pulsingTone({ ...tone, samples: 16_000 });
    const steady = 10_000 * 2 * Math.PI * (440 / 8_000);
    for (let i = 1; i < pcm.length; i++) {
      assert.ok(Math.abs((pcm[i] as number) - (pcm[i - 1] as number)) <= steady + 300, `sample ${i}`);
    }
    for (const edge of [0, 3_999, 8_000, 11_999]) assert.ok(Math.abs(pcm[edge] as number) < 400, `sample ${edge}`);
  });
});

test('the beep is 1,000 Hz for 300 ms, and starts and ends softly', () => {
  const pcm = beep();
  assert.equal(durationMsOf(pcm), 300);
  assert.ok(powerAt(pcm, 1_000) > 0.9 * powerOf(pcm));
  for (const sample of [pcm[0], pcm.at(-1)]) assert.ok(Math.abs(sample as number) < 500);
});

describe('DTMF', () => {
  for (const [digit, lowHz, highHz] of KEYPAD) {
    test(`${digit} is ${lowHz} and ${highHz} Hz for 100 ms, and 100 ms of silence`, () => {
      const pcm = dtmf(digit);
      assert.equal(durationMsOf(pcm), 200);
      const on = { start: 0, length: 800 };
      const low = powerAt(pcm, lowHz, on);
      const high = powerAt(pcm, highHz, on);
      assert.ok(low + high > 0.9 * powerOf(pcm, on));
      assert.ok(low / high > 0.9 && low / high < 1.1);
      assert.equal(powerOf(pcm, { start: 800 }), 0);
    });
  }

  test('pauses are silence: w half a second, W a second', () => {
    assert.deepEqual(dtmf('w'), new Int16Array(4_000));
    assert.deepEqual(dtmf('W'), new Int16Array(8_000));
    assert.equal(durationMsOf(dtmf('1wW2')), 200 + 500 + 1_000 + 200);
  });

  test('digits sound one after the other, as each sounds alone', () => {
    assert.deepEqual(dtmf(ALL_DIGITS), concat([...ALL_DIGITS].map(dtmf)));
    assert.equal(dtmf('').length, 0);
  });

  test('any other character is refused', () => {
    for (const digits of ['a', 'E', '1 2', '½', 'x']) assert.throws(() => dtmf(digits), RangeError, digits);
  });
});
