/**
 * Ledgers take turns in one process. If one ledger has many files, a file of another ledger waits for at most one of
 * them.
 */
import { monotonicMs } from '../../../lib/time/time.ts';

export type FairQueue = {
  /** Runs `work` when it is the turn of its ledger. */
  run<T>(ledgerId: number, work: () => Promise<T>): Promise<T>;
};

/** Runs one task at a time. Ledgers with waiting tasks take turns. */
export function createFairQueue(): FairQueue {
  /** The waiting requests by ledger. The ledger whose turn is next comes first. */
  const waiting = new Map<number, (() => void)[]>();
  let isBusy = false;

  const startNext = () => {
    const [next] = waiting;
    isBusy = next !== undefined;
    if (next === undefined) return;
    const [ledgerId, [start, ...later]] = next;
    waiting.delete(ledgerId);
    if (later.length > 0) waiting.set(ledgerId, later);
    start?.();
  };

  return {
    run: async (ledgerId, work) => {
      if (isBusy) {
        await new Promise<void>((resolve) => waiting.set(ledgerId, [...(waiting.get(ledgerId) ?? []), resolve]));
      }
      isBusy = true;
      try {
        return await work();
      } finally {
        startNext();
      }
    },
  };
}

type ShareOptions = { readonly totalMax: number; readonly ledgerMax: number };

/** `delayMs`: there is no room now; try again after this time. */
export type Share = { end(): void } | { readonly delayMs: number };

/** Time between the attempts of work of one ledger that finds no room. */
const STEP_MS = 250;
const DELAY_MS_MAX = 30_000;

/**
 * Limits how much work runs at a time, in all and of one ledger. Work that finds no room does not wait here, where it
 * would hold a claim and perhaps a slot that other work needs.
 */
export function createShares({ totalMax, ledgerMax }: ShareOptions) {
  const running = new Map<number, number>();
  /** The planned time of the latest attempt of a ledger. */
  const plannedMs = new Map<number, number>();
  let total = 0;

  const end = (ledgerId: number) => {
    total--;
    const left = (running.get(ledgerId) ?? 1) - 1;
    if (left === 0) running.delete(ledgerId);
    else running.set(ledgerId, left);
  };

  const planNext = (ledgerId: number): number => {
    const nowMs = monotonicMs();
    for (const [ledger, atMs] of plannedMs) if (atMs <= nowMs) plannedMs.delete(ledger);
    const delayMs = Math.min(Math.max((plannedMs.get(ledgerId) ?? 0) - nowMs, 0) + STEP_MS, DELAY_MS_MAX);
    plannedMs.set(ledgerId, nowMs + delayMs);
    return delayMs;
  };

  return (ledgerId: number): Share => {
    const used = running.get(ledgerId) ?? 0;
    if (total >= totalMax || used >= ledgerMax) return { delayMs: planNext(ledgerId) };
    total++;
    running.set(ledgerId, used + 1);
    return { end: () => end(ledgerId) };
  };
}
