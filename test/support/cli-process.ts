import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { AdapterKind } from '../../src/carriers/adapter.ts';
import { runCli } from '../../src/cli/run.ts';
import { until } from './jobs.ts';

/** The program as an operator runs it. Its environment has only the given variables. */
export type CliProcess = {
  readonly child: ChildProcess;
  /** Returns both outputs so far. */
  text(): string;
  /** Returns the base address, once the program reports that it is ready. */
  ready(): Promise<string>;
  /** Returns the exit code, and the signal that ended the program. Sends `signal` first. */
  ended(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: string | null }>;
};

/** If a program loads this, it ends when this process is gone, even after a kill. It needs an `ipc` channel. */
export const FOLLOW_PARENT = new URL('../../scripts/bootstrap/follow-parent.mjs', import.meta.url).href;
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export type CliOutcome = { code: number | null; out: string; err: string };

/** The folder for compiled code of programs in a test run. It halves the time of their start. */
const COMPILED = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' };

/** Runs a command to its end, with text on its standard input and no environment but `env`. */
export function runCommand(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  { main = MAIN, input = '' } = {},
): Promise<CliOutcome> {
  const child = spawn(process.execPath, [main, ...words], { env: { ...COMPILED, ...env } });
  child.stdin.end(input);
  const outcome = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    outcome.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    outcome.err += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...outcome })));
}

/**
 * Runs a command to its end in this process, with the environment of this process and `env`. This is much faster. Runs
 * one command at a time. Tests of an exit by a signal, of standard input and of closed outputs need a process: see
 * `runCommand`.
 */
export async function runHere(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  kinds: readonly AdapterKind[] = [],
): Promise<CliOutcome> {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  const [out, err]: [string[], string[]] = [[], []];
  try {
    const code = await runCli(words, {
      kinds,
      out: (text) => out.push(`${text}\n`),
      err: (text) => err.push(`${text}\n`),
    });
    return { code, out: out.join(''), err: err.join('') };
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** Settings for one of several products on this machine, without a load balancer. */
const ENVIRONMENT = {
  LOG_LEVEL: 'silent',
  PORT: '0',
  DIALPLANE_METRICS_PORT: 'off',
  DIALPLANE_LAME_DUCK_SECONDS: '0',
  // Otherwise every test would build the console in the background.
  DIALPLANE_CONSOLE: 'built',
};

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs `dialplane start --json`, which must end without a signal, in this process: see `runHere`. Without a database in
 * `env` it starts a new install.
 */
export async function startHere(env: Readonly<Record<string, string>>): Promise<CliOutcome> {
  const before = SIGNALS.map((signal) => process.listeners(signal));
  try {
    return await runHere(['start', '--json'], { DATABASE_URL: '', DIALPLANE_SECRET: '', ...ENVIRONMENT, ...env });
  } finally {
    // The command listens for signals until its process ends.
    for (const [index, signal] of SIGNALS.entries()) {
      const added = process.listeners(signal).filter((listener) => !before[index]?.includes(listener));
      for (const listener of added) process.off(signal, listener);
    }
  }
}

/** Starts `dialplane start --json` with more options, from this tree or another. The caller must end it. */
export function startCli(
  env: Readonly<Record<string, string>>,
  options: readonly string[] = [],
  main: string = MAIN,
): CliProcess {
  const child = spawn(process.execPath, ['--import', FOLLOW_PARENT, main, 'start', '--json', ...options], {
    env: { PATH: process.env['PATH'] ?? '', ...COMPILED, ...ENVIRONMENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const exited = once(child, 'close') as Promise<[number | null, string | null]>;
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    if (input !== null) createInterface({ input }).on('line', (line) => lines.push(line));
  }
  const readyLine = () => lines.find((line) => line.includes('"event":"ready"'));
  const gone = () => child.exitCode !== null || child.signalCode !== null;
  return {
    child,
    text: () => lines.join('\n'),
    ready: async () => {
      await until('the program is ready', () => readyLine() !== undefined || gone(), 90_000);
      const line = readyLine();
      if (line === undefined) throw new Error(`the program has ended: ${lines.join('\n')}`);
      return JSON.parse(line).url;
    },
    ended: async (signal) => {
      if (signal !== undefined) child.kill(signal);
      const [code, by] = await exited;
      return { code, signal: by };
    },
  };
}
