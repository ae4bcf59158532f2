import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from '../../test/support/programs.ts';

/** The programs of a machine with Node and npm: a shell, and the usual tools of files and texts. */
const TOOLS = [
  ...['npm', 'npx', 'sh', 'env', 'id', 'uname', 'hostname', 'true', 'false', 'test', 'sleep', 'kill', 'ps', 'mktemp'],
  ...['cat', 'ls', 'cp', 'mv', 'rm', 'ln', 'mkdir', 'rmdir', 'chmod', 'chown', 'touch', 'stat', 'readlink', 'realpath'],
  ...['grep', 'sed', 'awk', 'find', 'xargs', 'sort', 'uniq', 'head', 'tail', 'cut', 'tr', 'wc', 'tar', 'gzip', 'date'],
  ...['dirname', 'basename', 'printf', 'echo', 'du', 'df', 'tee', 'nice', 'timeout', 'mount', 'setpriv', 'chroot'],
];

/**
 * Makes a folder with links to these tools and to this Node, and returns it as the PATH of a machine that lacks all
 * other programs.
 */
export function makeBarePath(folder: string): string {
  mkdirSync(folder);
  symlinkSync(process.execPath, join(folder, 'node'));
  for (const name of TOOLS) {
    const found = findOnPath([name]);
    if (found !== undefined) symlinkSync(found, join(folder, name));
  }
  return folder;
}
