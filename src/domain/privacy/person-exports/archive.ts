/**
 * Writes the ZIP file of an export. It is made in a temporary file without a name, which the system frees when the
 * process ends, so neither memory nor a killed process keeps the person's data.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { BlobStore, FileBytes } from '../../../blobs/blob-store.ts';
import type { Db } from '../../../db/database.ts';
import { CONTENT, type ContentName, readContent, readFiles } from './content-queries.ts';
import type { ExportedPerson } from './queries.ts';

/** Makes the archive, passes it to `use`, and frees it. */
export async function withArchive<Result>(
  { db, blobs }: { readonly db: Db; readonly blobs: BlobStore },
  person: ExportedPerson,
  use: (archive: FileBytes) => Promise<Result>,
): Promise<Result> {
  const file = await openUnnamed();
  try {
    const zip = new ZipFile();
    const hash = createHash('sha256');
    let size = 0;
    const counted = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        hash.update(chunk);
        size += chunk.length;
        done(null, chunk);
      },
    });
    // By number: a stream of the handle would keep it open until the stream is destroyed.
    const shared = { fd: file.fd, autoClose: false };
    const output = createWriteStream('', shared);
    const writing = pipeline(zip.outputStream as Readable, counted, output);
    await Promise.all([writing, addAll(zip, { db, blobs }, person)]);
    const openAgain = () => createReadStream('', { ...shared, start: 0 });
    return await use({ size, sha256: hash.digest('hex'), open: openAgain });
  } finally {
    await file.close();
  }
}

async function openUnnamed(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'dialplane-export-'));
  try {
    return await open(join(folder, 'archive.zip'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Adds one entry after the other, so that one blob is open at a time. */
async function addAll(
  zip: ZipFile,
  { db, blobs }: { readonly db: Db; readonly blobs: BlobStore },
  person: ExportedPerson,
): Promise<void> {
  for (const name of Object.keys(CONTENT) as ContentName[]) {
    await addStream(zip, Readable.from(jsonOf(readContent(db, name, person))), `${name}.json`);
  }
  for await (const { key, name } of readFiles(db, person)) {
    const blob = await blobs.get(key);
    if (blob !== undefined) await addStream(zip, blob.stream, name);
  }
  zip.end();
}

function addStream(zip: ZipFile, stream: Readable, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('end', resolve);
    stream.once('error', (error) => {
      (zip.outputStream as Readable).destroy(error);
      reject(error);
    });
    zip.addReadStream(stream, name);
  });
}

/** Yields the text of a JSON list. */
async function* jsonOf(rows: AsyncGenerator<unknown>): AsyncGenerator<string> {
  yield '[';
  let separator = '\n';
  for await (const row of rows) {
    yield `${separator}${JSON.stringify(row)}`;
    separator = ',\n';
  }
  yield '\n]\n';
}
