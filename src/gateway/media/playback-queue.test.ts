import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../test/support/property.ts';
import { MULAW_SILENCE } from '../../audio/mulaw.ts';
import { createPlaybackQueue, MARKS_MAX, PLAYBACK_MS_MAX } from './playback-queue.ts';

const bytes = (length: number, value = 1) => new Uint8Array(length).fill(value);

function readAll(queue: ReturnType<typeof createPlaybackQueue>): Uint8Array {
  const frames: Uint8Array[] = [];
  for (let quiet = 0; quiet < 2; ) {
    const frame = queue.read();
    if (frame === undefined) quiet++;
    else frames.push(frame);
  }
  return Uint8Array.from(frames.flatMap((frame) => [...frame]));
}

test('pieces of any lengths come out as frames of 160 bytes, sample for sample', () => {
  checkProperty(
    fc.property(fc.array(fc.uint8Array({ maxLength: 700 }), { maxLength: 20 }), (pieces) => {
      const queue = createPlaybackQueue();
      for (const piece of pieces) assert.ok(queue.enqueue(piece));
      const sent = pieces.flatMap((piece) => [...piece]);
      const heard = [...readAll(queue)];
      assert.equal(heard.length, Math.ceil(sent.length / 160) * 160);
      assert.deepEqual(heard.slice(0, sent.length), sent);
      assert.ok(heard.slice(sent.length).every((sample) => sample === MULAW_SILENCE));
      assert.equal(queue.queuedBytes, 0);
    }),
  );
});

test('audio that arrives during playback joins it without a gap', () => {
  const queue = createPlaybackQueue();
  const heard: number[] = [];
  for (let n = 0; n < 100; n++) {
    queue.enqueue(Uint8Array.from({ length: 100 }, (_, i) => (n * 100 + i) % 251));
    heard.push(...(queue.read() ?? []));
  }
  assert.ok(heard.length > 9_000);
  heard.forEach((sample, i) => {
    assert.equal(sample, i % 251);
  });
});

test('an incomplete last frame is played without a gap before it', () => {
  const queue = createPlaybackQueue();
  queue.enqueue(bytes(400));
  assert.deepEqual(
    [1, 2, 3, 4].map(() => queue.read()?.filter((sample) => sample === 1).length),
    [160, 160, 80, undefined],
  );
});

test('an incomplete frame waits one tick for its rest, and no longer', () => {
  const queue = createPlaybackQueue();
  queue.enqueue(bytes(100));
  assert.equal(queue.read(), undefined);
  queue.enqueue(bytes(60, 2));
  assert.deepEqual(queue.read(), Uint8Array.from([...bytes(100), ...bytes(60, 2)]));
  queue.enqueue(bytes(10));
  assert.equal(queue.read(), undefined);
  assert.deepEqual(queue.read(), Uint8Array.from([...bytes(10), ...bytes(150, MULAW_SILENCE)]));
});

test('sixty seconds are queued, and audio beyond that is dropped', () => {
  const queue = createPlaybackQueue();
  assert.ok(queue.enqueue(bytes(PLAYBACK_MS_MAX * 8 - 1)));
  assert.equal(queue.enqueue(bytes(2, 7)), false);
  assert.equal(queue.queuedBytes, 480_000);
  const heard = readAll(queue);
  assert.equal(heard.length, 480_000);
  assert.equal(heard.at(-1), 7);
});

test('a minute in pieces of one byte takes no more memory than a minute', () => {
  const queue = createPlaybackQueue();
  const one = bytes(1);
  for (let n = 0; n < 479_999; n++) queue.enqueue(one);
  assert.equal(queue.queuedBytes, 479_999);
  assert.equal(readAll(queue).length, 480_000);
});

describe('a mark', () => {
  test('is reached with the last sample before it, not earlier', () => {
    const queue = createPlaybackQueue();
    queue.enqueue(bytes(320));
    queue.mark('two frames');
    queue.enqueue(bytes(160));
    queue.mark('three frames');
    queue.read();
    assert.deepEqual(queue.takeReached(), []);
    queue.read();
    assert.deepEqual(queue.takeReached(), ['two frames']);
    queue.read();
    assert.deepEqual(queue.takeReached(), ['three frames']);
    assert.deepEqual(queue.takeReached(), []);
  });

  test('with nothing before it is reached at once', () => {
    const queue = createPlaybackQueue();
    queue.mark('now');
    assert.deepEqual(queue.takeReached(), ['now']);
  });

  test('in cleared audio is reached at the clear, in order', () => {
    const queue = createPlaybackQueue();
    queue.enqueue(bytes(1_000));
    queue.mark('first');
    queue.enqueue(bytes(1_000));
    queue.mark('second');
    queue.clear();
    assert.deepEqual(queue.takeReached(), ['first', 'second']);
    assert.equal(queue.read(), undefined);
    queue.enqueue(bytes(160, 9));
    queue.mark('third');
    assert.deepEqual(queue.takeReached(), []);
    assert.deepEqual(queue.read(), bytes(160, 9));
    assert.deepEqual(queue.takeReached(), ['third']);
  });

  test('is refused while a thousand wait', () => {
    const queue = createPlaybackQueue();
    queue.enqueue(bytes(160));
    for (let n = 0; n < MARKS_MAX; n++) assert.ok(queue.mark(`${n}`));
    assert.equal(queue.mark('one too many'), false);
  });
});

test('cleared audio is never played, not even the start of a frame', () => {
  const queue = createPlaybackQueue();
  queue.enqueue(bytes(250, 1));
  queue.read();
  queue.clear();
  queue.enqueue(bytes(160, 2));
  assert.deepEqual(queue.read(), bytes(160, 2));
});
