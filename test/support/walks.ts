/** The walks of docs/architecture.md: the files of a path through the product, in reading order. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** A walk by its heading, such as `A send`: its files by path from the root. */
export type Walks = ReadonlyMap<string, readonly string[]>;

const HEADING = /^\*\*(.+?)\*\*/;
const BASE = /[Ii]n\s`(src\/[^`]+)`/;
const ITEM = /^\d+\.(?: to \d+\.)? `([^`]+)`(?: to `([^`]+)`, as in the (?<other>[\w-]+))?/;

/** Reads the walks of the page. Fails if the numbers of a walk have a gap. */
export function readWalks(): Walks {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const section = page.split('\n## ').find((part) => part.startsWith('Five walks')) ?? assert.fail('no walks');
  const walks = new Map<string, string[]>();
  for (const part of section.split(/\n(?=\*\*)/).slice(1)) {
    const name = HEADING.exec(part)?.[1] ?? assert.fail(part);
    const base = BASE.exec(part)?.[1] ?? assert.fail(`${name} names no folder`);
    const resolve = (path: string) => (path.startsWith('src/') ? path : posix.join(base, path));
    const files: string[] = [];
    for (const line of part.split('\n')) {
      const item = ITEM.exec(line);
      if (item === null) continue;
      assert.equal(Number.parseInt(line, 10), files.length + 1, `${name}: ${line}`);
      const [, first = '', last = first] = item;
      if (item.groups?.['other'] === undefined) files.push(resolve(first));
      else files.push(...stretchOf(walks, item.groups['other'], [resolve(first), resolve(last)]));
    }
    walks.set(name, files);
  }
  return walks;
}

function stretchOf(walks: Walks, other: string, [first, last]: readonly [string, string]): readonly string[] {
  const files = [...walks].find(([name]) => name.endsWith(other))?.[1] ?? assert.fail(`no walk ${other}`);
  const stretch = files.slice(files.indexOf(first), files.indexOf(last) + 1);
  assert.ok(stretch.length > 0, `${first} to ${last} is no stretch of ${other}`);
  return stretch;
}

const IMPORT = /from '(\.[^']+)'/g;

/** Returns the imports of a file, including types, and the exports of an imported `index.ts`. */
export function importsOf(file: string): ReadonlySet<string> {
  const direct = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, path = '']) =>
    posix.join(posix.dirname(file), path),
  );
  return new Set(direct.flatMap((path) => (path.endsWith('/index.ts') ? [...importsOf(path)] : [path])));
}
