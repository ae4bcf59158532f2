import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
/** A terminal and npm each deliver the same Ctrl-C: within this time it is one. */
const SAME_PRESS_MS = 300;
const LOOK_AT_PARENT_EVERY_MS = 500;
const FOLLOW_PARENT = new URL('./follow-parent.mjs', import.meta.url);
/**
 * Compiled code stays beside the packages, where nobody may write who could not change the code itself. It halves later
 * starts and saves the 20 MB that translating TypeScript takes; where it cannot be written nothing changes.
 */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/dialplane', import.meta.url));

/** Runs the entry in this process, which already is a fitting Node. */
export async function runHere(entry, args) {
  process.argv = [process.execPath, entry, ...args];
  nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE ?? COMPILE_CACHE);
  followNpm(() => process.kill(process.pid, 'SIGTERM'));
  await import(pathToFileURL(entry).href);
}

/**
 * Runs the entry under another Node, in the same process group, so that whatever ends the group ends it too. Signals
 * sent to this process alone are passed on; should this process be killed outright, the child ends as well
 * (follow-parent.mjs). Returns undefined after the child ended, or a sentence that says why it did not start.
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

/** Ends as the child did, so that a shell or a supervisor sees the same signal. */
function endBySignal(signal) {
  process.exitCode = 128 + (constants.signals[signal] ?? 0);
  process.kill(process.pid, signal);
}

/** npm cannot tell its script that it was killed outright; the script's chain of parents changes then. */
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

/** The parent, and npm behind it where the parent is the shell that npm runs its scripts in (seen on Linux only). */
function parentChain() {
  const parent = process.ppid;
  if (process.platform !== 'linux') return `${parent}`;
  try {
    const [shell, option] = readFileSync(`/proc/${parent}/cmdline`, 'utf8').split('\0');
    if (!/(^|\/)(ba|da|z)?sh$/.test(shell) || option !== '-c') return `${parent}`;
    const status = readFileSync(`/proc/${parent}/status`, 'utf8');
    return `${parent} ${/^PPid:\s*(\d+)/m.exec(status)?.[1]}`;
  } catch (error) {
    // The parent ended between two reads, or /proc is closed to this user.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(error.code)) return `${parent}`;
    throw error;
  }
}
