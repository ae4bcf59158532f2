import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permute, seedOf } from './permutation.ts';

test('a permutation returns every value of its range exactly once', () => {
  for (const size of [1, 2, 3, 10, 100, 787, 1000, 4096, 4097, 78_700]) {
    for (const seed of [0, 1, 2026, seedOf('480'), 0xffffffff]) {
      const seen = new Set(Array.from({ length: size }, (_, index) => permute(index, size, seed)));
      assert.equal(seen.size, size);
      assert.ok([...seen].every((value) => Number.isInteger(value) && value >= 0 && value < size));
    }
  }
});

test('a different seed gives a different order', () => {
  const order = (seed: number) => Array.from({ length: 20 }, (_, index) => permute(index, 7_870_000, seed));
  assert.deepEqual(order(1), order(1));
  assert.notDeepEqual(order(seedOf('480')), order(seedOf('602')));
  assert.notEqual(order(seedOf('480'))[0], order(seedOf('602'))[0]);
});
