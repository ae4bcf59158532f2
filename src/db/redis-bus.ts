import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { ignoreError } from '../lib/ignore-error.ts';
import { type Bus, createListeners } from './bus.ts';
import type { Redis } from './redis.ts';

/** Creates a bus over Redis publish and subscribe, in place of NOTIFY, so that many nodes do not load the database. */
export function createRedisBus(redis: Redis, log: Logger): Bus {
  const origin = randomBytes(9).toString('base64url');
  const name = `${redis.namespace}:bus`;
  const { subscribe, onGap, deliver, reportGap } = createListeners();
  let open = true;

  redis.subscriber.on('ready', reportGap);

  return {
    start: async () => {
      await redis.connect();
      const subscribed = redis.subscriber.subscribe(name, (text) => {
        const [sender, channel, payload] = JSON.parse(text) as [string, string, string];
        if (open && sender !== origin) deliver(channel, payload, true);
      });
      // While Redis is unavailable the subscription waits for it; the start does not.
      if (redis.subscriber.isReady) await subscribed;
      else ignoreError(subscribed, log, 'the bus was closed before Redis was reached');
    },
    publish: (channel, payload) => {
      if (!open) return;
      const sent = redis.commands.publish(name, JSON.stringify([origin, channel, payload]));
      // The connection logs once that Redis is unavailable; a warning per message would hide it.
      sent.catch((error: unknown) => log.debug({ err: error, channel }, 'message not published to other nodes'));
      deliver(channel, payload, false);
    },
    subscribe,
    onGap,
    close: () => {
      open = false;
      return Promise.resolve();
    },
  };
}
