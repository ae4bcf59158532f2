/** Reports the ends of a node's streams, with retries, and drains the node. */
import type { Logger } from 'pino';
import { endsWithin } from '../../lib/concurrency/ends-within.ts';
import { sleep } from '../../lib/time/time.ts';
import { monotonicClock } from './ticker.ts';

/**
 * Reports the ends of streams or calls to the directory. Each report is retried until it succeeds or its attempts are
 * used up.
 */
export type EndReports = {
  /**
   * Starts a report.
   * @param what for the log: "the end of a stream"
   * @param report called with the time since `send`
   */
  send(what: string, report: (lateMs: number) => Promise<void>): void;
  /**
   * Resolves when no report is in progress, or after `withinMs`, because the database may be unavailable. Later calls
   * then resolve immediately.
   */
  settle(withinMs: number): Promise<void>;
};

/** The pause doubles with each attempt: from one second, over a quarter of an hour in all. */
const ATTEMPTS_MAX = 11;

export type EndReportsOptions = { readonly log: Logger; readonly retryMs: number; readonly nowMs: () => number };

export function createEndReports({ log, retryMs, nowMs }: EndReportsOptions): EndReports {
  const pending = new Set<Promise<void>>();
  let isLate = false;

  const attempt = async (what: string, report: (lateMs: number) => Promise<void>) => {
    const sentMs = nowMs();
    for (let n = 1; ; n++) {
      try {
        return await report(nowMs() - sentMs);
      } catch (error) {
        const isLast = n === ATTEMPTS_MAX;
        const outcome = isLast ? 'giving up' : `retrying in ${retryMs * 2 ** (n - 1)} ms`;
        log.error({ err: error, attempt: n }, `could not report ${what}; ${outcome}`);
        if (isLast) return;
        await retryPause(retryMs * 2 ** (n - 1));
      }
    }
  };

  return {
    send: (what, report) => {
      const sent: Promise<void> = attempt(what, report).finally(() => pending.delete(sent));
      pending.add(sent);
    },
    settle: async (withinMs) => {
      const settled = async () => {
        while (pending.size > 0) await Promise.all(pending);
      };
      if (!isLate) isLate = !(await endsWithin(settled(), withinMs));
    },
  };
}

const DRAIN_CHECK_MS = 100;

/** A drain refuses new sockets and gives the open sockets time to end. */
export type Drain = {
  /** Resolves when no socket is left or `drainMs` have passed. A second call with a shorter time shortens the first. */
  wait(drainMs: number): Promise<void>;
};

/** @param isBusy whether a socket is left; @param nowMs monotonic */
export function createDrain(isBusy: () => boolean, nowMs: () => number = monotonicClock.nowMs): Drain {
  let endAtMs = Number.POSITIVE_INFINITY;
  return {
    wait: async (drainMs) => {
      endAtMs = Math.min(endAtMs, nowMs() + drainMs);
      while (isBusy() && nowMs() < endAtMs) await sleep(Math.min(DRAIN_CHECK_MS, endAtMs - nowMs()));
    },
  };
}

/** The pause does not keep a stopping process alive: the sweep ends the streams of a lost node. */
const retryPause = (ms: number) => sleep(ms, { ref: false });
