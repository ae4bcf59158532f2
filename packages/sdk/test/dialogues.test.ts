/** Dialogues with agents, without a server. An agent gets the same messages as from a relay. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { WebSocketServer } from 'ws';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { createRelay, type RelayMessage, type SocketLike } from '../src/index.ts';
import { callAgent, TestMode } from '../src/testing.ts';
import { clientOf, makeSender } from './support/sender.ts';

const harness = await useHarness();
const client = clientOf(harness);

/** An agent of a clinic, which remembers its call. */
const clinic = createRelay(() => {
  const asked: string[] = [];
  return {
    onSetup: ({ customParameters }) => `Hello ${customParameters['name'] ?? 'there'}, how can I help you?`,
    onPrompt: async function* ({ voicePrompt }, session) {
      asked.push(voicePrompt);
      if (/story/.test(voicePrompt)) {
        yield 'Once upon a time ';
        await new Promise(() => undefined);
      }
      if (/person/.test(voicePrompt)) {
        session.say('One moment.');
        session.end({ asked });
        return;
      }
      yield* ['We are open ', 'from nine to five.'];
    },
    onDtmf: ({ digit }) => `You pressed ${digit}.`,
    onError: ({ description }) => assert.fail(description),
  };
});

/** Starts an agent's server. */
async function serve(accept: (socket: SocketLike) => unknown): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', accept);
  await once(server, 'listening');
  closeAfterTests(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('a dialogue is heard turn by turn, up to what is handed over', async () => {
  const caller = await callAgent(clinic, { setup: { customParameters: { name: 'Maria' } } });
  assert.equal(await caller.expectHeard(/help you/), 'Hello Maria, how can I help you');
  await caller.say('Are you open on Monday?');
  await caller.expectHeard('nine to five');
  await caller.press('42');
  await caller.expectHeard(/pressed 4.*pressed 2/s);
  await caller.say('A person, please.');
  assert.deepEqual(await caller.ended(), {
    reason: 'agent_ended',
    handoffData: '{"asked":["Are you open on Monday?","A person, please."]}',
  });
  assert.match(caller.heard, /One moment\.\n$/);
  await assert.rejects(caller.say('Hello?'), { code: 'disconnected' });
});

test('what is not heard is an error that says what was heard, and nothing is heard twice', async () => {
  const caller = await callAgent(clinic, { timeoutMs: 50 });
  await caller.expectHeard('Hello');
  const again = { code: 'timeout', message: /did not hear Hello within 50 ms, but: " there, how can I help you\?\\n"/ };
  await assert.rejects(caller.expectHeard('Hello'), again);
  await assert.rejects(caller.ended(), { code: 'timeout' });
  await caller.say('Tell me a story.');
  await caller.expectHeard('Once');
  await assert.rejects(caller.say('And then?'), { code: 'timeout', message: /has not finished its text: "Once upon/ });
  caller.hangUp();
  await assert.rejects(caller.expectHeard('The end'), { code: 'timeout', message: /before the end \(call_ended\)/ });
});

test('an agent gets the messages that a relay sends it', async () => {
  const received: RelayMessage[][] = [];
  const recording = (socket: SocketLike) => {
    const messages: RelayMessage[] = [];
    received.push(messages);
    socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data))));
    return clinic(socket);
  };
  const caller = await callAgent(recording, { setup: { customParameters: { name: 'Maria' } } });
  await caller.expectHeard('help you');
  await caller.say('Tell me a story.');
  await caller.expectHeard('Once upon a time');
  assert.equal(caller.interrupt('Once'), true);
  await caller.say('When are you open?');
  await caller.expectHeard('nine to five.');
  await caller.say('A person, please.');
  await caller.ended();

  const { number } = await makeSender(client);
  const call = await client.calls.create({ from: number.id, to: '+16025550143', connect_to: '+16025550117' });
  await until('the answer', async () => (await client.calls.get(call.id)).status === 'in_progress');
  const body = { url: await serve(recording), interruptible: true, parameters: { name: 'Maria' } };
  await harness.call('POST', `/v1/calls/${call.id}/relay`, { body });
  const count = (type: string) => (received[1] ?? []).filter((message) => message.type === type).length;
  await until('the setup', () => count('setup') === 1);
  const people = new TestMode(client).call(call.id);
  for (const [index, words] of ['Tell me a story.', 'When are you open?', 'A person, please.'].entries()) {
    await people.say(words);
    await until(words, () => count('prompt') === index + 1);
  }
  const path = `/v1/calls/${call.id}/relay`;
  await until('the end', async () => (await harness.call('GET', path)).body.status === 'ended');
  const [dialogue = [], relay = []] = received;
  const fieldsOf = (messages: RelayMessage[]) =>
    new Map(messages.map((message) => [message.type, Object.entries(message).map(([key, of]) => [key, typeof of])]));
  assert.deepEqual(fieldsOf(dialogue), fieldsOf(relay));
  const prompts = (messages: RelayMessage[]) => messages.filter(({ type }) => type === 'prompt');
  assert.deepEqual(prompts(dialogue), prompts(relay));
  const { reason, handoff_data } = (await harness.call('GET', path)).body;
  assert.deepEqual(await caller.ended(), { reason, handoffData: handoff_data });
});

