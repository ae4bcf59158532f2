import type { Logger } from 'pino';
import { type Bus, createBus } from '../../db/bus.ts';
import type { Database } from '../../db/database.ts';
import { createRedisBus } from '../../db/redis-bus.ts';
import type { RedisAddress } from '../../db/redis-sentinels.ts';
import { ledgerShare } from '../../http/limits/admission.ts';
import { createMemoryLimiter, type MakeLimiter, RATE_OF_FAILURES, RATE_OF_KEY } from '../../http/limits/rate-limit.ts';
import { createRedisLimiter } from '../../http/limits/redis-rate-limit.ts';
import { createCipher } from '../../lib/crypto/cipher.ts';
import { type Clock, systemClock } from '../../lib/time/clock.ts';
import { secretsOf } from '../settings/config.ts';

type SharedOptions = {
  redis?: RedisAddress | null;
  /** How long a request waits for a limit in Redis; 100 ms by default. */
  redisAnswerMsMax?: number;
  secret: string;
  /** The cell of the product; none by default. */
  cell?: string;
  log: Logger;
  clock?: Clock;
};

export type Shared = { readonly bus: Bus; readonly makeLimiter: MakeLimiter; close(): Promise<void> };

/** Opens services that nodes share, other than the database. The Redis client is loaded only if Redis is used. */
export async function openShared(
  { redis: address, redisAnswerMsMax: answerMsMax, secret, cell, log, clock = systemClock }: SharedOptions,
  db: Database,
): Promise<Shared> {
  if (address === undefined || address === null) {
    const makeLimiter: MakeLimiter = (_, rate) => createMemoryLimiter(clock, rate);
    return { bus: createBus(db, log, cell), makeLimiter, close: async () => undefined };
  }
  const { openRedis } = await import('../../db/redis.ts');
  // Several installations may use one Redis, so the prefix of the keys is derived from the secret.
  const name = createCipher(secretsOf(secret)).deriveKey('redis-namespace').toString('hex').slice(0, 16);
  const namespace = ['dialplane', name, ...(cell === undefined ? [] : [cell])].join(':');
  const redis = openRedis({ address, namespace, log });
  const makeLimiter: MakeLimiter = (purpose, rate) =>
    createRedisLimiter({ redis, fallback: createMemoryLimiter(clock, rate), clock, log, purpose, rate, answerMsMax });
  return { bus: createRedisBus(redis, log), makeLimiter, close: async () => redis.close() };
}

/** Returns three limits: of keys, of addresses with wrong keys, and of a ledger's share of the connections. */
export function limitsOf({ makeLimiter }: Pick<Shared, 'makeLimiter'>, connectionsMax: number) {
  return {
    limiter: makeLimiter('rate', RATE_OF_KEY),
    failureLimiter: makeLimiter('wrong-keys', RATE_OF_FAILURES),
    admission: { ledgerMax: ledgerShare(connectionsMax) },
  };
}
