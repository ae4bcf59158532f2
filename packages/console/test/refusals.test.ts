import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERRORS } from '../../../src/lib/errors/errors.ts';
import { refusals } from '../src/texts/refusals.es.ts';
import { ruleOf } from '../src/texts/rules.es.ts';

/** Codes of the SDK that the console can get. */
const OF_SDK = ['connection_failed', 'timeout', 'unexpected_reply', 'invalid_argument'];

test('each code of the catalogue has a Spanish sentence, and each sentence a code', () => {
  assert.deepEqual(Object.keys(refusals).sort(), [...Object.keys(ERRORS), ...OF_SDK].sort());
  for (const [code, { message }] of Object.entries(ERRORS)) assert.notEqual(refusals[code], message);
});

test('each form of a value that a schema names has Spanish words', () => {
  const sources = globSync('src/**/*.ts', { cwd: new URL('../../..', import.meta.url) }).filter(
    (path) => !path.includes('.test.'),
  );
  const texts = sources.map((path) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
  const forms = texts.flatMap((text) => [...text.matchAll(/\bform: '([^'#]+)'/g)].map(([, form = '']) => form));
  assert.ok(forms.length > 20, `${forms.length}`);
  // The form HH:MM is the same in English and Spanish.
  const english = forms.filter((form) => / /.test(form) && ruleOf(`must be ${form}.`)?.includes(form));
  assert.deepEqual(english, []);
});

test('the sentences of the schemas are read in Spanish', () => {
  for (const [english, spanish] of [
    ['must have at most 20 characters.', 'Debe tener como máximo 20 caracteres.'],
    ['must be an array or null.', 'Debe ser una lista o vacío.'],
    ['must be one of open, done.', 'Debe ser uno de: open, done.'],
    ['must be at least 1.', 'Debe ser al menos 1.'],
    ['is not a field of this request.', 'La solicitud no tiene este campo.'],
  ] as const)
    assert.equal(ruleOf(english), spanish);
  assert.equal(ruleOf('says something else.'), undefined);
});
