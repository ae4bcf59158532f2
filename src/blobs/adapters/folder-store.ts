/**
 * Blobs as files of a folder. A file is written under another name, flushed to the disk and renamed. So a reader finds
 * either the complete file or none, even after a crash. There are 256 subfolders, so that each is small enough to list.
 */
import { createHash, randomUUID } from 'node:crypto';
import { access, constants, type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import {
  BlobError,
  type BlobFailure,
  type ByteRange,
  checkedKey,
  checkRange,
  type OpenBlobStore,
} from '../blob-store.ts';
import { typedStream } from './typed-stream.ts';

const DRAFTS = 'drafts';
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

const KINDS: Readonly<Record<string, BlobFailure>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
};

/** Returns a store in `folder`, which is created with the first blob. */
export function openFolderStore(folder: string): OpenBlobStore {
  const root = resolve(folder);
  return {
    put: (key, bytes) => withBlobErrors(root, () => write(root, pathOf(root, key), bytes)),
    putFile: (key, file) => withBlobErrors(root, () => write(root, pathOf(root, key), file.open())),
    get: (key, range) => withBlobErrors(root, () => read(root, pathOf(root, key), range)),
    size: (key) => withBlobErrors(root, async () => (await statIfPresent(pathOf(root, key)))?.size),
    remove: (key) => withBlobErrors(root, () => rm(pathOf(root, key), { force: true })),
    check: () => withBlobErrors(root, () => checkWritable(root)),
    close: async () => undefined,
  };
}

function pathOf(root: string, key: string): string {
  const names = checkedKey(key).split('/');
  const shard = createHash('sha256').update(key).digest('hex').slice(0, 2);
  return join(root, shard, ...names);
}

async function write(root: string, path: string, bytes: Uint8Array | Readable): Promise<void> {
  const drafts = join(root, DRAFTS);
  await mkdir(drafts, { recursive: true, mode: FOLDER_MODE });
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
  const draft = join(drafts, randomUUID());
  try {
    await withFile(await open(draft, 'wx', FILE_MODE), async (file) => {
      await file.writeFile(bytes);
      await file.sync();
    });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  // The new name must be durable too, and so must the names of new folders.
  for (let at = dirname(path); at.startsWith(root); at = dirname(at)) await syncFolder(at);
}

/** Flushes a folder. Windows cannot open folders; there the name is durable with the file. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await withFile(await open(path, 'r'), (folder) => folder.sync());
}

async function withFile(file: FileHandle, use: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await use(file);
  } finally {
    await file.close();
  }
}

async function read(root: string, path: string, range: ByteRange | undefined) {
  const file = await openIfPresent(path);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    if (range !== undefined) checkRange(range, size);
    const stream = typedStream(file.createReadStream(range), (error) => toBlobError(root, error));
    return { size, stream };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function checkWritable(root: string): Promise<string> {
  let existing = root;
  while ((await statIfPresent(existing)) === undefined) existing = dirname(existing);
  await access(existing, constants.W_OK | constants.X_OK);
  return `in ${root}`;
}

function openIfPresent(path: string): Promise<FileHandle | undefined> {
  return open(path, 'r').catch(absent);
}

function statIfPresent(path: string) {
  return stat(path).catch(absent);
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}

async function withBlobErrors<T>(root: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof RangeError ? error : toBlobError(root, error as NodeJS.ErrnoException);
  }
}

function toBlobError(root: string, error: NodeJS.ErrnoException): BlobError {
  const code = error.code ?? 'unknown';
  return new BlobError(KINDS[code] ?? 'unavailable', `the blob folder ${root} cannot be used (${code})`, error);
}
