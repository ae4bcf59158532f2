/**
 * A root process becomes an unprivileged user of the system after it has started PostgreSQL and listens. The user must
 * be a separate one: otherwise the other programs of that user, or the database, could read the keys.
 */
import { accessSync, chownSync, constants, existsSync, lchownSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVER_FOLDER } from '../embedded-postgres/placement.ts';
import { isOpen, OTHERS_READ_EXECUTE, readUsers, type User } from '../embedded-postgres/users.ts';
import { StartError } from '../lifecycle/start-error.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** npm installs the packages of an installed package next to it. */
const PACKAGES = basename(dirname(ROOT)) === 'node_modules' ? dirname(ROOT) : join(ROOT, 'node_modules');
const PARTS = [...['src', 'dist', 'migrations'].map((part) => join(ROOT, part)), PACKAGES];

/** The user to change to, or a note why the process stays root. Neither if the process is not root. */
export type UserPlan = { readonly user: User | null; readonly note?: string };

/** Users that run the embedded database. */
const DATABASE_USERS = new Set(['postgres', 'nobody']);

/** Finds the user that this process can change to. */
export function planUser(name: string): UserPlan {
  if (process.getuid?.() !== 0) return { user: null };
  const stay = (why: string): UserPlan => ({ user: null, note: `Dialplane runs as root: ${why}.` });
  const user = readUsers().find((candidate) => candidate.name === name);
  if (user === undefined) {
    return stay(`there is no user "${name}" to become; "useradd --system ${name}" makes it for the next start`);
  }
  if (user.uid === 0 || DATABASE_USERS.has(name)) return stay(`the user "${name}" is not one of its own`);
  const closed = PARTS.find(isClosed);
  if (closed !== undefined) return stay(`the user "${name}" cannot read ${closed}`);
  return { user };
}

function isClosed(folder: string): boolean {
  return existsSync(folder) && !isOpen(realpathSync(folder), OTHERS_READ_EXECUTE);
}

type Folders = {
  /** Folder of the install; null if the database is elsewhere. */
  readonly dataFolder: string | null;
  /** Folder of the audio; null for a bucket. */
  readonly blobFolder: string | null;
};

/**
 * Makes the user the owner of the install's files, and permanently changes to that user.
 * @throws StartError if the user cannot write to the folder of audio
 */
export function becomeUser({ name, uid, gid }: User, { dataFolder, blobFolder }: Folders): void {
  if (dataFolder !== null) giveInstall(dataFolder, { uid, gid });
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
  if (blobFolder !== null) refuseUnwritable(blobFolder, name);
}

type Ids = { uid: number; gid: number };

/**
 * Makes the user the owner of everything in the folder except the database. The folder keeps its group, so that the
 * database's user can enter it.
 */
function giveInstall(folder: string, ids: Ids): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === SERVER_FOLDER) continue;
    const path = join(folder, entry.name);
    // If the user owns the root of a tree, the whole tree was changed before.
    if (entry.isDirectory() && statSync(path).uid !== ids.uid) giveTree(path, ids);
    else lchownSync(path, ids.uid, ids.gid);
  }
  chownSync(folder, ids.uid, statSync(folder).gid);
}

/** Changes the owner of the root last, so that the next start repeats an interrupted change. */
function giveTree(folder: string, { uid, gid }: Ids): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    lchownSync(join(entry.parentPath, entry.name), uid, gid);
  }
  lchownSync(folder, uid, gid);
}

function refuseUnwritable(blobFolder: string, name: string): void {
  let folder = blobFolder;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      `The user "${name}", which this process of root became, cannot write to ${blobFolder}.`,
      `Give the folder to that user: chown -R ${name} ${folder}`,
      error,
    );
  }
}
