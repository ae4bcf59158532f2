/**
 * Lets concurrent calls share one run: a statement for many rows and one commit. The first call of an idle batcher
 * runs at once (after the events at hand have been read, so that calls arriving together go together); while batches
 * are in flight the following calls collect. Keys take turns, so that one that calls without pause cannot crowd out
 * the others. Every operation is O(1) per row.
 */
export type BatcherOptions<Input, Output> = {
  /** Most rows of one run. */
  rowsMax: number;
  /** Most runs in flight. */
  concurrencyMax: number;
  /** Carries rows out together; answers one output per input, in their order. */
  run(inputs: Input[]): Promise<Output[]>;
  /** Whose row it is, for fairness; by default all rows are alike. */
  keyOf?: (input: Input) => string | number;
  /** Most rows of one key in a batch while rows of other keys wait. */
  shareMax?: number;
  /** Whether the rows of a failed run are tried again one by one, so that a poisonous one fails alone; always by default. */
  retriesAlone?: (error: unknown) => boolean;
  /** Hears the size of every batch. */
  onBatch?: (rows: number) => void;
};

export type Batcher<Input, Output> = {
  /** Output of this row, or what its run threw. */
  add(input: Input): Promise<Output>;
  /** Rows that wait for a run. */
  waiting(): number;
};

type Row<Input, Output> = { input: Input; resolve: (output: Output) => void; reject: (error: unknown) => void };

/** Rows of one key, oldest first; taken from `head` on. */
type KeyRows<Row> = { rows: Row[]; head: number; taken: number };

/** Rows tried again at the same time after a failed run. */
const ALONE_CONCURRENCY = 4;

export function createBatcher<Input, Output>(options: BatcherOptions<Input, Output>): Batcher<Input, Output> {
  const { rowsMax, concurrencyMax, run, keyOf = () => 0, shareMax = rowsMax, retriesAlone, onBatch } = options;
  const byKey = new Map<string | number, KeyRows<Row<Input, Output>>>();
  let waiting = 0;
  let inFlight = 0;
  let scheduled = false;

  const schedule = () => {
    if (scheduled || waiting === 0 || inFlight >= concurrencyMax) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (waiting === 0 || inFlight >= concurrencyMax) return;
      const batch = takeBatch(byKey, rowsMax, shareMax);
      waiting -= batch.length;
      inFlight++;
      void carryOut(batch).finally(() => {
        inFlight--;
        schedule();
      });
      schedule();
    });
  };

  const carryOut = async (batch: Row<Input, Output>[]) => {
    onBatch?.(batch.length);
    try {
      settle(batch, await run(batch.map((row) => row.input)));
    } catch (error) {
      if (batch.length === 1 || retriesAlone?.(error) === false) {
        for (const row of batch) row.reject(error);
      } else {
        await carryOutAlone(batch);
      }
    }
  };

  const carryOutAlone = async (batch: Row<Input, Output>[]) => {
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
  };

  return {
    add: (input) =>
      new Promise((resolve, reject) => {
        const key = keyOf(input);
        const row = { input, resolve, reject };
        const same = byKey.get(key);
        if (same === undefined) byKey.set(key, { rows: [row], head: 0, taken: 0 });
        else same.rows.push(row);
        waiting++;
        schedule();
      }),
    waiting: () => waiting,
  };
}

function settle<Input, Output>(batch: Row<Input, Output>[], outputs: Output[]): void {
  if (outputs.length !== batch.length) {
    const error = new Error(`a run of ${batch.length} rows answered ${outputs.length}`);
    for (const row of batch) row.reject(error);
    return;
  }
  batch.forEach((row, index) => {
    row.resolve(outputs[index] as Output);
  });
}

/** Takes rows key by key in turns. The map's order is whose turn it is: who was served goes to its end. */
function takeBatch<R>(byKey: Map<string | number, KeyRows<R>>, rowsMax: number, shareMax: number): R[] {
  const batch: R[] = [];
  const full: [string | number, KeyRows<R>][] = [];
  const served = new Set<KeyRows<R>>();
  const shareOfOne = byKey.size > 1 ? shareMax : rowsMax;
  // An iterator of a Map also comes to what is put back while it runs.
  for (const next of byKey) {
    const [key, own] = next;
    byKey.delete(key);
    batch.push(own.rows[own.head++] as R);
    own.taken++;
    served.add(own);
    if (own.head < own.rows.length) {
      if (own.taken < shareOfOne) byKey.set(key, own);
      else full.push(next);
    }
    if (batch.length === rowsMax) break;
  }
  for (const own of served) {
    own.taken = 0;
    // Dropped in one go only when most of it is used up, so that a row is moved at most once on average.
    if (own.head > 64 && own.head * 2 > own.rows.length) {
      own.rows.splice(0, own.head);
      own.head = 0;
    }
  }
  for (const [key, own] of full) byKey.set(key, own);
  return batch;
}
