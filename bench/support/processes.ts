import { type ChildProcess, execFile, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { promisify } from 'node:util';

/**
 * Starts a TypeScript program as a child. With `core` the child is pinned to that core. Resolves with the child's first
 * message.
 */
export async function startChild<Message>(
  program: string,
  args: readonly string[],
  { core }: { core?: number | undefined } = {},
): Promise<{ child: ChildProcess; message: Message }> {
  const pinned = core === undefined ? {} : { execPath: 'taskset', execArgv: ['-c', String(core), process.execPath] };
  const child = fork(new URL(program, import.meta.url), args, { stdio: 'inherit', ...pinned });
  const message = await new Promise<Message>((resolve, reject) => {
    child.once('message', (sent) => resolve(sent as Message));
    child.once('exit', (code) => reject(new Error(`${program} ended with code ${code} before it was ready`)));
  });
  return { child, message };
}

/** Closes the channel to a child. The child then ends, and this waits for its end. */
export async function endChild(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.disconnect();
  await gone;
}

/** Returns true if there are several cores and processes can be pinned to them. */
export function canPin(): boolean {
  return availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;
}

/** Pins a process to a core. Processes that it starts later are pinned too. */
export async function pin(pid: number, core: number): Promise<void> {
  await promisify(execFile)('taskset', ['-cp', String(core), String(pid)]);
}

/** Returns the machine's load in the last minute. Results are printed with it. */
export function load(): string {
  return `load ${loadavg()[0]?.toFixed(1)}`;
}
