import { type ChildProcess, execFile, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { promisify } from 'node:util';

/** Starts a TypeScript program as a child, on `core` if given. Resolves with the child's first message. */
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

/** Closes the channel to a child, which ends then, and waits for its end. */
export async function endChild(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.disconnect();
  await gone;
}

/** Returns true if processes can be pinned to cores and there is more than one core. */
export function canPin(): boolean {
  return availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;
}

/** Pins a process, and the processes that it starts from now on, to a core. */
export async function pin(pid: number, core: number): Promise<void> {
  await promisify(execFile)('taskset', ['-cp', String(core), String(pid)]);
}

/** Returns the machine's load of the last minute, to print with a result. */
export function load(): string {
  return `load ${loadavg()[0]?.toFixed(1)}`;
}
