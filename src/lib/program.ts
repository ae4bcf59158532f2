/** Facts about the program. It runs as TypeScript in a checkout, and as JavaScript in the npm package. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const IS_COMPILED = import.meta.url.endsWith('.js');

/** The version in package.json. */
export const VERSION: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

/** What an operator types before the name of a command. */
export const PROGRAM = IS_COMPILED ? 'npx dialplane' : 'node bin/dialplane.mjs';

/** What an operator types to start the server. */
export const START_PROGRAM = IS_COMPILED ? 'npx dialplane start' : 'npm start';

/** The address of a file of the build; defined in a build alone (scripts/bootstrap/program.mjs). */
declare const BUILT_AT: string | undefined;

/** Returns the address of the module that a thread runs, for that of its source: the compiler changes only imports. */
export function threadModule(source: URL): URL {
  if (typeof BUILT_AT === 'string') return new URL(`${basename(source.pathname, '.ts')}.js`, BUILT_AT);
  return IS_COMPILED ? new URL(source.href.replace(/\.ts$/, '.js')) : source;
}
