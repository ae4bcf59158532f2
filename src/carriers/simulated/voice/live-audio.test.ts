import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { powerAt, powerOf } from '../../../../test/support/tone-power.ts';
import { decodeMulaw, encodeMulaw } from '../../../audio/mulaw.ts';
import { SILENT_FRAME } from '../../../audio/mulaw-frames.ts';
import { concat, samplesOf } from '../../../audio/pcm.ts';
import { sine } from '../../../audio/tones.ts';
import { createCallAudio } from '../../../gateway/media/call-audio.ts';
import type { AudioSource, Frame, TickAudio } from '../../ports/call-audio.ts';
import { zeroOf } from './live-audio.ts';
import { createLiveRecorder } from './live-recorder.ts';
import { soundSource, toneSource } from './sounds.ts';

const framesOf = (source: AudioSource, from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => source.read(from + index));
const pcmOf = (frames: readonly (Frame | undefined)[]) =>
  concat(frames.map((frame) => decodeMulaw(frame ?? SILENT_FRAME)));

describe('the tone of a party', () => {
  test('of the customer is 440 Hz on inbound, for half of each second', () => {
    const source = toneSource('customer', { isSilent: () => false });
    assert.deepEqual(source.into, ['inbound']);
    const pcm = pcmOf(framesOf(source, 7, 107));
    const on = { start: samplesOf(20), length: samplesOf(460) };
    assert.ok(powerAt(pcm, 440, on) > 0.98 * powerOf(pcm, on));
    assert.equal(powerOf(pcm, { start: samplesOf(500), length: samplesOf(500) }), 0);
    assert.deepEqual(pcm.slice(0, samplesOf(1_000)), pcm.slice(samplesOf(1_000)), 'the next second differs');
  });

  test('of the agent yields to what a stream’s client plays', () => {
    const audio = createCallAudio({ callId: 'call_1', ...manual() });
    audio.addSource(toneSource('agent', { isSilent: () => false }));
    const heard: TickAudio[] = [];
    audio.addSink({ write: (tick) => heard.push(tick) });
    run(2);
    assert.notEqual(heard[0]?.outbound, SILENT_FRAME);
    const playback = audio.openPlayback();
    run(2);
    assert.equal(heard.at(-1)?.outbound, SILENT_FRAME);
    const played = new Uint8Array(160).fill(0x55);
    playback.enqueue(played);
    run(2);
    assert.ok(heard.some(({ outbound }) => Buffer.from(outbound).equals(played)));
  });

  test('is silent while its party speaks, and continues in its pulse', () => {
    const source = toneSource('customer', { isSilent: (tick) => tick >= 10 && tick < 20 });
    const whole = toneSource('customer', { isSilent: () => false });
    const [frames, tones] = [framesOf(source, 0, 30), framesOf(whole, 0, 30)];
    assert.deepEqual(frames.slice(10, 20), Array(10).fill(undefined));
    assert.deepEqual(frames.slice(20), tones.slice(20));
  });

  let runs: ((tick: number) => void)[] = [];
  let tick = 0;
  const manual = () => {
    runs = [];
    tick = 0;
    const add = (onTick: (tick: number) => void) => {
      runs.push(onTick);
      return () => undefined;
    };
    return { ticker: { add, tick: 0, stop: () => undefined }, onError: assert.ifError };
  };
  const run = (ticks: number) => {
    for (const end = tick + ticks; tick < end; tick++) for (const onTick of runs) onTick(tick);
  };
});

test('a slow answer of the database moves no audio, and a moved clock moves all', () => {
  const zero = zeroOf(undefined, 1_010_000, { askedAt: 9_990, answeredAt: 10_010 });
  assert.equal(zero, 1_000_000);
  // The clock was read at 20,010, just after the question.
  assert.equal(zeroOf(zero, 1_020_010, { askedAt: 20_000, answeredAt: 24_000 }), zero);
  assert.equal(zeroOf(zero, 1_030_000 + 60_000, { askedAt: 29_990, answeredAt: 30_010 }), zero + 60_000);
  assert.equal(zeroOf(zero, 1_032_000 - 4_000, { askedAt: 30_000, answeredAt: 34_000 }), zero - 4_000);
});

describe('a sound', () => {
  const pcm = sine({ frequencyHz: 700, samples: samplesOf(90) });
  const codes = encodeMulaw(pcm);

  test('is heard from its tick to its end, the last frame filled up', () => {
    const source = soundSource(pcm, { into: ['inbound'], firstTick: 5, durationMs: 90 });
    const frames = framesOf(source, 0, 20);
    assert.deepEqual(frames.slice(0, 5), Array(5).fill(undefined));
    assert.deepEqual(frames.slice(10), Array(10).fill(undefined));
    const all = Buffer.concat(frames.slice(5, 10) as Frame[]);
    assert.ok(all.subarray(0, codes.length).equals(codes));
    assert.ok(all.subarray(codes.length).every((code) => code === 0xff));
    assert.deepEqual([4, 5, 9, 10].map(source.isHeard), [false, true, true, false]);
  });

  test('reports its start once, in the tick of its first frame', () => {
    const log: unknown[] = [];
    const onStart = () => log.push('start');
    const source = soundSource(pcm, { into: ['inbound'], firstTick: 2, durationMs: 90, onStart });
    for (let tick = 0; tick < 8; tick++) log.push(source.read(tick) !== undefined);
    assert.deepEqual(log, [false, false, 'start', true, true, true, true, true, false]);
  });

  test('that began before is heard from its middle on', () => {
    const source = soundSource(pcm, { into: ['inbound'], firstTick: -2, durationMs: 90 });
    assert.ok(Buffer.from(source.read(0) as Frame).equals(codes.subarray(320, 480)));
  });

  test('that is cut ends there', () => {
    const source = soundSource(pcm, { into: ['outbound'], firstTick: 0, durationMs: 90 });
    source.cut(40);
    assert.deepEqual(
      framesOf(source, 0, 5).map((frame) => frame !== undefined),
      [true, true, false, false, false],
    );
  });
});

describe('what is heard live', () => {
  const frame = (code: number) => new Uint8Array(160).fill(code);
  const heard = (tick: number, outbound: Frame): TickAudio => {
    return { tick, outbound, inbound: SILENT_FRAME, agent: SILENT_FRAME };
  };

  test('is stored in pieces without a gap, each with its moment; silence is not stored', () => {
    const kept: { at: number; codes: number[] }[] = [];
    const recorder = createLiveRecorder({
      stored: [],
      timeOf: (tick) => new Date(tick * 20),
      keep: ({ starts_at, audio }) => {
        const first = Array.from({ length: audio.length / 160 }, (_, index) => audio[index * 160] as number);
        kept.push({ at: starts_at.getTime(), codes: first });
      },
    });
    for (const tick of [3, 4]) recorder.write(heard(tick, frame(tick)));
    recorder.write(heard(5, SILENT_FRAME));
    recorder.write(heard(6, frame(6)));
    recorder.write(heard(9, frame(9)));
    recorder.end?.('call_ended');
    assert.deepEqual(kept, [
      { at: 60, codes: [3, 4] },
      { at: 120, codes: [6] },
      { at: 180, codes: [9] },
    ]);
  });

  test('is stored every half second', () => {
    let pieces = 0;
    const recorder = createLiveRecorder({ stored: [], timeOf: () => new Date(0), keep: () => void pieces++ });
    for (let tick = 0; tick < 60; tick++) recorder.write(heard(tick, frame(1)));
    assert.equal(pieces, 2);
  });
});
