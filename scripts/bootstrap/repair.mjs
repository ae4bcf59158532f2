// Removes packages that are not whole, so that npm installs them again. npm counts a package as installed if its
// package.json is there, also if an install was killed while it unpacked the rest.
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readLocks } from './installed.mjs';

/**
 * Removes the packages that npm's record does not have, or has in another version. npm writes the record last, so an
 * install that was killed may have unpacked a part of each.
 */
export function removeUnrecorded(root) {
  const { wanted, present } = readLocks(root);
  for (const [path, { version, integrity }] of packagesOf(wanted)) {
    const found = present?.packages?.[path];
    if (found?.version !== version || found?.integrity !== integrity) removePackage(root, path);
  }
}

/**
 * Removes damaged packages of development, and returns their number. A package is damaged if one of its files is
 * missing or has another size than in npm's cache. A package that is not in the cache counts as whole. Other packages
 * stay: a program may be running on them.
 */
export function removeDamaged(root, cache) {
  const development = packagesOf(readLocks(root).present).filter(([, entry]) => entry.dev === true);
  const damaged = development.filter(([path, { integrity }]) => {
    const archive = readArchive(cache, integrity);
    return archive !== undefined && !hasFiles(join(root, path), archive);
  });
  for (const [path] of damaged) removePackage(root, path);
  return damaged.length;
}

function packagesOf(lock) {
  return Object.entries(lock?.packages ?? {}).filter(([path, { link }]) => path !== '' && link !== true);
}

function removePackage(root, path) {
  rmSync(join(root, path), { recursive: true, force: true });
}

/** Returns the unzipped archive of a package from npm's cache, which has it under its hash. */
function readArchive(cache, integrity) {
  const hash = /(?<=^sha512-)\S+/.exec(integrity ?? '')?.[0];
  if (hash === undefined) return undefined;
  const hex = Buffer.from(hash, 'base64').toString('hex');
  const file = join(cache, '_cacache/content-v2/sha512', hex.slice(0, 2), hex.slice(2, 4), hex.slice(4));
  try {
    return gunzipSync(readFileSync(file));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** True if the folder has every file of the archive, each with its size there. */
function hasFiles(folder, archive) {
  return listFiles(archive).every(({ path, size }) => {
    // npm renames it.
    if (path.endsWith('.gitignore')) return true;
    return statSync(join(folder, path), { throwIfNoEntry: false })?.size === size;
  });
}

const BLOCK = 512;

/** Lists the files of an archive, without the folder that all are in (the pax format of POSIX.1-2024). */
function listFiles(archive) {
  const files = [];
  let longPath;
  let at = 0;
  while (at + BLOCK <= archive.length && archive[at] !== 0) {
    const header = archive.subarray(at, at + BLOCK);
    const size = Number.parseInt(field(header, 124, 12), 8);
    const type = field(header, 156, 1);
    if (type === 'x') {
      longPath = /(?<=\d path=).*/.exec(archive.toString('utf8', at + BLOCK, at + BLOCK + size))?.[0];
    } else {
      const path = longPath ?? [field(header, 345, 155), field(header, 0, 100)].filter(Boolean).join('/');
      longPath = undefined;
      if (type === '0' || type === '') files.push({ path: path.slice(path.indexOf('/') + 1), size });
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

function field(header, from, length) {
  return header.toString('utf8', from, from + length).replace(/\0.*$/s, '');
}
