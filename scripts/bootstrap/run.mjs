import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
/** A terminal and npm both deliver one Ctrl-C: signals within this time count as one. */
const SAME_PRESS_MS = 300;
const LOOK_AT_PARENT_EVERY_MS = 500;
const FOLLOW_PARENT = new URL('./follow-parent.mjs', import.meta.url);
/**
 * Folder of the compile cache, next to the packages: only a user who can change the code can write there. The cache
 * halves the time of later starts and saves the 20 MB that type stripping takes. It is optional: starts work without
 * it.
 */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/dialplane', import.meta.url));

/** Runs the entry in this process, whose Node is new enough. */
export async function runHere(entry, args) {
  process.argv = [process.execPath, entry, ...args];
  // The call enables the cache for this process, the variable for the programs that it starts.
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
  nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  followNpm(() => process.kill(process.pid, 'SIGTERM'));
  await import(pathToFileURL(entry).href);
}

/**
 * Runs the entry under another Node in the same process group, so that a signal to the group reaches it too. Forwards
 * signals sent to this process alone. If this process is killed, the child ends as well (follow-parent.mjs). Returns
 * undefined after the child has ended, or a sentence with the reason if it did not start.
 */
export function runUnder(node, entry, args) {
  const child = spawn(node, ['--import', FOLLOW_PARENT.href, entry, ...args], {
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const stopForwarding = forwardSignals(child);
  const stopFollowing = followNpm(() => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      if (child.pid !== undefined) return;
      resolve(
        `${node} does not run on this system (${error.message}); install Node 26 or newer yourself and start again`,
      );
    });
    child.on('exit', (code, signal) => {
      stopFollowing();
      stopForwarding();
      resolve(undefined);
      if (signal === null) process.exitCode = code ?? 1;
      else endBySignal(signal);
    });
  });
}

function forwardSignals(child) {
  const lastAt = new Map();
  const forward = (signal) => {
    const now = Date.now();
    if (now - (lastAt.get(signal) ?? 0) < SAME_PRESS_MS) return;
    lastAt.set(signal, now);
    child.kill(signal);
  };
  const known = SIGNALS.filter((signal) => signal in constants.signals);
  for (const signal of known) process.on(signal, forward);
  return () => {
    for (const signal of known) process.off(signal, forward);
  };
}

/** Ends by the child's signal, so that a shell or a supervisor sees the same signal. */
function endBySignal(signal) {
  process.exitCode = 128 + (constants.signals[signal] ?? 0);
  process.kill(process.pid, signal);
}

/** npm cannot notify its script when it is killed, but the script's chain of parents changes then. */
function followNpm(stop) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return () => undefined;
  const parents = parentChain();
  const timer = setInterval(() => {
    if (parentChain() === parents) return;
    clearInterval(timer);
    stop();
  }, LOOK_AT_PARENT_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Returns the parent. If the parent is the shell that npm runs scripts in, also returns npm behind it (Linux only). */
function parentChain() {
  const parent = process.ppid;
  if (process.platform !== 'linux') return `${parent}`;
  try {
    const [shell, option] = readFileSync(`/proc/${parent}/cmdline`, 'utf8').split('\0');
    if (!/(^|\/)(ba|da|z)?sh$/.test(shell) || option !== '-c') return `${parent}`;
    const status = readFileSync(`/proc/${parent}/status`, 'utf8');
    return `${parent} ${/^PPid:\s*(\d+)/m.exec(status)?.[1]}`;
  } catch (error) {
    // The parent ended between two reads, or this user may not read /proc.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(error.code)) return `${parent}`;
    throw error;
  }
}
