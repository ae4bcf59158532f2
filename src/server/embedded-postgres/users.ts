/** Users of the system, and files that all users can reach. */
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A user of the system, with its group. */
export type User = { name: string; uid: number; gid: number };

export const OTHERS_EXECUTE = 0o001;
export const OTHERS_READ_EXECUTE = 0o005;

/** Returns true if all users can enter each folder on the path, and have `bits` on the last one. */
export function isOpen(folder: string, bits: number): boolean {
  if ((statSync(folder).mode & bits) !== bits) return false;
  const parent = dirname(folder);
  return parent === folder || isOpen(parent, OTHERS_EXECUTE);
}

/** Reads the users of the system. */
export function readUsers(): User[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}
