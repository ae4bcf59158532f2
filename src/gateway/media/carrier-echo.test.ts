import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { encodeMulaw } from '../../audio/mulaw.ts';
import { mixFrames, SILENT_FRAME } from '../../audio/mulaw-frames.ts';
import { sine } from '../../audio/tones.ts';
import { createCallAudio } from './call-audio.ts';
import { createTicker } from './ticker.ts';
import type { AudioSource, Frame } from './types.ts';

/** Delay of the carrier's copy, in ticks. */
const LATE = 12;
const tone = (frequencyHz: number, gain = 1) =>
  encodeMulaw(sine({ frequencyHz, samples: 160 }).map((sample) => sample * gain));
const [AGENT, PROMPT] = [tone(1_000), tone(440)];
/** The noise of a microphone. */
const NOISE = tone(300, 0.005);

/**
 * The audio of a call with an agent and a carrier. The carrier's copy has a prompt, and with `hasOurs` also the agent's
 * voice.
 */
function start(said: (tick: number) => Frame, prompted: (tick: number) => boolean, hasOurs: boolean) {
  const clock = manualClock(500);
  const onError = (error: unknown) => assert.fail(String(error));
  const audio = createCallAudio({ callId: 'call_1', ticker: createTicker({ clock, onError }), onError });
  const heard: Frame[] = [];
  const copyAt = (tick: number) => {
    const prompt = prompted(tick) ? [PROMPT] : [];
    return mixFrames(hasOurs && tick >= LATE ? [...prompt, said(tick - LATE)] : prompt);
  };
  const agent: AudioSource = { into: ['outbound'], isAgent: true, read: () => said(heard.length) };
  audio.addSource(agent);
  audio.addSource({ into: ['outbound'], isCopy: true, hasOurs, read: () => copyAt(heard.length) });
  audio.addSink({ write: ({ outbound }) => heard.push(outbound) });
  return { clock, heard };
}

const framesOf = (heard: readonly Frame[], frame: Frame) => heard.filter((each) => Buffer.compare(each, frame) === 0);

test('an agent whom the carrier repeats is on outbound once, as it spoke', () => {
  const { clock, heard } = start(
    (tick) => (tick < 20 ? AGENT : SILENT_FRAME),
    () => false,
    true,
  );
  clock.pass(80 * 20);
  assert.deepEqual(heard.slice(0, 20), Array(20).fill(AGENT));
  assert.equal(framesOf(heard, AGENT).length, 20);
  assert.equal(framesOf(heard, SILENT_FRAME).length, heard.length - 20);
});

test('the announcements of the carrier are on outbound while an agent with a microphone says nothing', () => {
  const { clock, heard } = start(
    (tick) => (tick < 20 ? AGENT : NOISE),
    (tick) => tick >= 60,
    true,
  );
  clock.pass(80 * 20);
  const last = mixFrames([NOISE, mixFrames([PROMPT, NOISE])]);
  assert.deepEqual(heard.at(-1), last);
  assert.equal(framesOf(heard, last).length, heard.length - 60);
});

test('of a carrier that does not repeat it, everything is on outbound while the agent speaks', () => {
  const { clock, heard } = start(
    () => AGENT,
    () => true,
    false,
  );
  clock.pass(10 * 20);
  assert.deepEqual(new Set(heard.map(String)), new Set([String(mixFrames([AGENT, PROMPT]))]));
});
