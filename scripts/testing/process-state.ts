import { createHook } from 'node:async_hooks';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { startStopwatch } from '../../test/support/stopwatch.ts';

/** The state that a test file shares with the next files of its process. */
export type ProcessState = {
  cwd: string;
  env: ReadonlyMap<string, string | undefined>;
  /** The listeners of `process`. */
  listeners: ReadonlyMap<string, readonly unknown[]>;
  /** The values of global names, and of functions that tests replace. A value that Node loads on demand is not read. */
  globals: ReadonlyMap<string, unknown>;
  /** How many resources of each kind keep the process alive: servers, sockets, timers, child processes. */
  open: ReadonlyMap<string, number>;
};

/**
 * Sockets and programs that were just closed are gone soon. The limit is above the 30 s that a WebSocket waits for the
 * close frame of its peer, and machines pause.
 */
const CLOSING_MS = 40_000;
const LOOK_EVERY_MS = 20;
const LOOKS_OF_A_ROUND = 7;
const LOOKS_PER_COLLECTION = 25;
/** The most time that counts between two looks. */
const LOOK_COUNTS_MS_MAX = 100;

/** Names that libraries add to the globals when they are loaded. */
const LIBRARY_STATE = /^__zod_/;

/** Stands in for the value of a global that Node loads at its first use. */
const ON_DEMAND = Symbol('on demand');

/**
 * Listeners of libraries. pino writes its last lines in one; the compiler ends its processes in the other. They keep no
 * log and no process of a test alive.
 */
const OF_LIBRARIES =
  /^function on(Exit|BeforeExit) \(\) \{\s+callRefs|^\(\) => \{\s+for \(const child of liveChildren\)/;

/** Functions that tests replace to see or to prevent calls. */
const OFTEN_REPLACED: Readonly<Record<string, object>> = {
  Date,
  Math,
  console,
  performance,
  process,
  'process.stdout': process.stdout,
  'process.stderr': process.stderr,
};
const OFTEN_REPLACED_NAMES = [
  'now',
  'random',
  'log',
  'error',
  'warn',
  'write',
  'exit',
  'kill',
  'hrtime',
  'emitWarning',
];

export function readState(): ProcessState {
  const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).map(
    ([name, { value, get }]) => [name, get === undefined ? value : ON_DEMAND] as const,
  );
  const functions = Object.entries(OFTEN_REPLACED).flatMap(([owner, object]) =>
    OFTEN_REPLACED_NAMES.filter((name) => name in object).map(
      (name) => [`${owner}.${name}`, (object as Record<string, unknown>)[name]] as const,
    ),
  );
  return {
    cwd: process.cwd(),
    env: new Map(Object.entries(process.env)),
    listeners: new Map(process.eventNames().map((name) => [String(name), process.rawListeners(name)])),
    globals: new Map([...globals, ...functions]),
    open: countOpen(),
  };
}

function countOpen(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    // An Immediate runs in this turn of the event loop. Loops whose timers keep no process alive set Immediates too.
    if (kind !== 'Immediate') counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/**
 * Waits until the running work has ended, because sockets take time to close. Returns the work that still runs, in the
 * form of `list`.
 */
export async function unendedWork(list: () => readonly string[], closingMs = CLOSING_MS): Promise<readonly string[]> {
  const readSpentMs = startStopwatch(LOOK_COUNTS_MS_MAX);
  while (list().length > 0 && readSpentMs() < closingMs) await pause(LOOK_EVERY_MS, undefined, { ref: false });
  return list();
}

/** Returns a line for each change of the process since `before`. Waits for resources that are closing. */
export async function changesSince(before: ProcessState, closingMs = CLOSING_MS): Promise<string[]> {
  const readSpentMs = startStopwatch(LOOK_COUNTS_MS_MAX);
  let after = readState();
  for (let looks = 0; isClosing(before, after) && readSpentMs() < closingMs; looks++) {
    // A reply whose body is not read keeps its socket until the reply is garbage-collected.
    if (looks % LOOKS_PER_COLLECTION === 1 && findOpen(before, after).some(isSocket)) globalThis.gc?.();
    // A loop with a timer of 20 ms can fire beside each look after 20 ms. So the distances of the looks vary.
    await pause(LOOK_EVERY_MS + (looks % LOOKS_OF_A_ROUND), undefined, { ref: false });
    after = readState();
  }
  const open = findOpen(before, after);
  if (open.some((line) => line.includes('Timeout'))) open.push(...(await findTimers()));
  return [...compareValues(before, after), ...findListeners(before, after), ...open];
}

/**
 * The timers that are set, by their async ids. A stack for each would name the code that set it, but takes a tenth of
 * the time of a test process.
 */
const timers = new Map<number, NodeJS.Timeout>();

createHook({
  trackPromises: false,
  init: (id, type, _trigger, timer) => {
    if (type === 'Timeout') timers.set(id, timer as NodeJS.Timeout);
  },
  destroy: (id) => {
    timers.delete(id);
  },
}).enable();

/** Returns a line for each kind of timer that keeps this process alive: its delay, and what it calls. */
async function findTimers(): Promise<string[]> {
  // Node tells in the next turn which timers have ended.
  await turn();
  const counts = new Map<string, number>();
  for (const timer of timers.values()) {
    if (!timer.hasRef()) continue;
    const kind = describeTimer(timer);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => `${count} Timeout ${kind}`);
}

function describeTimer(timer: NodeJS.Timeout): string {
  // Node has no public property for either.
  const { _idleTimeout: delayMs, _onTimeout: callback } = timer as unknown as Record<string, unknown>;
  // A timer of the product is an entry of test/support/stepping-time.ts, which the machine's timer belongs to.
  const { setMs = delayMs, run = callback } = (callback as { entry?: Record<string, unknown> } | null)?.entry ?? {};
  return `of ${setMs} ms calls ${shorten(run)}`;
}

const isSocket = (line: string) => line.includes('Wrap');

function isClosing(before: ProcessState, after: ProcessState): boolean {
  return findOpen(before, after).length > 0 || findListeners(before, after).length > 0;
}

function compareValues(before: ProcessState, after: ProcessState): string[] {
  return [
    ...(before.cwd === after.cwd ? [] : [`the working folder is ${after.cwd}`]),
    ...changedNames(before.env, after.env).map((name) => `the environment variable ${name} changed`),
    ...changedNames(before.globals, after.globals)
      // Leaves out globals that Node loads at their first use, and globals that hold the state of a library.
      .filter((name) => before.globals.get(name) !== ON_DEMAND && !LIBRARY_STATE.test(name))
      .map((name) => `the global ${name} changed`),
  ];
}

function findListeners(before: ProcessState, after: ProcessState): string[] {
  return [...after.listeners].flatMap(([name, listeners]) =>
    listeners
      .filter((listener) => !before.listeners.get(name)?.includes(listener) && !OF_LIBRARIES.test(String(listener)))
      .map((listener) => `process listens for ${name}: ${describeListener(listener)}`),
  );
}

function findOpen(before: ProcessState, after: ProcessState): string[] {
  const more = [...after.open].map(([kind, count]) => [kind, count - (before.open.get(kind) ?? 0)] as const);
  return more.filter(([, count]) => count > 0).map(([kind, count]) => `${count} ${kind} left open`);
}

function changedNames(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter(
    (name) => !Object.is(before.get(name), after.get(name)) || before.has(name) !== after.has(name),
  );
}

function describeListener(listener: unknown): string {
  const { listener: once } = listener as { listener?: unknown };
  return shorten(once ?? listener);
}

const shorten = (code: unknown): string => String(code).replace(/\s+/g, ' ').slice(0, 100);
