/**
 * Attempts of a post-call job at a model, with slow retries for an outage. The client of a model server has its own
 * quick retries. The job stores the number of slow retries, so it survives a restart.
 */
import type { Logger } from 'pino';
import { timeoutSignal } from '../../../lib/time/time.ts';
import { ModelError } from '../../../speech/port.ts';

const RETRY_DELAYS_MS = [5_000, 30_000, 120_000] as const;
const RETRY_AFTER_MAX_MS = 600_000;
/** The longest attempt. After this time its signal is aborted, if the adapter has not ended it. */
const ATTEMPT_TIMEOUT_MS = 240_000;

/** `again`: it failed and is retried. `givenUp`: it failed for good. */
export type ModelOutcome<Result> =
  | { readonly outcome: 'done'; readonly result: Result }
  | { readonly outcome: 'again'; readonly inMs: number }
  | { readonly outcome: 'givenUp' };

/**
 * Runs one attempt.
 * @param attempt.tries failed attempts so far
 */
export async function attemptModel<Result>(
  { tries, log, what }: { tries: number; log: Logger; what: Readonly<Record<string, string>> },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<ModelOutcome<Result>> {
  try {
    return { outcome: 'done', result: await work(timeoutSignal(ATTEMPT_TIMEOUT_MS)) };
  } catch (error) {
    const isFinal = error instanceof ModelError && error.kind !== 'unavailable';
    const delayMs = isFinal ? undefined : RETRY_DELAYS_MS[tries];
    log.warn(
      { err: error, ...what, tries },
      delayMs === undefined ? 'model failed; no text is kept' : 'model failed; retrying later',
    );
    if (delayMs === undefined) return { outcome: 'givenUp' };
    const askedMs = error instanceof ModelError ? (error.retryAfterMs ?? 0) : 0;
    return { outcome: 'again', inMs: Math.max(delayMs, Math.min(askedMs, RETRY_AFTER_MAX_MS)) };
  }
}

/** The most UTF-16 code units that are kept of an utterance, a message or a summary. */
const TEXT_CHARS_MAX = 10_000;

/**
 * Returns the text as the database accepts it: no NUL, no half of a surrogate pair, no space at the ends, and cut to a
 * length that no person's utterance has.
 */
export function storableText(text: string): string {
  return text.slice(0, TEXT_CHARS_MAX).replaceAll('\u0000', '').toWellFormed().trim();
}
