/** The disk of the database is full. `message` is a sentence for the operator. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';

  constructor(folder: string, cause?: unknown) {
    super(`The disk that holds ${folder} is full.`, { cause });
  }
}

/** The remedy, as a sentence. */
export const FREE_SPACE = 'Free space there and start again: nothing that was answered is lost.';

/** Returns true if a text says that a disk is full. It is an output of PostgreSQL, or the message of a system error. */
export function saysDiskFull(text: string): boolean {
  return /no space left on device|ENOSPC/i.test(text);
}
