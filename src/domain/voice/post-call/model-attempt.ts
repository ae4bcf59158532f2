/**
 * Work that a model does, tried again later where that may help. Each model server has its own quick attempts; these
 * are the slow ones, for an outage, and they survive a restart because their count travels with the job.
 */
import type { Logger } from 'pino';
import { ModelError } from '../../../speech/port.ts';

const RETRY_DELAYS_MS = [5_000, 30_000, 120_000] as const;
const RETRY_AFTER_MAX_MS = 600_000;
/** However long an adapter would go on. */
const ATTEMPT_TIMEOUT_MS = 240_000;

/** `again`: nothing came of it yet. `givenUp`: nothing will. */
export type ModelOutcome<Result> =
  | { readonly outcome: 'done'; readonly result: Result }
  | { readonly outcome: 'again'; readonly inMs: number }
  | { readonly outcome: 'givenUp' };

/**
 * Runs one attempt.
 * @param attempt.tries how many have failed before
 */
export async function attemptModel<Result>(
  { tries, log, what }: { tries: number; log: Logger; what: Readonly<Record<string, string>> },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<ModelOutcome<Result>> {
  try {
    return { outcome: 'done', result: await work(AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)) };
  } catch (error) {
    const isFinal = error instanceof ModelError && error.kind !== 'unavailable';
    const delayMs = isFinal ? undefined : RETRY_DELAYS_MS[tries];
    log.warn({ err: error, ...what, tries }, delayMs === undefined ? 'model gave no text' : 'model tried again later');
    if (delayMs === undefined) return { outcome: 'givenUp' };
    const askedMs = error instanceof ModelError ? (error.retryAfterMs ?? 0) : 0;
    return { outcome: 'again', inMs: Math.max(delayMs, Math.min(askedMs, RETRY_AFTER_MAX_MS)) };
  }
}

/** Text as the database takes it: no NUL, no half of a surrogate pair, no space around it. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed().trim();
}
