import { type FileResult, hasPassed, newResult } from './file-result.ts';
import { type WorkerOptions, WorkerProcess } from './worker-process.ts';

/** Files that wait more than they work: for the machine's time, or for a browser. */
export type WaitingKind = 'realTime' | 'browser';

/** A test file. Without `isShared` it has a process of its own. */
export type TestFile = { path: string; isShared: boolean; waits?: WaitingKind | undefined };

/** The first processes of a run take files of these kinds as long as there are any. */
export const WAITING_PROCESSES: readonly WaitingKind[] = ['realTime', 'browser', 'browser'];

export type PoolOptions = WorkerOptions & {
  /** How many files run at the same time, each in another process. */
  concurrency: number;
  signal: AbortSignal;
  onResult(result: FileResult): void;
};

/**
 * Runs test files in their order. Those that wait begin at once beside the others. Those in real time run one after the
 * other: they never slow each other down. A process that is shared runs one file after the other, until one has failed;
 * then a new one continues.
 */
export async function runFiles(files: readonly TestFile[], options: PoolOptions): Promise<void> {
  const { concurrency, signal, onResult } = options;
  const queueOf = (kind?: WaitingKind) => files.filter(({ waits }) => waits === kind);
  const queues = { realTime: queueOf('realTime'), browser: queueOf('browser') };
  const others = queueOf();
  const running = new Set<WorkerProcess>();
  const stop = () => {
    for (const queue of [...Object.values(queues), others]) queue.length = 0;
    for (const worker of running) worker.kill();
  };
  const start = () => {
    const worker = new WorkerProcess(options);
    running.add(worker);
    return worker;
  };
  const work = async (kind: WaitingKind | undefined) => {
    const next = () => (kind && queues[kind].shift()) ?? others.shift() ?? queues.browser.shift();
    let shared: WorkerProcess | undefined;
    for (let file = next(); file !== undefined; file = next()) {
      const worker = file.isShared ? (shared ?? start()) : start();
      if (file.isShared) shared = worker;
      const result = await worker.run(file);
      if (!signal.aborted) onResult(result);
      // What a failure left behind must not fail the files after it.
      if (!hasPassed(result)) worker.kill();
      else if (worker.isRunning) continue;
      running.delete(worker);
      if (worker === shared) shared = undefined;
    }
    if (shared !== undefined) await endWorker(shared, onResult);
  };
  signal.addEventListener('abort', stop);
  try {
    await Promise.all(Array.from({ length: concurrency }, (_, index) => work(WAITING_PROCESSES[index])));
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
