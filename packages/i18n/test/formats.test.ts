import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormats } from '../src/formats.ts';
import { lookUp } from '../src/translation.ts';

test('a plural is the form of its count, and the rest where the language has more forms than the text', () => {
  const { plural } = createFormats('es-US');
  const forms = { one: 'una parte', other: 'partes' };
  assert.deepEqual(
    [0, 1, 2, 1_000_000].map((count) => plural(count, forms)),
    ['partes', 'una parte', 'partes', 'partes'],
  );
  const polish = createFormats('pl');
  assert.deepEqual(
    [1, 3, 5].map((count) => polish.plural(count, { one: 'część', few: 'części', many: 'części (wiele)', other: '' })),
    ['część', 'części', 'części (wiele)'],
  );
});

test('numbers and dates are those of the region', () => {
  const at = new Date('2026-11-28T14:05:00Z');
  const time = { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' } as const;
  const clockOf = (tag: string) => createFormats(tag).date(time, at).replaceAll(/\s/g, '');
  assert.deepEqual(['en-US', 'es-US', 'es-ES'].map(clockOf), ['2:05PM', '2:05p.m.', '14:05']);
  assert.deepEqual(
    ['es-US', 'es-AR'].map((tag) => createFormats(tag).number(12_600)),
    ['12,600', '12.600'],
  );
});

test('a code without a text has none, also one that every object has', () => {
  const group = { sent: 'Sent' };
  assert.deepEqual(
    ['sent', 'lost', 'constructor', '__proto__'].map((code) => lookUp(group, code)),
    ['Sent', undefined, undefined, undefined],
  );
});
