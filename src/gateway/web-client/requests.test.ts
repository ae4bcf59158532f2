import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRequests, EMERGENCIES_MAX, EMERGENCIES_WAITING_MAX, type Request, WAITING_MAX } from './requests.ts';

const ORDINARY: Request = { type: 'hang_up', call_id: 'call_1' };
const HELP: Request = { type: 'place', to: '911' };

/** Requests that take until the test says so. */
function makeRequests() {
  const running: Request[] = [];
  const ends: (() => void)[] = [];
  const fullness: boolean[] = [];
  const run = (request: Request) => {
    running.push(request);
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.push(resolve);
    return promise;
  };
  const requests = createRequests({ run, onFull: (isFull) => fullness.push(isFull) });
  const settle = () => new Promise(setImmediate);
  return { requests, running, ends, fullness, settle };
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

test('so many calls for help are placed at a time, and each of the others in its turn: none is refused', async () => {
  const { requests, running, ends, settle } = makeRequests();
  const wanted: Request[] = Array.from({ length: 30 }, (_, n) => ({ ...HELP, ref: String(n) }));
  for (const request of wanted) assert.ok(requests.take(request));
  assert.equal(running.length, EMERGENCIES_MAX);
  for (let n = 0; n < wanted.length; n++) {
    ends[n]?.();
    await settle();
    assert.equal(running.length, Math.min(wanted.length, EMERGENCIES_MAX + n + 1));
  }
  assert.deepEqual(running, wanted);
});

test('it says when so many calls for help wait that no more should come, and when they may', async () => {
  const { requests, ends, fullness, settle } = makeRequests();
  for (let n = 0; n < EMERGENCIES_MAX + EMERGENCIES_WAITING_MAX - 1; n++) requests.take(HELP);
  assert.ok(!fullness.includes(true));
  assert.ok(requests.take(HELP), 'what has come all the same is taken');
  assert.equal(fullness.at(-1), true);
  ends[0]?.();
  await settle();
  assert.equal(fullness.at(-1), false);
});
