import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createCallAudios } from './call-audios.ts';
import { createTicker } from './ticker.ts';
import type { Populate } from './types.ts';

function start(populate: Populate) {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const ticker = createTicker({ clock: manualClock(), onError });
  return { audios: createCallAudios({ ticker, populate, onError }), errors };
}

const call = { ledgerId: 1, callId: 'call_1' };

test('a call has one audio, filled once, however many want it at the same time', async () => {
  let made = 0;
  let gone = 0;
  const { audios } = start(async () => {
    made++;
    return () => gone++;
  });
  const [first, second] = await Promise.all([audios.acquire(call), audios.acquire(call)]);
  assert.equal(first.audio, second.audio);
  assert.equal(audios.find('call_1'), first.audio);
  first.release();
  first.release();
  assert.equal(first.audio.closed, false);
  second.release();
  assert.ok(second.audio.closed);
  await Promise.resolve();
  assert.deepEqual([made, gone, audios.size], [1, 1, 0]);
  assert.notEqual((await audios.acquire(call)).audio, first.audio);
});

test('audio that cannot be filled leaves nothing behind, and the next attempt starts from nothing', async () => {
  let attempts = 0;
  const { audios } = start(async () => {
    if (++attempts === 1) throw new Error('no parties');
    return () => undefined;
  });
  const both = await Promise.allSettled([audios.acquire(call), audios.acquire(call)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(audios.size, 0);
  assert.equal((await audios.acquire(call)).audio.closed, false);
});

test('the parties of audio that is closed leave with the last who holds it', async () => {
  let gone = 0;
  const { audios } = start(async () => () => gone++);
  const lease = await audios.acquire(call);
  const reasons: string[] = [];
  lease.audio.addSink({ write: () => undefined, end: (reason) => reasons.push(reason) });
  lease.audio.close('call_ended');
  assert.deepEqual(reasons, ['call_ended']);
  assert.equal(gone, 0);
  lease.release();
  await Promise.resolve();
  assert.equal(gone, 1);
});
