import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';

/**
 * Returns the path of the Node that package.json of the folder pins for this platform, or undefined if it is not
 * installed. npm puts it into node_modules of the folder, or of a folder above it.
 */
export function pinnedNode(root) {
  const { resolve } = createRequire(join(root, 'package.json'));
  for (const name of packageNames()) {
    const manifest = find(() => resolve(`${name}/package.json`));
    if (manifest === undefined) continue;
    const executable = join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.node);
    if (existsSync(executable)) return executable;
  }
  return undefined;
}

/** Returns true if package.json of the folder pins a Node for this platform. */
export function isPinned(root) {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return packageNames().some((name) => name in optionalDependencies);
}

function packageNames() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  return [`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`];
}

function find(resolve) {
  try {
    return resolve();
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
