import type { ChildProcess } from 'node:child_process';

/** Kills a program when this process ends before it. Afterwards nothing of it is left in this process. */
export function killAtExit(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}
