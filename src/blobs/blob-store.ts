/**
 * The port to the store of audio, media and documents: bytes under a key, written once and never changed. The adapters
 * are in `adapters/`. All of them pass one suite, test/support/blob-conformance.ts.
 */
import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, counted from 0, both included, as in RFC 9110. */
export type ByteRange = { readonly start: number; readonly end: number };

export type Blob = {
  /** Bytes of the whole blob, for any requested part. */
  readonly size: number;
  /** The caller reads it to its end or destroys it: it may hold a file or a connection. Fails with BlobError. */
  readonly stream: Readable;
};

/** Bytes of a file. */
export type FileBytes = {
  readonly size: number;
  /** SHA-256, in hex. */
  readonly sha256: string;
  /** Opens the bytes. Called again for each attempt to store them. */
  open(): Readable;
};

export type BlobStore = {
  /** Stores the bytes. They are durable when it resolves. A repeat changes nothing. */
  put(key: string, bytes: Uint8Array, options: { contentType: string }): Promise<void>;
  /** Stores bytes that are too many for memory, as `put` does. */
  putFile(key: string, file: FileBytes, options: { contentType: string }): Promise<void>;
  /**
   * Returns the blob or a part of it; undefined if there is no such blob.
   * @throws RangeError if the range is not within the blob
   */
  get(key: string, range?: ByteRange): Promise<Blob | undefined>;
  /** Returns the size in bytes; undefined if there is no such blob. */
  size(key: string): Promise<number | undefined>;
  /** Removes the blob. It is not an error if there is none. */
  remove(key: string): Promise<void>;
};

/** A store with its connections. Every method rejects with BlobError if the store fails. */
export type OpenBlobStore = BlobStore & {
  close(): Promise<void>;
  /** Checks that the store is writable, without leaving anything in it. Resolves with its location, in words. */
  check(): Promise<string>;
};

/**
 * How a store fails: `unavailable` may be retried, `denied` is not allowed, `full` has no room, `refused` is permanent.
 */
export type BlobFailure = 'unavailable' | 'denied' | 'full' | 'refused';

/** The store failed. `message` is for the operator and contains no secret. */
export class BlobError extends Error {
  override readonly name = 'BlobError';
  readonly kind: BlobFailure;

  constructor(kind: BlobFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

const KEY_CHARS_MAX = 200;
/**
 * Lower case, because some file systems ignore case. No name starts with a dot, so there is no `..` and no hidden file.
 */
const KEY = /^[a-z0-9][a-z0-9_.-]*(?:\/[a-z0-9][a-z0-9_.-]*)*$/;

/**
 * Returns the key, if it has the form that every store accepts: names of lower-case letters, digits, `_`, `-` and `.`,
 * separated by `/`, 200 characters at most.
 * @throws RangeError for any other key, such as one that leads out of the store
 */
export function checkedKey(key: string): string {
  if (key.length > KEY_CHARS_MAX || !KEY.test(key)) throw new RangeError(`"${key}" is not a blob key`);
  return key;
}

/** Throws RangeError unless the range is within `size` bytes. */
export function checkRange({ start, end }: ByteRange, size: number): void {
  const counts = Number.isSafeInteger(start) && Number.isSafeInteger(end);
  if (!counts || start < 0 || end < start || end >= size) {
    throw new RangeError(`bytes ${start} to ${end} are not within ${size}`);
  }
}
