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

type QueueOptions = {
  readonly log: Logger;
  readonly onEvent: (event: AriEvent) => Promise<void>;
};

/** As many legs may have events waiting. */
const KEYS_MAX = 5_000;
const AGAIN_MS = 500;

export function createEventQueue({ log, onEvent }: QueueOptions): EventQueue {
  const tails = new Map<string, Promise<void>>();
  const carryOut = async (event: AriEvent, isWanted: () => boolean) => {
    while (isWanted()) {
      try {
        return await onEvent(event);
      } catch (error) {
        log.error({ err: error, type: event.type }, 'an event of the engine is tried again');
        await sleep(AGAIN_MS);
      }
    }
  };
  return {
    add: (event, isWanted) => {
      const key = keyOf(event);
      const before = tails.get(key);
      if (before === undefined && tails.size >= KEYS_MAX) return false;
      const tail = (before ?? Promise.resolve())
        .then(() => carryOut(event, isWanted))
        .finally(() => tails.get(key) === tail && tails.delete(key));
      tails.set(key, tail);
      return true;
    },
    isWaiting: (channelId) => tails.has(channelId),
    drained: async () => {
      await Promise.all(tails.values());
    },
  };
}

/** Events with the same key are of one leg, or of one other thing. */
function keyOf(event: AriEvent): string {
  const channel = textAt(event, 'channel', 'id') ?? textAt(event, 'peer', 'id');
  const target = textAt(event, 'playback', 'target_uri') ?? textAt(event, 'recording', 'target_uri');
  return channel ?? target?.split(':')[1] ?? textAt(event, 'bridge', 'id') ?? event.type;
}
