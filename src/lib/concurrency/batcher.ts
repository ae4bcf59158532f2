import { createAlarm } from '../time/alarm.ts';
import { monotonicMs } from '../time/time.ts';
import { createFifo } from './fifo.ts';

/**
 * Lets concurrent calls share one run, such as one statement for many rows and one commit. The first call of an idle
 * batcher runs after the pending events are read, so that calls that arrive together share a run. While runs are in
 * progress, later calls wait and are collected. Every operation is O(1) per row.
 */
export type BatcherOptions<Input, Output> = {
  /** Most rows of one run. */
  rowsMax: number;
  /** Most runs in flight. */
  concurrencyMax: number;
  /**
   * While other runs are open, a new run starts at the earliest this long after the latest start. So the next rows
   * usually collect for one large run, and a second run starts only if the first one is slow. By default a run starts
   * immediately.
   */
  besideMs?: number;
  /** Carries out rows together; returns one output per input, in their order. */
  run(inputs: Input[]): Promise<Output[]>;
  /** The queue of waiting rows; by default first in, first out. */
  queue?: (limits: RunLimits) => RowQueue<Row<Input, Output>>;
  /** Whether the rows of a failed run are retried one by one, so that a faulty row fails alone; by default always. */
  retriesAlone?: (error: unknown) => boolean;
  /** Called with the size of every batch. */
  onBatch?: (rows: number) => void;
};

export type RunLimits = { readonly rowsMax: number; readonly concurrencyMax: number };

/** The rows that wait for a run. It decides which of them run next. */
export type RowQueue<R> = {
  push(row: R): void;
  /**
   * Returns the milliseconds until `take` may return rows (0: now). Undefined if `take` returns none before another row
   * is added or a run ends.
   */
  readyInMs(): number | undefined;
  /**
   * Removes the rows of the next run. Returns undefined if no run may start now. The caller calls `onEnd` when the run
   * has ended.
   */
  take(): { rows: R[]; onEnd(): void } | undefined;
};

export type Batcher<Input, Output> = {
  /** Returns the output of this row, or rejects with the error of its run. */
  add(input: Input): Promise<Output>;
  /** Returns the number of rows that wait for a run. */
  waiting(): number;
};

export type Row<Input, Output> = { input: Input; resolve: (output: Output) => void; reject: (error: unknown) => void };

/** Rows of a failed run that are retried concurrently. */
const ALONE_CONCURRENCY = 4;

export function createBatcher<Input, Output>(options: BatcherOptions<Input, Output>): Batcher<Input, Output> {
  const { rowsMax, concurrencyMax, besideMs = 0, queue: makeQueue = createRowFifo, onBatch } = options;
  const queue = makeQueue({ rowsMax, concurrencyMax });
  let waiting = 0;
  let inFlight = 0;
  let isScheduled = false;
  let lastStartMs = Number.NEGATIVE_INFINITY;
  const alarm = createAlarm(() => schedule());

  const schedule = () => {
    if (isScheduled || inFlight >= concurrencyMax) return;
    const readyInMs = queue.readyInMs();
    if (readyInMs === undefined) return;
    const waitMs = Math.max(readyInMs, inFlight === 0 ? 0 : lastStartMs + besideMs - monotonicMs());
    if (waitMs > 0) {
      alarm.set(waitMs);
      return;
    }
    isScheduled = true;
    alarm.clear();
    setImmediate(() => {
      isScheduled = false;
      start();
      schedule();
    });
  };

  const start = () => {
    const batch = queue.take();
    if (batch === undefined) return;
    waiting -= batch.rows.length;
    lastStartMs = monotonicMs();
    inFlight++;
    onBatch?.(batch.rows.length);
    void carryOut(batch.rows, options).finally(() => {
      inFlight--;
      batch.onEnd();
      schedule();
    });
  };

  return {
    add: (input) =>
      new Promise((resolve, reject) => {
        queue.push({ input, resolve, reject });
        waiting++;
        schedule();
      }),
    waiting: () => waiting,
  };
}

function createRowFifo<R>({ rowsMax }: RunLimits): RowQueue<R> {
  const rows = createFifo<R>();
  return {
    push: rows.push,
    readyInMs: () => (rows.size() > 0 ? 0 : undefined),
    take: () => (rows.size() > 0 ? { rows: rows.take(rowsMax), onEnd: () => undefined } : undefined),
  };
}

type Carrier<Input, Output> = Pick<BatcherOptions<Input, Output>, 'run' | 'retriesAlone'>;

async function carryOut<Input, Output>(batch: Row<Input, Output>[], carrier: Carrier<Input, Output>): Promise<void> {
  try {
    settle(batch, await carrier.run(batch.map((row) => row.input)));
  } catch (error) {
    if (batch.length > 1 && carrier.retriesAlone?.(error) !== false) return carryOutAlone(batch, carrier);
    for (const row of batch) row.reject(error);
  }
}

async function carryOutAlone<Input, Output>(batch: Row<Input, Output>[], { run }: Carrier<Input, Output>) {
  const rows = batch.values();
  const work = async () => {
    for (const row of rows) {
      try {
        settle([row], await run([row.input]));
      } catch (error) {
        row.reject(error);
      }
    }
  };
  await Promise.all(Array.from({ length: ALONE_CONCURRENCY }, work));
}

function settle<Input, Output>(batch: Row<Input, Output>[], outputs: Output[]): void {
  if (outputs.length !== batch.length) {
    const error = new Error(`a run of ${batch.length} rows returned ${outputs.length} outputs`);
    for (const row of batch) row.reject(error);
    return;
  }
  batch.forEach((row, index) => {
    row.resolve(outputs[index] as Output);
  });
}
