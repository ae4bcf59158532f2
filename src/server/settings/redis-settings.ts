import type { RedisAddress } from '../../db/redis-sentinels.ts';
import type { EnvironmentReader } from './environment-reader.ts';

const SENTINEL_PORT = 26_379;
/** Three Sentinels are usual. With five, two may fail. */
const SENTINELS_MAX = 9;

/** Reads the address of the Redis that nodes share; null if none is set. */
export function readRedisSettings(read: EnvironmentReader, problems: string[]): RedisAddress | null {
  const url = read.url('REDIS_URL', ['rediss:', 'redis:']);
  const list = read.text('REDIS_SENTINELS');
  const sentinelPassword = read.text('REDIS_SENTINEL_PASSWORD');
  if (url === null && list !== undefined) {
    problems.push('REDIS_SENTINELS is set, but REDIS_URL is not: give redis://NAME with the name of the primary there');
  }
  if (list === undefined && sentinelPassword !== undefined) {
    problems.push('REDIS_SENTINEL_PASSWORD is set, but REDIS_SENTINELS is not: give the Sentinels, or unset it');
  }
  const sentinels = (list?.split(',') ?? []).map((address) => readSentinel(address.trim()));
  if (sentinels.length > SENTINELS_MAX || sentinels.includes(undefined)) {
    problems.push(
      `REDIS_SENTINELS is not a list of up to ${SENTINELS_MAX} addresses with commas between them, as in redis-1:26379,redis-2:26379`,
    );
  }
  if (url === null) return null;
  return Object.freeze({ url, sentinels: sentinels.filter((sentinel) => sentinel !== undefined), sentinelPassword });
}

/** Reads `host`, `host:port` or `[IPv6]:port`. */
function readSentinel(text: string): RedisAddress['sentinels'][number] | undefined {
  const address = URL.parse(`redis://${text}`);
  if (text === '' || address === null || `${address.hostname}${address.port && `:${address.port}`}` !== text)
    return undefined;
  return { host: address.hostname.replace(/^\[|\]$/g, ''), port: Number(address.port) || SENTINEL_PORT };
}
