import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownValue } from './own-value.ts';

test('a table has the values that were put into it, and none that every object inherits', () => {
  assert.equal(ownValue({ busy: 'x' }, 'busy'), 'x');
  assert.equal(ownValue({ constructor: 'x' } as Record<string, unknown>, 'constructor'), 'x');
  for (const name of ['idle', 'constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    assert.equal(ownValue({ busy: 'x' }, name), undefined, name);
  }
});
