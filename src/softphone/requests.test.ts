import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRequests, EMERGENCIES_MAX, type Request, WAITING_MAX } from './requests.ts';

const ORDINARY: Request = { type: 'hang_up', call_id: 'call_1' };
const HELP: Request = { type: 'place', to: '911' };

/** Requests that take until the test says so. */
function makeRequests() {
  const running: Request[] = [];
  const ends: (() => void)[] = [];
  const requests = createRequests((request) => {
    running.push(request);
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.push(resolve);
    return promise;
  });
  const settle = () => new Promise(setImmediate);
  return { requests, running, ends, settle };
}

test('requests are done one after another', async () => {
  const { requests, running, ends, settle } = makeRequests();
  const second: Request = { type: 'answer', call_id: 'call_2' };
  assert.ok(requests.take(ORDINARY) && requests.take(second));
  await settle();
  assert.deepEqual(running, [ORDINARY]);
  ends[0]?.();
  await settle();
  assert.deepEqual(running, [ORDINARY, second]);
});

test('a call for help waits for no other request, however many do', async () => {
  const { requests, running } = makeRequests();
  const taken = Array.from({ length: WAITING_MAX + 10 }, () => requests.take(ORDINARY)).filter(Boolean);
  assert.equal(taken.length, WAITING_MAX, 'and so many of the others wait, at most');
  assert.ok(requests.take(HELP));
  assert.ok(running.includes(HELP));
});

test('so many calls for help are placed at a time, and another one once one of them is', async () => {
  const { requests, ends, settle } = makeRequests();
  for (let n = 0; n < EMERGENCIES_MAX; n++) assert.ok(requests.take(HELP));
  assert.equal(requests.take(HELP), false);
  ends[0]?.();
  await settle();
  assert.ok(requests.take(HELP));
});
