/** A file of a program (`wasi.ts`). It exists only in memory. */
export type MemoryFile = {
  /** Fills a part of the program's memory from a position on. Returns the number of bytes, 0 at the end of the file. */
  read(into: Uint8Array, at: number): number;
  /**
   * Writes from a position on, and replaces the bytes there. Returns the number of bytes.
   * @throws RangeError if the file would be larger than its bound
   */
  write(bytes: Uint8Array, at: number): number;
  size(): number;
  empty(): void;
  /** Returns a copy of the file's bytes. */
  content(): Uint8Array<ArrayBuffer>;
};

const BYTES_AT_FIRST = 65_536;

/** @param bytesMax the most bytes of the file */
export function createMemoryFile(bytesMax: number, content: Uint8Array = new Uint8Array()): MemoryFile {
  let kept = Uint8Array.from(content);
  let size = content.length;

  function makeRoom(end: number): void {
    if (end > bytesMax) throw new RangeError(`the program wrote more than ${bytesMax} bytes`);
    if (end <= kept.length) return;
    const larger = new Uint8Array(Math.max(end, 2 * kept.length, BYTES_AT_FIRST));
    larger.set(kept);
    kept = larger;
  }

  return {
    read(into, at) {
      const part = kept.subarray(at, Math.min(size, at + into.length));
      into.set(part);
      return part.length;
    },
    write(bytes, at) {
      makeRoom(at + bytes.length);
      kept.set(bytes, at);
      size = Math.max(size, at + bytes.length);
      return bytes.length;
    },
    size: () => size,
    empty: () => {
      size = 0;
    },
    content: () => kept.slice(0, size),
  };
}
