import { createClient, type RedisClientType } from '@redis/client';
import type { Logger } from 'pino';
import { CONNECT_WITHIN_MS, holdConnection, type RedisConnection } from './redis-connection.ts';
import { assertPrimary, findPrimary, type RedisAddress } from './redis-sentinels.ts';

/** Connections to the Redis that the nodes of an installation share. */
export type Redis = {
  /** The client is undefined while Redis is unavailable. Callers then act for this process alone. */
  readonly commands: RedisConnection;
  /** For subscriptions only. */
  readonly subscriber: RedisConnection;
  /** Prefix of this installation's keys and channels; other installations may use the same server. */
  readonly namespace: string;
  /** Subscribes `listener` to a channel over the present connection and over each later one. */
  subscribe(channel: string, listener: (message: string) => void): Promise<void>;
  /** Connects, and reconnects until `close`. Resolves after the first attempt, successful or not. */
  connect(): Promise<void>;
  close(): void;
};

type RedisOptions = { address: RedisAddress; namespace: string; log: Logger };

/** Prepares the connections. Import this module only where REDIS_URL is set, because it loads the client library. */
export function openRedis({ address, namespace, log }: RedisOptions): Redis {
  const subscriptions = new Map<string, (message: string) => void>();
  const findServer = () => findPrimary(address);
  const check = (client: RedisClientType) => (address.sentinels.length > 0 ? assertPrimary(client) : undefined);
  const commands = holdConnection({ findServer, log, prepare: async (client) => check(client) });
  const subscriber = holdConnection({
    findServer,
    log,
    prepare: async (client) => {
      await check(client);
      for (const [channel, listener] of subscriptions) await client.subscribe(channel, listener);
    },
  });
  let connecting: Promise<unknown> | undefined;
  return {
    commands,
    subscriber,
    namespace,
    subscribe: async (channel, listener) => {
      subscriptions.set(channel, listener);
      await subscriber.client?.subscribe(channel, listener);
    },
    connect: async () => {
      connecting ??= Promise.all([commands.connect(), subscriber.connect()]);
      await connecting;
    },
    close: () => {
      for (const connection of [commands, subscriber]) connection.close();
    },
  };
}

/**
 * Connects once and returns the server's name and version.
 * @throws Error if it does not answer within 3 s
 */
export async function readRedisVersion(address: RedisAddress): Promise<string> {
  const socket = { connectTimeout: CONNECT_WITHIN_MS, reconnectStrategy: false as const };
  const { url } = await findPrimary(address);
  const client = createClient({ url, socket, commandOptions: { timeout: CONNECT_WITHIN_MS } });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const info = await client.info('server');
    const valkey = /valkey_version:(\S+)/.exec(info)?.[1];
    if (valkey !== undefined) return `Valkey ${valkey}`;
    return `Redis ${/redis_version:(\S+)/.exec(info)?.[1] ?? 'of an unknown version'}`;
  } finally {
    if (client.isOpen) client.destroy();
  }
}
