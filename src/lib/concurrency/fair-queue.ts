/**
 * A queue for a batcher whose rows belong to keys, such as the ledgers of sends. Keys take turns, so that a busy key
 * cannot crowd out the others. A key with many open calls does not share a run with other keys: their callers would
 * wait for its rows. Every operation is O(1) per row.
 */

import { monotonicMs } from '../time/time.ts';
import type { Row, RowQueue, RunLimits } from './batcher.ts';
import { createFifo, type Fifo } from './fifo.ts';

export type FairQueueOptions<Input> = {
  /** Returns the key of a row. */
  keyOf: (input: Input) => string | number;
  /**
   * Most rows of one key in a run while other keys call too. Other keys count if they wait now, or called within the
   * last 100 ms.
   */
  shareMax?: number;
  /**
   * A key with more open calls than this, waiting or in flight, is busy; by default no key is. Busy keys have separate
   * runs, and leave one run to the other keys. So a key that calls without pause does not delay the others.
   */
  busyMin?: number;
  /** Most runs in flight with rows of one busy key while other keys call too; by default all runs of busy keys. */
  keyRunsMax?: number;
  /**
   * While other keys call too, busy keys pause this long after each of their runs, which leaves the machine to the
   * others; 0 by default.
   */
  busyPauseMs?: number;
};

/** Rows of one key. `open` rows wait or are in flight, in `runs` runs; `taken` are in the batch that is being made. */
type KeyRows<R> = { readonly rows: Fifo<R>; taken: number; open: number; runs: number };

type Keyed<R> = Map<string | number, KeyRows<R>>;

/**
 * One of two sides: the busy keys, or all other keys. Has the keys that may be served next, in order, and the number of
 * runs in flight.
 */
type Side<R> = { readonly ready: Keyed<R>; inFlight: number };

/** After a call of another key, keys count as calling concurrently for this long. */
const MIXED_MS = 100;

/** Returns a fair queue for `BatcherOptions.queue`. */
export function fairQueue<Input, Output>(
  options: FairQueueOptions<Input>,
): (limits: RunLimits) => RowQueue<Row<Input, Output>> {
  return (limits) => new FairQueue<Input, Row<Input, Output>>(options, limits);
}

