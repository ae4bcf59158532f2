import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Logger, pino } from 'pino';
import { until } from '../../../test/support/jobs.ts';
import { describeOnEachRedis, startRedis, type TestRedis } from '../../../test/support/redis.ts';
import { openRedis, type Redis } from '../../db/redis.ts';
import { now } from '../../lib/time/time.ts';
import { createMemoryLimiter, judge, rateOfKey } from './rate-limit.ts';
import { createRedisLimiter } from './redis-rate-limit.ts';

describeOnEachRedis((program) => {
  let server: TestRedis;
  const opened: Redis[] = [];
  let warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line).msg) }) as Logger;

  before(async () => {
    server = await startRedis(program);
  });

  after(async () => {
    for (const redis of opened) redis.close();
    await server.stop();
  });

  async function openNode(namespace = 'one'): Promise<Redis> {
    const redis = openRedis({ address: { url: server.url, sentinels: [] }, namespace, log });
    opened.push(redis);
    await redis.connect();
    return redis;
  }

  const clockAt = (read: () => number) => ({ now: read });
  /** High, because the tests with this limit are not about a slow Redis. */
  const answerMsMax = 5_000;

  test('verdicts equal those of the limiter in memory, in every field', async () => {
    let nowMs = 1_800_000_000_000;
    const clock = clockAt(() => nowMs);
    const fallback = { take: () => assert.fail('Redis did not answer') };
    const shared = createRedisLimiter({
      redis: await openNode(),
      fallback,
      clock,
      log,
      answerMsMax,
      nowMs: clock.now,
    });
    let arrivalMs: number | undefined;
    let refused = 0;
    for (let request = 0; request < 400; request++) {
      const expected = judge(arrivalMs, nowMs);
      arrivalMs = expected.arrivalMs;
      assert.deepEqual(await shared.take('key_same'), expected.verdict);
      if (!expected.verdict.allowed) refused++;
      nowMs += [0, 3, 49, 0, 0, 51, 700][request % 7] ?? 0;
      if (request % 97 === 96) nowMs += 5_000;
      if (request % 5 === 0) nowMs += 0;
      if (request < 200) nowMs -= [0, 3, 49, 0, 0, 51, 700][request % 7] ?? 0;
    }
    assert.ok(refused > 50 && refused < 350, `${refused} refused`);
  });

  test('a rate whose period is no whole number of milliseconds counts as in memory', async () => {
    let nowMs = 1_800_000_000_000;
    const clock = clockAt(() => nowMs);
    const fallback = { take: () => assert.fail('Redis did not answer') };
    const redis = await openNode('fractions');
    const shared = createRedisLimiter({ redis, fallback, clock, log, answerMsMax, nowMs: clock.now });
    const rate = rateOfKey(300);
    let arrivalMs: number | undefined;
    for (let request = 0; request < 1_200; request++) {
      const expected = judge(arrivalMs, nowMs, rate);
      arrivalMs = expected.arrivalMs;
      assert.deepEqual(await shared.take('key_fraction', rate), expected.verdict, `request ${request}`);
      if (request % 10 === 0) nowMs += 7;
    }
  });

  test('an answer that came while this process stood still counts', async () => {
    const fallback = { take: () => assert.fail('Redis has answered') };
    const shared = { redis: await openNode(), fallback, clock: clockAt(now), log };
    await createRedisLimiter({ ...shared, answerMsMax }).take('key_still');
    const shortMs = 1_000;
    const limiter = createRedisLimiter({ ...shared, answerMsMax: shortMs });
    for (let round = 0; round < 2; round++) {
      const verdict = limiter.take('key_still');
      // Lets the process send the command. Then the process reads nothing for longer than an answer may take.
      await new Promise((resolve) => setImmediate(resolve));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, shortMs + 50);
      server.awaitAnswers();
      assert.equal((await verdict).allowed, true);
    }
  });

  test('two nodes share the burst of a key; two keys or installations do not', async () => {
    const clock = clockAt(() => now());
    const nowMs = () => 1_900_000_000_000;
    const fallback = createMemoryLimiter(clock);
    const limiters = await Promise.all(
      ['two', 'two', 'three'].map(async (namespace) =>
        createRedisLimiter({ redis: await openNode(namespace), fallback, clock, log, answerMsMax, nowMs }),
      ),
    );
    const [here, there, elsewhere] = limiters;
    let allowed = 0;
    for (let request = 0; request < 100; request++) {
      const verdict = await (request % 2 === 0 ? here : there)?.take('key_a');
      if (verdict?.allowed) allowed++;
    }
    assert.equal(allowed, 60);
    assert.equal((await here?.take('key_b'))?.allowed, true);
    assert.equal((await elsewhere?.take('key_a'))?.allowed, true);
  });

  test('limits of different purposes are separate, each with its own rate', async () => {
    const clock = clockAt(() => now());
    const redis = await openNode('four');
    const fallback = { take: () => assert.fail('Redis did not answer') };
    const nowMs = () => 1_900_000_000_000;
    const make = (purpose: string, rate: { periodMs: number; burst: number }) =>
      createRedisLimiter({ redis, fallback, clock, log, purpose, rate, answerMsMax, nowMs });
    const [few, more] = [make('few', { periodMs: 3_000, burst: 2 }), make('more', { periodMs: 200, burst: 5 })];
    const allowedOf = async (limiter: typeof few) => {
      let allowed = 0;
      for (let request = 0; request < 8; request++) if ((await limiter.take('one')).allowed) allowed++;
      return allowed;
    };
    assert.deepEqual([await allowedOf(few), await allowedOf(more)], [2, 5]);
    assert.equal((await few.take('one')).retryAfterS, 3);
  });

  test("a key regains its requests by Redis's own clock", async () => {
    const clock = clockAt(() => now());
    const fallback = createMemoryLimiter(clock);
    const shared = createRedisLimiter({ redis: await openNode(), fallback, clock, log, answerMsMax });
    const first = await shared.take('key_wall');
    assert.deepEqual(first, { allowed: true, remaining: 59, resetS: 1, retryAfterS: 0 });
  });

  /** A separate Redis that a test may stop, and a limiter with the time limit of production. */
  async function limiterOfOwnRedis(namespace: string, wallMs: () => number) {
    const own = await startRedis(program);
    const redis = openRedis({ address: { url: own.url, sentinels: [] }, namespace, log });
    opened.push(redis);
    await redis.connect();
    const clock = clockAt(wallMs);
    return { own, redis, shared: createRedisLimiter({ redis, fallback: createMemoryLimiter(clock), clock, log }) };
  }

  test('while Redis hangs or is away each node limits by itself, with one warning', async () => {
    let wallMs = 1_000_000;
    const { own, shared } = await limiterOfOwnRedis('down', () => wallMs);
    warnings = [];
    own.pause();
    let allowed = 0;
    for (let request = 0; request < 70; request++) if ((await shared.take('key_c')).allowed) allowed++;
    assert.equal(allowed, 60, 'the limiter in memory decides');
    const about = () => warnings.filter((text) => text.includes('does not answer'));
    assert.equal(about().length, 1);
    own.resume();
    wallMs += 10_000;
    assert.equal((await shared.take('key_c')).remaining < 60, true);
    await own.stop();
    wallMs += 10_000;
    assert.equal((await shared.take('key_c')).allowed, true);
  });

  test('requests do not keep the connection to a stopped Redis open', async () => {
    let wallMs = 1_000_000;
    const { own, redis, shared } = await limiterOfOwnRedis('stopped', () => wallMs);
    own.pause();
    try {
      await until('the connection is dropped', async () => {
        await shared.take('key_d');
        // At each request, the pause that follows the last failure is over.
        wallMs += 2_000;
        return redis.commands.client === undefined;
      });
    } finally {
      await own.stop();
    }
  });
});
