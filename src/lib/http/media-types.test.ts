import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extensionOf, mediaTypeOf, mediaTypeOfName } from './media-types.ts';

test('a media type has no case and no parameters', () => {
  for (const type of ['image/jpeg', 'IMAGE/JPEG', 'image/jpeg; charset=binary', ' Image/Jpeg ;q="a;b"', 'image/jpg'])
    assert.equal(mediaTypeOf(type), 'image/jpeg', type);
  assert.equal(mediaTypeOf('text/x-vCard; charset=utf-8'), 'text/vcard');
  assert.equal(mediaTypeOf('application/vnd.oma.drm.message'), 'application/vnd.oma.drm.message');
});

test('a text that names no media type has none', () => {
  for (const type of [
    null,
    '',
    'image',
    'image/',
    '/jpeg',
    'image/jpeg image/png',
    'a/b/c',
    `a/${'b'.repeat(200)}`,
    'i/"',
  ])
    assert.equal(mediaTypeOf(type), null, String(type));
});

test('a file name and a type give each other, and another type has the extension bin', () => {
  assert.equal(mediaTypeOfName('/a/photo.JPEG'), 'image/jpeg');
  assert.equal(mediaTypeOfName('/a/photo'), null);
  assert.equal(mediaTypeOfName('/a/constructor'), null);
  assert.equal(extensionOf('image/jpeg'), 'jpg');
  assert.equal(extensionOf('video/3gpp'), '3gp');
  assert.equal(extensionOf('text/html'), 'bin');
});
