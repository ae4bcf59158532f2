import { spawnSync } from 'node:child_process';

/** Returns false if the program is installed, or else the reason to skip a test. */
export function missing(program: string): string | false {
  return spawnSync(program, ['--version']).error === undefined ? false : `${program} is not installed`;
}
