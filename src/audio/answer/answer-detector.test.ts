import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { beepOf, talk } from '../../../test/support/answers.ts';
import { toMulawFrames } from '../mulaw-frames.ts';
import { concat, durationMsOf, mix, type Pcm, saturate, silence } from '../pcm.ts';
import { dtmf } from '../tones.ts';
import { AnswerDetector, type AnswerFinding } from './answer-detector.ts';

function withNoise(pcm: Pcm, amplitude: number): Pcm {
  let state = 1;
  const noise = Int16Array.from({ length: pcm.length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return saturate((state / 0x7fffffff - 0.5) * 2 * amplitude);
  });
  return mix([
    { pcm, at: 0 },
    { pcm: noise, at: 0 },
  ]);
}

function hear(...parts: readonly Pcm[]): AnswerFinding[] {
  const detector = new AnswerDetector();
  return toMulawFrames(concat(parts)).flatMap((frame) => detector.write(frame) ?? []);
}

const kindOf = (found: readonly AnswerFinding[]) => found.flatMap((one) => (one.found === 'kind' ? [one.kind] : []));

test('a person says something short and waits: the verdict comes a second after the last word', () => {
  for (const ms of [300, 700, 1_500, 2_400]) {
    for (const noise of [0, 200, 600]) {
      const found = hear(withNoise(concat([silence(400), talk(ms), silence(4_000)]), noise));
      assert.deepEqual(kindOf(found), ['person'], `${ms} ms in noise ${noise}`);
      const late = (found[0]?.atMs ?? 0) - 400 - ms;
      assert.ok(late > 800 && late < 1_300, `${late} ms after ${ms} ms of talk`);
      assert.equal(found.length, 1);
    }
  }
});

test('a business that answers with a sentence of five seconds is a person', () => {
  for (const noise of [0, 200, 600]) {
    const found = hear(withNoise(concat([silence(300), talk(5_000), silence(3_000)]), noise));
    assert.deepEqual(kindOf(found), ['person'], `noise ${noise}`);
  }
});

test('a machine is found while it talks, and its beep of any frequency within half a second of its end', () => {
  for (const hz of [400, 440, 620, 850, 1_000, 1_100, 1_250, 1_400, 1_750, 2_000]) {
    for (const [ms, noise] of [
      [200, 0],
      [400, 200],
      [1_000, 600],
    ] as const) {
      const greeting = concat([silence(500), talk(7_000), silence(900), beepOf(hz, ms)]);
      const found = hear(withNoise(concat([greeting, silence(6_000)]), noise));
      assert.deepEqual(kindOf(found), ['machine'], `${hz} Hz`);
      assert.ok((found[0]?.atMs ?? 0) < 7_500, 'the verdict waits for the beep');
      const end = found[1];
      assert.ok(end?.found === 'greeting_ended' && end.beep, `${hz} Hz for ${ms} ms in noise ${noise}`);
      const late = end.atMs - durationMsOf(greeting);
      assert.ok(late >= 0 && late <= 500, `${late} ms after the beep of ${hz} Hz`);
    }
  }
});

test('a short greeting is a machine by its beep', () => {
  const found = hear(silence(300), talk(1_200), silence(500), beepOf(1_000, 300), silence(2_000));
  assert.deepEqual(kindOf(found), ['machine']);
  assert.equal(found[1]?.found === 'greeting_ended' && found[1].beep, true);
});

test('a machine without a beep has ended its greeting after four seconds of silence', () => {
  const found = hear(silence(300), talk(8_000), silence(6_000));
  const end = found[1];
  assert.ok(end?.found === 'greeting_ended' && !end.beep);
  assert.ok(end.atMs >= 12_000 && end.atMs <= 12_600, `${end.atMs} ms`);
});

test('a fax is found by its answer tone and by its calling tone, and the same tones after speech are beeps', () => {
  assert.deepEqual(kindOf(hear(silence(500), beepOf(2_100, 3_000))), ['fax']);
  assert.deepEqual(kindOf(hear(silence(500), beepOf(1_100, 500), silence(2_000))), ['fax']);
  assert.deepEqual(kindOf(hear(silence(500), talk(1_000), silence(400), beepOf(1_100, 500), silence(500))), [
    'machine',
  ]);
});

test('silence, a click, and digits give no verdict on a machine', () => {
  assert.deepEqual(hear(silence(5_200)), [{ found: 'kind', kind: 'unknown', atMs: 5_000 }]);
  assert.deepEqual(kindOf(hear(withNoise(silence(5_200), 400))), ['unknown']);
  assert.deepEqual(kindOf(hear(silence(1_000), talk(40), silence(4_500))), ['unknown']);
  assert.notDeepEqual(kindOf(hear(silence(500), dtmf('123'), silence(5_000))), ['machine']);
});

test('nothing is found after the verdict on a person, nor after the end of a greeting', () => {
  assert.equal(hear(silence(300), talk(900), silence(1_500), beepOf(1_000, 400), silence(6_000)).length, 1);
  assert.equal(hear(talk(7_000), beepOf(1_000, 400), silence(900), beepOf(1_000, 400), silence(6_000)).length, 2);
});
