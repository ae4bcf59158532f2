import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeWav } from '../../src/audio/wav.ts';
import type { VoiceEvent } from '../../src/carriers/ports/voice.ts';
import { newId } from '../../src/lib/ids.ts';
import { longestSilence, powerOf } from '../support/tone-power.ts';
import { useSubject } from './subject.ts';
import { createCall, type VoiceSubject } from './voice.ts';

/** Checks how a carrier treats a paused recording. */
export function describeRecordingControl(name: string, makeSubject: () => Promise<VoiceSubject>): void {
  describe(`${name}: recordings`, () => {
    const subject = useSubject(makeSubject);

    test('a paused recording has silence of the same length, and repeats change nothing', async () => {
      const { voice, ledger } = subject();
      const call = createCall(subject());
      const { agent, customer } = await call.connect();
      const recordingRef = newId('recording');
      const say = async (text: string) => {
        await call.must({ do: 'speak', speechRef: text, legRefs: [customer], text, purpose: 'announcement' });
        // Second by second: simulated people hang up 15 s after the bridge, unless they listen.
        let ended: VoiceEvent[] = [];
        for (let second = 0; second < 6 && ended.length === 0; second++) {
          ended = (await call.settle(1, { 'speech.ended': 1 })).filter(({ type }) => type === 'speech.ended');
        }
        assert.deepEqual(
          ended.map((event) => event.type === 'speech.ended' && event.completed),
          [true],
          text,
        );
      };
      await call.must({ do: 'start_recording', recordingRef, legRefs: [agent, customer], beep: false });
      await say('This is what comes before the pause.');
      for (const _ of [1, 2]) await call.must({ do: 'pause_recording', recordingRef });
      await say('Nobody may hear that the number of my card is four two four two.');
      for (const _ of [1, 2]) await call.must({ do: 'resume_recording', recordingRef });
      await say('This is what comes after the pause.');
      for (const legRef of [agent, customer]) await call.must({ do: 'hang_up', legRef, reason: 'ended' });
      const ended = (await call.settle(1, { 'recording.ended': 1 })).filter(
        (event) => event.type === 'recording.ended',
      );
      const wav = await voice.fetchRecording(ledger, recordingRef);
      if (wav === undefined) assert.fail('no audio');
      const { pcm } = decodeWav(wav);
      assert.ok(Math.abs(pcm.length / 8 - (ended[0]?.durationMs ?? 0)) <= 100);
      const { fromMs, untilMs } = longestSilence(pcm);
      assert.ok(untilMs - fromMs >= 2_000, `${fromMs} to ${untilMs} ms`);
      const [before, after] = [pcm.subarray(0, fromMs * 8), pcm.subarray(untilMs * 8)];
      for (const part of [before, after]) assert.ok(powerOf(part) > 10_000, `${powerOf(part)}`);
      await call.must({ do: 'pause_recording', recordingRef });
    });
  });
}
