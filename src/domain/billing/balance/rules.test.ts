import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carries, fallsLow } from './rules.ts';

test('traffic needs any money at all, a registration 20 USD', () => {
  assert.deepEqual(
    [-1n, 0n, 1n].map((micros) => carries(micros, 'traffic')),
    [false, false, true],
  );
  assert.deepEqual(
    [19_999_999n, 20_000_000n].map((micros) => carries(micros, 'registration')),
    [false, true],
  );
});

test('a balance falls low once, when it passes 20 USD', () => {
  assert.equal(fallsLow(20_000_000n, 19_999_999n), true);
  assert.equal(fallsLow(20_000_001n, 20_000_000n), false);
  assert.equal(fallsLow(19_999_999n, 1n), false);
});
