// Where the cluster and its programs live, and who runs them. PostgreSQL refuses to run as root, so a root process hands
// it to an unprivileged user. That user often reaches neither the requested folder (an install's folder is mode 0700)
// nor the checkout (under a closed home): then the cluster, and a copy of the programs, go to a folder of the system's.
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

/** Runs as this user and group. */
export type Owner = { name: string; uid: number; gid: number };

/** `owner` is null when the programs run as the current user. */
export type Placement = { folder: string; binaries: Binaries; owner: Owner | null };

type Request = {
  folder: string;
  binaries: Binaries;
  /** Where a root process puts what the unprivileged user must reach. */
  systemFolder: string;
  onProgress(text: string): void;
};

/** Name of the cluster within its folder. */
export const CLUSTER = 'data';

/** In this order: a system that has PostgreSQL keeps a user for it. */
const USERS = ['postgres', 'nobody'];
const OTHERS_EXECUTE = 0o001;
const OTHERS_READ_EXECUTE = 0o005;

/** Decides on folder, programs and user, and makes the folder (mode 0700, owned by that user). */
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
 * The folder itself where the path to it is open, else one of the system's. Which one is written down in the requested
 * folder, under a name made once: an install that is moved finds its cluster, one that is deleted and made again gets a new one.
 */
function placeFor(folder: string, systemFolder: string): string {
  const note = join(folder, 'location');
  // A cluster that is here stays here, whoever began it.
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

/** The programs themselves, or a copy made once per version. */
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
      // Another start made the same copy meanwhile.
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

/** Lets everybody read what the umask of the install or of this process closed. */
function openTree(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

/** Whether everybody may pass each folder down to this one, and has `bits` on it. */
function isOpen(folder: string, bits: number): boolean {
  if ((statSync(folder).mode & bits) !== bits) return false;
  const parent = dirname(folder);
  return parent === folder || isOpen(parent, OTHERS_EXECUTE);
}

/** Whoever owns an existing cluster; else the first of USERS that the system knows. */
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