class FairQueue<Input, R extends { input: Input }> implements RowQueue<R> {
  readonly #options: Required<FairQueueOptions<Input>>;
  readonly #limits: RunLimits;
  readonly #busyRunsMax: number;
  /** All keys with rows that wait or are in flight. */
  readonly #known: Keyed<R> = new Map();
  readonly #busy: Side<R> = { ready: new Map(), inFlight: 0 };
  readonly #others: Side<R> = { ready: new Map(), inFlight: 0 };
  #lastSide = this.#busy;
  #lastKey: string | number | undefined;
  /** The last time when a call had another key than the call before it. */
  #mixedAtMs = Number.NEGATIVE_INFINITY;
  #busyPausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: FairQueueOptions<Input>, limits: RunLimits) {
    const { keyOf, shareMax = limits.rowsMax, busyMin = Number.POSITIVE_INFINITY } = options;
    const { keyRunsMax = limits.concurrencyMax, busyPauseMs = 0 } = options;
    this.#options = { keyOf, shareMax, busyMin, keyRunsMax, busyPauseMs };
    this.#limits = limits;
    this.#busyRunsMax = Math.max(1, limits.concurrencyMax - 1);
  }

  push(row: R): void {
    const key = this.#options.keyOf(row.input);
    if (key !== this.#lastKey) {
      if (this.#lastKey !== undefined) this.#mixedAtMs = monotonicMs();
      this.#lastKey = key;
    }
    const entry = this.#known.get(key) ?? { rows: createFifo<R>(), taken: 0, open: 0, runs: 0 };
    this.#known.set(key, entry);
    entry.rows.push(row);
    entry.open++;
    this.#update(key, entry);
  }

  readyInMs(): number | undefined {
    // Reads the clock once: with two readings a pause that ended between them would be missed.
    const nowMs = monotonicMs();
    if (this.#nextSide(nowMs) !== undefined) return 0;
    const pauseMs = this.#busyPausedUntilMs - nowMs;
    return pauseMs > 0 && this.#busy.ready.size > 0 ? pauseMs : undefined;
  }

  take(): { rows: R[]; onEnd(): void } | undefined {
    const side = this.#nextSide(monotonicMs());
    if (side === undefined) return undefined;
    this.#lastSide = side;
    const { rowsMax } = this.#limits;
    const { rows, taken } = takeTurns(side.ready, rowsMax, this.#othersCall() ? this.#options.shareMax : rowsMax);
    return { rows, onEnd: this.#begin(side, taken) };
  }

  #othersCall(): boolean {
    return this.#known.size > 1 || monotonicMs() - this.#mixedAtMs < MIXED_MS;
  }

  /** Returns the side of the next run: the two alternate where both may run. */
  #nextSide(nowMs: number): Side<R> | undefined {
    const { ready, inFlight } = this.#busy;
    const busyMay = ready.size > 0 && inFlight < this.#busyRunsMax && nowMs >= this.#busyPausedUntilMs;
    if (this.#others.ready.size > 0 && (this.#lastSide === this.#busy || !busyMay)) return this.#others;
    return busyMay ? this.#busy : undefined;
  }

  /** Moves a key to its side, if it has rows and may have another run. A key that is ready already keeps its turn. */
  #update(key: string | number, entry: KeyRows<R>): void {
    const isBusy = entry.open > this.#options.busyMin;
    const side = isBusy ? this.#busy : this.#others;
    const otherSide = isBusy ? this.#others : this.#busy;
    otherSide.ready.delete(key);
    if (entry.rows.size() === 0 || entry.runs >= this.#runsMax(isBusy)) side.ready.delete(key);
    else if (!side.ready.has(key)) side.ready.set(key, entry);
    if (entry.open === 0) this.#known.delete(key);
  }

  /** Returns the most runs in flight with rows of one key. */
  #runsMax(isBusy: boolean): number {
    return isBusy && this.#othersCall() ? this.#options.keyRunsMax : this.#limits.concurrencyMax;
  }

  #begin(side: Side<R>, taken: Keyed<R>): () => void {
    side.inFlight++;
    const counts = [...taken].map(([key, entry]) => ({ key, entry, count: entry.taken }));
    for (const { key, entry } of counts) {
      entry.taken = 0;
      entry.runs++;
      this.#update(key, entry);
    }
    return () => {
      side.inFlight--;
      const { busyPauseMs } = this.#options;
      if (side === this.#busy && busyPauseMs > 0 && this.#othersCall()) {
        this.#busyPausedUntilMs = monotonicMs() + busyPauseMs;
      }
      for (const { key, entry, count } of counts) {
        entry.runs--;
        entry.open -= count;
        this.#update(key, entry);
      }
    };
  }
}

/** Takes rows from the keys in turns. The map's order is the order of turns: a key that was served goes to its end. */
function takeTurns<R>(ready: Keyed<R>, rowsMax: number, shareMax: number): { rows: R[]; taken: Keyed<R> } {
  const rows: R[] = [];
  const full: [string | number, KeyRows<R>][] = [];
  const taken: Keyed<R> = new Map();
  // The iterator of a Map also visits entries that are added while it runs.
  for (const next of ready) {
    const [key, entry] = next;
    ready.delete(key);
    rows.push(...entry.rows.take(1));
    entry.taken++;
    taken.set(key, entry);
    if (entry.rows.size() > 0) {
      if (entry.taken < shareMax) ready.set(key, entry);
      else full.push(next);
    }
    if (rows.length === rowsMax) break;
  }
  for (const [key, entry] of full) ready.set(key, entry);
  return { rows, taken };
}
