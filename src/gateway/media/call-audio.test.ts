import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { decodeMulaw, encodeMulaw } from '../../audio/mulaw.ts';
import { SILENT_FRAME } from '../../audio/mulaw-frames.ts';
import { mix } from '../../audio/pcm.ts';
import { sine } from '../../audio/tones.ts';
import { createCallAudio } from './call-audio.ts';
import { createTicker } from './ticker.ts';
import type { AudioSink, AudioSource, Frame, Line, PressedDigit, StopReason, TickAudio } from './types.ts';

function start() {
  const clock = manualClock(500);
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const ticker = createTicker({ clock, onError });
  return { clock, ticker, errors, audio: createCallAudio({ callId: 'call_1', ticker, onError }) };
}

type Recorded = AudioSink & { heard: TickAudio[]; log: string[] };

function recorder(extra: Partial<AudioSink> = {}): Recorded {
  const heard: TickAudio[] = [];
  const log: string[] = [];
  return {
    heard,
    log,
    write: (audio) => {
      heard.push(audio);
      log.push('audio');
    },
    reportDigit: ({ digit, track }: PressedDigit) => log.push(`digit ${digit} ${track}`),
    clear: () => log.push('clear'),
    confirmMark: (name: string) => log.push(`mark ${name}`),
    end: (reason: StopReason) => log.push(`end ${reason}`),
    ...extra,
  };
}

/** A source that plays the frames in a loop, one a tick. */
function speaker(into: Line[], frames: readonly (Frame | undefined)[], yields = false): AudioSource {
  let n = 0;
  return { into, yields, read: () => frames[n++ % frames.length] };
}

const tone = (frequencyHz: number) => encodeMulaw(sine({ frequencyHz, samples: 160 }));
const noise = Uint8Array.from({ length: 160 }, (_, i) => (i * 37) % 256);

test('a single source is heard sample for sample, on its own line only', () => {
  const { clock, audio } = start();
  const sink = recorder();
  audio.addSource(speaker(['inbound'], [noise]));
  audio.addSink(sink);
  clock.pass(100);
  assert.ok(sink.heard.length >= 4);
  for (const { inbound, outbound, agent } of sink.heard) {
    assert.equal(inbound, noise);
    assert.equal(agent, noise);
    assert.deepEqual(outbound, SILENT_FRAME);
  }
});

test('several sources on a line are mixed', () => {
  const { clock, audio } = start();
  const sink = recorder();
  const [low, high] = [tone(440), tone(1_000)];
  audio.addSource(speaker(['outbound'], [low]));
  audio.addSource(speaker(['outbound'], [high]));
  audio.addSink(sink);
  clock.pass(25);
  const both = mix([low, high].map((frame) => ({ pcm: decodeMulaw(frame), at: 0 })));
  assert.deepEqual(sink.heard[0]?.outbound, encodeMulaw(both));
});

test('an announcement to both sides reaches the agent mixed with the customer, and is not in inbound', () => {
  const { clock, audio } = start();
  const sink = recorder();
  const [customer, announcement] = [tone(300), tone(700)];
  audio.addSource(speaker(['inbound'], [customer]));
  audio.addSource(speaker(['outbound', 'agent'], [announcement]));
  audio.addSink(sink);
  clock.pass(25);
  const [first] = sink.heard;
  assert.equal(first?.inbound, customer);
  assert.equal(first?.outbound, announcement);
  const both = mix([customer, announcement].map((frame) => ({ pcm: decodeMulaw(frame), at: 0 })));
  assert.deepEqual(first?.agent, encodeMulaw(both));
});

test('a party does not hear its own voice', () => {
  const { clock, audio } = start();
  const [ownSource, other] = [speaker(['outbound'], [tone(300)]), speaker(['outbound'], [noise])];
  const sink = recorder({ ownSources: [ownSource] });
  audio.addSource(ownSource);
  audio.addSource(other);
  audio.addSink(sink);
  clock.pass(25);
  assert.equal(sink.heard[0]?.outbound, noise);
});

test('a party that is parted from the customer hears only what is for the agent alone', () => {
  const { clock, audio } = start();
  let isApart = true;
  const sink = recorder({ ownSources: [], isApart: () => isApart });
  audio.addSource(speaker(['inbound'], [noise]));
  audio.addSource(speaker(['agent'], [tone(300), undefined]));
  audio.addSink(sink);
  clock.pass(45);
  assert.deepEqual(
    sink.heard.map(({ agent }) => agent),
    [tone(300), SILENT_FRAME],
  );
  assert.equal(sink.heard[0]?.inbound, noise, 'what the customer says goes on');
  isApart = false;
  clock.pass(45);
  assert.equal(sink.heard.at(-1)?.agent, noise);
});

test('the carrier’s copy of what the customer hears is for a listener only while there is no agent', () => {
  const { clock, audio } = start();
  const [customer, agent, copy] = [tone(440), tone(1_000), tone(700)];
  audio.addSource(speaker(['inbound'], [customer]));
  audio.addSource({ ...speaker(['outbound'], [copy]), isCopy: true });
  const listener = recorder({ ownSources: [], hearsAll: true });
  audio.addSink(listener);
  const heardOf = (...frames: Frame[]) => encodeMulaw(mix(frames.map((each) => ({ pcm: decodeMulaw(each), at: 0 }))));
  clock.pass(20);
  assert.deepEqual(listener.heard.at(-1)?.agent, heardOf(customer, copy));
  // The carrier's copy is late: it still has the agent's voice when the agent is already silent.
  const removeAgent = audio.addSource({ ...speaker(['outbound'], [agent, undefined]), isAgent: true });
  clock.pass(20);
  assert.deepEqual(listener.heard.at(-1)?.agent, heardOf(customer, agent));
  clock.pass(20);
  assert.deepEqual(listener.heard.at(-1)?.agent, customer);
  removeAgent();
  clock.pass(20);
  assert.deepEqual(listener.heard.at(-1)?.agent, heardOf(customer, copy));
});

