/** A Redis with a replica. The Sentinels make the replica the primary when the first primary is killed or frozen. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { openRedis } from '../../src/db/redis.ts';
import { createRedisBus } from '../../src/db/redis-bus.ts';
import type { RedisAddress } from '../../src/db/redis-sentinels.ts';
import { createMemoryLimiter } from '../../src/http/limits/rate-limit.ts';
import { createRedisLimiter } from '../../src/http/limits/redis-rate-limit.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { freePort } from '../support/ports.ts';
import { describeOnEachRedis } from '../support/redis.ts';
import { startSentinels } from '../support/redis-sentinels.ts';
import { until } from '../support/until.ts';

/** Longer than the silence that ends a connection, with room for a busy machine. */
const LIMIT_MS = 60_000;
const BURST = 60;

/** A node that shares messages and limits. Its clock stands still, so that used requests stay counted. */
async function startNode(t: TestContext, address: RedisAddress) {
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  const redis = openRedis({ address, namespace: 'shared', log });
  const bus = createRedisBus(redis, log);
  t.after(async () => {
    await bus.close();
    redis.close();
  });
  const received: string[] = [];
  bus.subscribe('events', (payload) => received.push(payload));
  await bus.start();
  const limiter = createRedisLimiter({
    ...{ redis, clock: systemClock, log, answerMsMax: 10_000, nowMs: () => 1_000_000 },
    fallback: createMemoryLimiter(systemClock),
  });
  return { bus, limiter, received, warnings };
}

type TestNode = Awaited<ReturnType<typeof startNode>>;

/** Fails unless a message of each node reaches the other one. */
async function assertConnected(nodes: readonly [TestNode, TestNode], text: string): Promise<void> {
  for (const [from, to] of [nodes, nodes.toReversed()] as [TestNode, TestNode][]) {
    await until(
      `${text} arrives`,
      () => {
        from.bus.publish('events', text);
        return to.received.includes(text);
      },
      LIMIT_MS,
    );
    to.received.length = 0;
    from.received.length = 0;
  }
}

/** Fails unless the nodes count the requests of a key together. */
async function assertCountedTogether([one, two]: readonly [TestNode, TestNode]): Promise<void> {
  let keys = 0;
  await until(
    'the nodes count together',
    async () => {
      const key = `key_${keys++}`;
      for (let n = 0; n < BURST; n++) await one.limiter.take(key);
      return !(await two.limiter.take(key)).allowed;
    },
    LIMIT_MS,
  );
}

describeOnEachRedis((program) => {
  for (const [what, lose] of [
    ['is killed', 'kill'],
    ['freezes', 'pause'],
  ] as const)
    test(`when the primary ${what}, messages and limits go over the one that the Sentinels choose`, async (t) => {
      const { primary, address, untilMoved } = await startSentinels(t, program);
      const nodes = [await startNode(t, address), await startNode(t, address)] as const;
      await assertConnected(nodes, 'before');
      await primary[lose]();
      await untilMoved();
      await assertConnected(nodes, 'after');
      await assertCountedTogether(nodes);
      // A primary that resumes acts as the primary until the Sentinels demote it.
      primary.resume();
      await assertConnected(nodes, 'later');
    });

  test('the log says which Sentinel does not know the name, and the node works alone', async (t) => {
    const { address } = await startSentinels(t, program);
    const { bus, received, warnings } = await startNode(t, { ...address, url: 'redis://another' });
    bus.publish('events', 'local');
    assert.deepEqual(received, ['local']);
    assert.match(warnings.join(''), /the Sentinel at 127\.0\.0\.1:\d+ knows no primary with the name another/);
  });

  test('where no Sentinel answers, the node works alone', async (t) => {
    const sentinels = [{ host: '127.0.0.1', port: await freePort() }];
    const { bus, received, warnings } = await startNode(t, { url: 'redis://dialplane', sentinels });
    bus.publish('events', 'local');
    assert.deepEqual(received, ['local']);
    assert.match(warnings.join(''), /the Sentinel at 127\.0\.0\.1:\d+ cannot be asked/);
  });
});
