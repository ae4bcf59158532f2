/**
 * Compiles `src/` to `dist/` for the npm package, and builds the console: `npm run build`, which npm also runs before
 * it packs. Node runs no TypeScript inside node_modules. Each file becomes one file at the same depth, so the paths
 * that the program makes from its own address lead to the same places.
 */
import { execFile } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildOrRepair, findOutdated, ROOT } from '../src/server/console/console-build.ts';

/** The compiler writes the modules, and the JSON that they import. */
const BY_COMPILER = new Set(['.ts', '.json']);

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await rm('dist', { recursive: true, force: true });
await promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']).catch(
  ({ stdout, message }: { stdout?: string; message: string }) => {
    console.error(stdout || message);
    process.exit(1);
  },
);
await cp('src', 'dist', { recursive: true, filter: (path) => !BY_COMPILER.has(extname(path)) });

const outdated = await findOutdated(ROOT);
if (outdated !== undefined) {
  await buildOrRepair({ root: ROOT, hash: outdated }).catch((error: Error) => {
    console.error(`the console could not be built:\n${error.message}`);
    process.exit(1);
  });
}