test('the rest of an interrupted text is not heard, and what may not be interrupted goes on', async () => {
  let session: ReturnType<typeof clinic> | undefined;
  const agent = createRelay({
    onSetup: (_setup, own) => {
      session = own;
    },
    onError: ({ description }) => assert.fail(description),
  });
  const caller = await callAgent((socket) => {
    const accepted = agent(socket);
    socket.send(JSON.stringify({ type: 'text', token: 'One ', last: false }));
    return accepted;
  });
  await caller.expectHeard('One');
  caller.interrupt();
  await new Promise((resolve) => setImmediate(resolve));
  await session?.say('two');
  await session?.say('three', { interruptible: false });
  await caller.expectHeard('three');
  assert.equal(caller.heard, 'One three\n');
  assert.equal(caller.interrupt(), false);
});

test('words of the customer end the dropping, also if the interrupted text has no last part', async () => {
  let send = (_token: string) => undefined as unknown;
  const caller = await callAgent((socket) => {
    send = (token) => socket.send(JSON.stringify({ type: 'text', token }));
    send('One ');
  });
  await caller.expectHeard('One');
  caller.interrupt();
  send('two ');
  await caller.say('Go on.');
  send('three ');
  await caller.expectHeard('three');
  assert.equal(caller.heard, 'One three ');
});

test('an agent that breaks the protocol is told so, and its relay ends after 20 messages', async () => {
  const errors: string[] = [];
  const wrong = [
    ...['nonsense', '{"type":"text"}', '{"type":"text","token":5}', '{"type":"play","source":""}', '{"type":"say"}'],
    ...['{"type":"sendDigits","digits":"-"}', '{"type":"language","ttsLanguage":"English please"}'],
    `{"type":"text","token":"${'x'.repeat(4_001)}"}`,
  ];
  const caller = await callAgent((socket) => {
    socket.addEventListener('message', ({ data }) => errors.push(JSON.parse(String(data)).description));
    for (let sent = 0; sent < 20; sent++) socket.send(wrong[sent % wrong.length] as string);
  });
  assert.equal((await caller.ended()).reason, 'protocol_error');
  assert.equal(errors.filter((description) => description !== undefined).length, 20);
  assert.deepEqual(caller.messages, []);
});

test('an agent in any language is called by its address', async () => {
  const caller = await callAgent(await serve(clinic));
  await caller.expectHeard('Hello there');
  await caller.say('A person, please.');
  assert.equal((await caller.ended()).reason, 'agent_ended');
  await assert.rejects(callAgent('ws://127.0.0.1:1/'), { code: 'connection_failed' });
  const closing = await callAgent(await serve((socket) => socket.close(1011)));
  assert.equal((await closing.ended()).reason, 'agent_closed');
});

test('a hundred dialogues run side by side', async (context) => {
  const startedMs = performance.now();
  const ends = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const caller = await callAgent(clinic, { setup: { customParameters: { name: `Caller ${index}` } } });
      await caller.expectHeard(`Hello Caller ${index},`);
      for (let turn = 0; turn < 5; turn++) {
        await caller.say(`Question ${turn} of ${index}?`);
        await caller.expectHeard(/from nine to five/);
      }
      await caller.say('A person, please.');
      return JSON.parse((await caller.ended()).handoffData ?? '{}').asked;
    }),
  );
  context.diagnostic(`${Math.round(performance.now() - startedMs)} ms`);
  for (const [index, asked] of ends.entries()) {
    assert.deepEqual([asked.length, asked[4]], [6, `Question 4 of ${index}?`]);
  }
});

test('in the time of a dialogue a customer interrupts in the middle of a sentence', async () => {
  const interrupts: object[] = [];
  const caller = await callAgent(
    createRelay({
      onSetup: () => 'One two three four five.',
      onPrompt: () => 'Six seven eight.',
      onInterrupt: ({ utteranceUntilInterrupt, durationUntilInterruptMs }) =>
        void interrupts.push([utteranceUntilInterrupt, durationUntilInterruptMs]),
      onError: ({ description }) => assert.fail(description),
    }),
  );
  await caller.expectHeard('five');
  // By this time 13 characters are spoken. The last three are more than half of "three".
  await caller.advance(0.66);
  assert.equal(caller.interrupt(), true);
  await caller.say('And then?');
  await caller.expectHeard('eight');
  await caller.advance(60);
  caller.interrupt();
  await caller.say('And then?');
  assert.deepEqual(interrupts, [
    ['One two three', 660],
    ['Six seven eight.', 960],
  ]);
  await assert.rejects(caller.advance(-1), { code: 'invalid_argument' });
});

test('an agent that owes an answer for ten seconds is silent, and one that speaks or has answered is not', async () => {
  const SENTENCE = 'This takes some time to say. ';
  const caller = await callAgent(
    createRelay({
      onSetup: () => 'Hello.',
      onPrompt: ({ voicePrompt }, session) => {
        if (voicePrompt === 'Wait.') session.play('https://agent.example/music.wav');
        if (voicePrompt === 'Talk.') return neverEnding(SENTENCE.repeat(10));
        return undefined;
      },
      onError: ({ description }) => assert.fail(description),
    }),
  );
  await caller.expectHeard('Hello');
  await caller.advance(3_600);
  await caller.say('Wait.');
  await caller.advance(3_600);
  await caller.say('Talk.');
  await caller.expectHeard(SENTENCE);
  const spokenSeconds = (SENTENCE.length * 10 * 60) / 1_000;
  await caller.advance(spokenSeconds + 9.9);
  caller.interrupt();
  await caller.say('Nothing.');
  await caller.advance(9.9);
  assert.equal(caller.heard.startsWith('Hello.'), true);
  await caller.advance(0.2);
  assert.deepEqual(await caller.ended(), { reason: 'agent_silent', handoffData: null });
});

/** Says a text, and then nothing. */
async function* neverEnding(text: string): AsyncGenerator<string> {
  yield text;
  await new Promise(() => undefined);
}
