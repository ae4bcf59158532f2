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
  /** Most rows of one key in a batch while others call too: they wait now, or have called within the last 100 ms. */
  shareMax?: number;
  /**
   * Most runs in flight with rows of one key; by default all. Below `concurrencyMax` it keeps a run free for the others,
   * so that a key that calls without pause cannot make them wait for its batches.
   */
  keyRunsMax?: number;
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

/** Rows of one key, oldest first; taken from `head` on. `runs` of them are in flight. */
type KeyRows<Row> = { rows: Row[]; head: number; taken: number; runs: number };

type Keyed<Row> = Map<string | number, KeyRows<Row>>;

/** So long after another key's call the keys count as calling side by side. */
const MIXED_MS = 100;

/** Rows tried again at the same time after a failed run. */
const ALONE_CONCURRENCY = 4;

export function createBatcher<Input, Output>(options: BatcherOptions<Input, Output>): Batcher<Input, Output> {
  const { rowsMax, concurrencyMax, run, keyOf = () => 0, shareMax = rowsMax, retriesAlone, onBatch } = options;
  const { keyRunsMax = concurrencyMax } = options;
  /** All keys with rows that wait or are in flight. */
  const known: Keyed<Row<Input, Output>> = new Map();
  /** Those whose turn may come now. */
  const ready: Keyed<Row<Input, Output>> = new Map();
  let lastKey: string | number | undefined;
  /** When calls last passed from one key to another. */
  let mixedAtMs = Number.NEGATIVE_INFINITY;
  let waiting = 0;
  let inFlight = 0;
  let scheduled = false;

  const schedule = () => {
    if (scheduled || ready.size === 0 || inFlight >= concurrencyMax) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (ready.size === 0 || inFlight >= concurrencyMax) return;
      const isShared = ready.size > 1 || performance.now() - mixedAtMs < MIXED_MS;
      const { batch, keys } = takeBatch(ready, rowsMax, isShared ? shareMax : rowsMax);
      waiting -= batch.length;
      inFlight++;
      for (const [key, own] of keys) {
        own.runs++;
        if (own.runs >= keyRunsMax) ready.delete(key);
      }
      void carryOut(batch).finally(() => {
        inFlight--;
        for (const [key, own] of keys) giveBack(key, own);
        schedule();
      });
      schedule();
    });
  };

  /** After a run of the key: its turn may come again, or nothing is left of it. */
  const giveBack = (key: string | number, own: KeyRows<Row<Input, Output>>) => {
    own.runs--;
    if (own.head < own.rows.length) ready.set(key, own);
    else if (own.runs === 0) known.delete(key);
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
        if (key !== lastKey) {
          if (lastKey !== undefined) mixedAtMs = performance.now();
          lastKey = key;
        }
        const row = { input, resolve, reject };
        const own = known.get(key) ?? { rows: [], head: 0, taken: 0, runs: 0 };
        known.set(key, own);
        own.rows.push(row);
        if (own.runs < keyRunsMax && !ready.has(key)) ready.set(key, own);
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
function takeBatch<R>(
  ready: Keyed<R>,
  rowsMax: number,
  shareMax: number,
): { batch: R[]; keys: Map<string | number, KeyRows<R>> } {
  const batch: R[] = [];
  const full: [string | number, KeyRows<R>][] = [];
  const keys: Keyed<R> = new Map();
  // An iterator of a Map also comes to what is put back while it runs.
  for (const next of ready) {
    const [key, own] = next;
    ready.delete(key);
    batch.push(own.rows[own.head++] as R);
    own.taken++;
    keys.set(key, own);
    if (own.head < own.rows.length) {
      if (own.taken < shareMax) ready.set(key, own);
      else full.push(next);
    }
    if (batch.length === rowsMax) break;
  }
  for (const own of keys.values()) {
    own.taken = 0;
    // Dropped in one go only when most of it is used up, so that a row is moved at most once on average.
    if (own.head > 64 && own.head * 2 > own.rows.length) {
      own.rows.splice(0, own.head);
      own.head = 0;
    }
  }
  for (const [key, own] of full) ready.set(key, own);
  return { batch, keys };
}
