import { createAlarm } from './alarm.ts';

/**
 * Lets concurrent calls share one run: a statement for many rows and one commit. The first call of an idle batcher
 * runs at once (after the events at hand have been read, so that calls arriving together go together); while batches
 * are in flight the following calls collect. Keys take turns, so that one that calls without pause cannot crowd out
 * the others; and one with many calls open shares no run with those that have few, who would wait for its rows too.
 * Every operation is O(1) per row.
 */
export type BatcherOptions<Input, Output> = {
  /** Most rows of one run. */
  rowsMax: number;
  /** Most runs in flight. */
  concurrencyMax: number;
  /**
   * A run starts beside others only once the last of them has been in flight for so long, so that usually the next rows
   * collect for one large run and only a run that stands still is passed; by default at once.
   */
  besideMs?: number;
  /** Carries rows out together; answers one output per input, in their order. */
  run(inputs: Input[]): Promise<Output[]>;
  /** Whose row it is, for fairness; by default all rows are alike. */
  keyOf?: (input: Input) => string | number;
  /** Most rows of one key in a batch while others call too: they wait now, or have called within the last 100 ms. */
  shareMax?: number;
  /**
   * A key with more calls open than this, waiting or in flight, is busy; by default none is. The busy run apart from the
   * others and leave them one of the runs, so that a key that calls without pause does not make the others wait.
   */
  busyMin?: number;
  /** Most runs in flight with rows of one busy key while others call too; by default as many as the busy have. */
  keyRunsMax?: number;
  /** So long after each of their runs the busy rest while others call too, so that these find the machine free; 0. */
  busyRestMs?: number;
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

/** Rows of one key, oldest first; taken from `head` on. `open` wait or are in flight, in `runs` runs. */
type KeyRows<Row> = { rows: Row[]; head: number; taken: number; open: number; runs: number };

type Keyed<Row> = Map<string | number, KeyRows<Row>>;

/** Keys whose turn may come now, and how many runs with rows of theirs are in flight. */
type Side<Row> = { ready: Keyed<Row>; inFlight: number };

/** The rows of one run, and how many are whose. */
type Batch<Row> = { rows: Row[]; keys: { key: string | number; own: KeyRows<Row>; count: number }[] };

/** So long after another key's call the keys count as calling side by side. */
const MIXED_MS = 100;

/** Rows tried again at the same time after a failed run. */
const ALONE_CONCURRENCY = 4;

export function createBatcher<Input, Output>(options: BatcherOptions<Input, Output>): Batcher<Input, Output> {
  const { rowsMax, concurrencyMax, run, keyOf = () => 0, shareMax = rowsMax, retriesAlone, onBatch } = options;
  const { busyMin = Number.POSITIVE_INFINITY, keyRunsMax = concurrencyMax, besideMs = 0, busyRestMs = 0 } = options;
  const busyRunsMax = Math.max(1, concurrencyMax - 1);
  /** All keys with rows that wait or are in flight. */
  const known: Keyed<Row<Input, Output>> = new Map();
  const busy: Side<Row<Input, Output>> = { ready: new Map(), inFlight: 0 };
  const others: Side<Row<Input, Output>> = { ready: new Map(), inFlight: 0 };
  let lastSide = busy;
  let lastKey: string | number | undefined;
  /** When calls last passed from one key to another. */
  let mixedAtMs = Number.NEGATIVE_INFINITY;
  let waiting = 0;
  let scheduled = false;
  let lastStartMs = Number.NEGATIVE_INFINITY;
  let busyRestsUntilMs = Number.NEGATIVE_INFINITY;
  const alarm = createAlarm(() => schedule());

  const othersCall = (): boolean => known.size > 1 || performance.now() - mixedAtMs < MIXED_MS;

  /** Whose batch is next: the two sides alternate where both may run. */
  const nextSide = (): Side<Row<Input, Output>> | undefined => {
    if (busy.inFlight + others.inFlight >= concurrencyMax) return undefined;
    const busyMay = busy.ready.size > 0 && busy.inFlight < busyRunsMax && performance.now() >= busyRestsUntilMs;
    if (others.ready.size > 0 && (lastSide === busy || !busyMay)) return others;
    return busyMay ? busy : undefined;
  };

  const schedule = () => {
    if (scheduled) return;
    if (nextSide() === undefined) {
      // Rows of the busy that only wait out their rest have nobody else to start them.
      const restMs = busyRestsUntilMs - performance.now();
      if (restMs > 0 && busy.ready.size > 0) alarm.set(restMs);
      return;
    }
    const waitMs = busy.inFlight + others.inFlight === 0 ? 0 : lastStartMs + besideMs - performance.now();
    if (waitMs > 0) {
      alarm.set(waitMs);
      return;
    }
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      const side = nextSide();
      // A run may have ended since, and the busy rest.
      if (side === undefined) return schedule();
      lastSide = side;
      start(side, takeBatch(side.ready, rowsMax, othersCall() ? shareMax : rowsMax));
      schedule();
    });
  };

  const start = (side: Side<Row<Input, Output>>, batch: Batch<Row<Input, Output>>) => {
    waiting -= batch.rows.length;
    lastStartMs = performance.now();
    side.inFlight++;
    for (const { key, own } of batch.keys) {
      own.runs++;
      place(key, own);
    }
    void carryOut(batch.rows).finally(() => {
      side.inFlight--;
      if (side === busy && busyRestMs > 0 && othersCall()) {
        busyRestsUntilMs = performance.now() + busyRestMs;
      }
      for (const { key, own, count } of batch.keys) {
        own.runs--;
        own.open -= count;
        place(key, own);
      }
      schedule();
    });
  };

  /** Puts a key where its next turn comes, if it has rows and may have another run. */
  const place = (key: string | number, own: KeyRows<Row<Input, Output>>) => {
    const isBusy = own.open > busyMin;
    const [side, otherSide] = isBusy ? [busy, others] : [others, busy];
    otherSide.ready.delete(key);
    const isReady = own.head < own.rows.length && own.runs < (isBusy && othersCall() ? keyRunsMax : concurrencyMax);
    if (!isReady) side.ready.delete(key);
    else if (!side.ready.has(key)) side.ready.set(key, own);
    if (own.open === 0) known.delete(key);
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
        const own = known.get(key) ?? { rows: [], head: 0, taken: 0, open: 0, runs: 0 };
        known.set(key, own);
        own.rows.push(row);
        own.open++;
        place(key, own);
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
function takeBatch<R>(ready: Keyed<R>, rowsMax: number, shareMax: number): Batch<R> {
  const rows: R[] = [];
  const full: [string | number, KeyRows<R>][] = [];
  const taken: Keyed<R> = new Map();
  // An iterator of a Map also comes to what is put back while it runs.
  for (const next of ready) {
    const [key, own] = next;
    ready.delete(key);
    rows.push(own.rows[own.head++] as R);
    own.taken++;
    taken.set(key, own);
    if (own.head < own.rows.length) {
      if (own.taken < shareMax) ready.set(key, own);
      else full.push(next);
    }
    if (rows.length === rowsMax) break;
  }
  for (const [key, own] of full) ready.set(key, own);
  const keys = [...taken].map(([key, own]) => ({ key, own, count: own.taken }));
  for (const own of taken.values()) {
    own.taken = 0;
    // Dropped in one go only when most of it is used up, so that a row is moved at most once on average.
    if (own.head > 64 && own.head * 2 > own.rows.length) {
      own.rows.splice(0, own.head);
      own.head = 0;
    }
  }
  return { rows, keys };
}
