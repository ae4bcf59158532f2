import type { Logger } from 'pino';

/** Logs a failure with the reason why the caller can ignore it. */
export function ignoreError(work: Promise<unknown>, log: Logger, why: string): void {
  work.catch((error: unknown) => log.warn({ err: error }, `ignored: ${why}`));
}
