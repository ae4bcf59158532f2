import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Mutation } from './mutation.ts';

/** The test that noticed the broken guarantee; undefined if none did. */
export type Result = { readonly guarantee: string; readonly caughtBy: string | undefined };

const TEXT = `# What the tests notice

Each row is a guarantee of the product that \`node scripts/mutate.ts\` has broken on purpose, by an edit that a person in
a hurry could make, such as a condition that is left out or a bound that is off by one. The last column is the first
test that failed. The edits, with the test files that must catch them, are in \`scripts/mutations/\`. Whoever changes a
guarded line gets an error of the script and updates the edit; a new guarantee of weight gets an edit of its own.

| | Broken guarantee | In | Noticed by the test |
| --- | --- | --- | --- |
`;

const NOT_RUN = 'not run';
const NOT_CAUGHT = '**no test**';

const cell = (text: string) => text.replaceAll('|', '\\|');

/** Writes a result into the page. The results of other edits stay as the page has them. */
export function writeResult(path: string, mutations: readonly Mutation[], { guarantee, caughtBy }: Result): void {
  const known = new Map(existsSync(path) ? readRows(readFileSync(path, 'utf8')) : []);
  known.set(cell(guarantee), caughtBy === undefined ? NOT_CAUGHT : cell(caughtBy));
  const rows = mutations.map(({ guarantee, file }, index) => {
    const name = cell(guarantee);
    return `| ${index + 1} | ${name} | \`${file}\` | ${known.get(name) ?? NOT_RUN} |`;
  });
  writeFileSync(path, `${TEXT}${rows.join('\n')}\n`);
}

/** Returns guarantee and result of each row of the page. */
function readRows(page: string): [string, string][] {
  return [...page.matchAll(/^\| \d+ \| (.*) \| `[^`]+` \| (.*) \|$/gm)].map(([, name = '', result = '']) => [
    name,
    result,
  ]);
}
