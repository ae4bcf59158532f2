import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { MUTATIONS } from './all.ts';
import { edited } from './mutation.ts';

test('each edit finds its text once, and its test files exist', () => {
  const wrong = MUTATIONS.flatMap((mutation) => {
    const missing = mutation.tests.filter((path) => !existsSync(path));
    try {
      const text = readFileSync(mutation.file, 'utf8');
      return edited(text, mutation) === text ? [`"${mutation.guarantee}" changes nothing`] : missing;
    } catch (error) {
      return [(error as Error).message, ...missing];
    }
  });
  assert.deepEqual(wrong, []);
});

test('the page of results has a row for each edit, in order, with the file that it is in', () => {
  const page = readFileSync('docs/mutations.md', 'utf8');
  const rows = [...page.matchAll(/^\| (\d+) \| (.*) \| `([^`]+)` \| .* \|$/gm)].map(([, ...cells]) => cells);
  const expected = MUTATIONS.map(({ guarantee, file }, index) => [
    String(index + 1),
    guarantee.replaceAll('|', '\\|'),
    file,
  ]);
  assert.deepEqual(rows, expected);
});
