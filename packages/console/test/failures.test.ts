/** The words for failed texts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { en } from '../src/texts/lib.en.ts';

test('the console and the documentation say the same about each reason', () => {
  const page = readFileSync(new URL('../../../docs/messaging.md', import.meta.url), 'utf8');
  const [, table = ''] = page.split('| `error_code` | Why | What to do |');
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.*?) \| (.*?) \|$/gm)].map(([, code, why, next]) => [
    code,
    { why, next },
  ]);
  const plain = (text: string) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll("'", '’');
  assert.ok(rows.length > 5);
  assert.deepEqual(JSON.parse(plain(JSON.stringify(Object.fromEntries(rows)))), en().failures);
});

test('a code that is not known is shown as it is', () => {
  assert.match(en().otherFailure.why('new_reason'), /new_reason/);
});
