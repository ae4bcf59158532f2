/** Words on a test call, on a machine without espeak-ng. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, readCall } from '../../../../test/support/calls.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { silentLog } from '../../../../test/support/jobs.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { listen } from '../../../../test/support/recordings.ts';
import { likeness } from '../../../../test/support/sentence-recognizer.ts';
import { createLocalVoice } from '../../../speech/local-voice.ts';
import { SHIPPED_VOICE } from '../../../speech/shipped/shipped-voice.ts';
import { tonesFor } from '../../../speech/speech-tones.ts';

const localVoice = createLocalVoice({ log: silentLog, program: { command: '/nonexistent/espeak-ng' } });
const harness = await useHarness({ startWorkers: false, localVoice });
const line = await makeLine(harness);

const SENTENCE = 'This is about Biscuit. Please call me back.';

test('a person on a test call speaks with the voice that ships with Dialplane, and not in tones', async () => {
  const { id } = await callIn(harness, line, { script: `say "${SENTENCE}", wait 1, hangup` });
  await harness.advance(60);
  const { voicemail_id } = await readCall(harness, id);
  const message = await listen(harness, `/v1/voicemails/${voicemail_id}/audio`);
  const [words, tones] = [await SHIPPED_VOICE.speak(SENTENCE), tonesFor(SENTENCE)];
  assert.ok(likeness(message, words) > 0.95, `${likeness(message, words)}`);
  assert.ok(likeness(message, tones.subarray(0, words.length)) < 0.3);
});
