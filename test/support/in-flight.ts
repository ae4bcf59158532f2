/**
 * The work that this process waits for, except timers: statements in PostgreSQL, requests to the system, threads, child
 * processes, and bytes between two sockets of this process.
 */
import { createHook } from 'node:async_hooks';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { areBytesUnderWay, forgetSockets } from './socket-bytes.ts';

type Method = (this: unknown, ...values: unknown[]) => unknown;

/** Replaces a method of a class by the result of `wrap`, for all its objects. */
function replace(prototype: object, name: string, wrap: (original: Method) => Method): void {
  const methods = prototype as Record<string, Method>;
  methods[name] = wrap(methods[name] as Method);
}

/**
 * A wait of a test. The time does not skip beyond the longest wait, and not at all once the condition of any wait is
 * true.
 */
export type Wait = { untilMs: number; stepMsMax: number; hasCome: () => Promise<boolean> };

export const waits = new Set<Wait>();

/**
 * Forgets waits that a test began and left behind. Otherwise this process would go on looking whether it is quiet, with
 * timers that seem to belong to the next files.
 */
export function forgetWaits(): void {
  waits.clear();
}

/** Work that has begun and not ended. */
const running = {
  statements: new Set<unknown>(),
  /** Requests to the system, or to the threads of the runtime, that end with a callback; by their async ids. */
  requests: new Set<unknown>(),
  /** File operations that end with a promise. The hook of the requests does not see them. */
  fileOperations: new Set<unknown>(),
  /** Threads that have not answered a message. */
  askedThreads: new Set<unknown>(),
  /** Programs of other processes, such as a browser, whose work is invisible here. */
  partners: new Set<unknown>(),
};

const callsByClient = new WeakMap<pg.Client, Set<unknown>>();

/** Returns the running calls of a client. They also end with its connection, which may close before the answer. */
function callsOf(client: pg.Client): Set<unknown> {
  const known = callsByClient.get(client);
  if (known !== undefined) return known;
  const calls = new Set<unknown>();
  callsByClient.set(client, calls);
  client.once('end', () => {
    for (const call of calls) running.statements.delete(call);
  });
  return calls;
}

/** Counts the running calls of a method of PostgreSQL clients. The method takes a callback or returns a promise. */
function countCalls(name: 'connect' | 'query'): void {
  replace(pg.Client.prototype, name, (original) => {
    return function counted(this: unknown, ...values) {
      const call = {};
      const calls = callsOf(this as pg.Client).add(call);
      running.statements.add(call);
      const end = () => {
        running.statements.delete(call);
        calls.delete(call);
      };
      const callback = values.at(-1);
      if (typeof callback === 'function') {
        const ended = (...results: unknown[]) => {
          end();
          return callback(...results);
        };
        return original.apply(this, [...values.slice(0, -1), ended]);
      }
      const result = original.apply(this, values);
      if (result instanceof Promise) result.then(end, end);
      else end();
      return result;
    };
  });
}
countCalls('connect');
countCalls('query');

const REQUESTS = /^(FSREQCALLBACK|FILEHANDLECLOSEREQ|GETADDRINFO|GETNAMEINFO|QUERYWRAP|TCPCONNECT|PIPECONNECT)/;
createHook({
  trackPromises: false,
  init: (id, type) => {
    if (REQUESTS.test(type)) running.requests.add(id);
  },
  after: (id) => {
    running.requests.delete(id);
  },
}).enable();

function countPromises(functions: object, names: readonly string[]): void {
  for (const name of names) {
    replace(functions, name, (original) => {
      return function counted(this: unknown, ...values) {
        const result = original.apply(this, values);
        if (!(result instanceof Promise)) return result;
        const operation = { name };
        running.fileOperations.add(operation);
        const end = () => void running.fileOperations.delete(operation);
        result.then(end, end);
        return result;
      };
    });
  }
}

countPromises(
  files,
  Object.entries(files).flatMap(([name, value]) => (typeof value === 'function' && name !== 'watch' ? [name] : [])),
);
syncBuiltinESMExports();
const someFile = await files.open(process.execPath);
countPromises(Object.getPrototypeOf(someFile), ['datasync', 'read', 'readFile', 'stat', 'sync', 'write', 'writeFile']);
await someFile.close();

replace(Worker.prototype, 'postMessage', (original) => {
  return function posted(this: unknown, ...values) {
    const worker = this as Worker;
    if (!running.askedThreads.has(worker)) {
      running.askedThreads.add(worker);
      const answered = () => {
        running.askedThreads.delete(worker);
        for (const event of ['message', 'exit'] as const) worker.off(event, answered);
      };
      for (const event of ['message', 'exit'] as const) worker.on(event, answered);
    }
    return original.apply(worker, values);
  };
});

/** Counts a partner as work in flight until the returned function is called. */
export function countPartner(): () => void {
  const partner = {};
  running.partners.add(partner);
  return () => void running.partners.delete(partner);
}

/** Returns the work that is in flight now, a text for each kind, such as `2 statements`. */
export function listInFlight(): string[] {
  const kinds = Object.entries(running).filter(([, each]) => each.size > 0);
  return [
    ...kinds.map(([kind, each]) => `${each.size} ${kind}`),
    ...(areBytesUnderWay() ? ['bytes between sockets'] : []),
  ];
}

/** Forgets unfinished work of an earlier test file in this process. */
export function forgetInFlight(): void {
  forgetWaits();
  for (const each of Object.values(running)) each.clear();
  forgetSockets();
}

const isWorking = (): boolean => Object.values(running).some((each) => each.size > 0) || areBytesUnderWay();

/** True while a program runs whose work is invisible here. */
export const hasPartner = (): boolean =>
  running.partners.size > 0 || process.getActiveResourcesInfo().includes('ProcessWrap');

/** After this many turns of the event loop without an event, this process waits only for timers. */
const QUIET_TURNS = 4;
const LOOK_AGAIN_MS = 1;
/** The pause between two looks while a program runs, because programs run for a long time. */
const PARTNER_LOOK_AGAIN_MS = 25;

const events = () => performance.nodeTiming.uvMetricsInfo.events;

/**
 * Returns true if nothing happens in this process until a timer fires or something arrives from outside. Returns false
 * as soon as something happens.
 */
export async function isQuiet(): Promise<boolean> {
  if (hasPartner()) {
    await pause(PARTNER_LOOK_AGAIN_MS);
    return false;
  }
  // The engine counts the current event when its handler has ended.
  await turn();
  const seen = events();
  for (let turns = 0; turns < QUIET_TURNS; turns++) {
    await turn();
    if (isWorking()) {
      await pause(LOOK_AGAIN_MS);
      return false;
    }
    if (events() !== seen) return false;
  }
  return true;
}
