/**
 * The package of the SDK as a tar file, which the server compresses and serves: `npm install http://HOST/sdk.tgz`. It
 * is stored uncompressed, because compressors of other machines make other bytes.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
/** The compilations of `build` in the package.json of the SDK: the scripts without comments, the types with them. */
const COMPILATIONS = [['--declaration', 'false', '--removeComments'], ['--emitDeclarationOnly']];
const COPIED = ['LICENSE', 'README.md', 'package.json'];
const BLOCK_BYTES = 512;
/** The time of all files, in seconds. npm gives every file this time. */
const MODIFIED_AT = 499_162_500;

/**
 * Compiles the SDK and puts it into a tar file.
 * @param generated contents of the files in `src/generated`, which may be of an earlier version on disk
 */
export async function sdkPackage(generated: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dialplane-sdk-'));
  try {
    for (const name of ['src', 'tsconfig.build.json', ...COPIED]) {
      await cp(join(ROOT, 'packages/sdk', name), join(folder, name), { recursive: true });
    }
    for (const [name, text] of Object.entries(generated)) await writeFile(join(folder, 'src/generated', name), text);
    for (const options of COMPILATIONS) {
      await promisify(execFile)(process.execPath, [COMPILER, '-p', join(folder, 'tsconfig.build.json'), ...options]);
    }
    const made = await readdir(join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
    const paths = made
      .filter((name) => /\.(?:js|d\.ts)$/.test(name))
      .map((name) => `dist/${name.replaceAll('\\', '/')}`);
    const entries: string[] = [];
    for (const path of [...COPIED, ...paths].sort()) {
      entries.push(entryOf(`package/${path}`, await readFile(join(folder, path))));
    }
    return `${entries.join('')}${'\0'.repeat(2 * BLOCK_BYTES)}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns a file of a tar archive: its header and its contents (POSIX ustar). */
function entryOf(path: string, contents: Buffer): string {
  const padding = '\0'.repeat((BLOCK_BYTES - (contents.length % BLOCK_BYTES)) % BLOCK_BYTES);
  return `${headerOf(path, contents.length)}${contents.toString('utf8')}${padding}`;
}

function headerOf(path: string, bytes: number): string {
  if (path.length > 100 || !/^[\x21-\x7e]+$/.test(path)) throw new Error(`${path} does not fit into a header`);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  const before =
    path.padEnd(100, '\0') + octal(0o644, 8) + octal(0, 8) + octal(0, 8) + octal(bytes, 12) + octal(MODIFIED_AT, 12);
  const behind = `0${'\0'.repeat(100)}ustar\x0000`.padEnd(BLOCK_BYTES - before.length - 8, '\0');
  const sum = [...Buffer.from(`${before}        ${behind}`)].reduce((total, byte) => total + byte, 0);
  return `${before}${sum.toString(8).padStart(6, '0')}\0 ${behind}`;
}
