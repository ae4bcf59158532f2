/**
 * The queue of an engine's events. Events of one leg are handled one after the other, in order. Different legs run
 * concurrently.
 */
import type { Logger } from 'pino';
import { isDatabaseAway } from '../../lib/errors/errors.ts';
import { textAt } from '../../lib/json-object.ts';
import { monotonicMs, now, sleep } from '../../lib/time/time.ts';
import { emergencyCallerOf } from './dial-plan.ts';
import type { AriEvent } from './event-socket.ts';

export type EventQueue = {
  /**
   * Adds an event. Returns false if too many events are waiting. A failed event is tried again until it succeeds, until
   * `isWanted` is false, or until it has failed for a minute although the database works.
   */
  add(event: AriEvent, isWanted: () => boolean): boolean;
  /** True if events of a channel are waiting or being carried out. */
  isWaiting(channelId: string): boolean;
  /** Resolves when no event is being carried out. */
  drained(): Promise<void>;
};

export type EventQueueOptions = {
  readonly log: Logger;
  /**
   * Handles one event, or several events of one leg in order. `isReport` is true for each of several events. If it
   * throws, the queue tries the same events again.
   */
  readonly onEvents: (events: readonly [AriEvent, ...AriEvent[]]) => Promise<void>;
  /** True for an event that may be handled together with the events before and after it. */
  readonly isReport: (event: AriEvent) => boolean;
  /** Called when an event is dropped, with the time of its first failure. Must not throw. */
  readonly onDropped: (since: Date) => void;
  /** A failed event is tried again every `againMs`, and dropped when it has failed for `giveUpMs`. For tests. */
  readonly times?: Times;
};

type Times = { readonly againMs: number; readonly giveUpMs: number };

type Waiting = {
  readonly event: AriEvent;
  readonly isWanted: () => boolean;
  /** When the event began to fail while the database works (monotonic); undefined if it has not failed. */
  failingSince?: number | undefined;
};

/** The most legs with waiting events. */
const KEYS_MAX = 5_000;
/**
 * An event that fails for this time although the database works will always fail. Work that waits for earlier work
 * about a speech or a stream fails after 30 s, and must get a second try.
 */
const TIMES: Times = { againMs: 500, giveUpMs: 60_000 };

export function createEventQueue(options: EventQueueOptions): EventQueue {
  const { log, onEvents, isReport, onDropped, times = TIMES } = options;
  /** The waiting and running events of each key. */
  const waiting = new Map<string, Waiting[]>();
  const runs = new Set<Promise<void>>();
  const drop = ({ event: { type }, failingSince = 0 }: Waiting, error: unknown) => {
    log.error({ err: error, type }, 'an event of the engine always fails; it is dropped, and the engine compared');
    onDropped(new Date(now() - (monotonicMs() - failingSince)));
  };
  const run = async (key: string, queued: Waiting[]) => {
    while (queued.length > 0) {
      const { taken, isLastTry } = takeFirst(queued, isReport, times.giveUpMs);
      const [first, ...others] = taken.filter(({ isWanted }) => isWanted());
      try {
        if (first !== undefined) await onEvents([first.event, ...others.map(({ event }) => event)]);
        queued.splice(0, taken.length);
      } catch (error) {
        const isAway = isDatabaseAway(error);
        if (first !== undefined && isLastTry && !isAway) {
          queued.shift();
          drop(first, error);
          continue;
        }
        for (const item of taken) item.failingSince = isAway ? undefined : (item.failingSince ?? monotonicMs());
        log.error({ err: error, type: first?.event.type }, 'an event of the engine is tried again');
        await sleep(times.againMs);
      }
    }
    waiting.delete(key);
  };
  return {
    add: (event, isWanted) => {
      const key = keyOf(event);
      const before = waiting.get(key);
      if (before !== undefined) return before.push({ event, isWanted }) > 0;
      if (waiting.size >= KEYS_MAX) return false;
      const queued: Waiting[] = [{ event, isWanted }];
      waiting.set(key, queued);
      // Events that arrive together are handled together.
      const running = Promise.resolve()
        .then(() => run(key, queued))
        .finally(() => runs.delete(running));
      runs.add(running);
      return true;
    },
    isWaiting: (channelId) => waiting.has(channelId),
    drained: async () => {
      await Promise.all(runs);
    },
  };
}

/**
 * Returns the first events that may be handled together. If an event has failed for `giveUpMs`, its last try is alone,
 * because another event of the group may have caused the failures.
 */
function takeFirst(queued: readonly Waiting[], isReport: EventQueueOptions['isReport'], giveUpMs: number) {
  const isLate = ({ failingSince }: Waiting) => failingSince !== undefined && monotonicMs() - failingSince >= giveUpMs;
  const isLastTry = queued.slice(0, 1).some(isLate);
  const end = queued.findIndex(({ event, isWanted }) => !isWanted() || !isReport(event));
  const count = isLastTry ? 1 : end === -1 ? queued.length : Math.max(1, end);
  return { taken: queued.slice(0, count), isLastTry };
}

/** Events with the same key are about one leg, or about one other object. */
function keyOf(event: AriEvent): string {
  // The events of a call that the engine connects have one order, over all its trunks.
  const channel = emergencyCallerOf(event) ?? textAt(event, 'channel', 'id') ?? textAt(event, 'peer', 'id');
  const target = textAt(event, 'playback', 'target_uri') ?? textAt(event, 'recording', 'target_uri');
  return channel ?? target?.split(':')[1] ?? textAt(event, 'bridge', 'id') ?? event.type;
}
