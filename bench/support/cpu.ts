import { readdirSync, readFileSync } from 'node:fs';

/** The unit of times in /proc, a hundredth of a second. It does not depend on the kernel's own tick. */
const TICK_US = 10_000;

/** Returns the fields of /proc/PID/stat from the third on. Undefined if there is no such process or no /proc. */
function statOf(pid: number | string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Returns the processor time of a process and its children in µs, including ended children. NaN without /proc. */
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
