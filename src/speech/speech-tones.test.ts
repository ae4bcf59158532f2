import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../test/support/property.ts';
import { powerAt, powerOf } from '../../test/support/tone-power.ts';
import { durationMsOf } from '../audio/pcm.ts';
import { tonesFor } from './speech-tones.ts';

const texts = fc.string({ maxLength: 60 });
const words = fc
  .array(fc.constantFrom('please', 'leave', 'a', 'message', 'after', 'the', 'tone', 'press', '1', 'hmm', 'Straße'), {
    minLength: 1,
    maxLength: 12,
  })
  .map((list) => list.join(' '));

test('a text lasts 65 ms a character, half a second at least', () => {
  checkProperty(
    fc.property(fc.oneof(texts, words), (text) => {
      const characters = text.trim().replaceAll(/\s+/g, ' ').length;
      assert.equal(durationMsOf(tonesFor(text)), Math.max(500, characters * 65));
    }),
  );
});

test('the same text always sounds the same, and different texts differ', () => {
  const said = ['one', 'two', 'three', 'four five', 'five four'].map((text) => {
    assert.deepEqual(tonesFor(text), tonesFor(text));
    return Buffer.from(tonesFor(text).buffer).toString('base64');
  });
  assert.equal(new Set(said).size, said.length);
});

test('a text is audible, its spaces are pauses, and no sample is too loud', () => {
  const pcm = tonesFor('hello there');
  assert.ok(powerOf(pcm) > 1_000 ** 2);
  assert.equal(powerOf(pcm, { start: 5 * 520, length: 520 }), 0);
  assert.ok(pcm.every((sample) => Math.abs(sample) < 20_000));
});

test('no text sounds like DTMF digits, whose high tones it does not have', () => {
  checkProperty(
    fc.property(words, (text) => {
      const pcm = tonesFor(text);
      for (const frequencyHz of [1_209, 1_336, 1_477, 1_633]) {
        assert.ok(powerAt(pcm, frequencyHz) < powerOf(pcm) / 1_000, `${frequencyHz} Hz in "${text}"`);
      }
    }),
    { runs: 40 },
  );
});

test('an empty text is half a second of silence', () => {
  assert.deepEqual(tonesFor('  '), new Int16Array(4_000));
});
