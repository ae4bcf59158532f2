import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { character, checkProperty } from '../../../../test/support/property.ts';
import { septetsOf, toGsm7 } from './gsm7.ts';

test('text that is GSM-7 already is not changed', () => {
  for (const text of ['', 'Müller & Søn', 'Café Ñandu', '[50 €]', 'two\nlines']) assert.equal(toGsm7(text), text);
});

test('other text becomes the nearest GSM-7 text', () => {
  const table: [string, string][] = [
    ['Joe’s “Garage” – Açaí…', 'Joe\'s "Garage" - Acai...'],
    ['Łódź Dentálna', 'Lodz Dentalna'],
    ['cafe\u0301', 'café'],
    ['ＦＡＳＴ ﬁx™', 'FAST fixTM'],
    ['a\u00a0b\tc', 'a b c'],
    ['½ price', '1/2 price'],
    ['Paws 🐾 & Claws', 'Paws  & Claws'],
    ['牙医', ''],
  ];
  for (const [text, expected] of table) assert.equal(toGsm7(text), expected);
});

test('the result is GSM-7 for any text', () => {
  checkProperty(
    fc.property(fc.string({ unit: character, maxLength: 60 }), (text) => {
      const result = toGsm7(text);
      for (let index = 0; index < result.length; index += 1) assert.ok(septetsOf(result.charCodeAt(index)) > 0);
      assert.equal(toGsm7(result), result);
    }),
    { runs: 1000 },
  );
});
