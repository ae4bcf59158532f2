/** Agents that fail: the relay ends with the reason, and the call continues with its next step. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { messagesOf, received, useAgentCalls } from '../../../../test/support/agent-calls.ts';
import { until } from '../../../../test/support/jobs.ts';
import { after, every } from '../../../lib/time/time.ts';
import type { AgentServices, Recognizing } from './types.ts';

const connect = useAgentCalls();

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
    const recognize = (_call: unknown, _heard: unknown, { signal }: Recognizing) =>
      new Promise<null>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const { agent, say, ended } = await connect({ settings: { welcomeText: 'Hello.' }, services: { recognize } });
    await received(agent, 'setup');
    say(600);
    assert.match(String((await received(agent, 'error'))['description']), /could not be recognised/);
    assert.equal((await ended())?.reason, 'agent_silent');
  });

  test('that answers too late', async () => {
    const { agent, ended } = await connect();
    await received(agent, 'setup');
    const late = after(10_500, () => agent.send({ type: 'text', token: 'Sorry.', last: true }));
    const { reason } = (await ended()) ?? {};
    late.cancel();
    assert.equal(reason, 'agent_silent');
  });

  for (const [what, message] of [
    ['empty words', { type: 'text', token: ' ', last: false }],
    ['a word now and then, and no sentence', { type: 'text', token: 'Well ', last: false }],
    ['other things than words', { type: 'language', ttsLanguage: 'es' }],
  ] as const) {
    test(`that sends ${what}`, async () => {
      const { agent, ended } = await connect();
      await received(agent, 'setup');
      const babble = every(3_000, () => agent.send(message));
      const { reason } = (await ended()) ?? {};
      babble.cancel();
      assert.equal(reason, 'agent_silent');
    });
  }

  test('that does not read', async () => {
    const recognize: AgentServices['recognize'] = async (_call, _heard, { onPartial }) => {
      for (let n = 0; n < 400; n++) onPartial?.('word '.repeat(10_000));
      return 'Words.';
    };
    const settings = { welcomeText: 'Hello.', partialPrompts: true };
    const { agent, say, ended } = await connect({ settings, services: { recognize } });
    await received(agent, 'setup');
    agent.sockets[0]?.pause();
    say(600);
    assert.equal((await ended())?.reason, 'agent_slow');
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

test('an agent that answers within 10 s keeps the customer', async () => {
  const { agent, heard, node } = await connect();
  await received(agent, 'setup');
  after(9_000, () => agent.send({ type: 'text', token: 'Thank you for waiting.', last: true }));
  await until('it is heard', () => heard.some(({ isVoice }) => isVoice), 30_000);
  assert.equal(node.endings.has('rly_1'), false);
});

test('an agent that sends too much is read no faster than it may send, and nothing is lost', async () => {
  const sent: number[] = [];
  const { agent, node } = await connect({
    settings: { welcomeText: 'Hello.' },
    services: { sendDigits: async () => void sent.push(node.ticker.tick) },
  });
  await received(agent, 'setup');
  const from = node.ticker.tick;
  const message = { type: 'sendDigits', digits: '1' };
  for (let n = 0; n < 6_000; n++) agent.send(message);
  await until('all digits are sent', () => sent.length === 6_000, 60_000);
  // The limit stops only the next read: all messages of the last read are handled.
  const inOneRead = 65_536 / JSON.stringify(message).length;
  for (const [n, tick] of sent.entries()) {
    assert.ok(n <= 1_000 + inOneRead + 10 * (tick - from + 2), `message ${n} after ${tick - from} ticks`);
  }
});
