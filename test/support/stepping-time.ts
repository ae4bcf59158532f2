/**
 * A time for tests. It passes like the machine's time. While the process is quiet and a test waits, it skips to the
 * next timer. While the process stands still, because the machine is busy elsewhere, its timers stand still too. The
 * clock of PostgreSQL in the databases of tests skips by the same amount (`test/support/database-time.ts`).
 */
import { setTimeout as realPause, setImmediate as turn } from 'node:timers/promises';
import { systemTime, type Time, type Timer } from '../../src/lib/time/system-time.ts';
import { installTime, sleep as pause } from '../../src/lib/time/time.ts';
import { skipWall, wallSkippedMs } from './database-time.ts';
import { isQuiet, type Wait, waits } from './in-flight.ts';

/**
 * A timer. `setMs` is the delay that it was set with. `timer` is the machine's timer. An entry that is about to run has
 * none.
 */
type Entry = { dueMs: number; setMs: number; run: () => void; everyMs?: number; timer?: Timer; ref: boolean };

let skippedMs = 0;
const entries = new Set<Entry>();

/** The process looks at the machine's clock at least this often, unless it stands still. */
const BEAT_MS = 50;
/** A longer time between two looks at the clock is a standstill. */
const STANDSTILL_MS = 250;

let lookedMs = systemTime.monotonicMs();
let stoodStillMs = 0;

/** Returns the machine's time without the stalls of this process. */
function runningMs(): number {
  const atMs = systemTime.monotonicMs();
  const goneMs = atMs - lookedMs;
  lookedMs = atMs;
  if (goneMs > STANDSTILL_MS) stoodStillMs += goneMs - BEAT_MS;
  return atMs - stoodStillMs;
}
systemTime.every(BEAT_MS, runningMs).unref();

const monotonicMs = () => runningMs() + skippedMs;

/** Sets a timer of the machine for the entry. */
function arm(entry: Entry): void {
  entry.timer?.cancel();
  // Rounded up, because the machine drops fractions, and would fire too early.
  const ringSoon = () => {
    delete entry.timer;
    ring();
  };
  // The check for leftovers of a test file shows the entry in place of this function.
  entry.timer = systemTime.after(Math.ceil(entry.dueMs - monotonicMs()), Object.assign(ringSoon, { entry }));
  if (!entry.ref) entry.timer.unref();
}

let isRinging = false;

/**
 * Runs the timers that are due, in the order of their times, each in a separate turn. The machine's own timers have no
 * fixed order: on a slow machine, the timers of a skip would run in another order.
 */
function ring(): void {
  if (isRinging) return;
  isRinging = true;
  setImmediate(ringNext);
}

function ringNext(): void {
  const next = firstEntry();
  if (next !== undefined && next.dueMs <= monotonicMs()) {
    setImmediate(ringNext);
    fire(next);
    return;
  }
  isRinging = false;
  for (const entry of entries) if (entry.timer === undefined) arm(entry);
}

function firstEntry(): Entry | undefined {
  let first: Entry | undefined;
  for (const entry of entries) if (first === undefined || entry.dueMs < first.dueMs) first = entry;
  return first;
}

/** An error of a timer ends the process, like an error of the machine's timers. */
function fire(entry: Entry): void {
  entry.timer?.cancel();
  if (entry.everyMs === undefined) {
    entries.delete(entry);
  } else {
    entry.dueMs = Math.max(entry.dueMs, monotonicMs() - entry.everyMs) + entry.everyMs;
    arm(entry);
  }
  entry.run();
}

function set(entry: Entry): Timer {
  entries.add(entry);
  arm(entry);
  const timer: Timer = {
    cancel: () => {
      entries.delete(entry);
      entry.timer?.cancel();
    },
    unref: () => {
      entry.ref = false;
      entry.timer?.unref();
      return timer;
    },
  };
  return timer;
}

