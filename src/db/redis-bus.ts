import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { endsWithin } from '../lib/concurrency/ends-within.ts';
import { type Bus, createListeners, END_WITHIN_MS, isMessage } from './bus.ts';
import { createOutbox } from './outbox.ts';
import type { Redis } from './redis.ts';

/** Creates a bus over Redis publish and subscribe, in place of NOTIFY, so that many nodes do not load the database. */
export function createRedisBus(redis: Redis, log: Logger): Bus {
  const origin = randomBytes(9).toString('base64url');
  const name = `${redis.namespace}:bus`;
  const { subscribe, onGap, deliver, reportGap, receive } = createListeners(log);
  let open = true;
  // The next batch is written only after the answer to the last one. So a Redis that no longer answers does not fill
  // the memory, and its silent connection is ended.
  const outbox = createOutbox({
    canSend: () => redis.commands.client !== undefined,
    send: async (messages) => {
      await Promise.all(messages.map((message) => redis.commands.client?.publish(name, message)));
    },
    delayMs: 0,
    log,
  });

  redis.subscriber.onReady(reportGap);
  redis.commands.onReady(() => outbox.resume());

  return {
    start: async () => {
      // If Redis is unavailable, the subscription waits for it, and the start continues without it.
      await redis.subscribe(name, (text) => {
        if (open) receive(text, (json) => readMessages(json, origin));
      });
      await redis.connect();
    },
    publish: (channel, payload) => {
      if (!open) return;
      outbox.add(JSON.stringify([origin, channel, payload]));
      deliver(channel, payload, false);
    },
    subscribe,
    onGap,
    close: async () => {
      open = false;
      await endsWithin(outbox.close(), END_WITHIN_MS);
    },
  };
}

function readMessages(json: unknown, origin: string) {
  if (!Array.isArray(json)) return undefined;
  const [sender, ...message]: unknown[] = json;
  if (typeof sender !== 'string' || !isMessage(message)) return undefined;
  return sender === origin ? [] : [message];
}
