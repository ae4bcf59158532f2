/** The agent of a relay at its gateway: the call's audio is made here, the socket and the ticks are real. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../../../test/support/jobs.ts';
import { FORK, useMediaNodes } from '../../../../test/support/media-node.ts';
import { type StreamAgent, useStreamAgents } from '../../../../test/support/stream-agent.ts';
import { FRAME_MS } from '../../../audio/frames.ts';
import { encodeMulaw } from '../../../audio/mulaw.ts';
import { SILENT_FRAME } from '../../../audio/mulaw-frames.ts';
import { samplesOf } from '../../../audio/pcm.ts';
import { sine } from '../../../audio/tones.ts';
import type { Frame, RelayEnd } from '../types.ts';
import type { AgentServices } from './types.ts';

const start = useMediaNodes();
const startAgent = useStreamAgents();

type Message = { readonly type: string; readonly [field: string]: unknown };

/** The level of a tone that changes as that of speech does. */
function speechOf(ms: number): Uint8Array {
  const pcm = sine({ frequencyHz: 700, samples: samplesOf(ms), amplitude: 12_000 });
  return encodeMulaw(pcm.map((sample, n) => sample * (0.1 + 0.9 * Math.abs(Math.sin((n * Math.PI) / samplesOf(250))))));
}

const SETTINGS = {
  welcomeText: null,
  language: 'en-US',
  voice: null,
  interruptible: true,
  dtmf: true,
  from: '+16025550143',
  to: '+16025550199',
  callerName: null,
  direction: 'inbound',
} as const;

type Options = { settings?: object; services?: Partial<AgentServices> };

/** Connects an agent to a call whose customer says what the test gives. */
async function connect({ settings = {}, services = {} }: Options = {}) {
  const agent = await startAgent();
  let speech: Frame[] = [];
  /** What the customer heard, and the tick at which the customer began to speak. */
  const heard: { tick: number; isVoice: boolean }[] = [];
  const spoke: number[] = [];
  const node = await start({
    agents: {
      recognize: async () => 'I have a question.',
      // 50 ms for each character.
      speak: async (_call, text) =>
        encodeMulaw(sine({ frequencyHz: 300, samples: samplesOf(text.length * 50), amplitude: 8_000 })),
      fetchFile: async () => ({ problem: 'The server answered with status 404.' }),
      sendDigits: async () => undefined,
      ...services,
    },
    populate: async (audio) => {
      audio.addSource({
        into: ['inbound'],
        read: (tick) => {
          const frame = speech.shift();
          if (frame !== undefined && spoke.at(-1) === undefined) spoke.push(tick);
          return frame;
        },
      });
      audio.addSink({ write: ({ tick, outbound }) => heard.push({ tick, isVoice: outbound !== SILENT_FRAME }) });
      return () => undefined;
    },
  });
  const call = { ledgerId: 1, callId: 'call_1' };
  const relay = { ...SETTINGS, ...settings };
  node.dials.set('rly_1', {
    ...FORK,
    streamId: 'rly_1',
    call,
    dialect: 'relay',
    relay,
    url: agent.url,
    allowLoopback: true,
  });
  await node.gateway.dial('rly_1');
  return {
    ...{ agent, node, heard, spoke },
    say: (ms: number) => {
      const audio = speechOf(ms);
      speech = Array.from({ length: audio.length / 160 }, (_, n) => audio.subarray(n * 160, (n + 1) * 160));
    },
    ended: async (): Promise<RelayEnd | undefined> => {
      await until('the relay has ended', () => node.endings.has('rly_1'), 30_000);
      return node.endings.get('rly_1')?.relay;
    },
  };
}

const messagesOf = (agent: StreamAgent, type: string) =>
  (agent.messages as unknown as Message[]).filter((message) => message.type === type);

async function received(agent: StreamAgent, type: string): Promise<Message> {
  await until(`the agent has ${type}`, () => messagesOf(agent, type).length > 0);
  return messagesOf(agent, type)[0] as Message;
}

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

describe('the caller is not left in silence by an agent', () => {
  test('that says nothing for 10 s', async () => {
    const { ended } = await connect();
    assert.deepEqual(await ended(), { reason: 'agent_silent', handoffData: null });
  });

  test('that stops in the middle of a text', async () => {
    const { agent, ended } = await connect();
    agent.send({ type: 'text', token: 'Let me see. I', last: false });
    assert.equal((await ended())?.reason, 'agent_silent');
  });

  test('that does not answer what the customer says, after a welcome', async () => {
    const { agent, say, ended } = await connect({ settings: { welcomeText: 'Hello.' } });
    say(600);
    await received(agent, 'prompt');
    assert.equal((await ended())?.reason, 'agent_silent');
  });

  test('that is silent after an interruption without words', async () => {
    const { agent, heard, say, ended } = await connect({ services: { recognize: async () => null } });
    agent.send({ type: 'text', token: 'One two three four five six seven eight. ', last: false });
    await until('something is heard', () => heard.some(({ isVoice }) => isVoice));
    say(400);
    await received(agent, 'interrupt');
    agent.send({ type: 'text', token: 'Nine.', last: true });
    assert.equal((await ended())?.reason, 'agent_silent');
    assert.deepEqual(messagesOf(agent, 'prompt'), []);
  });

  test('that has said all and is silent after an interruption by a key', async () => {
    const { agent, node, heard, ended } = await connect();
    agent.send({ type: 'text', token: 'One two three four five six seven eight.', last: true });
    await until('something is heard', () => heard.some(({ isVoice }) => isVoice));
    node.audios.find('call_1')?.reportDigit({ digit: '5', track: 'inbound' });
    assert.equal((await ended())?.reason, 'agent_silent');
  });

  test('that is told of words that nothing recognises in time', async () => {
    const recognize = (_call: unknown, _heard: unknown, signal: AbortSignal) =>
      new Promise<null>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const { agent, say, ended } = await connect({ settings: { welcomeText: 'Hello.' }, services: { recognize } });
    await received(agent, 'setup');
    say(600);
    assert.match(String((await received(agent, 'error'))['description']), /could not be recognised/);
    assert.equal((await ended())?.reason, 'agent_silent');
  });

  test('that is killed', async () => {
    const { agent, ended } = await connect({ settings: { welcomeText: 'Hello.' } });
    await received(agent, 'setup');
    agent.sockets[0]?.terminate();
    assert.equal((await ended())?.reason, 'agent_closed');
  });

  test('that sends more text than can be spoken', async () => {
    const { agent, ended } = await connect();
    for (let n = 0; n < 40; n++) agent.send({ type: 'text', token: `${'word '.repeat(60)}. `, last: false });
    assert.equal((await ended())?.reason, 'agent_overflow');
  });

  test('whose messages are of no known form', async () => {
    const { agent, ended } = await connect();
    for (let n = 0; n < 20; n++) agent.send({ type: 'speak', n });
    const { description } = await received(agent, 'error');
    assert.match(String(description), /"type" is none of/);
    assert.equal((await ended())?.reason, 'protocol_error');
  });

  test('while nothing can be spoken', async () => {
    const { agent, ended } = await connect({ services: { speak: () => Promise.reject(new Error('no voice')) } });
    for (let n = 0; n < 3; n++) agent.send({ type: 'text', token: `Sentence ${n}.`, last: true });
    assert.equal((await ended())?.reason, 'speech_failed');
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
