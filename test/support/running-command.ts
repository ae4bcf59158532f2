import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runCli } from '../../src/cli/run.ts';
import { FOLLOW_PARENT } from './cli-process.ts';
import { closeAfterTests } from './close-after-tests.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A command that runs until it is interrupted, as for a developer. */
export type RunningCommand = {
  /** All lines of standard output so far. */
  readonly out: readonly string[];
  /** All lines of standard error so far. */
  readonly err: readonly string[];
  /** True if the command has ended without an interrupt. */
  hasEnded(): boolean;
  /** Interrupts the command and returns its exit code. */
  stop(): Promise<number>;
};

/**
 * Starts a command in this process, which is much faster. It is interrupted after the test, together with the commands
 * that were started after it.
 * @param input the lines that the user types
 */
export function startCommandHere(words: readonly string[], input?: NodeJS.ReadableStream): RunningCommand {
  const [out, err]: [string[], string[]] = [[], []];
  const others = new Set(process.listeners('SIGINT'));
  let code: number | undefined;
  const ended = runCli(words, {
    kinds: [],
    ...(input && { input }),
    out: (text) => out.push(text),
    err: (text) => err.push(text),
  }).then((given) => {
    code = given;
  });
  const stop = async () => {
    for (const listener of process.listeners('SIGINT')) if (!others.has(listener)) listener('SIGINT');
    await ended;
    return code ?? assert.fail('the command has ended without a code');
  };
  closeAfterTests(stop);
  return { out, err, hasEnded: () => code !== undefined, stop };
}

/** Starts a command in a separate process. It is killed after the tests of the file. */
export function startCommand(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningCommand & { kill(): Promise<void> } {
  const child = spawn(process.execPath, ['--import', FOLLOW_PARENT, MAIN, ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const [out, err]: [string[], string[]] = [[], []];
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => out.push(line));
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => err.push(line));
  closeAfterTests(() => child.kill('SIGKILL'));
  return {
    ...{ out, err },
    hasEnded: () => child.exitCode !== null,
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    stop: async () => {
      child.kill('SIGINT');
      return (await once(child, 'exit'))[0] as number;
    },
  };
}
