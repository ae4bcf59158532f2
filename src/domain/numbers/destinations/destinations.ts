/**
 * The allowed destinations of texts and calls. One rule applies to sends, to ring targets when they are saved, and to
 * every dial.
 */
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { hasPrefix, isHighCost, isUsOrCanada } from '../../../lib/phone/phone.ts';
import type { Ledger, Mode } from '../../../lib/scope.ts';
import { listPrefixes, type Prefixes } from './queries.ts';

const PREFIXES_TRUST_MS = 30_000;

export type DestinationRules = { readonly mode: Mode; readonly prefixes: Prefixes };

/** Reads the present rules. */
export async function readDestinationRules(db: Db, { mode }: Pick<Ledger, 'mode'>): Promise<DestinationRules> {
  return { mode, prefixes: await listPrefixes(db) };
}

/** Checks that a dialable E.164 number may be texted or called at all. */
export function isReachable(number: string, { mode, prefixes }: DestinationRules): boolean {
  if (isHighCost(number, prefixes.highCost)) return false;
  return mode === 'test' || isUsOrCanada(number) || hasPrefix(number, prefixes.allowed);
}

/**
 * Refuses a dialable E.164 number that may not be texted or called. `param` is the field that names it.
 * Error: destination_not_supported.
 */
export function checkDestination(number: string, rules: DestinationRules, param: string): void {
  if (!isReachable(number, rules)) throw new ApiError('destination_not_supported', { param });
}

/** Like `readDestinationRules`, but reads the lists again only every 30 s: for code that runs for every text. */
export function createDestinationRules({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): (ledger: Pick<Ledger, 'mode'>) => Promise<DestinationRules> {
  let known: Prefixes = { highCost: [], allowed: [] };
  let untilMs = 0;
  let reading: Promise<Prefixes> | undefined;
  const read = async () => {
    known = await listPrefixes(db);
    untilMs = clock.now() + PREFIXES_TRUST_MS;
    return known;
  };
  const prefixes = async () => {
    if (clock.now() < untilMs) return known;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return await reading;
  };
  return async ({ mode }) => ({ mode, prefixes: await prefixes() });
}