const steppingTime: Time = {
  now: () => systemTime.now() + Math.round(wallSkippedMs()),
  monotonicMs,
  after: (ms, run) => set({ dueMs: monotonicMs() + Math.max(ms, 0), setMs: ms, run, ref: true }),
  every: (ms, run) => set({ dueMs: monotonicMs() + ms, setMs: ms, run, everyMs: Math.max(ms, 1), ref: true }),
};

/** Skips to `toMs` and runs the timers that are then due. */
function skipTo(toMs: number): void {
  const skipMs = toMs - monotonicMs();
  if (skipMs > 0) {
    skippedMs += skipMs;
    skipWall(skipMs);
  }
  for (const entry of entries) arm(entry);
  ring();
}

/** Most waits end before this, so they need no check of other work. */
const START_AFTER_MS = 2;

let isStepping = false;

const isAtRest = async (): Promise<boolean> => (await isQuiet()) && !isRinging;

/** Returns true if a wait is over. The time does not skip before that test has continued. */
async function hasComeForOne(): Promise<boolean> {
  // If a check throws, the test's own check throws too.
  for (const wait of [...waits]) if (await wait.hasCome().catch(() => true)) return true;
  return false;
}

/** Skips from timer to timer until no test waits, or up to the longest wait. */
async function step(): Promise<void> {
  await realPause(START_AFTER_MS);
  while (waits.size > 0) {
    if (!(await isAtRest())) continue;
    // The condition may query PostgreSQL. Other things may happen during the query.
    if ((await hasComeForOne()) || !(await isAtRest())) continue;
    const limitMs = Math.max(...[...waits].map((wait) => wait.untilMs));
    const stepMsMax = Math.max(...[...waits].map((wait) => wait.stepMsMax));
    const nextMs = Math.min(limitMs, firstEntry()?.dueMs ?? limitMs);
    if (nextMs - monotonicMs() > stepMsMax) await realPause(START_AFTER_MS);
    else if (waits.size > 0) skipTo(nextMs);
    if (nextMs >= limitMs) break;
  }
}

/** Skips `ms`, even while something happens. Runs the timers in between, in the order of their times. */
export async function skip(ms: number): Promise<void> {
  const untilMs = monotonicMs() + ms;
  for (let at = 0; at < untilMs; ) {
    at = Math.min(untilMs, firstEntry()?.dueMs ?? untilMs);
    skipTo(at);
    do await turn();
    while (isRinging);
  }
}

/** Resolves after `ms` of the test's time. While nothing else happens, that time is skipped. */
export function sleep(ms: number): Promise<void> {
  return skipWhile(pause(ms), ms);
}

/**
 * Waits for `work`, and lets the time skip until then, by `withinMs` at most. Longer waits pass in real time.
 * @param stepMsMax the longest single skip; no limit by default
 * @param hasCome the condition that `work` checks repeatedly; it is checked before each skip
 */
export async function skipWhile<T>(
  work: Promise<T>,
  withinMs: number,
  { stepMsMax = Number.POSITIVE_INFINITY, hasCome = async () => false }: Partial<Omit<Wait, 'untilMs'>> = {},
): Promise<T> {
  const wait = { untilMs: monotonicMs() + withinMs, stepMsMax, hasCome };
  waits.add(wait);
  if (!isStepping) {
    isStepping = true;
    void step().finally(() => {
      isStepping = false;
    });
  }
  try {
    return await work;
  } finally {
    waits.delete(wait);
  }
}

/**
 * Returns the total skipped time. A difference of two results is the time that the product waited; stalls do not add to
 * it.
 */
export const skippedSoFarMs = (): number => skippedMs;

/**
 * Returns the time that is skipped while the work runs: the time that the product waits for its timers. A slow or
 * stalled machine does not change the result.
 */
export async function skippedBy(work: Promise<unknown>, withinMs = 60_000): Promise<number> {
  const before = skippedMs;
  await skipWhile(work, withinMs);
  return skippedMs - before;
}

installTime(steppingTime);
