import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../test/support/property.ts';
import { SpeechError } from '../speech-error.ts';
import { speakableText } from './speakable-text.ts';

const CASES: readonly (readonly [string, string, string])[] = [
  ['accents', 'Café olé, ñandú, Žižek', 'Cafe ole, nandu, Zizek'],
  ['letters without a decomposition', 'Straße, Ærø, Łódź, fıne', 'Strasse, AEro, Lodz, fine'],
  ['typographic marks', '“We’re closed” … today', '"We\'re closed" ... today'],
  ['a dash between words', 'Closed – or busy — today', 'Closed, or busy, today'],
  ['a dash between digits', '10–12', '10-12'],
  ['amounts', '€7.50, £1,200 and 5 €', '7.50 euros, 1,200 pounds and 5 euros'],
  ['fractions and degrees', '1½ hours at 20°', '1 1/2 hours at 20 degrees'],
  ['letters of another width', 'ＡＢＣ １２３', 'ABC 123'],
  ['lines, control characters and much space', 'one\n\ntwo\u0001\t  three ', 'one two three'],
  ['symbols that nobody says', 'Welcome 🎉 ™ to us', 'Welcome TM to us'],
  ['what is ASCII already', 'Press 1 or # for $5 & 10%, a@b.example', 'Press 1 or # for $5 & 10%, a@b.example'],
];

for (const [what, text, spoken] of CASES) {
  test(`${what}: "${spoken}"`, () => assert.equal(speakableText(text), spoken));
}

for (const text of ['Нажмите один', 'Hello 李', 'مرحبا', 'line ٣', 'ə']) {
  test(`"${text}" is refused: no part of a text is left out`, () => {
    assert.throws(() => speakableText(text), SpeechError);
  });
}

test('a paragraph ends with a sentence, and a sentence or a word without an end is cut', () => {
  const paragraphs = (text: string) => speakableText(text).split('\n\n');
  const sentence = 'Please leave your name, and the number that we can call you back at. ';
  assert.deepEqual(
    paragraphs(sentence.repeat(4)).map((text) => text.length),
    [206, 68],
  );
  assert.deepEqual(paragraphs('one two '.repeat(200)).join(' '), 'one two '.repeat(200).trim());
  for (const text of ['9'.repeat(5_000), '9,'.repeat(2_500), 'one two '.repeat(600), sentence.repeat(70)]) {
    for (const paragraph of paragraphs(text)) assert.ok(paragraph.length < 470, `${paragraph.length}`);
  }
});

test('every other text becomes lines of ASCII, and is the same when it is made twice', () => {
  checkProperty(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      try {
        const spoken = speakableText(text);
        assert.match(spoken, /^[ -~\n]*$/);
        assert.equal(speakableText(spoken), spoken);
      } catch (error) {
        assert.ok(error instanceof SpeechError);
      }
    }),
  );
});
