import type { Context } from '../../../context.ts';
import type { RequestRecord, RequestSink } from '../../../http/edge/record-requests.ts';
import { endsWithin } from '../../../lib/concurrency/ends-within.ts';
import { createFifo } from '../../../lib/concurrency/fifo.ts';
import { type ErrorCode, isDatabaseAway } from '../../../lib/errors/errors.ts';
import { createAlarm } from '../../../lib/time/alarm.ts';
import { insertRequests } from './queries.ts';

/** The requests of a process on their way to the request log. */
export type RequestRecorder = RequestSink & {
  /** Writes the held requests. A failure is logged, not thrown. */
  flush(): Promise<void>;
  /** Writes the held requests, for two seconds at most. */
  close(): Promise<void>;
};

type RecorderContext = Pick<Context, 'db' | 'log' | 'metrics' | 'settings'>;

/** The most requests that a process holds. Beyond it the oldest is dropped. */
export const HELD_MAX = 10_000;
/** A statement with more rows would hold a processor of the database long enough to delay a send. */
const ROWS_MAX = 250;
const WRITE_AFTER_MS = 250;
const RETRY_AFTER_MS = 2_000;
const CLOSE_WITHIN_MS = 2_000;

/**
 * Holds answered requests in memory and writes them together, so that no request waits for its own row: one statement
 * for up to 250 of them, 250 ms after the first. A killed process loses the requests that it holds. While the database
 * is unavailable the requests wait.
 */
export function createRequestRecorder({ db, log, metrics, settings }: RecorderContext): RequestRecorder {
  const held = createFifo<RequestRecord>();
  /** Requests that were taken out of `held` but are not written yet. */
  let taken: RequestRecord[] = [];
  let writing: Promise<void> | undefined;

  const isFlood = createFloodFilter();

  const writeAll = async () => {
    while (taken.length > 0 || held.size() > 0) {
      if (taken.length === 0) taken = held.take(ROWS_MAX);
      try {
        await insertRequests(db, taken);
        metrics.batchSize.observe({ batch: 'request_log' }, taken.length);
      } catch (error) {
        if (isDatabaseAway(error)) {
          alarm.set(RETRY_AFTER_MS);
          return;
        }
        metrics.requestLogDropped.inc({ reason: 'failed' }, taken.length);
        log.error({ err: error, requests: taken.length }, 'requests are missing from the request log');
      }
      taken = [];
    }
  };

  const flush = async () => {
    // A running write also writes requests that were added since it began.
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
    await writing;
  };
  const alarm = createAlarm(() => void flush());

  return {
    add: (record) => {
      if (settings.requestLogDays === 0) return;
      if (isFlood(record)) {
        metrics.requestLogDropped.inc({ reason: 'flood' });
        return;
      }
      held.push(record);
      if (held.size() + taken.length > HELD_MAX) {
        held.take(1);
        metrics.requestLogDropped.inc({ reason: 'full' });
      }
      alarm.set(WRITE_AFTER_MS);
    },
    flush,
    close: async () => {
      const isWritten = await endsWithin(flush(), CLOSE_WITHIN_MS);
      alarm.close();
      const lost = held.size() + taken.length;
      if (!isWritten || lost > 0) log.warn({ requests: lost }, 'stopped before the request log was written');
    },
  };
}

/** The rate limit does not bound these refusals: it makes the first one, and is tested after the second one. */
const UNBOUNDED: ReadonlySet<string | null> = new Set<ErrorCode>(['rate_limited', 'account_suspended']);
const FLOOD_WINDOW_MS = 1_000;

/**
 * Returns a function that is true for a refusal that is not kept. Of the refusals of UNBOUNDED, one per key and second
 * is kept. Otherwise a client in a loop would fill the database with cheap requests.
 */
function createFloodFilter(): (record: RequestRecord) => boolean {
  const seen = new Set<string>();
  let endsMs = 0;
  return ({ errorCode, keyId, createdMs }) => {
    if (!UNBOUNDED.has(errorCode)) return false;
    if (createdMs >= endsMs) {
      seen.clear();
      endsMs = createdMs + FLOOD_WINDOW_MS;
    }
    if (seen.has(keyId)) return true;
    seen.add(keyId);
    return false;
  };
}
