import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { ignoreError } from '../lib/ignore-error.ts';
import { type Bus, createAudience } from './bus.ts';
import type { Redis } from './redis.ts';

/** The bus over Redis publish and subscribe, in place of NOTIFY: it spares the database the traffic of many nodes. */
export function createRedisBus(redis: Redis, log: Logger): Bus {
  const origin = randomBytes(9).toString('base64url');
  const name = `${redis.namespace}:bus`;
  const { subscribe, onGap, deliver, tellOfGap } = createAudience();
  let open = true;

  redis.subscriber.on('ready', tellOfGap);

  return {
    start: async () => {
      await redis.connect();
      const subscribed = redis.subscriber.subscribe(name, (text) => {
        const [sender, channel, payload] = JSON.parse(text) as [string, string, string];
        if (open && sender !== origin) deliver(channel, payload, true);
      });
      // While Redis is away this waits for it, and nobody has to wait with it.
      if (redis.subscriber.isReady) await subscribed;
      else ignoreError(subscribed, log, 'closed before Redis was reached');
    },
    publish: (channel, payload) => {
      if (!open) return;
      const sent = redis.commands.publish(name, JSON.stringify([origin, channel, payload]));
      // The connection's own warning says that Redis is away; one line for each message would drown it.
      sent.catch((error: unknown) => log.debug({ err: error, channel }, 'message not passed on'));
      deliver(channel, payload, false);
    },
    subscribe,
    onGap,
    close: async () => {
      open = false;
    },
  };
}
