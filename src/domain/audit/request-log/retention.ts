import type { Context } from '../../../context.ts';
import { defineDeletion, type Sweep } from '../../../queue/worker/sweep.ts';
import { sweepRequestLog } from './queries.ts';

const DAY_MS = 24 * 60 * 60_000;

export type RetentionContext = Pick<Context, 'clock' | 'settings'>;

/**
 * Returns the time of the oldest request that is kept. Older ones are never shown, even before a sweep deletes them.
 */
export function keptSince({ clock, settings }: RetentionContext): Date {
  return new Date(clock.now() - settings.requestLogDays * DAY_MS);
}

/** Returns the sweep that deletes requests past their retention. */
export function requestLogSweeps(context: RetentionContext & Pick<Context, 'db'>): Sweep[] {
  const remove = (rowsMax: number) => sweepRequestLog(context.db, keptSince(context), rowsMax);
  return [defineDeletion({ db: context.db, name: 'request_log', rowsMax: 5_000, remove })];
}
