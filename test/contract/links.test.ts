/** Every link of a page leads to a file of the repository, and every anchor to a heading of it. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { docPages, examplePages, ROOT, readPage } from '../support/doc-pages.ts';

const PAGES = ['README.md', 'CHANGELOG.md', ...examplePages(), ...docPages()];

/** Returns the anchors that GitHub gives the headings of a page; a repeated heading gets a number. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  const withoutCode = readPage(page).replace(/^```.*?^```$/gms, '');
  for (const [, heading = ''] of withoutCode.matchAll(/^#+ (.*)$/gm)) {
    const shown = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = shown.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
    let repeats = 0;
    while (anchors.has(repeats === 0 ? anchor : `${anchor}-${repeats}`)) repeats++;
    anchors.add(repeats === 0 ? anchor : `${anchor}-${repeats}`);
  }
  return anchors;
}

/** Returns the targets of a page's links that are not addresses of the web. */
function linksOf(page: string): string[] {
  const withoutCode = readPage(page).replace(/^```.*?^```$/gms, '');
  const targets = [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

for (const page of PAGES) {
  test(`the links of ${page} lead somewhere`, () => {
    for (const target of linksOf(page)) {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : posix.join(posix.dirname(page), path);
      assert.ok(existsSync(`${ROOT}${file}`), target);
      if (anchor !== undefined) assert.ok(anchorsOf(file).has(anchor), target);
    }
  });
}

test('each page below docs/ is in the list of pages', () => {
  const listed = new Set(linksOf('docs/README.md').map((target) => posix.join('docs', target.split('#')[0] as string)));
  assert.deepEqual(
    docPages().filter((page) => page.startsWith('docs/') && page !== 'docs/README.md' && !listed.has(page)),
    [],
  );
});
