import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorPages } from './gen-errors.ts';

const groups = { request: 'Request shape', auth: 'Keys' };
const missing = { status: 401, group: 'auth', message: 'No key.', remedy: 'Send one.' };

test('each code stands in the section of its group, sections in the order of the groups', () => {
  const invalid = { status: 400, group: 'request', message: 'Not JSON.', remedy: 'Send JSON.' };
  const page = errorPages({ missing_api_key: missing, invalid_json: invalid }, groups);
  const places = ['## Request shape', '`invalid_json` | 400 |', '## Keys', '`missing_api_key` | 401 |'];
  const found = places.map((text) => page.indexOf(text));
  assert.ok(!found.includes(-1), page);
  assert.deepEqual(
    found,
    found.toSorted((a, b) => a - b),
  );
});

test('a code can be linked to', () => {
  assert.match(errorPages({ missing_api_key: missing }, groups), /<a id="missing_api_key"><\/a>/);
});

test('text cannot break the table or turn into markup', () => {
  const remedy = 'Send "Bearer <key>" | or\nnothing';
  const page = errorPages({ missing_api_key: { ...missing, remedy } }, groups);
  assert.ok(page.includes('| Send "Bearer &lt;key>" \\| or nothing |'), page);
});

test('a code of an unknown group is refused', () => {
  assert.throws(() => errorPages({ odd: { ...missing, group: 'odd' } }, groups), /unknown group odd/);
});
