/** Facts about the program. It runs as TypeScript in a checkout, and as JavaScript in the npm package. */
import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const IS_COMPILED = import.meta.url.endsWith('.js');

/** The version in package.json. */
export const VERSION: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

/** Folders of PATH. They contain the programs of the image, and programs that npm installed for all users. */
const PROGRAM_FOLDERS = [dirname(process.execPath), '/usr/local/bin'];

/** Returns "dialplane" if one of the folders has a link of that name to the entry, otherwise "npx dialplane". */
export function findProgram(folders: readonly string[], entry: string): string {
  const target = realPathOf(entry);
  const isLinked = folders.some((folder) => target !== undefined && realPathOf(join(folder, 'dialplane')) === target);
  return isLinked ? 'dialplane' : 'npx dialplane';
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    // The folder does not have the program, or this user may not read the folder.
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  }
}

/** The words that an operator types before the name of a command. */
export const PROGRAM = IS_COMPILED
  ? findProgram(PROGRAM_FOLDERS, fileURLToPath(new URL('../../bin/dialplane.mjs', import.meta.url)))
  : 'node bin/dialplane.mjs';

/** The command that starts the server. */
export const START_PROGRAM = IS_COMPILED ? `${PROGRAM} start` : 'npm start';

/** The address of the built file. Defined only in a build (scripts/bootstrap/program.mjs). */
declare const BUILT_AT: string | undefined;

/**
 * Returns the address of the module that a thread runs, from the address of its source. The compiler rewrites only
 * imports, not such addresses.
 */
export function threadModule(source: URL): URL {
  if (typeof BUILT_AT === 'string') return new URL(`${basename(source.pathname, '.ts')}.js`, BUILT_AT);
  return IS_COMPILED ? new URL(source.href.replace(/\.ts$/, '.js')) : source;
}
