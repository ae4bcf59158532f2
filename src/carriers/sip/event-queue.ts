/** Events of an engine that are being carried out: those of one leg one after the other, in their order. */
import type { Logger } from 'pino';
import { isDatabaseAway } from '../../lib/errors.ts';
import { textAt } from '../../lib/json-object.ts';
import { monotonicMs, now, sleep } from '../../lib/time/time.ts';
import { emergencyCallerOf } from './dial-plan.ts';
import type { AriEvent } from './event-socket.ts';

export type EventQueue = {
  /**
   * Adds an event; false if too many are waiting. It is tried again until it succeeds, `isWanted` is false, or it has
   * failed for a minute although the database works.
   */
  add(event: AriEvent, isWanted: () => boolean): boolean;
  /** True if events of a channel wait, or are being carried out. */
  isWaiting(channelId: string): boolean;
  /** Resolves when no event is being carried out. */
  drained(): Promise<void>;
};

export type EventQueueOptions = {
  readonly log: Logger;
  /**
   * Carries out one event, or several of one leg that `isReport` is true for, in their order. They are tried again if
   * it throws.
   */
  readonly onEvents: (events: readonly [AriEvent, ...AriEvent[]]) => Promise<void>;
  /** True for an event that may be carried out together with those before and after it. */
  readonly isReport: (event: AriEvent) => boolean;
  /** Called when an event is dropped, with the time since when it failed. Must not throw. */
  readonly onDropped: (since: Date) => void;
  /** After which time a failed event is tried again, and since when it must fail to be dropped. For tests. */
  readonly times?: Times;
};

type Times = { readonly againMs: number; readonly giveUpMs: number };

type Waiting = {
  readonly event: AriEvent;
  readonly isWanted: () => boolean;
  /** Since when it fails while the database works (monotonic); undefined if it has not. */
  failingSince?: number | undefined;
};

/** As many legs may have events waiting. */
const KEYS_MAX = 5_000;
/**
 * An event that fails for so long although the database works will fail for ever. Work about a speech or a stream that
 * waits for earlier work fails after 30 s, and must get a second try.
 */
const TIMES: Times = { againMs: 500, giveUpMs: 60_000 };

export function createEventQueue(options: EventQueueOptions): EventQueue {
  const { log, onEvents, isReport, onDropped, times = TIMES } = options;
  /** The events of each key that have not been carried out, those that are being carried out included. */
  const waiting = new Map<string, Waiting[]>();
  const runs = new Set<Promise<void>>();
  const drop = ({ event: { type }, failingSince = 0 }: Waiting, error: unknown) => {
    log.error({ err: error, type }, 'an event of the engine always fails; it is dropped, and the engine compared');
    onDropped(new Date(now() - (monotonicMs() - failingSince)));
  };
  const run = async (key: string, own: Waiting[]) => {
    while (own.length > 0) {
      const { taken, isLastTry } = takeFirst(own, isReport, times.giveUpMs);
      const [first, ...others] = taken.filter(({ isWanted }) => isWanted());
      try {
        if (first !== undefined) await onEvents([first.event, ...others.map(({ event }) => event)]);
        own.splice(0, taken.length);
      } catch (error) {
        const isAway = isDatabaseAway(error);
        if (first !== undefined && isLastTry && !isAway) {
          own.shift();
          drop(first, error);
          continue;
        }
        for (const each of taken) each.failingSince = isAway ? undefined : (each.failingSince ?? monotonicMs());
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
      const own: Waiting[] = [{ event, isWanted }];
      waiting.set(key, own);
      // Events that come together are carried out together.
      const running = Promise.resolve()
        .then(() => run(key, own))
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
 * Returns the events that come first and may be carried out together. One that has failed for `giveUpMs` is tried alone
 * for the last time: another of those that failed with it may be the cause.
 */
function takeFirst(own: readonly Waiting[], isReport: EventQueueOptions['isReport'], giveUpMs: number) {
  const isLate = ({ failingSince }: Waiting) => failingSince !== undefined && monotonicMs() - failingSince >= giveUpMs;
  const isLastTry = own.slice(0, 1).some(isLate);
  const end = own.findIndex(({ event, isWanted }) => !isWanted() || !isReport(event));
  const count = isLastTry ? 1 : end === -1 ? own.length : Math.max(1, end);
  return { taken: own.slice(0, count), isLastTry };
}

/** Events with the same key are of one leg, or of one other thing. */
function keyOf(event: AriEvent): string {
  // The events of a call that the engine connects follow each other, whatever trunk it dials.
  const channel = emergencyCallerOf(event) ?? textAt(event, 'channel', 'id') ?? textAt(event, 'peer', 'id');
  const target = textAt(event, 'playback', 'target_uri') ?? textAt(event, 'recording', 'target_uri');
  return channel ?? target?.split(':')[1] ?? textAt(event, 'bridge', 'id') ?? event.type;
}
