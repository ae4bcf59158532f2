import type { Logger } from 'pino';

/** Endings on their way to whoever must know; each is reported until it is taken. */
export type Reports = {
  send(what: string, report: () => Promise<void>): void;
  /** Resolves when none is on its way any more. */
  settled(): Promise<void>;
};

/** With the pause doubling each time: over a quarter of an hour from a second on. */
const ATTEMPTS_MAX = 10;

export function createReports(log: Logger, retryMs: number): Reports {
  const pending = new Set<Promise<void>>();

  const attempt = async (what: string, report: () => Promise<void>) => {
    for (let n = 1; ; n++) {
      try {
        return await report();
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
