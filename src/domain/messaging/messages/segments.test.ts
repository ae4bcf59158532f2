import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { character, checkProperty } from '../../../../test/support/property.ts';
import { countSegments, type SegmentCount } from './segments.ts';

// Written independently of the code under test, from the code points of 3GPP TS 23.038.
const BASIC = new Set(
  [
    0x40, 0xa3, 0x24, 0xa5, 0xe8, 0xe9, 0xf9, 0xec, 0xf2, 0xc7, 0x0a, 0xd8, 0xf8, 0x0d, 0xc5, 0xe5, 0x394, 0x5f, 0x3a6,
    0x393, 0x39b, 0x3a9, 0x3a0, 0x3a8, 0x3a3, 0x398, 0x39e, 0xc6, 0xe6, 0xdf, 0xc9, 0xa4, 0xa1, 0xc4, 0xd6, 0xd1, 0xdc,
    0xa7, 0xbf, 0xe4, 0xf6, 0xf1, 0xfc, 0xe0,
  ].map((codePoint) => String.fromCodePoint(codePoint)),
);
for (let code = 0x20; code <= 0x7a; code += 1) {
  if (![0x24, 0x40, 0x5b, 0x5c, 0x5d, 0x5e, 0x5f, 0x60].includes(code)) BASIC.add(String.fromCharCode(code));
}
const EXTENSION = new Set(['\f', '^', '{', '}', '\\', '[', '~', ']', '|', '\u20ac']);

/** Builds the parts, character by character. */
function packSlowly(body: string): SegmentCount & { parts: string[] } {
  const characters = [...body];
  const isGsm7 = characters.every((character) => BASIC.has(character) || EXTENSION.has(character));
  const costOf = (character: string): number => (isGsm7 ? (EXTENSION.has(character) ? 2 : 1) : character.length);
  const encoding = isGsm7 ? 'gsm7' : 'ucs2';
  const total = characters.reduce((sum, character) => sum + costOf(character), 0);
  if (total <= (isGsm7 ? 160 : 70)) return { segments: 1, encoding, parts: [body] };
  const parts = [''];
  let used = 0;
  for (const character of characters) {
    used += costOf(character);
    if (used <= (isGsm7 ? 153 : 67)) parts[parts.length - 1] += character;
    else {
      parts.push(character);
      used = costOf(character);
    }
  }
  return { segments: parts.length, encoding, parts };
}

function agreesWithReference(body: string): void {
  const { parts, ...expected } = packSlowly(body);
  assert.equal(parts.join(''), body);
  assert.deepEqual(countSegments(body, false), expected);
  assert.deepEqual(countSegments(body, true), { segments: 1, encoding: expected.encoding });
}

const gsm7 = (segments: number): SegmentCount => ({ segments, encoding: 'gsm7' });
const ucs2 = (segments: number): SegmentCount => ({ segments, encoding: 'ucs2' });

const TABLE: [name: string, body: string, expected: SegmentCount][] = [
  ['an empty body', '', gsm7(1)],
  ['160 plain characters', 'a'.repeat(160), gsm7(1)],
  ['161 plain characters', 'a'.repeat(161), gsm7(2)],
  ['306 plain characters', 'a'.repeat(306), gsm7(2)],
  ['307 plain characters', 'a'.repeat(307), gsm7(3)],
  ['1600 plain characters', 'a'.repeat(1600), gsm7(11)],
  ['80 brackets', ']'.repeat(80), gsm7(1)],
  ['153 brackets, 76 to a part', ']'.repeat(153), gsm7(3)],
  ['159 characters with one euro sign', `${'a'.repeat(158)}€`, gsm7(1)],
  ['160 characters with one euro sign', `${'a'.repeat(159)}€`, gsm7(2)],
  ['a bracket that fits the end of a part', `${'a'.repeat(151)}[${'a'.repeat(153)}`, gsm7(2)],
  ['a bracket that would straddle two parts', `${'a'.repeat(152)}[${'a'.repeat(152)}`, gsm7(3)],
  ['35 emoji', '😀'.repeat(35), ucs2(1)],
  ['36 emoji', '😀'.repeat(36), ucs2(2)],
  ['66 emoji, 33 to a part', '😀'.repeat(66), ucs2(2)],
  ['67 emoji', '😀'.repeat(67), ucs2(3)],
  ['70 units of UCS-2', 'ж'.repeat(70), ucs2(1)],
  ['71 units of UCS-2', 'ж'.repeat(71), ucs2(2)],
  ['134 units of UCS-2', 'ж'.repeat(134), ucs2(2)],
  ['135 units of UCS-2', 'ж'.repeat(135), ucs2(3)],
  ['a lone surrogate', '\ud83d', ucs2(1)],
  ['lone high surrogates at a part boundary', '\ud83d'.repeat(134), ucs2(2)],
  ['lone low surrogates at a part boundary', '\ude00'.repeat(134), ucs2(2)],
  ['a typographic apostrophe', 'I’m here', ucs2(1)],
  ['a backtick', '`', ucs2(1)],
  ['a small c with cedilla', 'ç', ucs2(1)],
  ['a capital C with cedilla', 'Ç', gsm7(1)],
  ['a tab', '\t', ucs2(1)],
  ['an escape character', '\u001b', ucs2(1)],
  ['a line break', 'a\r\nb', gsm7(1)],
];

for (const [name, body, expected] of TABLE) {
  test(`${name}: ${expected.segments} in ${expected.encoding}`, () => {
    assert.deepEqual(countSegments(body, false), expected);
  });
}

test('a message with media is one segment, and its encoding is still returned', () => {
  assert.deepEqual(countSegments('', true), gsm7(1));
  assert.deepEqual(countSegments('a'.repeat(1600), true), gsm7(1));
  assert.deepEqual(countSegments('😀'.repeat(800), true), ucs2(1));
});

test('every single code unit gets the encoding of the GSM 03.38 tables', () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code);
    const expected = BASIC.has(character) || EXTENSION.has(character) ? 'gsm7' : 'ucs2';
    assert.equal(countSegments(character, false).encoding, expected, `U+${code.toString(16)}`);
  }
});

const charactersOf = (...alphabet: string[]) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: 0, maxLength: 700 });

test('counting agrees with parts built one character at a time', () => {
  const mixed = fc.oneof(
    charactersOf('a', ' ', 'é', '\n'),
    charactersOf('a', 'b', '[', '€', '~'),
    charactersOf(']', 'a'),
    charactersOf('a', '😀', 'ж'),
    charactersOf('😀', '\ud83d', '\ude00', 'x'),
    fc.string({ unit: character, maxLength: 400 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
  );
  checkProperty(fc.property(mixed, agreesWithReference), { runs: 1500 });
});

test('counting agrees at every length around the part boundaries', () => {
  for (let length = 0; length <= 480; length += 1) {
    for (const tail of ['', '[', '€€', '😀', 'ж', '\ud83d']) agreesWithReference(`${'a'.repeat(length)}${tail}bbbb`);
  }
});
