/**
 * PostgreSQL's log. The server writes to it through a descriptor of this process. This process also rotates it: it
 * copies the file to `postgres.log.1` and empties the file. The server opens the file for appending, so it continues at
 * the start of the empty file. Both files are opened at the start, so that a process can rotate them after it has given
 * up root.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Placement } from './placement.ts';

export type ServerLog = {
  readonly path: string;
  /** The descriptor that the server writes to. */
  readonly descriptor: number;
  size(): Promise<number>;
  /**
   * Returns the text from a position on, at most its last 64 KiB. After a rotation it begins at the start of the file.
   */
  textFrom(position: number): Promise<string>;
  /** Rotates the log if it has more than `bytesMax` bytes. */
  rotate(): Promise<void>;
  close(): Promise<void>;
};

const BYTES_MAX = 10_000_000;
const CHUNK_BYTES = 65_536;

export async function openServerLog({ folder, owner }: Placement, bytesMax = BYTES_MAX): Promise<ServerLog> {
  const path = join(folder, 'postgres.log');
  const current = await openOwned(path, owner);
  const older = await openOwned(`${path}.1`, owner);
  const size = async () => (await current.stat()).size;
  const log: ServerLog = {
    path,
    descriptor: current.fd,
    size,
    textFrom: async (position) => {
      const end = await size();
      const start = Math.max(position > end ? 0 : position, end - CHUNK_BYTES);
      const { buffer, bytesRead } = await current.read(Buffer.alloc(Math.max(end - start, 1)), { position: start });
      return buffer.subarray(0, bytesRead).toString().trim();
    },
    rotate: async () => {
      const end = await size();
      if (end <= bytesMax) return;
      await older.truncate(0);
      for (let position = end - bytesMax; ; ) {
        const { buffer, bytesRead } = await current.read(Buffer.alloc(CHUNK_BYTES), { position });
        if (bytesRead === 0) break;
        await older.write(buffer.subarray(0, bytesRead));
        position += bytesRead;
      }
      await current.truncate(0);
    },
    close: async () => {
      await Promise.all([current.close(), older.close()]);
    },
  };
  await log.rotate();
  return log;
}

async function openOwned(path: string, owner: Placement['owner']): Promise<FileHandle> {
  const handle = await open(path, 'a+', 0o600);
  if (owner !== null) await handle.chown(owner.uid, owner.gid);
  return handle;
}
