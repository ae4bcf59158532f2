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

/**
 * Runs test files in their order. Files in real time begin at once, and run one after the other while the other files
 * run: they never slow each other down. A process that is shared runs one file after the other, until one has failed;
 * then a new one continues.
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
  const work = async (takesRealTime: boolean) => {
    const next = () => (takesRealTime ? realTime.shift() : undefined) ?? others.shift();
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
    await Promise.all(Array.from({ length: concurrency }, (_, index) => work(index === 0)));
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
