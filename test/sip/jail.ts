/** Programs in the root of the SIP tests. They end with the tests, even if the tests are killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { countPartner } from '../support/in-flight.ts';
import { SIP_ROOT } from './root.ts';

export type Jailed = {
  readonly process: ChildProcess;
  /** Everything that the program has printed. It is for the message of a failure. */
  output(): string;
  /** Kills it at once. Resolves when it is gone. */
  kill(): Promise<void>;
};

// From now on no time is skipped, because the programs use the machine's clock.
countPartner();

const FOLDERS = join(SIP_ROOT, 'srv');
const OUTPUT_CHARS_MAX = 20_000;

/**
 * Starts a program in the root, and in the named network namespace, if any. It is killed when this process ends, for
 * any reason.
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

/** A folder in the root. `inside` is its path there, and `outside` its path here. */
export type JailFolder = { readonly inside: string; readonly outside: string; remove(): void };

/** Makes a folder. Removes folders that ended test processes have left. */
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
