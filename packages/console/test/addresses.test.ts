/** Addresses that come from outside. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownPath, webAddress } from '../src/lib/addresses.ts';

test('a sign-in returns to a path of the console, and to no other address', () => {
  for (const path of ['/', '/calls?status=failed#top', '/inbox/cnv_1', '/a//b']) assert.equal(ownPath(path), path);
  const others = ['https://evil.example', '//evil.example', '/\\evil.example', '\\\\evil.example', 'calls', ''];
  const hidden = ['/\t/evil.example', '/\n/evil.example', '/a\\b', 'javascript:alert(1)', ' //evil.example'];
  for (const other of [...others, ...hidden, undefined, 1, ['/calls']])
    assert.equal(ownPath(other), '/', String(other));
});

test('media of a text is a link only to an address of the web', () => {
  assert.equal(webAddress('https://cdn.example/cat.png'), 'https://cdn.example/cat.png');
  assert.equal(webAddress('HTTP://cdn.example/cat.png'), 'http://cdn.example/cat.png');
  const others = ['javascript:alert(1)', ' java\nscript:alert(1)', 'data:text/html,x', 'blob:x', 'cat.png', ''];
  for (const other of others) assert.equal(webAddress(other), undefined, other);
});
