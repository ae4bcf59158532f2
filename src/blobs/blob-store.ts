/**
 * The port to where audio is kept: bytes under a key, written once and never changed. Adapters in `adapters/`; they
 * all answer alike, which `conformance` in the tests sees to.
 */
import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, counted from 0, both taken in, as RFC 9110 counts them. */
export type ByteRange = { readonly start: number; readonly end: number };

export type Blob = {
  /** Bytes of the whole blob, whatever part was asked for. */
  readonly size: number;
  /** Read it to its end or destroy it: it may hold a file or a connection. Fails with BlobError. */
  readonly stream: Readable;
};

export type BlobStore = {
  /** Keeps the bytes. They are durable when it resolves; doing it again changes nothing. */
  put(key: string, bytes: Uint8Array, options: { contentType: string }): Promise<void>;
  /**
   * The blob, or a part of it; undefined when there is none.
   * @throws RangeError when the range does not lie within the blob
   */
  get(key: string, range?: ByteRange): Promise<Blob | undefined>;
  /** The size in bytes, undefined when there is no such blob. */
  size(key: string): Promise<number | undefined>;
  /** Takes the blob away; of one that is not there nothing is said. */
  remove(key: string): Promise<void>;
};

/** A store that holds connections. Every method of it rejects with BlobError when the store does not do its work. */
export type OpenBlobStore = BlobStore & {
  close(): Promise<void>;
  /** Looks whether the store can be written to, leaving nothing behind. Resolves with where it is, in words. */
  check(): Promise<string>;
};

/** How a store can fail: try again later, not allowed, no room left, or refused for what was asked. */
export const BLOB_FAILURES = ['unavailable', 'denied', 'full', 'refused'] as const;
export type BlobFailure = (typeof BLOB_FAILURES)[number];

/** The store did not do what it was asked. `message` is for the operator; it holds no secret. */
export class BlobError extends Error {
  override readonly name = 'BlobError';
  readonly kind: BlobFailure;

  constructor(kind: BlobFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

const KEY_CHARS_MAX = 200;
/** Lower case, because some file systems do not tell the cases apart; no dot in front, so no `..` and nothing hidden. */
const KEY = /^[a-z0-9][a-z0-9_.-]*(?:\/[a-z0-9][a-z0-9_.-]*)*$/;

/**
 * The key, if it has the form that every store takes: names of lower-case letters, digits, `_`, `-` and `.`, with `/`
 * between them, 200 characters at most.
 * @throws RangeError for any other, such as one that leads out of the store
 */
export function checkedKey(key: string): string {
  if (key.length > KEY_CHARS_MAX || !KEY.test(key)) throw new RangeError(`"${key}" is not a blob key`);
  return key;
}

/**
 * Fails unless the range lies within so many bytes.
 * @throws RangeError
 */
export function checkRange({ start, end }: ByteRange, size: number): void {
  const counts = Number.isSafeInteger(start) && Number.isSafeInteger(end);
  if (!counts || start < 0 || end < start || end >= size) {
    throw new RangeError(`bytes ${start} to ${end} do not lie within ${size}`);
  }
}
