import type { ChildProcess } from 'node:child_process';

/** Kills a program if this process ends first. When the program ends, its listener on this process is removed. */
export function killAtExit(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}
