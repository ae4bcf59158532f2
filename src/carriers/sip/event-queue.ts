/** Events of an engine that are being carried out: those of one leg one after the other, in their order. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { textAt } from '../../lib/json-object.ts';
import type { AriEvent } from './event-socket.ts';

export type EventQueue = {
  /** Adds an event; false if too many are waiting. It is tried again until it succeeds, or `isWanted` is false. */
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
};

type Waiting = { readonly event: AriEvent; readonly isWanted: () => boolean };

/** As many legs may have events waiting. */
const KEYS_MAX = 5_000;
const AGAIN_MS = 500;

export function createEventQueue({ log, onEvents, isReport }: EventQueueOptions): EventQueue {
  /** The events of each key that have not been carried out, those that are being carried out included. */
  const waiting = new Map<string, Waiting[]>();
  const runs = new Set<Promise<void>>();
  const run = async (key: string, own: Waiting[]) => {
    while (own.length > 0) {
      const [first, ...others] = takeable(own, isReport);
      try {
        if (first !== undefined) await onEvents([first, ...others]);
        own.splice(0, 1 + others.length);
      } catch (error) {
        log.error({ err: error, type: first?.type }, 'an event of the engine is tried again');
        await sleep(AGAIN_MS);
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
      const own = [{ event, isWanted }];
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

/** Returns the events that come first and may be carried out together; none if the first is not wanted any more. */
function takeable(own: readonly Waiting[], isReport: EventQueueOptions['isReport']): AriEvent[] {
  const end = own.findIndex(({ event, isWanted }) => !isWanted() || !isReport(event));
  const count = end === -1 ? own.length : Math.max(1, end);
  return own.slice(0, count).flatMap(({ event, isWanted }) => (isWanted() ? [event] : []));
}

/** Events with the same key are of one leg, or of one other thing. */
function keyOf(event: AriEvent): string {
  const channel = textAt(event, 'channel', 'id') ?? textAt(event, 'peer', 'id');
  const target = textAt(event, 'playback', 'target_uri') ?? textAt(event, 'recording', 'target_uri');
  return channel ?? target?.split(':')[1] ?? textAt(event, 'bridge', 'id') ?? event.type;
}
