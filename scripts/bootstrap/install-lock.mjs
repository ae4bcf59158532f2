// Allows one install at a time per checkout. The lock is a folder next to node_modules (npm empties node_modules
// itself), because creating a folder is atomic everywhere. The holder touches it every second. The lock is stale once
// the holder's processes have ended. If they cannot be seen (another container), it is stale once it has not been
// touched for a while.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

const TOUCH_EVERY_MS = 1_000;
const STALE_AFTER_MS = 20_000;
const LOOK_EVERY_MS = 200;

/** Waits for the lock, then returns `{ recordChild(pid), release() }`. Calls `say` once if it has to wait. */
export async function takeInstallLock(root, say) {
  const folder = join(root, '.install-lock');
  let told = false;
  while (!tryMake(folder)) {
    const owner = ownerText(folder);
    if (isStale(folder, owner)) {
      setAside(folder, owner);
      continue;
    }
    if (!told) say('another start is installing the packages; waiting for it');
    told = true;
    await delay(LOOK_EVERY_MS);
  }
  writeOwner(folder, [process.pid]);
  const timer = setInterval(() => utimesSync(folder, new Date(), new Date()), TOUCH_EVERY_MS);
  return {
    recordChild: (pid) => writeOwner(folder, [process.pid, pid]),
    release: () => {
      clearInterval(timer);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function tryMake(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Also records npm's pid: an npm whose parent was killed continues to write. */
function writeOwner(folder, pids) {
  writeFileSync(join(folder, 'owner.json'), JSON.stringify({ host: hostname(), pids }));
}

function isStale(folder, text) {
  const age = ageMs(folder);
  if (age === undefined) return false;
  const owner = parseOwner(text);
  if (owner === undefined || owner.host !== hostname()) return age > STALE_AFTER_MS;
  return !owner.pids.some(isAlive);
}

/** Removes the stale lock; if another process has created a new one since, puts that back. */
function setAside(folder, judgedOwner) {
  const aside = `${folder}.${process.pid}.${Date.now()}`;
  try {
    renameSync(folder, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (ownerText(aside) === judgedOwner) rmSync(aside, { recursive: true, force: true });
  else renameSync(aside, folder);
}

function ageMs(folder) {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats === undefined ? undefined : Date.now() - stats.mtimeMs;
}

function ownerText(folder) {
  try {
    return readFileSync(join(folder, 'owner.json'), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseOwner(text) {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  // In a container whose first process collects no children, a killed process keeps its pid as a zombie.
  return process.platform !== 'linux' || !isZombie(pid);
}

function isZombie(pid) {
  try {
    return /^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return true;
    throw error;
  }
}
