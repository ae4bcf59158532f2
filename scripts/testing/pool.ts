import { type FileResult, hasPassed, newResult } from './file-result.ts';
import { type WorkerOptions, WorkerProcess } from './worker-process.ts';

/** A test file. Without `isShared` it has a process of its own. */
export type TestFile = { path: string; isShared: boolean };

export type PoolOptions = WorkerOptions & {
  /** How many files run at the same time, each in another process. */
  concurrency: number;
  signal: AbortSignal;
  onResult(result: FileResult): void;
};

/**
 * Runs test files in their order. A process that is shared runs one file after the other, and a new one continues if it
 * was stopped.
 */
export async function runFiles(files: readonly TestFile[], options: PoolOptions): Promise<void> {
  const { concurrency, signal, onResult } = options;
  const queue = [...files];
  const running = new Set<WorkerProcess>();
  const stop = () => {
    queue.length = 0;
    for (const worker of running) worker.kill();
  };
  const start = () => {
    const worker = new WorkerProcess(options);
    running.add(worker);
    return worker;
  };
  const work = async () => {
    let shared: WorkerProcess | undefined;
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      if (file.isShared && !shared?.isRunning) shared = start();
      const worker = file.isShared && shared !== undefined ? shared : start();
      const result = await worker.run(file);
      if (!signal.aborted) onResult(result);
      if (!worker.isRunning) running.delete(worker);
    }
    if (shared?.isRunning) await endWorker(shared, onResult);
  };
  signal.addEventListener('abort', stop);
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Ends a process that has no more files. A bad end is a failure of its last file. */
async function endWorker(worker: WorkerProcess, onResult: PoolOptions['onResult']): Promise<void> {
  const results = [...worker.results];
  const last = results.at(-1);
  const exit = await worker.end();
  // Node ends a process with exit code 1 if a test has failed.
  if (last !== undefined && exit !== undefined && results.every(hasPassed)) {
    onResult({ ...newResult(last.path), exit, hasEnded: true });
  }
}
