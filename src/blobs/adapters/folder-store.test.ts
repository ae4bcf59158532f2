import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { blobConformance, freshKey, readBlob } from '../../../test/support/blob-conformance.ts';
import { BlobError } from '../blob-store.ts';
import { openFolderStore } from './folder-store.ts';

const WAV = { contentType: 'audio/wav' };
const base = await mkdtemp(join(tmpdir(), 'dialplane-blobs-'));
after(() => rm(base, { recursive: true, force: true }));

blobConformance('a folder', () => openFolderStore(join(base, 'conformance')));

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test('no folder is created before the first blob, not even by a check', async () => {
  const folder = join(base, 'untouched');
  const store = openFolderStore(folder);
  await store.check();
  await store.get(freshKey());
  await assert.rejects(stat(folder), { code: 'ENOENT' });
});

test('blobs are spread over subfolders, readable only by their owner', async () => {
  const folder = join(base, 'spread');
  const store = openFolderStore(folder);
  await Promise.all(Array.from({ length: 40 }, () => store.put(freshKey(), Buffer.of(1), WAV)));
  const shards = (await readdir(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  assert.ok(shards.length > 20, `${shards.length}`);
  const files = await filesIn(folder);
  assert.equal(files.length, 40);
  for (const file of files) assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
});

test('a blob whose write fails does not exist, and leaves no draft', async () => {
  const folder = join(base, 'broken');
  const store = openFolderStore(folder);
  const key = 'recordings/rec_1.wav';
  await store.put(key, Buffer.of(1), WAV);
  const [path] = (await filesIn(folder)) as [string];
  // A folder has the name of the blob, so the last step, the rename, fails.
  await rm(path);
  await mkdir(join(path, 'in-the-way'), { recursive: true });
  await assert.rejects(store.put(key, Buffer.of(2), WAV), BlobError);
  assert.deepEqual(await filesIn(folder), []);
});

test('a reader gets the old bytes or the new ones, never a mixture', async () => {
  const store = openFolderStore(join(base, 'race'));
  const key = freshKey();
  const versions = [Buffer.alloc(300_000, 1), Buffer.alloc(300_000, 2)] as const;
  await store.put(key, versions[0], WAV);
  let isWriting = true;
  const writing = (async () => {
    for (let i = 0; i < 20; i++) await store.put(key, versions[(i % 2) as 0 | 1], WAV);
    isWriting = false;
  })();
  while (isWriting) {
    const seen = await readBlob(store, key);
    assert.ok(versions.some((version) => version.equals(seen as Buffer)));
  }
  await writing;
});

test('a folder that cannot be created or written is reported by name, with the reason', async () => {
  const file = join(base, 'a-file');
  await writeFile(file, '');
  const store = openFolderStore(join(file, 'blobs'));
  await assert.rejects(store.put(freshKey(), Buffer.of(1), WAV), (error: BlobError) => {
    assert.equal(error.kind, 'unavailable');
    assert.match(error.message, /a-file\/blobs cannot be used \(ENOTDIR\)/);
    return true;
  });
});

const asRoot = process.getuid?.() === 0 && 'root may write everywhere: NOT TESTED';
test('a folder without permission is denied, by the check too', { skip: asRoot }, async () => {
  const folder = join(base, 'closed');
  await mkdir(folder);
  await chmod(folder, 0o500);
  const store = openFolderStore(folder);
  await assert.rejects(store.put(freshKey(), Buffer.of(1), WAV), { kind: 'denied' });
  await assert.rejects(store.check(), { kind: 'denied' });
});
