/**
 * A queue for a batcher whose rows belong to keys, such as the ledgers of sends. Keys take turns, so that one that calls
 * without pause cannot crowd out the others. A key with many open calls shares no run with keys that have few, whose
 * callers would wait for its rows too. Every operation is O(1) per row.
 */
import type { Row, RowQueue, RunLimits } from './batcher.ts';
import { createFifo, type Fifo } from './fifo.ts';

export type FairQueueOptions<Input> = {
  /** Returns the key of a row. */
  keyOf: (input: Input) => string | number;
  /** Most rows of one key in a run while other keys call too: they wait now, or have called within the last 100 ms. */
  shareMax?: number;
  /**
   * A key with more open calls than this, waiting or in flight, is busy; by default none is. Busy keys have runs of their
   * own and leave one run to the others, so that a key that calls without pause does not delay them.
   */
  busyMin?: number;
  /** Most runs in flight with rows of one busy key while other keys call too; by default as many as the busy may have. */
  keyRunsMax?: number;
  /** Busy keys pause this long after each of their runs while others call too, so that these find the machine free; 0. */
  busyPauseMs?: number;
};

/** Rows of one key. `open` rows wait or are in flight, in `runs` runs; `taken` are in the batch that is being made. */
type KeyRows<R> = { readonly rows: Fifo<R>; taken: number; open: number; runs: number };

type Keyed<R> = Map<string | number, KeyRows<R>>;

/** Keys that may be served next, in order, and how many runs with rows of theirs are in flight. */
type Side<R> = { readonly ready: Keyed<R>; inFlight: number };

/** Keys call side by side for this long after a call of another key. */
const MIXED_MS = 100;

/** Returns a fair queue for `BatcherOptions.queue`. */
export function fairQueue<Input, Output>(
  options: FairQueueOptions<Input>,
): (limits: RunLimits) => RowQueue<Row<Input, Output>> {
  return (limits) => createFairQueue(options, limits);
}

function createFairQueue<Input, R extends { input: Input }>(
  options: FairQueueOptions<Input>,
  { rowsMax, concurrencyMax }: RunLimits,
): RowQueue<R> {
  const { keyOf, shareMax = rowsMax, busyMin = Number.POSITIVE_INFINITY } = options;
  const { keyRunsMax = concurrencyMax, busyPauseMs = 0 } = options;
  const busyRunsMax = Math.max(1, concurrencyMax - 1);
  /** All keys with rows that wait or are in flight. */
  const known: Keyed<R> = new Map();
  const busy: Side<R> = { ready: new Map(), inFlight: 0 };
  const others: Side<R> = { ready: new Map(), inFlight: 0 };
  let lastSide = busy;
  let lastKey: string | number | undefined;
  /** When a call last came from another key than the one before. */
  let mixedAtMs = Number.NEGATIVE_INFINITY;
  let busyPausedUntilMs = Number.NEGATIVE_INFINITY;

  const othersCall = (): boolean => known.size > 1 || performance.now() - mixedAtMs < MIXED_MS;

  /** Returns the side of the next run: the two alternate where both may run. */
  const nextSide = (): Side<R> | undefined => {
    const busyMay = busy.ready.size > 0 && busy.inFlight < busyRunsMax && performance.now() >= busyPausedUntilMs;
    if (others.ready.size > 0 && (lastSide === busy || !busyMay)) return others;
    return busyMay ? busy : undefined;
  };

  /** Moves a key to its side, if it has rows and may have another run; keys that are ready keep their turn. */
  const update = (key: string | number, own: KeyRows<R>) => {
    const isBusy = own.open > busyMin;
    const [side, otherSide] = isBusy ? [busy, others] : [others, busy];
    otherSide.ready.delete(key);
    const isReady = own.rows.size() > 0 && own.runs < (isBusy && othersCall() ? keyRunsMax : concurrencyMax);
    if (!isReady) side.ready.delete(key);
    else if (!side.ready.has(key)) side.ready.set(key, own);
    if (own.open === 0) known.delete(key);
  };

  const begin = (side: Side<R>, taken: Keyed<R>): (() => void) => {
    side.inFlight++;
    const counts = [...taken].map(([key, own]) => ({ key, own, count: own.taken }));
    for (const { key, own } of counts) {
      own.taken = 0;
      own.runs++;
      update(key, own);
    }
    return () => {
      side.inFlight--;
      if (side === busy && busyPauseMs > 0 && othersCall()) busyPausedUntilMs = performance.now() + busyPauseMs;
      for (const { key, own, count } of counts) {
        own.runs--;
        own.open -= count;
        update(key, own);
      }
    };
  };

  return {
    push: (row) => {
      const key = keyOf(row.input);
      if (key !== lastKey) {
        if (lastKey !== undefined) mixedAtMs = performance.now();
        lastKey = key;
      }
      const own = known.get(key) ?? { rows: createFifo<R>(), taken: 0, open: 0, runs: 0 };
      known.set(key, own);
      own.rows.push(row);
      own.open++;
      update(key, own);
    },
    readyInMs: () => {
      if (nextSide() !== undefined) return 0;
      const pauseMs = busyPausedUntilMs - performance.now();
      return pauseMs > 0 && busy.ready.size > 0 ? pauseMs : undefined;
    },
    take: () => {
      const side = nextSide();
      if (side === undefined) return undefined;
      lastSide = side;
      const { rows, taken } = takeTurns(side.ready, rowsMax, othersCall() ? shareMax : rowsMax);
      return { rows, onEnd: begin(side, taken) };
    },
  };
}

/** Takes rows from the keys in turns. The map's order is the order of turns: a key that was served goes to its end. */
function takeTurns<R>(ready: Keyed<R>, rowsMax: number, shareMax: number): { rows: R[]; taken: Keyed<R> } {
  const rows: R[] = [];
  const full: [string | number, KeyRows<R>][] = [];
  const taken: Keyed<R> = new Map();
  // The iterator of a Map also visits entries that are added while it runs.
  for (const next of ready) {
    const [key, own] = next;
    ready.delete(key);
    rows.push(...own.rows.take(1));
    own.taken++;
    taken.set(key, own);
    if (own.rows.size() > 0) {
      if (own.taken < shareMax) ready.set(key, own);
      else full.push(next);
    }
    if (rows.length === rowsMax) break;
  }
  for (const [key, own] of full) ready.set(key, own);
  return { rows, taken };
}
