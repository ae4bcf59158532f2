import { createClient, type RedisClientType } from '@redis/client';
import type { Logger } from 'pino';

/** Connections to the Redis that the nodes of an installation share. */
export type Redis = {
  /** A command fails immediately while Redis is unavailable; its caller falls back to this process alone. */
  readonly commands: RedisClientType;
  /** For subscriptions only, which it restores after a reconnection. */
  readonly subscriber: RedisClientType;
  /** Prefix of this installation's keys and channels; other installations may use the same server. */
  readonly namespace: string;
  /** Connects, and reconnects until `close`. Resolves after the first attempt, successful or not. */
  connect(): Promise<void>;
  close(): Promise<void>;
};

type RedisOptions = { url: string; namespace: string; log: Logger };

const RECONNECT_MIN_MS = 100;
const RECONNECT_MAX_MS = 5_000;
const CONNECT_WITHIN_MS = 3_000;
const PING_EVERY_MS = 2_000;
/**
 * A connection that is silent for this long is dropped. The client sends no ping while one is not answered, so a Redis
 * that is stopped is noticed within this time and that between two pings.
 */
const SILENT_MAX_MS = 5_000;
/** The most commands that wait for their answers; beyond it they fail immediately. */
const COMMANDS_MAX = 10_000;

/** Prepares the connections. Import this module only where REDIS_URL is set, because it loads the client library. */
export function openRedis({ url, namespace, log }: RedisOptions): Redis {
  const socket = {
    connectTimeout: CONNECT_WITHIN_MS,
    socketTimeout: SILENT_MAX_MS,
    reconnectStrategy: (retries: number) => Math.min(RECONNECT_MIN_MS * 2 ** Math.min(retries, 10), RECONNECT_MAX_MS),
  };
  const options = { url, socket, pingInterval: PING_EVERY_MS, commandsQueueMaxLength: COMMANDS_MAX };
  const commands = createClient({ ...options, disableOfflineQueue: true }) as RedisClientType;
  const subscriber = createClient(options) as RedisClientType;
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
    close: () => {
      for (const client of [commands, subscriber]) if (client.isOpen) client.destroy();
      return Promise.resolve();
    },
  };
}

/**
 * Connects once and returns the server's version.
 * @throws Error if it does not answer within 3 s
 */
export async function readRedisVersion(url: string): Promise<string> {
  const socket = { connectTimeout: CONNECT_WITHIN_MS, reconnectStrategy: false as const };
  const client = createClient({ url, socket, commandOptions: { timeout: CONNECT_WITHIN_MS } });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return /redis_version:(\S+)/.exec(await client.info('server'))?.[1] ?? 'of an unknown version';
  } finally {
    if (client.isOpen) client.destroy();
  }
}

/** Logs one line when the connection is lost and one when it is back; the client reports each failed attempt. */
function warnOnce(client: RedisClientType, log: Logger): void {
  let unavailable = false;
  client.on('error', (error: unknown) => {
    if (!unavailable) log.warn({ err: error }, 'Redis is unavailable; this node works without it until it is back');
    unavailable = true;
  });
  client.on('ready', () => {
    if (unavailable) log.info('Redis is back');
    unavailable = false;
  });
}

function firstAttempt(client: RedisClientType): Promise<void> {
  return new Promise((resolve) => {
    client.once('ready', () => resolve());
    client.once('error', () => resolve());
    // Retries until the client is closed; only that rejects it. The error listener reports each failed attempt.
    client.connect().catch(() => resolve());
  });
}
