import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../test/support/property.ts';
import { cleanName, isAnonymousAddress, NAME_CHARS_MAX, readDisplayName } from './display-name.ts';

const ADDRESS = '<sip:+13035550111@trunk.example;user=phone>;tag=a,b';

test('a display name is read with and without quotes, in any language, with its escapes decoded', () => {
  const forms: [header: string, name: string | undefined][] = [
    [`"Dana Reyes" ${ADDRESS}`, 'Dana Reyes'],
    [`"Dana Reyes"${ADDRESS}`, 'Dana Reyes'],
    [`  Dana   Reyes ${ADDRESS}`, 'Dana   Reyes'],
    [`"Zoë, 田中 \u{1f642}" ${ADDRESS}`, 'Zoë, 田中 \u{1f642}'],
    // RFC 3261, 25.1: quoted-pair.
    [String.raw`"Dana \"Dee\" \\ <Reyes>" ${ADDRESS}`, String.raw`Dana "Dee" \ <Reyes>`],
    [ADDRESS, undefined],
    [`"" ${ADDRESS}`, undefined],
    [`" " ${ADDRESS}`, undefined],
    ['sip:+13035550111@trunk.example;tag=a', undefined],
    [`"Dana ${ADDRESS}`, undefined],
    ['', undefined],
    // RFC 3325, 9.1: a SIP URI and a tel URI.
    [`<sip:+13035550111@trunk.example>, "Dana" <tel:+13035550111>`, 'Dana'],
    [`"Dana" <sip:+13035550111@trunk.example>, "Lee" <tel:+13035550111>`, 'Dana'],
  ];
  for (const [header, name] of forms) assert.equal(readDisplayName(header), name, header);
});

test('any name comes back from a header in which its quotes and backslashes are escaped', () => {
  const named = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }).filter((name) => name.trim() !== '');
  checkProperty(
    fc.property(named, fc.constantFrom('', ' ', '\t'), (name, gap) => {
      const quoted = `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
      assert.equal(readDisplayName(`${quoted}${gap}${ADDRESS}`), name.trim());
    }),
  );
});

test('a name is one line of at most 80 characters, without controls, and the same when it is cleaned again', () => {
  checkProperty(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
      const clean = cleanName(name);
      if (clean === undefined) return;
      assert.ok([...clean].length <= NAME_CHARS_MAX && clean.isWellFormed(), clean);
      assert.doesNotMatch(clean, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]|^\s|\s$|\s\s/u);
      assert.equal(cleanName(clean), clean);
    }),
  );
});

test('control characters and those that turn the direction of text are removed from a name, and its letters stay', () => {
  const names: [given: string, kept: string | undefined][] = [
    ['Da\u0000\u001b[31mna\u007f', 'Da[31mna'],
    ['Dana\r\nX-Header:\tReyes', 'Dana X-Header: Reyes'],
    ['\u202eanaD\u202c \u2066Reyes', 'anaD Reyes'],
    ['  Zoë   田中  ', 'Zoë 田中'],
    ['Dana \u0000 Reyes', 'Dana Reyes'],
    ['\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
    [`${'a'.repeat(79)}\u{1f642}b`, `${'a'.repeat(79)}\u{1f642}`],
    ['\u0007 \u200e', undefined],
    ['', undefined],
  ];
  for (const [given, kept] of names) assert.equal(cleanName(given), kept, given);
});

test('the address of a caller who is not named is told from others', () => {
  for (const header of ['"Anonymous" <sip:anonymous@anonymous.invalid>', '"X" <sips:ANONYMOUS@192.0.2.1>;tag=1']) {
    assert.ok(isAnonymousAddress(header), header);
  }
  assert.ok(isAnonymousAddress('<sip:+13035550111@anonymous.invalid>'));
  for (const header of [`"Anonymous" ${ADDRESS}`, '"A" <sip:anonymous.person@pbx.example>', '']) {
    assert.ok(!isAnonymousAddress(header), header);
  }
});
