import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../../test/support/jobs.ts';
import { openSocketPairs, type SocketPairs } from '../../../test/support/socket-pairs.ts';
import { monotonicMs } from '../../lib/time/time.ts';
import type { ClientMessage } from './protocol.ts';
import { createAllowance, createReadPace } from './rate.ts';

const ORDINARY: ClientMessage = { type: 'place', to: '+16025550143' };

test('sixty messages at once and twenty a second are allowed, and no more', () => {
  let nowMs = 0;
  const allowance = createAllowance(() => nowMs);
  const send = (count: number) =>
    Array.from({ length: count }, () => allowance.allows(ORDINARY)).filter(Boolean).length;
  assert.equal(send(100), 60);
  nowMs += 500;
  assert.equal(send(100), 10);
  nowMs += 3_600_000;
  assert.equal(send(100), 60);
});

test('an invalid message counts like any other', () => {
  const allowance = createAllowance(() => 0);
  const invalid = { invalid: { code: 'invalid_body', message: 'x' }, echo: { request: 'place' } } as const;
  for (let n = 0; n < 60; n++) assert.ok(allowance.allows(invalid));
  assert.ok(!allowance.allows(invalid));
});

test('emergency calls are always allowed, and do not count', () => {
  const allowance = createAllowance(() => 0);
  for (const to of ['911', '933']) assert.ok(allowance.allows({ type: 'place', to }));
  for (let n = 0; n < 60; n++) assert.ok(allowance.allows(ORDINARY));
  assert.ok(!allowance.allows(ORDINARY));
  for (const to of ['911', '933']) assert.ok(allowance.allows({ type: 'place', to }));
});

let pairs: SocketPairs;
before(async () => {
  pairs = await openSocketPairs();
});
after(() => pairs.close());

/** A client, and the messages that the server reads from it. */
async function connect() {
  const { client, webSocket } = await pairs.connect();
  const read = { messages: 0, resumed: 0 };
  const pace = createReadPace(webSocket, () => {
    read.resumed += 1;
  });
  webSocket.on('message', () => {
    read.messages += 1;
    pace.count();
  });
  return { client, webSocket, pace, read };
}

test('a flood is read more slowly, and all of it', async () => {
  const { client, webSocket, read } = await connect();
  const startedMs = monotonicMs();
  for (let n = 0; n < 5_000; n++) client.send('x'.repeat(100));
  await until('reading pauses', () => webSocket.isPaused);
  await until('all is read', () => read.messages === 5_000);
  assert.ok(monotonicMs() - startedMs > 1_000, 'everything was read at once');
  await until('reading resumes', () => !webSocket.isPaused);
  assert.ok(read.resumed > 0);
  client.terminate();
});

test('while a queue is full nothing more is read; once all have room, the rest is', async () => {
  const { client, webSocket, pace, read } = await connect();
  pace.setFull('emergency', true);
  pace.setFull('login', true);
  for (let n = 0; n < 500; n++) client.send('x'.repeat(4_000));
  pace.setFull('login', false);
  client.ping();
  await new Promise((resolve) => client.send('last', resolve));
  assert.deepEqual([webSocket.isPaused, read.messages], [true, 0]);
  pace.setFull('emergency', false);
  await until('all is read', () => read.messages === 501);
  client.terminate();
});
