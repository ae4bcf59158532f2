/**
 * Writes the ZIP file of an export. It is made in a temporary file without a name, which the system frees when the
 * process ends, so neither memory nor a killed process keeps the person's data.
 */
import { createHash } from 'node:crypto';
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
    const output = zip.outputStream as Readable;
    const writing = pipeline(output, counted, (chunks) => append(file, chunks));
    const adding = addAll(zip, { db, blobs }, person).catch((error: Error) => {
      output.destroy(error);
      throw error;
    });
    // Both promises settle before the file is closed.
    for (const end of await Promise.allSettled([writing, adding])) if (end.status === 'rejected') throw end.reason;
    return await use({ size, sha256: hash.digest('hex'), open: () => Readable.from(contentOf(file)) });
  } finally {
    await file.close();
  }
}

/**
 * The file is closed in one place. A stream with its descriptor would close it too, and could then close another file
 * that got the same number.
 */
async function append(file: FileHandle, chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) await file.writeFile(chunk);
}

const READ_BYTES = 65_536;

/** Yields the content of a file from its start. */
async function* contentOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
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

/**
 * Names the files that the archive should contain but the store does not have, such as audio that was deleted
 * concurrently.
 */
const REPORT_NAME = 'report.json';

/** Adds one entry after the other, so that one blob is open at a time. */
async function addAll(
  zip: ZipFile,
  { db, blobs }: { readonly db: Db; readonly blobs: BlobStore },
  person: ExportedPerson,
): Promise<void> {
  for (const name of Object.keys(CONTENT) as ContentName[]) {
    await addStream(zip, Readable.from(jsonOf(readContent(db, name, person))), `${name}.json`);
  }
  const missing: string[] = [];
  for await (const { key, name } of readFiles(db, person)) {
    const blob = await blobs.get(key);
    if (blob === undefined) missing.push(name);
    else await addStream(zip, blob.stream, name);
  }
  await addStream(zip, Readable.from([`${JSON.stringify({ missing_files: missing }, null, 2)}\n`]), REPORT_NAME);
  zip.end();
}

function addStream(zip: ZipFile, stream: Readable, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('end', resolve);
    stream.once('error', reject);
    // The archive can no longer be written, so the rest of the data is not read.
    const give = () => {
      stream.destroy();
      reject(new Error('the archive has ended'));
    };
    const output = zip.outputStream as Readable;
    output.once('close', give);
    stream.once('close', () => output.off('close', give));
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
