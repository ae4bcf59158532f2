import { execFileSync } from 'node:child_process';
import { matchesGlob, posix } from 'node:path';
import type { ImportGraph } from './import-graph.ts';

/**
 * Files that put the product together. Nearly all tests start the whole product, and so import every file of it through
 * these. A test that leads to a changed file only through such an import is not selected.
 */
const ASSEMBLY = /^src\/(server\/|main\.ts$|cli\/run\.ts$)|^src\/.*\/(index|plugin|routes)\.ts$/;

/** Tests of files that are not imported but read, started or built. */
const ALSO: readonly { files: RegExp; tests: readonly string[] }[] = [
  { files: /^migrations\//, tests: ['src/db/**', 'test/support/database.test.ts', 'test/scenarios/restore.test.ts'] },
  { files: /^openapi(-operator)?\.json$|^src\/http\/openapi\//, tests: ['test/contract/openapi.test.ts'] },
  { files: /^src\/.*\/(routes|schemas?)\.ts$/, tests: ['test/contract/{openapi,forms,replies}.test.ts'] },
  {
    files: /^docs\/|^README\.md$|^CONTRIBUTING\.md$/,
    tests: ['test/scenarios/{docs,readme}.test.ts', 'src/http/site/**'],
  },
  { files: /^examples\//, tests: ['test/scenarios/examples.test.ts'] },
  { files: /^deploy\//, tests: ['test/deploy/**'] },
  { files: /^bin\/|^scripts\/bootstrap/, tests: ['scripts/bootstrap/**'] },
  { files: /^package(-lock)?\.json$/, tests: ['test/deploy/packages.test.ts', 'scripts/bootstrap/**'] },
  { files: /^packages\/sdk\//, tests: ['packages/sdk/test/**'] },
  { files: /^packages\/softphone\//, tests: ['packages/softphone/test/**', 'test/browser/softphone*.test.ts'] },
  { files: /^packages\/i18n\//, tests: ['packages/i18n/test/**', 'test/browser/embed*.test.ts'] },
  { files: /^packages\/embeds\//, tests: ['test/browser/embed*.test.ts'] },
  { files: /^packages\/console\//, tests: ['packages/console/test/**', 'test/console/frame.test.ts'] },
];

/**
 * Returns the files that differ from the last commit of `main` that this branch has: on `main` the files that are not
 * committed, on another branch also the files of its commits. Deleted and new files are among them.
 */
export function findChangedFiles(): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' });
  const base = git('merge-base', 'HEAD', 'main').trim();
  const outputs = [
    git('diff', '--name-only', '--no-renames', '-z', base),
    git('ls-files', '--others', '--exclude-standard', '-z'),
  ];
  return outputs.flatMap((output) => output.split('\0').filter((path) => path !== ''));
}

/**
 * Returns the tests that a change can make fail: tests next to the changed files, tests that reach one by imports or
 * name it by its path, and tests of the table above.
 */
export function selectTests(changed: readonly string[], tests: readonly string[], graph: ImportGraph): string[] {
  const reaching = findReaching(changed, graph);
  const folders = changed.filter((path) => /^(src|scripts|test)\/.*\//.test(path)).map((path) => posix.dirname(path));
  const globs = changed.flatMap((path) => ALSO.filter(({ files }) => files.test(path)).flatMap((each) => each.tests));
  return tests.filter(
    (test) =>
      reaching.has(test) ||
      folders.some((folder) => test.startsWith(`${folder}/`)) ||
      globs.some((glob) => matchesGlob(test, glob)),
  );
}

/** Returns the changed files and the files that lead to one. Does not follow files that put the product together. */
export function findReaching(changed: readonly string[], graph: ImportGraph): Set<string> {
  const users = new Map<string, string[]>();
  for (const [user, used] of graph) for (const path of used) users.set(path, [...(users.get(path) ?? []), user]);
  const folders = [...users.keys()].filter((path) => path.endsWith('/'));
  const reaching = new Set(changed);
  // The loop also visits the paths that it adds.
  for (const path of reaching) {
    if (ASSEMBLY.test(path) && !changed.includes(path)) continue;
    const names = [path, ...folders.filter((folder) => path.startsWith(folder))];
    for (const user of names.flatMap((name) => users.get(name) ?? [])) reaching.add(user);
  }
  return reaching;
}
