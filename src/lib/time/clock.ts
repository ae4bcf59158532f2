import { now } from './time.ts';

/** Wall time for tokens, caches and limits. Ledger time is in the database (`ledger_now`). */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
};

export const systemClock: Clock = { now: () => now() };
