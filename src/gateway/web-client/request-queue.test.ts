import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createRequestQueue,
  EMERGENCIES_MAX,
  EMERGENCIES_WAITING_MAX,
  type Request,
  WAITING_MAX,
} from './request-queue.ts';

const ORDINARY: Request = { type: 'hang_up', call_id: 'call_1' };
const EMERGENCY: Request = { type: 'place', to: '911' };

/** A queue whose requests run until the test ends them. */
function makeQueue() {
  const running: Request[] = [];
  const ends: (() => void)[] = [];
  const fullness: boolean[] = [];
  const run = (request: Request) => {
    running.push(request);
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.push(resolve);
    return promise;
  };
  const queue = createRequestQueue({ run, onFull: (isFull) => fullness.push(isFull) });
  const settle = () => new Promise(setImmediate);
  return { queue, running, ends, fullness, settle };
}

test('requests run one after another', async () => {
  const { queue, running, ends, settle } = makeQueue();
  const second: Request = { type: 'answer', call_id: 'call_2' };
  assert.ok(queue.add(ORDINARY) && queue.add(second));
  await settle();
  assert.deepEqual(running, [ORDINARY]);
  ends[0]?.();
  await settle();
  assert.deepEqual(running, [ORDINARY, second]);
});

test('an emergency call waits for no other request, however many wait', async () => {
  const { queue, running } = makeQueue();
  const added = Array.from({ length: WAITING_MAX + 10 }, () => queue.add(ORDINARY)).filter(Boolean);
  assert.equal(added.length, WAITING_MAX, 'the others have a limit');
  assert.ok(queue.add(EMERGENCY));
  assert.ok(running.includes(EMERGENCY));
});

test('a limited number of emergency calls runs at a time, the rest in order, and none is refused', async () => {
  const { queue, running, ends, settle } = makeQueue();
  const requests: Request[] = Array.from({ length: 30 }, (_, n) => ({ ...EMERGENCY, ref: String(n) }));
  for (const request of requests) assert.ok(queue.add(request));
  assert.equal(running.length, EMERGENCIES_MAX);
  for (let n = 0; n < requests.length; n++) {
    ends[n]?.();
    await settle();
    assert.equal(running.length, Math.min(requests.length, EMERGENCIES_MAX + n + 1));
  }
  assert.deepEqual(running, requests);
});

test('the queue reports when too many emergency calls wait, and when it has room again', async () => {
  const { queue, ends, fullness, settle } = makeQueue();
  for (let n = 0; n < EMERGENCIES_MAX + EMERGENCIES_WAITING_MAX - 1; n++) queue.add(EMERGENCY);
  assert.ok(!fullness.includes(true));
  assert.ok(queue.add(EMERGENCY), 'a full queue still takes an emergency call');
  assert.equal(fullness.at(-1), true);
  ends[0]?.();
  await settle();
  assert.equal(fullness.at(-1), false);
});
