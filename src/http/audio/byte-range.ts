import type { ByteRange } from '../../blobs/blob-store.ts';

const RANGE = /^bytes[ \t]*=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * What a Range header asks for, of something with `size` bytes (RFC 9110, 14.1.2 and 14.2): a part; `unsatisfiable`
 * when no byte of it is there (416); `whole` where there is no header, or one to be passed over: of another unit, not
 * well-formed, or with several ranges, which a server need not answer as such.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = RANGE.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
