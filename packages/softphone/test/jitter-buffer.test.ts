import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FRAME_MS, JitterBuffer } from '../src/jitter-buffer.js';

/** A frame that contains its number; the added quarter shows that it is not a softer copy. */
const frame = (seq: number) => new Float32Array(160).fill(seq + 0.25);
const numberOf = (sample: number) => (sample % 1 === 0.25 ? Math.floor(sample) : 'soft');

type Arrival = { readonly seq: number; readonly atMs: number };

/**
 * Plays arrivals on a clock, one turn every 20 ms. Returns the depth and the output of each turn. The output is a
 * frame's number, `soft` for a concealed frame, or null for silence.
 */
function play(arrivals: readonly Arrival[], turns: number, buffer = new JitterBuffer()) {
  const waiting = [...arrivals].sort((a, b) => a.atMs - b.atMs);
  const heard: (number | 'soft' | null)[] = [];
  const sizes: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const nowMs = turn * FRAME_MS;
    while (waiting[0] !== undefined && waiting[0].atMs <= nowMs) {
      const { seq, atMs } = waiting.shift() as Arrival;
      buffer.push(seq, frame(seq), atMs);
    }
    const out = buffer.pull()?.[0];
    heard.push(out === undefined ? null : numberOf(out));
    sizes.push(buffer.size);
  }
  return { buffer, heard, sizes };
}

const steady = (count: number, delayMs: (seq: number) => number = () => 0): Arrival[] =>
  Array.from({ length: count }, (_, i) => ({ seq: i + 1, atMs: i * FRAME_MS + delayMs(i + 1) }));

/** Pseudorandom numbers, the same in each run. */
function dice(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

test('on a quiet line every frame is played once and in order, 20 ms after the second has arrived', () => {
  const { heard, buffer } = play(steady(100), 101);
  assert.deepEqual(
    heard.slice(1),
    Array.from({ length: 100 }, (_, i) => i + 1),
  );
  assert.equal(buffer.depth, 2);
});

test('frames that arrive out of order are played in order', () => {
  const swapped = steady(50, (seq) => (seq % 10 === 5 ? 25 : 0));
  const { heard } = play(swapped, 51);
  const numbers = heard.filter((piece) => typeof piece === 'number');
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
});

test('a lost frame is concealed by the one before, without a delay', () => {
  const { heard, buffer } = play(
    steady(60).filter(({ seq }) => seq !== 30),
    61,
  );
  assert.deepEqual(heard.slice(28, 33), [28, 29, 'soft', 31, 32]);
  assert.equal(buffer.stats.concealed, 1);
});

test('after three concealed frames there is silence, not a drone', () => {
  const { heard } = play(
    steady(60).filter(({ seq }) => seq < 20),
    60,
  );
  assert.equal(heard.filter((piece) => piece === 'soft').length, 3);
  assert.equal(heard.at(-1), null);
});

test('of many lost frames in a row three are concealed, and the next frames are played in their place', () => {
  const buffer = new JitterBuffer();
  for (const seq of [1, 2, 10, 11]) buffer.push(seq, frame(seq), seq * FRAME_MS);
  const heard = Array.from({ length: 11 }, () => buffer.pull()?.[0]).map((piece) => piece && numberOf(piece));
  assert.deepEqual(heard, [1, 2, 'soft', 'soft', 'soft', ...Array(4).fill(undefined), 10, 11]);
});

test('after a gap playback resumes, with no more delay than before', () => {
  const pause = steady(200).filter(({ seq }) => seq < 50 || seq >= 100);
  const { heard, sizes } = play(pause, 201);
  assert.equal(heard.at(-1), 200);
  assert.ok((sizes.at(-1) ?? 9) <= 3);
});

test('on an uneven line more frames are buffered, and fewer are missed', () => {
  const roll = dice();
  const uneven = steady(1_000, () => roll() * 90);
  const { heard, buffer } = play(uneven, 1_000);
  const settled = heard.slice(300);
  const missed = settled.filter((piece) => typeof piece !== 'number').length;
  assert.ok(buffer.depth > 3, `depth ${buffer.depth}`);
  assert.ok(missed < settled.length * 0.03, `${missed} of ${settled.length} missed`);
});

test('when the line is quiet again the delay shrinks', () => {
  const roll = dice(7);
  const line = steady(3_000, (seq) => (seq < 1_000 ? roll() * 90 : 0));
  const { sizes, buffer } = play(line, 3_000);
  assert.ok(Math.max(...sizes.slice(500, 1_000)) > 3);
  assert.equal(buffer.depth, 2);
  assert.ok((sizes.at(-1) ?? 99) <= 3, `${sizes.at(-1)} still wait`);
});

test('a burst leaves no delay, and never more than 200 ms are buffered', () => {
  const burst = steady(600, (seq) => (seq >= 100 && seq < 130 ? (130 - seq) * FRAME_MS : 0));
  const { sizes, heard } = play(burst, 601);
  assert.ok(Math.max(...sizes) <= 10);
  assert.ok((sizes.at(-1) ?? 99) <= 3, `${sizes.at(-1)} still wait`);
  assert.ok(Number(heard.at(-1)) >= 597);
});

test('a sender whose clock runs fast does not increase the delay', () => {
  // A clock that is half a per cent too fast, for ten minutes.
  const fast = Array.from({ length: 30_150 }, (_, i) => ({ seq: i + 1, atMs: i * FRAME_MS * 0.995 }));
  const { sizes } = play(fast, 30_000);
  assert.ok(Math.max(...sizes) <= 10);
  assert.ok((sizes.at(-1) ?? 99) <= 4);
});

test('a sender that restarts is played at once', () => {
  const before = steady(100);
  const anew = steady(100).map(({ seq, atMs }) => ({ seq: seq + 90_000, atMs: atMs + 2_000 }));
  const { heard } = play([...before, ...anew], 200);
  assert.equal(heard.at(-1), 90_099);
  const back = steady(100).map(({ seq, atMs }) => ({ seq, atMs: atMs + 4_000 }));
  assert.equal(play([...anew, ...back], 300).heard.at(-1), 99);
});

test('a repeated frame is played once', () => {
  const twice = steady(50).flatMap((arrival) => [arrival, { ...arrival, atMs: arrival.atMs + 1 }]);
  const numbers = play(twice, 51).heard.filter((piece) => typeof piece === 'number');
  assert.equal(new Set(numbers).size, numbers.length);
});

test('frames that are lost, or come after they were due, are counted as lost; a pause as on hold is not', () => {
  const lost = new Set([30, 31, 60]);
  const late = (seq: number) => (seq === 80 ? 70 : 0);
  const { buffer } = play(
    steady(100, late).filter(({ seq }) => !lost.has(seq)),
    104,
  );
  assert.deepEqual([buffer.counts.lost, buffer.counts.due], [4, 100]);
  const held = steady(200).filter(({ seq }) => seq <= 50 || seq > 150);
  const { counts } = play(held, 204).buffer;
  assert.deepEqual([counts.lost, counts.due], [0, 100]);
});
