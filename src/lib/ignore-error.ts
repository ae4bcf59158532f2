import type { Logger } from 'pino';

/** Lets a failure pass, in the open: it is logged with the reason why the caller can go on without. */
export function ignoreError(work: Promise<unknown>, log: Logger, why: string): void {
  work.catch((error: unknown) => log.warn({ err: error }, `ignored: ${why}`));
}
