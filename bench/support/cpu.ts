import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second, whatever its own tick is. */
const TICK_US = 10_000;

/** Fields of /proc/PID/stat from the third on; undefined where there is no such process, or no /proc. */
function statOf(pid: number | string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Processor time of a process and its children, also of those that have ended, µs. NaN without /proc. */
export function cpuOf(pid: number): number {
  const own = statOf(pid);
  if (own === undefined) return Number.NaN;
  const sum = (fields: readonly string[]) => fields.reduce((total, field) => total + Number(field) * TICK_US, 0);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(name))
    .filter((stat) => stat?.[1] === String(pid));
  return sum(own.slice(11, 15)) + children.reduce((total, stat) => total + sum(stat?.slice(11, 13) ?? []), 0);
}

/** Processor time of this process, µs. */
export function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
