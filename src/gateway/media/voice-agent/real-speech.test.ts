/**
 * A relay with real speech in both directions: espeak-ng speaks for the customer and for the agent. A recogniser on
 * this machine gets two kinds of audio: the utterances that the gateway cut out of the call, and the audio that the
 * customer hears.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { received, useAgentCalls } from '../../../../test/support/agent-calls.ts';
import { closeAfterTests } from '../../../../test/support/close-after-tests.ts';
import { until } from '../../../../test/support/jobs.ts';
import { useLocalRecognizer } from '../../../../test/support/local-recognizer.ts';
import { missing } from '../../../../test/support/programs.ts';
import { FRAME_MS } from '../../../audio/frames.ts';
import { decodeMulaw, encodeMulaw } from '../../../audio/mulaw.ts';
import { encodeWav } from '../../../audio/wav.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { SPEECH_PROGRAM, speak } from '../../../speech/espeak.ts';
import { createOpenAiSpeechToText } from '../../../speech/openai/speech-to-text.ts';

const QUESTION = 'Are you open on Monday?';
const ANSWER = 'When is my appointment?';
const SENTENCES = [
  'are you open on monday',
  'when is my appointment',
  'please call me back about the cat',
  'thank you',
];
const LEDGER: Ledger = { ledgerId: 1, accountId: 'acc_1', mode: 'live' };

const skip = missing('espeak-ng') || missing('pocketsphinx');
const connect = useAgentCalls();

test('an agent is told what a customer says, and a customer hears what an agent says, word for word', {
  skip,
}, async () => {
  const { url } = await useLocalRecognizer(SENTENCES);
  const toText = createOpenAiSpeechToText({ url, key: null, model: 'whisper-1', stream: false });
  closeAfterTests(() => toText.close());
  const wordsIn = (audio: Uint8Array) =>
    toText.transcribe(LEDGER, {
      source: { kind: 'utterance', ref: '', callRef: 'call_1', span: { after: new Date(0), until: new Date(0) } },
      audio: async () => encodeWav(decodeMulaw(audio)),
      language: 'en-US',
      signal: new AbortController().signal,
    });
  const spoken = async (text: string) => encodeMulaw(await speak(SPEECH_PROGRAM, text));
  const { agent, heard, say } = await connect({
    services: {
      recognize: (_call, { audio }) => wordsIn(audio),
      speak: (_call, text) => spoken(text),
    },
  });

  say(await spoken(QUESTION));
  assert.equal((await received(agent, 'prompt'))['voicePrompt'], 'are you open on monday');

  const from = heard.length;
  agent.send({ type: 'text', token: ANSWER, last: true });
  await until('the customer hears something', () => heard.slice(from).some(({ isVoice }) => isVoice));
  const pauseFrames = 1_000 / FRAME_MS;
  await until('the agent has finished', () => heard.slice(-pauseFrames).every(({ isVoice }) => !isVoice));
  const voice = heard.slice(from).map(({ frame }) => frame);
  assert.equal(await wordsIn(Buffer.concat(voice)), 'when is my appointment');
});
