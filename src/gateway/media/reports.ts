import type { Logger } from 'pino';

/** Endings on their way to whoever must know; each is reported until it is taken. */
export type Reports = {
  /** `lateMs`: how long after `send` this attempt begins. */
  send(what: string, report: (lateMs: number) => Promise<void>): void;
  /** Resolves when none is on its way any more. */
  settled(): Promise<void>;
};

/** With the pause doubling each time: over a quarter of an hour from a second on. */
const ATTEMPTS_MAX = 11;

export type ReportsOptions = { readonly log: Logger; readonly retryMs: number; readonly nowMs: () => number };

export function createReports({ log, retryMs, nowMs }: ReportsOptions): Reports {
  const pending = new Set<Promise<void>>();

  const attempt = async (what: string, report: (lateMs: number) => Promise<void>) => {
    const sentMs = nowMs();
    for (let n = 1; ; n++) {
      try {
        return await report(nowMs() - sentMs);
      } catch (error) {
        log.error({ err: error, attempt: n }, `${what} could not be reported`);
        if (n === ATTEMPTS_MAX) return;
        await new Promise((resolve) => setTimeout(resolve, retryMs * 2 ** (n - 1)));
      }
    }
  };

  return {
    send: (what, report) => {
      const sent: Promise<void> = attempt(what, report).finally(() => pending.delete(sent));
      pending.add(sent);
    },
    settled: async () => {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
