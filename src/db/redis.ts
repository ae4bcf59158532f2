import { createClient, type RedisClientType } from '@redis/client';
import type { Logger } from 'pino';

/** Connections to the Redis that the nodes of an installation share. */
export type Redis = {
  /** Fails at once while Redis is away: whoever asks has another way. */
  readonly commands: RedisClientType;
  /** Hears messages only; keeps its subscriptions over reconnections. */
  readonly subscriber: RedisClientType;
  /** Begins names of this installation, which may share the server with others. */
  readonly namespace: string;
  /** Connects and reconnects by itself; resolves after the first attempt, whether it succeeded or not. */
  connect(): Promise<void>;
  close(): Promise<void>;
};

type RedisOptions = { url: string; namespace: string; log: Logger };

const RECONNECT_MIN_MS = 100;
const RECONNECT_MAX_MS = 5_000;
const CONNECT_WITHIN_MS = 3_000;

/**
 * Prepares the connections. Import this module only where REDIS_URL is set: it brings the client library with it.
 */
export function openRedis({ url, namespace, log }: RedisOptions): Redis {
  const socket = {
    connectTimeout: CONNECT_WITHIN_MS,
    reconnectStrategy: (retries: number) => Math.min(RECONNECT_MIN_MS * 2 ** Math.min(retries, 10), RECONNECT_MAX_MS),
  };
  const commands = createClient({ url, socket, disableOfflineQueue: true }) as RedisClientType;
  const subscriber = createClient({ url, socket }) as RedisClientType;
  for (const client of [commands, subscriber]) warnOnce(client, log);
  let connecting = false;
  return {
    commands,
    subscriber,
    namespace,
    connect: async () => {
      if (connecting) return;
      connecting = true;
      await Promise.all([commands, subscriber].map(firstAttempt));
    },
    close: async () => {
      for (const client of [commands, subscriber]) if (client.isOpen) client.destroy();
    },
  };
}

/** The client reports each failed attempt; the log gets one line when it goes and one when it is back. */
function warnOnce(client: RedisClientType, log: Logger): void {
  let away = false;
  client.on('error', (error: unknown) => {
    if (!away) log.warn({ err: error }, 'Redis is away; this node goes on by itself until it is back');
    away = true;
  });
  client.on('ready', () => {
    if (away) log.info('Redis is back');
    away = false;
  });
}

function firstAttempt(client: RedisClientType): Promise<void> {
  return new Promise((resolve) => {
    client.once('ready', () => resolve());
    client.once('error', () => resolve());
    // Goes on trying until the client is closed, which is the one way it fails; each attempt's error is reported above.
    client.connect().catch(() => resolve());
  });
}
