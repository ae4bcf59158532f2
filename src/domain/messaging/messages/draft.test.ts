import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../../test/support/property.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { checkDraft, isBodyTooLong, PREVIEW_CHARS_MAX, previewOf } from './draft.ts';
import { BODY_CHARS_MAX } from './rules.ts';

const SEEN = ['a', '.', '😀', '\u0301', ' a\u200b', '\ud83d', 'ـ'];
const UNSEEN = ['', ' ', '\n\t', '\u200b', '\u200d\u200c', '\u2060', '\ufeff', '\u00ad', '\u3164', '\u2800', '\u0007'];

/** Returns the error code of a draft, or 'fine'. */
function judge(body: string, media_urls: string[] = []): string {
  try {
    checkDraft({ from: 'num_1', to: '+16025550143', body, media_urls });
    return 'fine';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

test('a body that a handset shows nothing of is an empty message', () => {
  for (const body of [...UNSEEN, UNSEEN.join('')]) assert.equal(judge(body), 'empty_message', JSON.stringify(body));
  for (const body of SEEN) assert.notEqual(judge(body), 'empty_message', JSON.stringify(body));
});

test('all mistakes of a send are collected, in the documented order', () => {
  const wanted = {
    from: 'num_1',
    to: 'nobody',
    body: 'x'.repeat(1_601),
    media_urls: ['https://a.example/', 'http://b/'],
  };
  assert.throws(
    () => checkDraft(wanted),
    (error: ApiError) => {
      assert.deepEqual([error.code, error.param], ['body_too_long', 'body']);
      const found = error.fields.map(({ param, code }) => [param, code]);
      assert.deepEqual(found, [
        ['body', 'body_too_long'],
        ['media_urls[1]', 'invalid_body'],
        ['to', 'invalid_to'],
      ]);
      return true;
    },
  );
});

test('with media a blank body is accepted', () => {
  for (const body of UNSEEN) assert.equal(judge(body, ['https://example.com/a.png']), 'fine', JSON.stringify(body));
});

test('the content type of media is guessed from the ending of its name, and is null for every other ending', () => {
  const typeOf = (url: string) =>
    checkDraft({ from: 'num_1', to: '+16025550143', body: '', media_urls: [url] }).media[0]?.content_type;
  assert.equal(typeOf('https://example.com/a.PNG?size=1'), 'image/png');
  for (const name of ['a.png.zip', 'a', 'a.', 'a.constructor', 'a.__proto__', 'constructor']) {
    assert.equal(typeOf(`https://example.com/${name}`), null, name);
  }
});

test('a media address on this machine is refused', () => {
  for (const url of [
    'http://localhost/a.png',
    'https://localhost/a.png',
    'https://[::1]/a.png',
    'https://2130706433/a',
  ]) {
    assert.equal(judge('Hi', [url]), 'invalid_body', url);
  }
});

test('a body of 1600 characters is accepted and one of 1601 is refused; an emoji is one character', () => {
  for (const character of ['a', 'é', '😀']) {
    assert.equal(isBodyTooLong(character.repeat(BODY_CHARS_MAX)), false, character);
    assert.equal(isBodyTooLong(character.repeat(BODY_CHARS_MAX + 1)), true, character);
  }
  assert.equal(isBodyTooLong(''), false);
  assert.equal(isBodyTooLong(`${'a'.repeat(BODY_CHARS_MAX - 1)}😀`), false);
  assert.equal(isBodyTooLong('a'.repeat(10 * BODY_CHARS_MAX)), true);
});

test('a short one-line body is its own preview', () => {
  for (const body of ['ok', 'See you at 3 😀', 'a'.repeat(PREVIEW_CHARS_MAX)]) assert.equal(previewOf(body, 0), body);
  assert.equal(previewOf('Photo of the leak', 2), 'Photo of the leak');
});

test('a preview is one line without stray white space', () => {
  assert.equal(previewOf('  Hi,\r\n\r\nyour   car\tis ready. ', 0), 'Hi, your car is ready.');
});

test('the preview of media without a body is their count', () => {
  assert.equal(previewOf('', 1), '[media]');
  assert.equal(previewOf('', 3), '[3 media]');
  assert.equal(previewOf(' \n ', 1), '[media]');
  assert.equal(previewOf('', 0), '');
});

test('a longer body is cut with an ellipsis', () => {
  assert.equal(previewOf('a'.repeat(121), 0), `${'a'.repeat(119)}…`);
  assert.equal(previewOf(`${'a'.repeat(118)} ${'b'.repeat(10)}`, 0), `${'a'.repeat(118)}…`);
});

test('a preview never halves a surrogate pair and never exceeds its limit', () => {
  assert.equal(previewOf(`${'a'.repeat(118)}😀😀`, 0), `${'a'.repeat(118)}…`);
  checkProperty(
    fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '😀', 'é'), maxLength: 400 }), (body) => {
      const preview = previewOf(body, 0);
      assert.ok(preview.length <= PREVIEW_CHARS_MAX);
      assert.ok(preview.isWellFormed());
      assert.ok(!/[^\S ]| {2}|^ | $/.test(preview), JSON.stringify(preview));
      if (body.trim() !== '') assert.notEqual(preview, '');
    }),
    { runs: 1000 },
  );
});
