/** Gauges of the whole installation that come from the database. A timer reads them; a scrape never does. */
import type { Context } from '../../context.ts';
import { countPacedMessages } from '../../domain/messaging/index.ts';
import { coalesce } from '../../lib/concurrency/coalesce.ts';
import { every, type Timer } from '../../lib/time/time.ts';
import type { Workers } from '../../queue/worker/workers.ts';

const REFRESH_MS = 10_000;

export type Figures = {
  /** Reads the figures now and every 10 s. */
  start(): void;
  /** Reads the figures. Never throws. Figures that cannot be read are left out, because old figures would mislead. */
  refresh(): Promise<void>;
  stop(): void;
};

type FiguresContext = Pick<Context, 'db' | 'metrics' | 'log'>;

/** Counts waiting work: due jobs by queue, and texts that wait for their campaign. */
export function createFigures({ db, metrics, log }: FiguresContext, { stats }: Pick<Workers, 'stats'>): Figures {
  let timer: Timer | undefined;
  // If the database is slow, the next read waits for the present one.
  const refresh = coalesce(async () => {
    try {
      const [queues, pacedCounts] = await Promise.all([stats(), countPacedMessages(db)]);
      for (const { queue, depth, oldestDueMs } of queues) {
        metrics.queueDepth.set({ queue }, depth);
        metrics.queueAge.set({ queue }, oldestDueMs / 1000);
      }
      metrics.pacedWaiting.reset();
      for (const { state, messages } of pacedCounts) metrics.pacedWaiting.set({ state }, messages);
    } catch (error) {
      for (const gauge of [metrics.queueDepth, metrics.queueAge, metrics.pacedWaiting]) gauge.reset();
      log.debug({ err: error }, 'queue figures are missing from the metrics until the database answers');
    }
  });

  return {
    refresh,
    start: () => {
      void refresh();
      timer = every(REFRESH_MS, () => void refresh()).unref();
    },
    stop: () => timer?.cancel(),
  };
}
