import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SILENT_FRAME } from '../../../src/audio/mulaw-frames.ts';
import { readWav } from '../../../src/audio/wav.ts';
import { encodeDualWav } from './dual-wav.ts';
import {
  addSound,
  appendSound,
  closeLine,
  frameNow,
  heardAt,
  type Line,
  link,
  openLine,
  saidAt,
  stopSound,
  unlink,
} from './lines.ts';
import { pcmOf, soundingOf } from './listening.ts';
import { createPacer } from './pacer.ts';
import { digitFrames, SPEECH_HZ, toneFrames, voiceHz } from './voices.ts';

const ANN = '+13035550142';
const BOB = '+13035550143';

/** Runs the frames of a line up to the frame after next. By then a change made just before has taken effect. */
async function untilFrame(frame: number): Promise<void> {
  const pacer = createPacer();
  await new Promise<void>((resolve) => {
    const stop = pacer.take((taken) => {
      if (taken < frame) return;
      stop();
      resolve();
    });
  });
}

/** The tones that the party of a line hears in ten frames. */
function heard(line: Line, from: number): readonly number[] {
  const frames = Array.from({ length: 10 }, (_, i) => heardAt(line, from + i));
  return soundingOf(pcmOf(frames)).peaksHz;
}

/** Two linked lines whose parties say a tone each. */
function talk(): { ann: Line; bob: Line; from: number } {
  const [ann, bob] = [openLine(), openLine()];
  addSound(ann.said, toneFrames(voiceHz(ANN), 1_000), { loops: true });
  addSound(bob.said, toneFrames(voiceHz(BOB), 1_000), { loops: true });
  link(ann, bob);
  return { ann, bob, from: frameNow() + 2 };
}

test('linked parties hear each other and not themselves', () => {
  const { ann, bob, from } = talk();
  assert.deepEqual(heard(ann, from), [voiceHz(BOB)]);
  assert.deepEqual(heard(bob, from), [voiceHz(ANN)]);
});

test('what is played to a party is heard over the other party, and by nobody else', () => {
  const { ann, bob, from } = talk();
  addSound(ann.played, toneFrames(SPEECH_HZ, 1_000));
  assert.deepEqual([...heard(ann, from)].sort(), [SPEECH_HZ, voiceHz(BOB)].sort());
  assert.deepEqual(heard(bob, from), [voiceHz(ANN)]);
});

test('digits are pairs of tones', () => {
  const line = openLine();
  addSound(line.played, digitFrames('5'));
  assert.deepEqual([...heard(line, frameNow() + 1)].sort(), [1340, 770].sort());
});

test('parties hear nothing of each other after the end of their link, and of a line after its end', async () => {
  const { ann, bob } = talk();
  await untilFrame(frameNow() + 2);
  unlink(ann, bob);
  const unlinked = frameNow() + 1;
  assert.notEqual(heardAt(ann, unlinked - 1), SILENT_FRAME);
  assert.equal(heardAt(ann, unlinked), SILENT_FRAME);
  assert.notEqual(saidAt(bob, unlinked), SILENT_FRAME);
  await untilFrame(frameNow() + 2);
  closeLine(bob);
  assert.equal(saidAt(bob, frameNow() + 1), SILENT_FRAME);
});

test('a sound that is appended to follows without a gap; after a stop the rest is not heard', () => {
  const line = openLine();
  const one = toneFrames(400, 5_000);
  const other = toneFrames(500, 5_000);
  const sound = appendSound(line.played, undefined, one);
  assert.equal(appendSound(line.played, sound, other), sound);
  assert.deepEqual(
    Array.from({ length: one.length + other.length + 1 }, (_, i) => heardAt(line, sound.from + i)),
    [...one, ...other, SILENT_FRAME],
  );
  stopSound(sound);
  // The sound may have begun.
  const stoppedAt = sound.until;
  assert.ok(stoppedAt < sound.from + one.length);
  assert.equal(heardAt(line, stoppedAt), SILENT_FRAME);
  const next = appendSound(line.played, sound, one);
  assert.equal(heardAt(line, Math.max(next.from, stoppedAt)), one[0]);
});

test('frames are handed over in order, once each, in real time, and only as long as they are taken', async () => {
  const pacer = createPacer();
  const taken: number[] = [];
  const earliest = frameNow();
  let latest = Number.NaN;
  await new Promise<void>((resolve) => {
    const stop = pacer.take((frame) => {
      assert.ok(frame < frameNow());
      taken.push(frame);
      if (taken.length < 10) return;
      stop();
      resolve();
    });
    latest = frameNow() + 1;
  });
  assert.deepEqual(
    taken.map((frame) => frame - (taken[0] ?? 0)),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  assert.ok((taken[0] ?? 0) >= earliest && (taken[0] ?? 0) <= latest + 1);
  assert.equal(pacer.takers(), 0);
});

test('a file of two channels has one line on each', () => {
  const file = encodeDualWav(Int16Array.of(1, 2, 3), Int16Array.of(-1, -2, -3));
  const { channels, sampleRateHz, bits, content } = readWav(file);
  assert.deepEqual([channels, sampleRateHz, bits, content.length], [2, 8_000, 16, 12]);
  assert.deepEqual([content.readInt16LE(0), content.readInt16LE(2), content.readInt16LE(8)], [1, -1, 3]);
});
