import { readdirSync, readFileSync } from 'node:fs';

/** /proc counts in hundredths of a second, independent of the kernel's own tick. */
const TICK_US = 10_000;

/** Returns the fields of /proc/PID/stat from the third on; undefined without such a process or without /proc. */
function statOf(pid: number | string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Returns the processor time of a process and its children, including ended ones, in µs. NaN without /proc. */
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

/** Returns the processor time of this process in µs. */
export function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