test('a yielding source is heard only while no other source of the line is', () => {
  const { clock, audio } = start();
  const sink = recorder();
  audio.addSource(speaker(['outbound'], [tone(300)], true));
  audio.addSource(speaker(['outbound'], [noise, undefined]));
  audio.addSink(sink);
  clock.pass(45);
  assert.equal(sink.heard[0]?.outbound, noise);
  assert.deepEqual(sink.heard[1]?.outbound, tone(300));
});

test('ticks count by time while there are no sinks', () => {
  const { clock, audio } = start();
  const sink = recorder();
  const ticks: number[] = [];
  audio.addSource({
    into: ['inbound'],
    read: (tick) => {
      ticks.push(tick);
      return undefined;
    },
  });
  const leave = audio.addSink(sink);
  clock.pass(40);
  leave();
  clock.pass(1_000);
  const before = ticks.length;
  audio.addSink(sink);
  clock.pass(40);
  assert.ok(before >= 1 && before <= 3);
  assert.ok(Math.abs((ticks[before] as number) - 52) <= 1, String(ticks));
  assert.equal(new Set(ticks).size, ticks.length);
});

describe('playback', () => {
  test('is all that is sent to the customer, sample for sample, and silence while it pauses', () => {
    const { clock, audio } = start();
    const sink = recorder();
    audio.addSource(speaker(['outbound'], [tone(300)], true));
    audio.addSink(sink);
    const playback = audio.openPlayback();
    assert.ok(audio.hasPlayback);
    playback.enqueue(Uint8Array.from({ length: 400 }, (_, i) => i % 256));
    assert.equal(playback.queuedMs, 50);
    clock.pass(125);
    const heard = sink.heard.flatMap(({ outbound }) => [...outbound]);
    const begin = heard.indexOf(0);
    assert.deepEqual(
      heard.slice(begin, begin + 400),
      Array.from({ length: 400 }, (_, i) => i % 256),
    );
    assert.deepEqual(sink.heard.at(-1)?.outbound, SILENT_FRAME);
    playback.close();
    assert.equal(audio.hasPlayback, false);
    clock.pass(40);
    assert.deepEqual(sink.heard.at(-1)?.outbound, tone(300));
  });

  test('confirms a mark after the audio before it', () => {
    const { clock, audio } = start();
    const playback = audio.openPlayback();
    const sink = recorder();
    audio.addSink(sink);
    playback.enqueue(new Uint8Array(320));
    playback.mark('end');
    clock.pass(125);
    const said = sink.log.indexOf('mark end');
    assert.equal(
      sink.heard.findLastIndex(({ outbound }) => outbound[0] === 0),
      1,
    );
    assert.ok(said === 1 || said === 2, sink.log.join());
  });

  test('that is cleared stops at once, and clears the sinks', () => {
    const { clock, audio } = start();
    const sink = recorder();
    audio.addSink(sink);
    const playback = audio.openPlayback();
    playback.enqueue(new Uint8Array(16_000));
    playback.mark('end');
    clock.pass(45);
    sink.log.length = 0;
    playback.clear();
    assert.deepEqual(sink.log, ['clear', 'mark end']);
    sink.heard.length = 0;
    clock.pass(100);
    for (const { outbound } of sink.heard) assert.deepEqual(outbound, SILENT_FRAME);
  });

  test('leaves a mark to a sink that takes it, until the sink confirms it', () => {
    const { clock, audio } = start();
    const taken: string[] = [];
    const carrier = recorder({ reachMark: (name) => taken.push(name) > 0 });
    const client = recorder();
    audio.addSink(client);
    audio.addSink(carrier);
    const playback = audio.openPlayback();
    playback.enqueue(new Uint8Array(160));
    playback.mark('end');
    clock.pass(100);
    assert.deepEqual(taken, ['end']);
    assert.equal(client.log.includes('mark end'), false);
    audio.confirmMark('end');
    assert.equal(client.log.at(-1), 'mark end');
  });
});

test('digits are sent to all sinks', () => {
  const { audio } = start();
  const sinks = [recorder(), recorder()];
  for (const sink of sinks) audio.addSink(sink);
  audio.reportDigit({ digit: '5', track: 'inbound' });
  for (const sink of sinks) assert.deepEqual(sink.log, ['digit 5 inbound']);
});

test('a source or sink that throws is removed, and the others continue', () => {
  const { clock, audio, errors } = start();
  const sink = recorder();
  let failures = 0;
  const fail = () => {
    failures++;
    throw new Error('broken');
  };
  audio.addSource({ into: ['inbound'], read: fail });
  audio.addSource(speaker(['inbound'], [noise]));
  audio.addSink({ write: fail });
  audio.addSink(sink);
  clock.pass(100);
  assert.equal(failures, 2);
  assert.equal(errors.length, 2);
  assert.ok(sink.heard.length >= 4);
  assert.equal(sink.heard[0]?.inbound, noise);
});

test('close ends every sink with the reason once, and leaves no timer', () => {
  const { clock, audio } = start();
  const sink = recorder();
  audio.addSink(sink);
  audio.close('call_ended');
  audio.close('carrier_error');
  audio.addSink(recorder({ write: () => assert.fail('heard after the end') }));
  clock.pass(100);
  assert.deepEqual(sink.log, ['end call_ended']);
  assert.ok(audio.closed);
  assert.equal(clock.timers, 0);
});
