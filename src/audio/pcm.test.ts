import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../test/support/property.ts';
import { concat, durationMsOf, mix, mixInto, samplesOf, silence } from './pcm.ts';

const pcms = fc.int16Array({ maxLength: 200 });
const places = fc.record({ pcm: pcms, at: fc.nat(300) });
const clip = (sum: number) => Math.max(-32_768, Math.min(32_767, sum));

describe('mixing', () => {
  test('every sample is the sum of the parts there, clipped and never wrapped around', () => {
    checkProperty(
      fc.property(fc.array(places, { maxLength: 5 }), (parts) => {
        const mixed = mix(parts);
        assert.equal(mixed.length, Math.max(0, ...parts.map(({ pcm, at }) => at + pcm.length)));
        mixed.forEach((sample, i) => {
          assert.equal(sample, clip(parts.reduce((sum, { pcm, at }) => sum + (pcm[i - at] ?? 0), 0)));
        });
      }),
    );
  });

  test('the order of the parts does not matter', () => {
    checkProperty(
      fc.property(fc.array(places, { maxLength: 5 }), (parts) => {
        assert.deepEqual(mix(parts), mix([...parts].reverse()));
      }),
    );
  });

  test('a given length is the length of the mix, whatever the parts are', () => {
    checkProperty(
      fc.property(fc.array(places, { maxLength: 3 }), fc.nat(400), (parts, length) => {
        const whole = mix(parts);
        const mixed = mix(parts, length);
        assert.equal(mixed.length, length);
        mixed.forEach((sample, i) => {
          assert.equal(sample, whole[i] ?? 0);
        });
      }),
    );
  });

  test('adding in place changes the target from the position on, and nothing else', () => {
    checkProperty(
      fc.property(pcms, pcms, fc.nat(300), (target, source, at) => {
        const before = target.slice();
        mixInto(target, source, at);
        target.forEach((sample, i) => {
          assert.equal(sample, clip((before[i] as number) + (source[i - at] ?? 0)));
        });
      }),
    );
  });

  test('a position before the start or between two samples is refused', () => {
    const pcm = Int16Array.of(1);
    for (const at of [-1, 0.5, Number.NaN]) {
      assert.throws(() => mix([{ pcm, at }]), RangeError);
      assert.throws(() => mixInto(Int16Array.of(1), pcm, at), RangeError);
    }
  });
});

test('joined audio has its parts in order', () => {
  const joined = concat([Int16Array.of(1, 2), new Int16Array(0), Int16Array.of(3)]);
  assert.deepEqual(joined, Int16Array.of(1, 2, 3));
});

test('a second is 8,000 samples', () => {
  assert.equal(silence(1_000).length, 8_000);
  assert.equal(samplesOf(0.125), 1);
  assert.equal(durationMsOf(new Int16Array(160)), 20);
});
