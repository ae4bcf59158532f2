import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../test/support/jobs.ts';
import { createEventQueue } from './event-queue.ts';
import type { AriEvent } from './event-socket.ts';

const eventOf = (id: string, type = 'ChannelStateChange'): AriEvent => ({ type, channel: { id } });
const always = () => true;
const never = () => false;

test('events of one channel are carried out in their order, those of another beside them', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const done: string[] = [];
  const queue = createEventQueue({
    log: silentLog,
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

test('an event that could not be carried out is tried again, unless nobody wants it any more', async () => {
  let tries = 0;
  const queue = createEventQueue({
    log: silentLog,
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
