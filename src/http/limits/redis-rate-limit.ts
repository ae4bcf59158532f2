import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Redis } from '../../db/redis.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { after } from '../../lib/time/time.ts';
import { judge, RATE_OF_KEY, type Rate, type RateLimiter, type RateVerdict } from './rate-limit.ts';

// Updates a key's theoretical arrival time as `judge` does, atomically for all nodes and by Redis's clock. Returns the
// old arrival time and the time of Redis; `judge` computes the verdict from them. Times are written with all digits.
// Redis keeps a name one minute longer than necessary, because the time of a request may come from another clock than
// Redis's.
const SCRIPT = `
local now = tonumber(ARGV[3])
if now == nil then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local arrival = tonumber(redis.call('GET', KEYS[1])) or 0
local expected = math.max(arrival, now)
if expected - now <= tonumber(ARGV[2]) + 0.01 then
  local next = expected + tonumber(ARGV[1])
  redis.call('SET', KEYS[1], string.format('%.17g', next), 'PX', string.format('%.0f', next - now + 60000))
end
return {string.format('%.17g', arrival), string.format('%.0f', now)}
`;

const SCRIPT_SHA = createHash('sha1').update(SCRIPT).digest('hex');

const ANSWER_MS_MAX = 100;
/** Pause after a failure of Redis. */
const PAUSE_MS = 1_000;

type RedisLimiterOptions = {
  redis: Redis;
  /** Decides for this node alone while Redis is unavailable. */
  fallback: RateLimiter;
  clock: Clock;
  log: Logger;
  /** Part of the limiter's keys in Redis, so that two limiters share no counts. */
  purpose?: string;
  rate?: Rate;
  /** A request does not wait longer than this for Redis; 100 ms by default. */
  answerMsMax?: number | undefined;
  /**
   * Returns the time of a request in ms. By default Redis's own clock is used, because the clocks of nodes may differ.
   */
  nowMs?: () => number;
};

/** Limits requests over all nodes. The fallback decides while Redis is unavailable. Each outage logs one warning. */
export function createRedisLimiter(options: RedisLimiterOptions): RateLimiter {
  const { redis, fallback, clock, log, purpose = 'rate', rate: usual = RATE_OF_KEY, nowMs } = options;
  const { answerMsMax = ANSWER_MS_MAX } = options;
  let pausedUntilMs = 0;
  let failing = false;
  /** Commands without an answer. */
  let unanswered = 0;

  const ask = async (name: string, rate: Rate): Promise<RateVerdict> => {
    const { periodMs, burst } = rate;
    const call = {
      keys: [`${redis.namespace}:${purpose}:${name}`],
      arguments: [String(periodMs), String((burst - 1) * periodMs), nowMs === undefined ? '' : String(nowMs())],
    };
    const { client } = redis.commands;
    if (client === undefined) throw new Error('there is no connection');
    const answer = await client.evalSha(SCRIPT_SHA, call).catch((error: unknown) => {
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return client.eval(SCRIPT, call);
      throw error;
    });
    const [arrivalMs, atMs] = (answer as [string, string]).map(Number) as [number, number];
    return judge(arrivalMs, atMs, rate).verdict;
  };

  return {
    take: async (name, rate = usual) => {
      // Each write restarts the time limit of a silent connection. So after a failure, nothing is written while an
      // answer is missing.
      if (clock.now() < pausedUntilMs || (failing && unanswered > 0)) return fallback.take(name, rate);
      try {
        unanswered++;
        const asked = ask(name, rate).finally(() => unanswered--);
        const verdict = await within(answerMsMax, asked);
        failing = false;
        return verdict;
      } catch (error) {
        pausedUntilMs = clock.now() + PAUSE_MS;
        if (!failing) log.warn({ err: error }, 'Redis does not answer; each node limits requests separately');
        failing = true;
        return fallback.take(name, rate);
      }
    },
  };
}

/**
 * Rejects if the work does not end in time. If this process stalled, the answer may have arrived but not been read. So
 * it is read before the timeout takes effect.
 */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const { promise: alarm, reject: ring } = Promise.withResolvers<never>();
  const giveUp = () => ring(new Error(`no answer within ${limitMs} ms`));
  const timer = after(limitMs, () => setImmediate(giveUp));
  try {
    return await Promise.race([work, alarm]);
  } finally {
    timer.cancel();
  }
}
