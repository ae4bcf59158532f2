/**
 * What this process waits for that is no timer: statements in PostgreSQL, requests to the system, threads, child
 * processes, and bytes between two sockets of this process.
 */
import { createHook } from 'node:async_hooks';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { areBytesUnderWay } from './socket-bytes.ts';

let statements = 0;

type Method = (this: unknown, ...values: unknown[]) => unknown;

/** Replaces a method of all objects of a class by one that `wrap` makes of it. */
function replace(prototype: object, name: string, wrap: (original: Method) => Method): void {
  const methods = prototype as Record<string, Method>;
  methods[name] = wrap(methods[name] as Method);
}

/** Counts the calls of a method of PostgreSQL clients while they run. It takes a callback or returns a promise. */
function countCalls(name: 'connect' | 'query'): void {
  replace(pg.Client.prototype, name, (original) => {
    return function counted(this: unknown, ...values) {
      statements++;
      const end = () => {
        statements--;
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

/** Requests to the system, or to the threads of the runtime, that end with a callback. */
const REQUESTS = /^(FSREQCALLBACK|FILEHANDLECLOSEREQ|GETADDRINFO|GETNAMEINFO|QUERYWRAP|TCPCONNECT|PIPECONNECT)/;
const requests = new Set<number>();
createHook({
  trackPromises: false,
  init: (id, type) => {
    if (REQUESTS.test(type)) requests.add(id);
  },
  after: (id) => {
    requests.delete(id);
  },
}).enable();

/** File operations that end with a promise. The hook above does not see them. */
let fileOperations = 0;

function countPromises(functions: object, names: readonly string[]): void {
  for (const name of names) {
    replace(functions, name, (original) => {
      return function counted(this: unknown, ...values) {
        const result = original.apply(this, values);
        if (!(result instanceof Promise)) return result;
        fileOperations++;
        const end = () => {
          fileOperations--;
        };
        result.then(end, end);
        return result;
      };
    });
  }
}

countPromises(
  files,
  Object.entries(files).flatMap(([name, value]) => (typeof value === 'function' ? [name] : [])),
);
syncBuiltinESMExports();
const someFile = await files.open(process.execPath);
countPromises(Object.getPrototypeOf(someFile), ['datasync', 'read', 'readFile', 'stat', 'sync', 'write', 'writeFile']);
await someFile.close();

/** Threads with messages that they have not answered. */
const askedThreads = new Set<unknown>();
replace(Worker.prototype, 'postMessage', (original) => {
  return function posted(this: unknown, ...values) {
    const worker = this as Worker;
    if (!askedThreads.has(worker)) {
      askedThreads.add(worker);
      const answered = () => {
        askedThreads.delete(worker);
        for (const event of ['message', 'exit'] as const) worker.off(event, answered);
      };
      for (const event of ['message', 'exit'] as const) worker.on(event, answered);
    }
    return original.apply(worker, values);
  };
});

let partners = 0;

/**
 * Counts as something that happens until what this returns is called: for a program, such as a browser, that was not
 * started by this process and whose work is not seen here.
 */
export function countPartner(): () => void {
  partners++;
  return () => {
    partners--;
  };
}

function isWorking(): boolean {
  return (
    partners > 0 ||
    statements > 0 ||
    requests.size > 0 ||
    fileOperations > 0 ||
    askedThreads.size > 0 ||
    areBytesUnderWay() ||
    process.getActiveResourcesInfo().includes('ProcessWrap')
  );
}

/** Turns of the event loop without any event after which this process waits only for timers. */
const QUIET_TURNS = 4;
const LOOK_AGAIN_MS = 1;

const events = () => performance.nodeTiming.uvMetricsInfo.events;

/**
 * Returns true if nothing happens in this process until a timer fires, or something from outside arrives; false as soon
 * as something happens.
 */
export async function isQuiet(): Promise<boolean> {
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
