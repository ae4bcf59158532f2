import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseLocale } from '../src/locale.ts';

const BROWSERS = { mexican: ['es-MX', 'es', 'en'], british: ['en-GB'], french: ['fr', 'es', 'en'], german: ['de'] };

test('the language that a page states decides, whatever the browser has', () => {
  assert.deepEqual(chooseLocale('es', BROWSERS.british), { language: 'es', tag: 'es-US' });
  assert.deepEqual(chooseLocale('en', BROWSERS.mexican), { language: 'en', tag: 'en-US' });
});

test('without a stated language it is the first of the browser that has texts', () => {
  assert.deepEqual(chooseLocale(undefined, BROWSERS.mexican), { language: 'es', tag: 'es-MX' });
  assert.deepEqual(chooseLocale(undefined, BROWSERS.french), { language: 'es', tag: 'es-US' });
});

test('a language without texts is English, stated or of the browser', () => {
  assert.deepEqual(chooseLocale('fr', BROWSERS.mexican), { language: 'en', tag: 'en-US' });
  assert.deepEqual(chooseLocale(undefined, BROWSERS.german), { language: 'en', tag: 'en-US' });
  assert.deepEqual(chooseLocale(undefined, []), { language: 'en', tag: 'en-US' });
});

test('dates have the region that is stated, or else that of the browser for the language', () => {
  assert.equal(chooseLocale('es-AR', BROWSERS.mexican).tag, 'es-AR');
  assert.equal(chooseLocale('es', BROWSERS.mexican).tag, 'es-MX');
  assert.equal(chooseLocale('es-419', []).tag, 'es-419');
});

test('a tag is read in any case and with an underscore, and what is no tag is English', () => {
  assert.deepEqual(chooseLocale('ES_mx', []), { language: 'es', tag: 'es-MX' });
  for (const tag of ['español', '-', 'e', '__proto__', 'constructor']) {
    assert.deepEqual(chooseLocale(tag, []), { language: 'en', tag: 'en-US' }, tag);
  }
});
