import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hasCode, readIfPresent, writePrivately } from '../../lib/private-files.ts';
import { monotonicMs, sleep } from '../../lib/time/time.ts';

/** The folder of one embedded install. At most one process has its lock. `release` frees the lock. */
export type DataFolder = { readonly path: string; release(): void };

/** The content of keys.json: the account of the first start and its two keys. */
export type InstallKeys = { account_id: string; test_key: string; live_key: string; base_url: string };

const SQLITE_BUSY = 5;
const LOOK_EVERY_MS = 50;

/** Another process has the lock of the folder. `message` names that process for the operator. */
export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError';
}

/** The folder cannot be created or used. `message` is a sentence for the operator. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/**
 * Creates the folder (mode 0700) if it is missing. Locks it for this process until `release` or until the process ends,
 * even by a kill.
 * @param waitMs how long to wait for a process with the lock to end
 * @throws DataFolderInUseError if another process still has the lock, DataFolderError if the folder cannot be used
 */
export async function openDataFolder(path: string, { waitMs = 2_000 } = {}): Promise<DataFolder> {
  const wanted = resolve(path);
  try {
    return await holdFolder(makeOwnFolder(wanted), waitMs);
  } catch (error) {
    throw explainFailure(error, wanted);
  }
}

async function holdFolder(folder: string, waitMs: number): Promise<DataFolder> {
  const deadline = monotonicMs() + waitMs;
  for (;;) {
    const lock = takeLock(join(folder, 'lock'));
    if (lock !== undefined) {
      writeFileSync(join(folder, 'pid'), `${process.pid}\n`, { mode: 0o600 });
      return { path: folder, release: () => lock.close() };
    }
    if (monotonicMs() >= deadline) throw new DataFolderInUseError(inUse(folder));
    await sleep(LOOK_EVERY_MS);
  }
}

/** Returns the install's encryption secret from its file; undefined before the first start. */
export function readSecret(folder: string): string | undefined {
  return readIfPresent(join(folder, 'secret'))?.trim();
}

/**
 * Returns the install's encryption secret, 64 hexadecimal digits. Creates it on the first call.
 * @throws Error if the file has other content. A new secret would make all encrypted data unreadable.
 */
export function readOrMakeSecret(folder: string): string {
  const file = join(folder, 'secret');
  const kept = readSecret(folder);
  if (kept === undefined) {
    const secret = randomBytes(32).toString('hex');
    writePrivately(file, `${secret}\n`);
    return secret;
  }
  if (/^[0-9a-f]{64}$/.test(kept)) return kept;
  throw new Error(`${file} does not hold 64 hexadecimal digits; restore it from a backup, it decrypts the database`);
}

/** Returns the path of keys.json. */
export function keysFile(folder: string): string {
  return join(folder, 'keys.json');
}

/** Returns the keys of the first start; undefined before it. */
export function readKeys(folder: string): InstallKeys | undefined {
  const file = keysFile(folder);
  const text = readIfPresent(file);
  if (text === undefined) return undefined;
  const keys: unknown = JSON.parse(text);
  if (isInstallKeys(keys)) return keys;
  throw new Error(`${file} lacks account_id, test_key, live_key or base_url`);
}

/** Replaces keys.json atomically, with mode 0600. */
export function writeKeys(folder: string, keys: InstallKeys): void {
  writePrivately(keysFile(folder), `${JSON.stringify(keys, null, 2)}\n`);
}

/**
 * Locks the folder through SQLite. The kernel owns SQLite's file lock and ends it with the process. So there are no
 * stale locks, and no pid that another program may have now. SQLite is part of Node; the file stores no data.
 */
function takeLock(file: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive');
    chmodSync(file, 0o600);
    return lock;
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}

function makeOwnFolder(path: string): string {
  makeFolders(path);
  const folder = realpathSync(path);
  refuseForeign(folder);
  const { mode, uid } = statSync(folder);
  const isOwner = process.getuid?.() === uid;
  // 0710 stays as it is: the group may enter the folder, for a database that runs as another user
  // (embedded-postgres/placement.ts).
  if (isOwner && (mode & 0o067) !== 0) chmodSync(folder, 0o700);
  return folder;
}

/** Creates folders one by one, because `recursive` never returns below a folder such as /proc. */
function makeFolders(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new DataFolderError(`DIALPLANE_DATA (${path}) is not a folder.`);
  if (dirname(path) !== path) makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process has created it at the same moment.
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

/** MARKS are files that an install creates first. IGNORED are files that file systems and tools create. */
const MARKS = new Set(['lock', 'secret', 'keys.json', 'location', 'data', 'postgres', 'password']);
const IGNORED = new Set(['lost+found', '.DS_Store', '.gitkeep']);

/** Refuses a folder with other files: a new install changes the folder's mode, which must not happen to /home. */
function refuseForeign(folder: string): void {
  const names = readdirSync(folder).filter((name) => !IGNORED.has(name));
  if (names.length === 0 || names.some((name) => MARKS.has(name))) return;
  throw new DataFolderError(
    `DIALPLANE_DATA (${folder}) holds other files and no installation; use a folder that holds nothing else.`,
  );
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'that file system is read-only',
  ENOENT: 'no folder can be made there',
  ENOTDIR: 'part of the path is a file',
  ENOSPC: 'the disk is full',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the path is too long',
};

/** Texts for SQLite's errors CANTOPEN, READONLY and FULL. The lock may cause them. */
const SQLITE_PROBLEMS: Readonly<Record<number, string>> = { 14: 'EACCES', 8: 'EACCES', 13: 'ENOSPC' };

function explainFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errcode } = error as { code?: unknown; errcode?: number };
  const problem = PROBLEMS[SQLITE_PROBLEMS[(errcode ?? 0) & 0xff] ?? String(code)];
  if (problem === undefined) return error;
  return new DataFolderError(`DIALPLANE_DATA (${path}) cannot be used: ${problem}.`, { cause: error });
}

function inUse(folder: string): string {
  const pid = readIfPresent(join(folder, 'pid'))?.trim();
  const holder = pid === undefined ? 'another process' : `process ${pid}`;
  return `${folder} is in use by ${holder}: stop that one, or give this one a folder of its own with DIALPLANE_DATA and a free PORT`;
}

function isInstallKeys(value: unknown): value is InstallKeys {
  const fields = ['account_id', 'test_key', 'live_key', 'base_url'];
  return (
    typeof value === 'object' &&
    value !== null &&
    fields.every((field) => typeof Reflect.get(value, field) === 'string')
  );
}
