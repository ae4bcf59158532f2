/** A relay whose customer is recognised live, by a server with vosk-server's protocol. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messagesOf, received, useAgentCalls } from '../../../../test/support/agent-calls.ts';
import { until } from '../../../../test/support/jobs.ts';
import { useVoskServer } from '../../../../test/support/vosk-server.ts';
import { createVoskLiveSpeech } from '../../../speech/vosk/live-words.ts';
import type { AgentServices } from './types.ts';

const WORDS = Array.from({ length: 30 }, (_, n) => `w${n + 1}`);
const vosk = await useVoskServer(WORDS);
const connect = useAgentCalls();

/** A live recogniser. It counts the frames that came after its first words. */
function listening() {
  const state = { framesAfterWords: 0, recognized: 0 };
  const live = createVoskLiveSpeech({ url: vosk.url, language: 'en' });
  const services: Partial<AgentServices> = {
    findListener: async () => (how) => {
      let hasWords = false;
      const onPartial = (words: string) => {
        hasWords = true;
        how.onPartial(words);
      };
      const words = live.listen({ ledgerId: 1 }, { ...how, callRef: 'call_1', onPartial });
      const write = (frame: Uint8Array) => {
        if (hasWords) state.framesAfterWords++;
        words?.write(frame);
      };
      return words && { write, finish: () => words.finish(), cancel: () => words.cancel() };
    },
    recognize: async () => {
      state.recognized++;
      return 'All at once.';
    },
  };
  return { services, state };
}

const wordsOf = (prompt: Record<string, unknown> | undefined) => String(prompt?.['voicePrompt']).split(' ');
const isComplete = (prompt: Record<string, unknown>) => prompt['last'] === true;

test('an agent gets words before the customer pauses, and all of them after it', async () => {
  const { services, state } = listening();
  const { agent, say } = await connect({ services, settings: { partialPrompts: true } });
  say(4_000);
  await until('the last words are there', () => messagesOf(agent, 'prompt').some(isComplete));
  const prompts = messagesOf(agent, 'prompt');
  const [first, last] = [prompts[0], prompts.at(-1)];
  assert.equal(first?.['last'], false);
  assert.ok(state.framesAfterWords > 50, `${state.framesAfterWords} frames came after the first words`);
  assert.ok(wordsOf(first).length < wordsOf(last).length);
  assert.ok(prompts.every((prompt) => WORDS.join(' ').startsWith(String(prompt['voicePrompt']))));
  assert.equal(prompts.filter(isComplete).length, 1);
  assert.equal(state.recognized, 0);
});

test('words in the middle of a sentence do not let the rest of an interrupted text through', async () => {
  const { services } = listening();
  const { agent, heard, say } = await connect({ services, settings: { partialPrompts: true } });
  agent.send({ type: 'text', token: 'One two three four five six. ', last: false });
  await until('something is heard', () => heard.some(({ isVoice }) => isVoice));
  say(3_000);
  await received(agent, 'prompt');
  const from = heard.length;
  agent.send({ type: 'text', token: 'Seven eight nine. ', last: true });
  await until('the last words are there', () => messagesOf(agent, 'prompt').some(isComplete));
  assert.ok(heard.slice(from + 2).every(({ isVoice }) => !isVoice));
});

test('a customer whose words are lost in the middle is recognised all at once', async () => {
  vosk.fault = 'silent';
  const { services, state } = listening();
  const { agent, say } = await connect({ services, settings: { partialPrompts: true } });
  say(1_000);
  const prompt = await received(agent, 'prompt');
  assert.deepEqual([prompt['voicePrompt'], prompt['last'], state.recognized], ['All at once.', true, 1]);
});
