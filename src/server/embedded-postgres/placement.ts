// Decides where the cluster and its programs are, and which user runs them. PostgreSQL refuses to run as root, so a
// root process runs it as an unprivileged user. That user often cannot enter the requested folder (an install's folder
// has mode 0700), nor the checkout (in a closed home). In that case the cluster and a copy of the programs are in a
// folder of the system.
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
import { isOpen, OTHERS_EXECUTE, OTHERS_READ_EXECUTE, readUsers, type User } from './users.ts';

/**
 * `owner` is the user of the server; null if the programs run as the current user. `becomes` is the user that a root
 * process changes to later. That user must reach the server's socket.
 */
export type Placement = { folder: string; binaries: Binaries; owner: User | null; becomes: User | null };

type Request = {
  folder: string;
  binaries: Binaries;
  /** A folder for files that the unprivileged user must be able to reach. */
  systemFolder: string;
  becomes: User | null;
  onProgress(text: string): void;
};

/** Name of the cluster within its folder. */
export const CLUSTER = 'data';

/**
 * The server's folder within an install's folder if the server runs as another user. The install's own files are in the
 * folder above, where that user can neither read nor replace them.
 */
export const SERVER_FOLDER = 'postgres';

/** The users that may run the server, in this order. A system with PostgreSQL has the first one. */
const USERS = ['postgres', 'nobody'];
const OWNER_ONLY = 0o700;
/** The group may enter the folder, but may not list or change it. */
const GROUP_PASSES = 0o710;

/** Chooses folder, programs and user. Creates the folder, which belongs to that user and is closed to others. */
export function placeCluster({ folder, binaries, systemFolder, becomes, onProgress }: Request): Placement {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.getuid?.() !== 0) {
    return { folder: realpathSync(folder), binaries, owner: null, becomes: null };
  }

  const install = realpathSync(folder);
  const place = placeFor(install, systemFolder);
  const owner = ownerOf(place);
  if (dirname(place) === install) openInstall(install, { owner, becomes });
  mkdirSync(place, { recursive: true, mode: OWNER_ONLY });
  chownSync(place, owner.uid, becomes?.gid ?? owner.gid);
  chmodSync(place, becomes === null ? OWNER_ONLY : GROUP_PASSES);
  const reachable = reachableBinaries(binaries, systemFolder, onProgress);
  onProgress(`running as root, so PostgreSQL runs as the user "${owner.name}" and keeps its files in ${place}`);
  return { folder: place, binaries: reachable, owner, becomes };
}

/** Lets the server's user enter the install's folder, which belongs to the program's user. */
function openInstall(install: string, { owner, becomes }: { owner: User; becomes: User | null }): void {
  chownSync(install, becomes?.uid ?? 0, owner.gid);
  chmodSync(install, GROUP_PASSES);
}

/**
 * Moves the cluster of an earlier version. In that version the install's folder belonged to the server's user and had
 * the cluster. The cluster is moved last, so the next start completes an interrupted move.
 */
function moveCluster(install: string): void {
  const place = join(install, SERVER_FOLDER);
  const { uid, gid } = statSync(join(install, CLUSTER));
  mkdirSync(place, { recursive: true, mode: OWNER_ONLY });
  chownSync(place, uid, gid);
  for (const name of ['password', 'postgres.log', 'postgres.log.1', CLUSTER]) {
    if (existsSync(join(install, name))) renameSync(join(install, name), join(place, name));
  }
}

/**
 * Returns a folder within the requested one if other users can reach it, else a new folder of the system. The requested
 * folder gets a file with the new folder's name. So an install that is moved finds its cluster, and an install that is
 * deleted and created again gets a new cluster.
 */
function placeFor(folder: string, systemFolder: string): string {
  const note = join(folder, 'location');
  const within = join(folder, SERVER_FOLDER);
  if (existsSync(join(folder, CLUSTER))) moveCluster(folder);
  // A cluster that exists stays where it is.
  if (existsSync(join(within, CLUSTER))) return within;
  if (!existsSync(note)) {
    if (isOpen(dirname(folder), OTHERS_EXECUTE)) return within;
    const draft = `${note}.new`;
    writeFileSync(draft, `${join(systemFolder, `cluster-${randomBytes(8).toString('hex')}`)}\n`, { flush: true });
    renameSync(draft, note);
  }
  const place = readFileSync(note, 'utf8').trim();
  makeOpenFolder(dirname(place));
  return place;
}

/** Returns the programs, or a copy of them. A copy is made once for each version. */
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
      // Another start has made the same copy in the meantime.
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

/** Makes files readable for all users, whatever the umask of the install. */
function openTree(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

/** Returns the owner of an existing cluster, else the first of USERS that the system has. */
function ownerOf(place: string): User {
  const users = readUsers();
  const { uid } = statSync(place, { throwIfNoEntry: false }) ?? { uid: 0 };
  const known = users.find((user) => user.uid === uid && uid !== 0);
  const owner = known ?? USERS.flatMap((name) => users.filter((user) => user.name === name))[0];
  if (owner !== undefined) return owner;
  throw new Error(
    'PostgreSQL does not run as root, and this system has no user "postgres" or "nobody" to run it: start as another user, or set DATABASE_URL',
  );
}
