import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallQuality } from '../index.d.ts';
import { measureQuality } from '../src/quality.js';

/** Measures a socket on a clock of the test. */
function measure() {
  const sent: string[] = [];
  const seen: CallQuality[] = [];
  let nowMs = 1_000;
  let open: () => void = () => undefined;
  const socket = {
    readyState: WebSocket.OPEN,
    send: (text: string) => void sent.push(JSON.parse(text).name),
    addEventListener: (_: string, listener: () => void) => {
      open = listener;
    },
  };
  const quality = measureQuality(
    socket as unknown as WebSocket,
    (one) => seen.push(one),
    () => nowMs,
  );
  open();
  return { ...quality, sent, seen, pass: (ms: number) => (nowMs += ms) };
}

test('each report has the loss since the one before, and the time that the mark took', () => {
  const { handleMark, handleReport, sent, seen, pass } = measure();
  pass(40);
  handleMark(sent[0] as string);
  handleReport({ due: 250, lost: 5, jitterMs: 3 });
  pass(90);
  handleMark(sent[1] as string);
  handleReport({ due: 500, lost: 5, jitterMs: 4 });
  assert.deepEqual(seen, [
    { lossPercent: 2, jitterMs: 3, roundTripMs: 40 },
    { lossPercent: 0, jitterMs: 4, roundTripMs: 90 },
  ]);
});

test('a mark that comes back after the next was sent is not taken for it', () => {
  const { handleMark, handleReport, sent, seen, pass } = measure();
  handleReport({ due: 250, lost: 0, jitterMs: 3 });
  pass(10);
  handleMark(sent[0] as string);
  handleReport({ due: 500, lost: 0, jitterMs: 3 });
  assert.deepEqual(
    seen.map(({ roundTripMs }) => roundTripMs),
    [null, null],
  );
});

test('of a time without audio, as on hold, nothing is said', () => {
  const { handleReport, seen, sent } = measure();
  handleReport({ due: 250, lost: 0, jitterMs: 3 });
  handleReport({ due: 250, lost: 0, jitterMs: 3 });
  assert.deepEqual([seen.length, sent.length], [1, 3]);
});
