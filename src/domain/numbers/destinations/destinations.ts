/** Where texts and calls may go: one rule for sends, for ring targets when they are saved, and for every dial. */
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import { isHighCost, isUsOrCanada } from '../../../lib/phone.ts';
import type { Ledger, Mode } from '../../../lib/scope.ts';
import { listHighCostPrefixes } from './queries.ts';

const PREFIXES_TRUST_MS = 30_000;

export type DestinationRules = {
  readonly mode: Mode;
  /** Digits, country code first, as operators keep them. */
  readonly highCostPrefixes: readonly string[];
};

/** The rules as they stand now. */
export async function readDestinationRules(db: Db, { mode }: Pick<Ledger, 'mode'>): Promise<DestinationRules> {
  return { mode, highCostPrefixes: await listHighCostPrefixes(db) };
}

/** Whether a dialable E.164 number may be texted or called at all. */
export function isReachable(number: string, { mode, highCostPrefixes }: DestinationRules): boolean {
  return (mode === 'test' || isUsOrCanada(number)) && !isHighCost(number, highCostPrefixes);
}

/**
 * Refuses a dialable E.164 number that may not be texted or called. `param` is the field that names it.
 * Error: destination_not_supported.
 */
export function checkDestination(number: string, rules: DestinationRules, param: string): void {
  if (!isReachable(number, rules)) throw new ApiError('destination_not_supported', { param });
}

/** As `readDestinationRules`, with a list that is read again every 30 s: for paths that run for every text. */
export function createDestinationRules({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): (ledger: Pick<Ledger, 'mode'>) => Promise<DestinationRules> {
  let known: readonly string[] = [];
  let untilMs = 0;
  let reading: Promise<readonly string[]> | undefined;
  const read = async () => {
    known = await listHighCostPrefixes(db);
    untilMs = clock.now() + PREFIXES_TRUST_MS;
    return known;
  };
  const prefixes = async () => {
    if (clock.now() < untilMs) return known;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return async ({ mode }) => ({ mode, highCostPrefixes: await prefixes() });
}
