/** A connection to Redis that reopens after each loss. It connects to the server that takes writes at that time. */
import { createClient, type RedisClientOptions, type RedisClientType } from '@redis/client';
import type { Logger } from 'pino';
import { after, type Timer } from '../lib/time/time.ts';

export type RedisConnection = {
  /** The client, or undefined while there is no connection. Its commands fail once the connection is lost. */
  readonly client: RedisClientType | undefined;
  /** Calls the listener after each connection, the first and later ones. */
  onReady(listener: () => void): void;
  /** Connects, and again after each loss until `close`. Resolves after the first attempt, successful or not. */
  connect(): Promise<void>;
  close(): void;
};

type ConnectionOptions = {
  /** Returns the address of the server. Called before each attempt. */
  readonly findServer: () => Promise<{ readonly url: string }>;
  /** Runs over each new connection before any other command. A failure ends the connection. */
  readonly prepare: (client: RedisClientType) => Promise<unknown>;
  readonly log: Logger;
};

const AGAIN_MS_MIN = 100;
const AGAIN_MS_MAX = 5_000;
export const CONNECT_WITHIN_MS = 3_000;
const PING_EVERY_MS = 2_000;
/**
 * A connection that is silent for this long is dropped. The client sends no ping while an earlier one is unanswered. So
 * a stopped Redis is noticed within this time plus the interval of pings.
 */
const SILENT_MAX_MS = 5_000;
/** The most unanswered commands. Further commands fail immediately. */
const COMMANDS_MAX = 10_000;

/** The library does not reconnect: after a loss the server may be at another address, which `findServer` returns. */
const OPTIONS = {
  socket: { connectTimeout: CONNECT_WITHIN_MS, socketTimeout: SILENT_MAX_MS, reconnectStrategy: false },
  pingInterval: PING_EVERY_MS,
  commandsQueueMaxLength: COMMANDS_MAX,
  disableOfflineQueue: true,
} satisfies RedisClientOptions;

export function holdConnection({ findServer, prepare, log }: ConnectionOptions): RedisConnection {
  const listeners: (() => void)[] = [];
  let current: RedisClientType | undefined;
  let again: Timer | undefined;
  let failures = 0;
  let isClosed = false;

  /** Connects once. From then on `onLost` is called once when the connection is lost. */
  const open = async (onLost: (error: unknown) => void): Promise<RedisClientType> => {
    const client = createClient({ ...OPTIONS, ...(await findServer()) }) as RedisClientType;
    const { promise: lost, reject } = Promise.withResolvers<never>();
    client.on('error', reject).on('end', () => reject(new Error('the connection has ended')));
    const opened = client.connect().then(() => prepare(client));
    try {
      await Promise.race([opened, lost]);
    } catch (error) {
      opened.catch(() => undefined);
      end(client);
      throw error;
    }
    lost.catch((error: unknown) => {
      end(client);
      onLost(error);
    });
    return client;
  };
  const attempt = async (): Promise<void> => {
    try {
      const client = await open(retry);
      if (isClosed) return end(client);
      current = client;
      if (failures > 0) log.info('Redis is back');
      failures = 0;
      for (const listener of listeners) listener();
    } catch (error) {
      retry(error);
    }
  };
  /** One line is logged for each outage. */
  const retry = (error: unknown) => {
    current = undefined;
    if (isClosed) return;
    if (failures === 0) log.warn({ err: error }, 'Redis is unavailable; this node works without it until it is back');
    again = after(Math.min(AGAIN_MS_MIN * 2 ** Math.min(failures++, 10), AGAIN_MS_MAX), () => void attempt());
  };

  return {
    get client() {
      return current;
    },
    onReady: (listener) => void listeners.push(listener),
    connect: attempt,
    close: () => {
      isClosed = true;
      again?.cancel();
      if (current !== undefined) end(current);
      current = undefined;
    },
  };
}

function end(client: RedisClientType): void {
  if (client.isOpen) client.destroy();
}
