/**
 * Keeps comments readable: no line of a comment is wider than the code may be. Biome wraps code and leaves comments
 * alone.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const COLUMNS_MAX = 120;
const SOURCE = /\.(ts|js|mjs|sql|env|sh)$|^\.ci\/run$/;
const COMMENT = /^\s*(\/\/|\/\*|\*|--|#)/;
/** A web address cannot be wrapped. */
const ADDRESS = /https?:\/\/\S+$/;

/** Returns the lines (counted from 1) of `text` that are comments wider than 120 columns. */
export function findWideComments(text: string): number[] {
  return text.split('\n').flatMap((line, index) => {
    const isWide = line.length > COLUMNS_MAX && COMMENT.test(line) && !ADDRESS.test(line);
    return isWide ? [index + 1] : [];
  });
}

function main(): void {
  const paths = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => SOURCE.test(path));
  let found = 0;
  for (const path of paths) {
    for (const line of findWideComments(readFileSync(path, 'utf8'))) {
      console.log(`${path}:${line} a comment wider than ${COLUMNS_MAX} columns`);
      found += 1;
    }
  }
  process.exitCode = found > 0 ? 1 : 0;
}

if (import.meta.main) main();
