import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/support/http-target.ts';
import { POST, poolsFor, targetFor } from '../../test/support/outbound-pools.ts';
import { OutboundError } from './outbound-error.ts';

test('requests in a row reuse connections', async (t) => {
  const target = await targetFor(t);
  const pools = poolsFor(t);
  for (let turn = 0; turn < 20; turn++) await pools.request({ ...POST, url: `${target.origin}/${turn}` });
  // Two are allowed, because a connection is free again only one turn of the event loop after its response.
  assert.ok(target.connections.length <= 2, `${target.connections.length} connections`);
});

test('requests at once use no more connections than allowed, and all are answered', async (t) => {
  const target = await targetFor(t);
  const pools = poolsFor(t, { connections: 3 });
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, turn) => pools.request({ ...POST, url: `${target.origin}/${turn}` })),
  );
  assert.ok(responses.every(({ status }) => status === 200));
  assert.equal(target.requests.length, 30);
  assert.ok(target.connections.length <= 3);
});

test('two instances never share a connection', async (t) => {
  const target = await targetFor(t);
  await poolsFor(t).request({ ...POST, url: target.origin });
  await poolsFor(t).request({ ...POST, url: target.origin });
  assert.equal(target.connections.length, 2);
});

test('a connection is closed at its maximum age even when idle', async (t) => {
  const [target, other] = [await targetFor(t), await targetFor(t)];
  await poolsFor(t).request({ ...POST, url: other.origin });
  const pools = poolsFor(t, { maxConnectionAgeMs: 200 });
  await pools.request({ ...POST, url: target.origin });
  await until(() => target.lifetimesMs.length === 1);
  assert.deepEqual(other.lifetimesMs, [], 'an older idle connection that has not reached its age is open');
});

test('steady traffic moves to new connections without one failed request', async (t) => {
  const target = await targetFor(t);
  const pools = poolsFor(t, { maxConnectionAgeMs: 2_000 });
  while (target.connections.length < 4) {
    assert.equal((await pools.request({ ...POST, url: target.origin })).status, 200);
    assert.ok(target.requests.length < 500_000, 'connections were never replaced');
  }
});

test('an origin whose connections have closed is removed', async (t) => {
  const target = await targetFor(t);
  const pools = poolsFor(t, { maxConnectionAgeMs: 200 });
  await pools.request({ ...POST, url: target.origin });
  assert.equal(pools.originCount, 1);
  await until(() => pools.originCount === 0);
});

test('an origin that cannot be reached is removed', async (t) => {
  const pools = poolsFor(t, { lookup: () => Promise.reject(new Error('no such name')) });
  await assert.rejects(pools.request({ ...POST, url: 'https://receiver.test/' }), OutboundError);
  await until(() => pools.originCount === 0);
});

test('beyond the limit the least recently used origin is removed after its requests have finished', async (t) => {
  const held: (() => void)[] = [];
  const slow = await targetFor(t, (_request, response) => held.push(() => response.end('late')));
  const others = [await targetFor(t), await targetFor(t), await targetFor(t)];
  const pools = poolsFor(t, { originsMax: 2 });
  const underWay = pools.request({ ...POST, url: slow.origin });
  await until(() => held.length === 1);
  for (const { origin } of others) {
    await pools.request({ ...POST, url: origin });
    assert.ok(pools.originCount <= 2);
  }
  held[0]?.();
  assert.equal((await underWay).body.toString(), 'late');
});

test('an origin in use is not removed', async (t) => {
  const busy = await targetFor(t);
  const others = await Promise.all(Array.from({ length: 6 }, () => targetFor(t)));
  const pools = poolsFor(t, { originsMax: 2 });
  await pools.request({ ...POST, url: busy.origin });
  for (const { origin } of others) {
    await pools.request({ ...POST, url: origin });
    await pools.request({ ...POST, url: busy.origin });
  }
  assert.ok(busy.connections.length <= 2);
});

test('close lets requests under way finish, refuses others, and leaves no connection', async (t) => {
  let release = (): void => undefined;
  const target = await targetFor(t, (_request, response) => {
    release = () => response.end('late');
  });
  const pools = poolsFor(t);
  const underWay = pools.request({ ...POST, url: target.origin });
  await until(() => target.requests.length === 1);
  const closed = pools.close();
  await assert.rejects(pools.request({ ...POST, url: target.origin }), { kind: 'aborted' });
  release();
  assert.equal((await underWay).body.toString(), 'late');
  await closed;
  await until(() => target.lifetimesMs.length === 1);
});

test('destroy cancels requests under way, also those of origins already removed', async (t) => {
  const target = await targetFor(t, () => undefined);
  const other = await targetFor(t);
  const pools = poolsFor(t, { originsMax: 1 });
  const underWay = pools.request({ ...POST, url: target.origin });
  await until(() => target.requests.length === 1);
  await pools.request({ ...POST, url: other.origin });
  await Promise.all([assert.rejects(underWay, { kind: 'aborted' }), pools.destroy()]);
  await until(() => target.lifetimesMs.length === target.connections.length);
});
