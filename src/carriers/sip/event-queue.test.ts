import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../test/support/jobs.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { now } from '../../lib/time/time.ts';
import { createEventQueue } from './event-queue.ts';
import type { AriEvent } from './event-socket.ts';

const eventOf = (id: string, type = 'ChannelStateChange'): AriEvent => ({ type, channel: { id } });
const always = () => true;
const never = () => false;
const noDrop = () => assert.fail('an event was dropped');

test('events of one channel are carried out in order, concurrently with events of another channel', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const done: string[] = [];
  const queue = createEventQueue({
    log: silentLog,
    onDropped: noDrop,
    isReport: never,
    onEvents: async ([{ type, channel }]) => {
      const { id } = channel as { id: string };
      if (type === 'StasisStart') await held;
      done.push(`${id} ${type}`);
    },
  });
  queue.add(eventOf('a', 'StasisStart'), always);
  queue.add(eventOf('a', 'ChannelDestroyed'), always);
  queue.add(eventOf('b', 'ChannelDestroyed'), always);
  assert.deepEqual([queue.isWaiting('a'), queue.isWaiting('c')], [true, false]);
  release();
  await queue.drained();
  assert.deepEqual(done, ['b ChannelDestroyed', 'a StasisStart', 'a ChannelDestroyed']);
  assert.equal(queue.isWaiting('a'), false);
});

test('reports of one channel that wait are carried out together, and again together if they fail', async () => {
  const tries: string[][] = [];
  const queue = createEventQueue({
    log: silentLog,
    onDropped: noDrop,
    isReport: ({ type }) => type === 'Dial' || type === 'ChannelStateChange',
    onEvents: async (events) => {
      tries.push(events.map(({ type }) => type));
      if (tries.length === 2) throw new Error('the database is away');
    },
  });
  for (const type of ['StasisStart', 'Dial', 'ChannelStateChange', 'ChannelDestroyed', 'Dial']) {
    queue.add(eventOf('a', type), always);
  }
  queue.add(eventOf('a', 'ChannelStateChange'), () => false);
  await queue.drained();
  const together = ['Dial', 'ChannelStateChange'];
  assert.deepEqual(tries, [['StasisStart'], together, together, ['ChannelDestroyed'], ['Dial']]);
});

test('an event that failed is tried again, unless it is no longer wanted', async () => {
  let tries = 0;
  const queue = createEventQueue({
    log: silentLog,
    onDropped: noDrop,
    isReport: never,
    onEvents: async () => {
      if (++tries < 2) throw new Error('the database is away');
    },
  });
  queue.add(eventOf('a'), always);
  await queue.drained();
  assert.equal(tries, 2);
  queue.add(eventOf('b'), () => false);
  await queue.drained();
  assert.equal(tries, 2);
});

/** Returns a queue that drops an event at its second failure, and the types of the events in each try. */
function hastyQueue(onTry: (types: readonly string[], tries: number) => void) {
  const tries: string[][] = [];
  const dropped: Date[] = [];
  const queue = createEventQueue({
    log: silentLog,
    isReport: ({ type }) => type === 'Dial' || type === 'ChannelDtmfReceived',
    onDropped: (since) => dropped.push(since),
    times: { againMs: 1, giveUpMs: 0 },
    onEvents: async (events) => {
      const types = events.map(({ type }) => type);
      tries.push(types);
      onTry(types, tries.length);
    },
  });
  return { queue, tries, dropped };
}

test('an event that always fails although the database works is dropped, and those after it are carried out', async () => {
  const before = now();
  const { queue, tries, dropped } = hastyQueue((types) => {
    if (types.includes('StasisStart')) throw new Error('this event always fails');
  });
  for (const type of ['StasisStart', 'ChannelDestroyed']) queue.add(eventOf('a', type), always);
  await queue.drained();
  assert.deepEqual(tries, [['StasisStart'], ['StasisStart'], ['ChannelDestroyed']]);
  assert.equal(queue.isWaiting('a'), false);
  assert.equal(dropped.length, 1);
  assert.ok(Number(dropped[0]) >= before - 1 && Number(dropped[0]) <= now(), 'since its first failure');
});

test('of reports that are carried out together, only the failing one is dropped', async () => {
  const { queue, tries, dropped } = hastyQueue((types) => {
    if (types.includes('ChannelDtmfReceived')) throw new Error('this event always fails');
  });
  for (const type of ['Dial', 'ChannelDtmfReceived', 'Dial']) queue.add(eventOf('a', type), always);
  await queue.drained();
  const all = ['Dial', 'ChannelDtmfReceived', 'Dial'];
  assert.deepEqual(tries, [all, ['Dial'], ['ChannelDtmfReceived'], ['Dial']]);
  assert.equal(dropped.length, 1);
});

test('no event is dropped while the database is away, however long', async () => {
  const { queue, tries, dropped } = hastyQueue((_types, count) => {
    if (count === 1) throw new Error('a failure of its own, before');
    if (count < 20) throw new ApiError('database_unavailable');
    if (count === 20) throw new Error('a failure of its own, after');
  });
  queue.add(eventOf('a', 'ChannelDestroyed'), always);
  await queue.drained();
  assert.equal(tries.length, 21);
  assert.deepEqual(dropped, []);
});
