import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { until } from '../../test/support/http-target.ts';
import { describeOnEachRedis, startRedis, type TestRedis } from '../../test/support/redis.ts';
import { openRedis, type Redis } from './redis.ts';
import { createRedisBus } from './redis-bus.ts';

const log = pino({ level: 'silent' });
describeOnEachRedis((program) => {
  let server: TestRedis;
  const opened: Redis[] = [];

  before(async () => {
    server = await startRedis(program);
  });

  after(async () => {
    for (const redis of opened) redis.close();
    await server.stop();
  });

  async function startBus(namespace: string) {
    const redis = openRedis({ address: { url: server.url, sentinels: [] }, namespace, log });
    opened.push(redis);
    const bus = createRedisBus(redis, log);
    return { redis, bus };
  }

  test('a message reaches its own process immediately and every other process once', async () => {
    const [{ bus: one }, { bus: two }, { bus: stranger }] = [
      await startBus('a'),
      await startBus('a'),
      await startBus('b'),
    ];
    await Promise.all([one, two, stranger].map((bus) => bus.start()));
    const received: string[] = [];
    one.subscribe('events', (payload, remote) => received.push(`one ${payload} ${remote}`));
    two.subscribe('events', (payload, remote) => received.push(`two ${payload} ${remote}`));
    two.subscribe('other', () => received.push('wrong channel'));
    stranger.subscribe('events', () => received.push('another installation'));
    one.publish('events', 'ä"\n');
    assert.deepEqual(received, ['one ä"\n false']);
    one.publish('events', 'next');
    await until(() => received.length === 4);
    assert.deepEqual(received, ['one ä"\n false', 'one next false', 'two ä"\n true', 'two next true']);
  });

  test('a bus whose connection is cut reconnects and reports the gap', async () => {
    const [{ bus: one }, { bus: two, redis }] = [await startBus('cut'), await startBus('cut')];
    let gaps = 0;
    two.onGap(() => void gaps++);
    const received: string[] = [];
    two.subscribe('events', (payload) => received.push(payload));
    await Promise.all([one.start(), two.start()]);
    assert.equal(gaps, 1);
    const id = await redis.subscriber.client?.sendCommand(['CLIENT', 'ID']);
    await redis.commands.client?.sendCommand(['CLIENT', 'KILL', 'ID', String(id)]);
    await until(() => gaps === 2);
    one.publish('events', 'after');
    await until(() => received.includes('after'));
  });

  test('what another client publishes on the channel of the bus is ignored', async () => {
    const [{ bus: one, redis }, { bus: two }] = [await startBus('foreign'), await startBus('foreign')];
    await Promise.all([one.start(), two.start()]);
    const received: string[] = [];
    two.subscribe('events', (payload) => received.push(payload));
    for (const text of ['x', 'null', '{}', '["a","events"]', '["a","events",7]']) {
      await redis.commands.client?.publish('foreign:bus', text);
    }
    one.publish('events', 'good');
    await until(() => received.length > 0);
    assert.deepEqual(received, ['good']);
  });

  test('messages are bounded while Redis is connected but stopped, and arrive after it goes on', async () => {
    const [{ bus: one }, { bus: two, redis }] = [await startBus('stop'), await startBus('stop')];
    await Promise.all([one.start(), two.start()]);
    const received: string[] = [];
    let gaps = 0;
    two.subscribe('events', (payload) => received.push(payload));
    two.onGap(() => void gaps++);
    server.pause();
    try {
      for (let n = 0; n < 16_000; n++) one.publish('events', `${n}`);
      await until(() => redis.subscriber.client === undefined && redis.commands.client === undefined, 15_000);
    } finally {
      server.resume();
    }
    await until(() => gaps === 1 && received.includes('15999'), 15_000);
    // One batch may come twice: it was written before the stop was noticed.
    assert.ok(received.length <= 12_000, `${received.length} were received`);
  });

  test('a node starts and works alone while Redis is unavailable', async () => {
    const redis = openRedis({ address: { url: 'unix:///nowhere/redis.sock', sentinels: [] }, namespace: 'away', log });
    const bus = createRedisBus(redis, log);
    const received: string[] = [];
    bus.subscribe('events', (payload) => received.push(payload));
    await bus.start();
    bus.publish('events', 'local');
    assert.deepEqual(received, ['local']);
    await bus.close();
    redis.close();
  });
});
