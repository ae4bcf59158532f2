import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

const SPAN_MS = 1_000;
/** Of two processors, half of one. */
const IDLE_SHARE = 1 / 4;

/** Looks at the processors of the machine for a second. Resolves to true if a quarter of their time was unused. */
export async function hasIdleProcessors(): Promise<boolean> {
  const before = readTimes();
  await pause(SPAN_MS);
  const after = readTimes();
  return after.idle - before.idle >= (after.all - before.all) * IDLE_SHARE;
}

function readTimes(): { idle: number; all: number } {
  const times = cpus().map((each) => each.times);
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    all: times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0),
  };
}
