import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SentenceCutter } from './sentences.ts';

/** Returns the sentences that each token completes, and the rest after the last token. */
function cut(...tokens: string[]): string[][] {
  const cutter = new SentenceCutter();
  return [...tokens.map((token) => cutter.add(token)), cutter.flush()];
}

test('a sentence is spoken as soon as the space after it has arrived', () => {
  assert.deepEqual(cut('Hello', ' there.', ' How are', ' you?'), [[], [], ['Hello there.'], [], ['How are you?']]);
});

test('a number with a point, and an abbreviation within a token, are no ends of sentences', () => {
  assert.deepEqual(cut('It costs 3.50 now'), [[], ['It costs 3.50 now']]);
});

test('quotes and brackets after its end belong to the sentence, and a line break ends one', () => {
  assert.deepEqual(cut('She said "yes." Then\nthe end'), [['She said "yes."', 'Then'], ['the end']]);
});

test('a long sentence is cut at a space, and nothing of it is lost', () => {
  const words = Array.from({ length: 120 }, (_, n) => `word${n}`).join(' ');
  const parts = cut(words).flat();
  assert.ok(parts.length > 1 && parts.every((part) => part.length <= 240));
  assert.equal(parts.join(' '), words);
});

test('a token without a space is cut at the bound', () => {
  assert.deepEqual(
    cut('x'.repeat(500))
      .flat()
      .map(({ length }) => length),
    [240, 240, 20],
  );
});
