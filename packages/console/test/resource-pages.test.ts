import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ID_PREFIXES } from '../../../src/lib/ids.ts';
import { apiPathOfId, pageOfId } from '../src/app/resource-pages.ts';

const { paths } = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));
const reads = new Set(Object.keys(paths).filter((path) => paths[path].get !== undefined));

test('each thing with a page is read at the path that is copied from it', () => {
  const prefixes = Object.values(ID_PREFIXES).filter((prefix) => pageOfId(`${prefix}_1`) !== undefined);
  const unread = prefixes.filter((prefix) => apiPathOfId(`${prefix}_1`) === undefined);
  assert.deepEqual(unread, ['wcl']);
  assert.ok(prefixes.length > 10, `${prefixes}`);
  for (const prefix of prefixes.filter((each) => !unread.includes(each))) {
    const path = apiPathOfId(`${prefix}_1`)?.replace(`${prefix}_1`, '{');
    assert.ok(
      [...reads].some((known) => known.replace(/\{\w+\}$/, '{') === path),
      `${prefix}: ${path}`,
    );
  }
});
