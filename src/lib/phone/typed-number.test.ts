import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

// Packages import neither the server nor each other, so each has a copy of the list.
const READERS = [
  'src/lib/phone/typed-number.ts',
  'packages/console/src/lib/numbers.ts',
  'packages/softphone/src/emergency-number.js',
];

test('the server, the console and the softphone library ignore the same characters between digits', () => {
  const lists = READERS.map((path) => /BETWEEN_DIGITS =\s+(\/.+\/gu);/.exec(readFileSync(path, 'utf8'))?.[1]);
  assert.ok(lists[0] !== undefined);
  assert.deepEqual(new Set(lists).size, 1, lists.join('\n'));
});
