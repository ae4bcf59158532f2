/** Programs that run in the SIP tests' root, and end with the tests whatever happens to them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { countPartner } from '../support/in-flight.ts';
import { SIP_ROOT } from './root.ts';

export type Jailed = {
  readonly process: ChildProcess;
  /** Everything that the program has printed, for the message of a failure. */
  output(): string;
  /** Kills it at once. Resolves when it is gone. */
  kill(): Promise<void>;
};

// From the first test on, no time is skipped: the programs tell the times of what happens by the machine's clock.
countPartner();

const FOLDERS = join(SIP_ROOT, 'srv');
const OUTPUT_CHARS_MAX = 20_000;

/**
 * Starts a program in the root, and in a network namespace if one is named. It is killed if this process ends in
 * whatever way.
 */
export function startJailed(program: string, args: readonly string[], namespace?: string): Jailed {
  const inside = namespace === undefined ? [] : ['ip', 'netns', 'exec', namespace];
  const [first = '', ...rest] = [...inside, 'setpriv', '--pdeathsig', 'KILL', 'chroot', SIP_ROOT, program, ...args];
  const child = spawn(first, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output = (output + chunk).slice(-OUTPUT_CHARS_MAX);
    });
  }
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return {
    process: child,
    output: () => output,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** A folder in the root: `inside` is its path there, `outside` here. */
export type JailFolder = { readonly inside: string; readonly outside: string; remove(): void };

/** Makes a folder. Removes the folders of test processes that ended without removing them. */
export function makeJailFolder(): JailFolder {
  for (const name of readdirSync(FOLDERS)) {
    const pid = /^test-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(FOLDERS, name), { recursive: true, force: true });
  }
  const outside = mkdtempSync(join(FOLDERS, `test-${process.pid}-`));
  return {
    outside,
    inside: outside.slice(SIP_ROOT.length),
    remove: () => rmSync(outside, { recursive: true, force: true }),
  };
}
