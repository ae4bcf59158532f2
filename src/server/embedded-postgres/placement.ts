// Decides where the cluster and its programs are, and which user runs them. PostgreSQL refuses to run as root, so a
// root process runs it as an unprivileged user. That user often reaches neither the requested folder (an install's
// folder is mode 0700) nor the checkout (under a closed home): then the cluster, and a copy of the programs, go to a
// folder of the system's.
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Binaries, binariesIn } from './binaries.ts';

/** The user and group of the server. */
type Owner = { name: string; uid: number; gid: number };

/** `owner` is null if the programs run as the current user. */
export type Placement = { folder: string; binaries: Binaries; owner: Owner | null };

type Request = {
  folder: string;
  binaries: Binaries;
  /** Folder for files that the unprivileged user must reach. */
  systemFolder: string;
  onProgress(text: string): void;
};

/** Name of the cluster within its folder. */
export const CLUSTER = 'data';

/** Users to run as, in this order: a system with PostgreSQL has a user for it. */
const USERS = ['postgres', 'nobody'];
const OTHERS_EXECUTE = 0o001;
const OTHERS_READ_EXECUTE = 0o005;

/** Chooses folder, programs and user, and creates the folder (mode 0700, owned by that user). */
export function placeCluster({ folder, binaries, systemFolder, onProgress }: Request): Placement {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.getuid?.() !== 0) return { folder: realpathSync(folder), binaries, owner: null };

  const place = placeFor(realpathSync(folder), systemFolder);
  const owner = ownerOf(place);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  chownSync(place, owner.uid, owner.gid);
  const reachable = reachableBinaries(binaries, systemFolder, onProgress);
  onProgress(`running as root, so PostgreSQL runs as the user "${owner.name}" and keeps its files in ${place}`);
  return { folder: place, binaries: reachable, owner };
}

/**
 * Returns the requested folder if the path to it is open, else a folder of the system's. Its name is made once and
 * noted in the requested folder: an install that is moved finds its cluster, and one that is deleted and created again
 * gets a new cluster.
 */
function placeFor(folder: string, systemFolder: string): string {
  const note = join(folder, 'location');
  // An existing cluster stays in place.
  if (existsSync(join(folder, CLUSTER))) return folder;
  if (!existsSync(note)) {
    if (isOpen(dirname(folder), OTHERS_EXECUTE)) return folder;
    const draft = `${note}.new`;
    writeFileSync(draft, `${join(systemFolder, `cluster-${randomBytes(8).toString('hex')}`)}\n`, { flush: true });
    renameSync(draft, note);
  }
  const place = readFileSync(note, 'utf8').trim();
  makeOpenFolder(dirname(place));
  return place;
}

/** Returns the programs, or a copy of them that is made once per version. */
function reachableBinaries(binaries: Binaries, systemFolder: string, onProgress: (text: string) => void): Binaries {
  if (isOpen(realpathSync(binaries.postgres), OTHERS_READ_EXECUTE)) return binaries;
  const copy = join(systemFolder, `postgresql-${binaries.version}-${process.platform}-${process.arch}`);
  if (!existsSync(copy)) {
    onProgress(`copying the PostgreSQL programs to ${copy}, where an unprivileged user reaches them`);
    makeOpenFolder(systemFolder);
    const draft = `${copy}.${randomBytes(6).toString('hex')}`;
    cpSync(binaries.folder, draft, { recursive: true, verbatimSymlinks: true });
    openTree(draft);
    try {
      renameSync(draft, copy);
    } catch (error) {
      // Another start made the same copy at the same time.
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  return binariesIn(copy, binaries.version);
}

function makeOpenFolder(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
}

/** Makes files readable for all users, whatever the umask of the install was. */
function openTree(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

/** Returns true if all users may enter each folder down to this one and have `bits` on it. */
function isOpen(folder: string, bits: number): boolean {
  if ((statSync(folder).mode & bits) !== bits) return false;
  const parent = dirname(folder);
  return parent === folder || isOpen(parent, OTHERS_EXECUTE);
}

/** Returns the owner of an existing cluster, else the first of USERS that the system knows. */
function ownerOf(place: string): Owner {
  const users = readUsers();
  const { uid } = statSync(place, { throwIfNoEntry: false }) ?? { uid: 0 };
  const known = users.find((user) => user.uid === uid && uid !== 0);
  const owner = known ?? USERS.flatMap((name) => users.filter((user) => user.name === name))[0];
  if (owner !== undefined) return owner;
  throw new Error(
    'PostgreSQL does not run as root, and this system has no user "postgres" or "nobody" to run it: start as another user, or set DATABASE_URL',
  );
}

function readUsers(): Owner[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}
