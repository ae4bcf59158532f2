import { type FileResult, hasPassed, newResult } from './file-result.ts';
import { type WorkerOptions, WorkerProcess } from './worker-process.ts';

/** A test file. Without `isShared` it has a separate process. One file with `isRealTime` runs at a time. */
export type TestFile = { path: string; isShared: boolean; isRealTime: boolean };

export type PoolOptions = WorkerOptions & {
  /** How many files run at the same time, each in another process. */
  concurrency: number;
  signal: AbortSignal;
  onResult(result: FileResult): void;
};

/** Returns the next file of a process, or undefined if there is none. */
type Next = () => TestFile | undefined;

/**
 * Runs test files in their order. Files in real time begin at once, and run one after the other while the other files
 * run: they never slow each other down. A shared process runs one file after the other until a file fails. Then a new
 * process continues.
 */
export async function runFiles(files: readonly TestFile[], options: PoolOptions): Promise<void> {
  const { concurrency, signal, onResult } = options;
  const realTime = files.filter(({ isRealTime }) => isRealTime);
  const others = files.filter(({ isRealTime }) => !isRealTime);
  const running = new Set<WorkerProcess>();
  const stop = () => {
    for (const queue of [realTime, others]) queue.length = 0;
    for (const worker of running) worker.kill();
  };
  const start = () => {
    const worker = new WorkerProcess(options);
    running.add(worker);
    return worker;
  };
  const firstRealTime = () => realTime.shift() ?? others.shift();
  const work = async (next: Next) => {
    let shared: WorkerProcess | undefined;
    for (let file = next(); file !== undefined; file = next()) {
      const worker = file.isShared ? (shared ?? start()) : start();
      if (file.isShared) shared = worker;
      const result = await worker.run(file);
      if (!signal.aborted) onResult(result);
      // The leftovers of a failure must not fail the files after it.
      if (!hasPassed(result)) worker.kill();
      else if (worker.isRunning) continue;
      running.delete(worker);
      if (worker === shared) shared = undefined;
    }
    if (shared !== undefined) await endWorker(shared, onResult);
  };
  signal.addEventListener('abort', stop);
  try {
    const usual = (index: number) => work(index === 0 ? firstRealTime : () => others.shift());
    await Promise.all(Array.from({ length: concurrency }, (_, index) => usual(index)));
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Ends a process that has no more files. A bad end is a failure of its last file. */
async function endWorker(worker: WorkerProcess, onResult: PoolOptions['onResult']): Promise<void> {
  const last = worker.results.at(-1);
  const exit = await worker.end();
  if (last !== undefined && exit !== undefined) onResult({ ...newResult(last.path), exit, hasEnded: true });
}
