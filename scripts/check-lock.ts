/**
 * Checks that package-lock.json has the hash of every package, also of packages for other systems. Without a hash npm
 * installs any file that the registry serves at that moment. npm writes no hash for optional packages that it did not
 * download.
 */
import { readFileSync } from 'node:fs';

type Lock = { readonly packages: Readonly<Record<string, { readonly link?: boolean; readonly integrity?: string }>> };

/** Returns the installed packages of a lock file without a SHA-512. Folders of the repository are none. */
export function packagesWithoutHash({ packages }: Lock): string[] {
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true)
    .map(([path]) => path);
}

if (import.meta.main) {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lock;
  const missing = packagesWithoutHash(lock);
  for (const path of missing) console.log(`${path} has no integrity: add that of npm view NAME@VERSION dist.integrity`);
  if (missing.length > 0) process.exitCode = 1;
}
