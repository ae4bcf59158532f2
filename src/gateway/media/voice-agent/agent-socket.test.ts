/** The agent of a relay at its gateway. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { messagesOf, received, useAgentCalls } from '../../../../test/support/agent-calls.ts';
import { until } from '../../../../test/support/jobs.ts';
import type { StreamAgent } from '../../../../test/support/stream-agent.ts';
import { FRAME_MS } from '../../../audio/frames.ts';
import { encodeMulaw } from '../../../audio/mulaw.ts';
import { samplesOf } from '../../../audio/pcm.ts';
import { sine } from '../../../audio/tones.ts';
import type { AgentServices } from './types.ts';

const connect = useAgentCalls();

describe('an agent that speaks', () => {
  test('is interrupted within 200 ms of the voice of the customer, and told what was heard', async () => {
    const { agent, heard, spoke, say } = await connect();
    agent.send({ type: 'text', token: 'One two three four five six seven eight nine ten eleven.', last: true });
    await until('a second is heard', () => heard.filter(({ isVoice }) => isVoice).length > 50);
    say(1_000);
    const interrupt = await received(agent, 'interrupt');
    const last = heard.findLast(({ isVoice }) => isVoice)?.tick as number;
    assert.ok((last - (spoke[0] as number)) * FRAME_MS < 200, `heard until ${last}, spoke at ${spoke[0]}`);
    const firstHeard = heard.find(({ isVoice }) => isVoice)?.tick as number;
    const playedMs = (last - firstHeard + 1) * FRAME_MS;
    assert.ok(Math.abs((interrupt['durationUntilInterruptMs'] as number) - playedMs) <= FRAME_MS);
    const text = 'One two three four five six seven eight nine ten eleven.';
    const until50 = text.slice(0, playedMs / 50);
    const told = interrupt['utteranceUntilInterrupt'] as string;
    assert.ok(text.startsWith(told) && Math.abs(told.length - until50.length) <= 5, `${told} | ${until50}`);
  });

  test('gets the words after the interruption, and the rest of the interrupted text is dropped', async () => {
    const { agent, heard, say } = await connect();
    agent.send({ type: 'text', token: 'One two three four five six. ', last: false });
    await until('something is heard', () => heard.some(({ isVoice }) => isVoice));
    say(600);
    await received(agent, 'interrupt');
    const from = heard.length;
    agent.send({ type: 'text', token: 'Seven eight nine. ', last: false });
    const prompt = await received(agent, 'prompt');
    assert.deepEqual([prompt['voicePrompt'], prompt['lang'], prompt['last']], ['I have a question.', 'en-US', true]);
    assert.ok(heard.slice(from + 2).every(({ isVoice }) => !isVoice));
    agent.send({ type: 'text', token: 'Yes.', last: true });
    await until('the answer is heard', () => heard.slice(from + 2).some(({ isVoice }) => isVoice));
  });

  test('is not interrupted if it may not be', async () => {
    const { agent, heard, say } = await connect({ settings: { interruptible: false } });
    agent.send({ type: 'text', token: 'One two three four five six seven eight.', last: true });
    await until('something is heard', () => heard.some(({ isVoice }) => isVoice));
    say(600);
    await received(agent, 'prompt');
    assert.deepEqual(messagesOf(agent, 'interrupt'), []);
  });

  test('is heard sentence by sentence before its text is complete', async () => {
    const { agent, heard } = await connect();
    agent.send({ type: 'text', token: 'Hello there. And', last: false });
    await until('the first sentence is heard', () => heard.some(({ isVoice }) => isVoice));
  });
});

test('an agent switches the language in which the customer is heard, and those in which it speaks', async () => {
  const heardIn: string[] = [];
  const spoken: unknown[][] = [];
  const services: Partial<AgentServices> = {
    recognize: async (_call, { language }) => {
      heardIn.push(language);
      return 'Words.';
    },
    speak: async (_call, text, { language, voice }) => {
      spoken.push([text, language, voice]);
      return new Uint8Array(1_600);
    },
  };
  const { agent, say } = await connect({ settings: { voice: 'nova' }, services });
  agent.send({ type: 'text', token: 'Hello. Good', last: false });
  agent.send({ type: 'text', token: 'Guten Tag', lang: 'de-DE', last: false });
  agent.send({ type: 'text', token: ' morning.', last: true });
  agent.send({ type: 'language', ttsLanguage: 'es-MX', transcriptionLanguage: 'es-MX' });
  agent.send({ type: 'text', token: 'Hola.', last: true });
  agent.send({ type: 'language', ttsLanguage: 'Spanish' });
  agent.send({ type: 'language' });
  agent.send({ type: 'text', token: 'Hola.', lang: 'Spanish please', last: true });
  await until('three errors', () => messagesOf(agent, 'error').length === 3);
  await until('all is spoken', () => spoken.length === 5);
  assert.deepEqual(spoken, [
    ['Hello.', 'en-US', 'nova'],
    ['Good', 'en-US', 'nova'],
    ['Guten Tag', 'de-DE', 'nova'],
    ['morning.', 'en-US', 'nova'],
    ['Hola.', 'es-MX', 'nova'],
  ]);
  say(600);
  assert.equal((await received(agent, 'prompt'))['lang'], 'es-MX');
  assert.deepEqual(heardIn, ['es-MX']);
});

describe('what the customer says', () => {
  const recognize: AgentServices['recognize'] = async (_call, _heard, { onPartial }) => {
    onPartial?.('I have');
    return 'I have a question.';
  };
  const promptsOf = (agent: StreamAgent) =>
    messagesOf(agent, 'prompt').map(({ voicePrompt, last }) => [voicePrompt, last]);

  test('is sent as it is recognised to an agent that wants that, and else at its end', async () => {
    for (const partialPrompts of [true, false]) {
      const { agent, say } = await connect({
        settings: { welcomeText: 'Hello.', partialPrompts },
        services: { recognize },
      });
      say(600);
      await until('the last words', () => promptsOf(agent).some(([, last]) => last));
      const partial = partialPrompts ? [['I have', false]] : [];
      assert.deepEqual(promptsOf(agent), [...partial, ['I have a question.', true]]);
    }
  });

  test('ends with a pause as long as the relay wants', async () => {
    const gaps: number[] = [];
    for (const silenceMs of [300, 1_500]) {
      const { say, agent, node, spoke } = await connect({ settings: { welcomeText: 'Hello.', silenceMs } });
      say(600);
      await until('it is recognised', () => messagesOf(agent, 'prompt').length > 0);
      gaps.push((node.ticker.tick - (spoke[0] as number)) * FRAME_MS - 600);
    }
    const [short, long] = gaps as [number, number];
    assert.ok(short >= 240 && long >= 1_440 && long - short > 1_000, `${gaps}`);
  });
});

describe('an agent that plays a file', () => {
  const FILE = 'https://agent.example/a.wav';
  const services = {
    fetchFile: async () => ({
      audio: encodeMulaw(sine({ frequencyHz: 300, samples: samplesOf(1_000), amplitude: 8_000 })),
    }),
  };

  test('is heard in the order of its messages, as often as wanted, and to the end before a hand-over', async () => {
    const { agent, heard, ended } = await connect({ services });
    agent.send({ type: 'text', token: 'One two', last: false });
    agent.send({ type: 'play', source: FILE, loop: 2 });
    agent.send({ type: 'end' });
    assert.equal((await ended())?.reason, 'agent_ended');
    const voiceMs = heard.filter(({ isVoice }) => isVoice).length * FRAME_MS;
    assert.ok(Math.abs(voiceMs - 350 - 2_000) <= 2 * FRAME_MS, `${voiceMs} ms`);
  });

  test('is interrupted within 200 ms and told the position in the file, and the rest is dropped', async () => {
    const { agent, heard, spoke, say } = await connect({ services });
    agent.send({ type: 'play', source: FILE, loop: 0 });
    await until('a second is heard', () => heard.filter(({ isVoice }) => isVoice).length > 60);
    say(1_000);
    const interrupt = await received(agent, 'interrupt');
    const last = heard.findLast(({ isVoice }) => isVoice)?.tick as number;
    assert.ok((last - (spoke[0] as number)) * FRAME_MS < 200, `heard until ${last}, spoke at ${spoke[0]}`);
    const playedMs = interrupt['durationUntilInterruptMs'] as number;
    assert.deepEqual(interrupt, {
      type: 'interrupt',
      utteranceUntilInterrupt: '',
      durationUntilInterruptMs: playedMs,
      source: FILE,
      sourceUntilInterruptMs: playedMs % 1_000,
    });
    await received(agent, 'prompt');
    assert.ok(heard.every(({ tick, isVoice }) => tick <= last || !isVoice));
  });

  test('replaces a file that gives way', async () => {
    const { agent, heard, ended } = await connect({ services });
    agent.send({ type: 'play', source: FILE, loop: 0, preemptible: true });
    await until('it is heard', () => heard.some(({ isVoice }) => isVoice));
    agent.send({ type: 'text', token: 'Thank you for waiting.', last: true });
    agent.send({ type: 'end' });
    assert.equal((await ended())?.reason, 'agent_ended');
  });

  test('is told why a file cannot be played, and owes another answer', async () => {
    const { agent, ended } = await connect();
    agent.send({ type: 'play', source: FILE });
    const { description } = await received(agent, 'error');
    assert.equal(description, 'The file could not be played: The server answered with status 404.');
    assert.equal((await ended())?.reason, 'agent_silent');
  });

  test('sends too many of them', async () => {
    const { agent, ended } = await connect({ services });
    for (let n = 0; n < 22; n++) agent.send({ type: 'play', source: FILE });
    assert.equal((await ended())?.reason, 'agent_overflow');
  });

  test('gets an error for a file without address, and for an impossible number of times', async () => {
    const { agent } = await connect({ services });
    agent.send({ type: 'play' });
    agent.send({ type: 'play', source: FILE, loop: 1.5 });
    await until('two errors', () => messagesOf(agent, 'error').length === 2);
    const [first, second] = messagesOf(agent, 'error').map(({ description }) => String(description));
    assert.match(first as string, /^"source" is not an address/);
    assert.match(second as string, /^"loop" is not a whole number/);
  });
});

test('an agent that owes no answer may be silent for as long as the customer is', async () => {
  const { agent, node } = await connect({ settings: { welcomeText: 'Hello.' } });
  await received(agent, 'setup');
  const from = node.ticker.tick;
  await until('20 s have passed', () => node.ticker.tick - from > 1_000, 60_000);
  assert.equal(node.endings.has('rly_1'), false);
});

test('an agent that hands over is heard to the end before', async () => {
  const { agent, heard, ended } = await connect();
  agent.send({ type: 'text', token: 'I connect you to a person.', last: true });
  agent.send({ type: 'end', handoffData: { topic: 'billing' } });
  assert.deepEqual(await ended(), { reason: 'agent_ended', handoffData: '{"topic":"billing"}' });
  assert.ok(heard.filter(({ isVoice }) => isVoice).length >= 60);
});

test('an agent is sent keys, and its digits are sent; it gets an error for those that cannot be', async () => {
  const sent: string[] = [];
  const sendDigits = async (_id: string, digits: string) => {
    if (digits === '9') throw new Error('no call');
    sent.push(digits);
  };
  const { agent, node } = await connect({ services: { sendDigits } });
  node.audios.find('call_1')?.reportDigit({ digit: '5', track: 'inbound' });
  assert.equal((await received(agent, 'dtmf'))['digit'], '5');
  agent.send({ type: 'sendDigits', digits: '12' });
  agent.send({ type: 'sendDigits', digits: '9' });
  assert.match(String((await received(agent, 'error'))['description']), /could not be sent/);
  assert.deepEqual(sent, ['12']);
});
