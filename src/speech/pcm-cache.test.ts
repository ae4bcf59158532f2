import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPcmCache } from './pcm-cache.ts';

const second = () => new Int16Array(8_000);

test('the least recently used entry is dropped first when the bytes are full', () => {
  const cache = createPcmCache(2 * 16_002);
  cache.keep('a', second());
  cache.keep('b', second());
  assert.ok(cache.find('a'));
  cache.keep('c', second());
  assert.deepEqual(
    ['a', 'b', 'c'].map((text) => cache.find(text) !== undefined),
    [true, false, true],
  );
});

test('an entry that is too large is not kept, and drops no other', () => {
  const cache = createPcmCache(16_002);
  cache.keep('a', second());
  cache.keep('b', new Int16Array(8_001));
  assert.ok(cache.find('a'));
  assert.equal(cache.find('b'), undefined);
});

test('a text that is kept again counts once', () => {
  const cache = createPcmCache(2 * 16_002);
  for (let i = 0; i < 5; i++) cache.keep('a', second());
  cache.keep('b', second());
  assert.ok(cache.find('a'));
  assert.ok(cache.find('b'));
});
