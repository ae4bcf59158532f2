/** An agent of text on calls of the simulated carrier: the gateway hears and speaks for it, as on any call. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { WebSocketServer } from 'ws';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { type Call, createRelay, type RelayHandlers, type RelaySession, type SocketLike } from '../src/index.ts';
import { TestMode } from '../src/testing.ts';
import { clientOf, makeSender } from './support/sender.ts';

const harness = await useHarness();
const client = clientOf(harness);
const lab = new TestMode(client);
const { number } = await makeSender(client);

/** Starts an agent's server. `sent` has what the agent has sent, `failures` the errors that `onError` received. */
async function startAgent(make: Partial<RelayHandlers> | (() => Partial<RelayHandlers>)) {
  const failures: string[] = [];
  const sent: Record<string, unknown>[] = [];
  const sessions: RelaySession[] = [];
  const onError = ({ description }: { description: string }) => void failures.push(description);
  const handlers = () => ({ onError, ...(typeof make === 'function' ? make() : make) });
  const accept = createRelay(handlers);
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => {
    const send = socket.send.bind(socket);
    socket.send = ((text: string) => {
      sent.push(JSON.parse(text));
      send(text);
    }) as typeof socket.send;
    sessions.push(accept(socket));
  });
  await once(server, 'listening');
  closeAfterTests(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const text = () => sent.flatMap(({ type, token }) => (type === 'text' ? [token] : [])).join('');
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`, failures, sent, sessions, text };
}

/** Connects an agent to a new call. */
async function connect(url: string, fields: object = {}): Promise<Call> {
  const call = await client.calls.create({ from: number.id, to: '+16025550143', connect_to: '+16025550117' });
  await until('the answer', async () => (await client.calls.get(call.id)).status === 'in_progress');
  await harness.call('POST', `/v1/calls/${call.id}/relay`, { body: { url, ...fields } });
  // The agent does not get words that the customer says before this.
  await until('the agent is connected', async () => (await relayOf(call)).status !== 'connecting');
  return call;
}

const relayOf = async (call: Call) => (await harness.call('GET', `/v1/calls/${call.id}/relay`)).body;
const ended = (call: Call) => until('the end', async () => (await relayOf(call)).status === 'ended');

async function* tokens(...parts: string[]) {
  yield* parts;
}

test('an agent greets, answers words token by token and keys, sends digits, and hands over', async () => {
  const agent = await startAgent({
    onSetup: ({ customParameters }) => `Hello ${customParameters['name']}.`,
    onPrompt: ({ voicePrompt }) => tokens('You said: ', voicePrompt),
    onDtmf: async ({ digit }, session) => {
      await session.language({ spoken: 'es-MX' });
      await session.sendDigits('12w3');
      await session.say(`You pressed ${digit}.`);
      await session.end({ digit });
    },
  });
  const call = await connect(agent.url, { parameters: { name: 'Maria' } });
  await until('the greeting', () => agent.text() === 'Hello Maria.');
  assert.equal(agent.sessions[0]?.setup.callSid, call.id);
  await lab.call(call.id).say('My dog is ill.');
  await until('the answer', () => agent.text().endsWith('You said: My dog is ill.'));
  await lab.call(call.id).press('4');
  await ended(call);
  const { reason, handoff_data } = await relayOf(call);
  assert.deepEqual([reason, handoff_data, agent.failures], ['agent_ended', '{"digit":"4"}', []]);
  assert.deepEqual(
    agent.sent.slice(-5).map(({ type, token, last }) => [type, token, last]),
    [
      ['language', undefined, undefined],
      ['sendDigits', undefined, undefined],
      ['text', 'You pressed 4.', false],
      ['text', '', true],
      ['end', undefined, undefined],
    ],
  );
  assert.equal(agent.sessions[0]?.isOpen, false);
});

test('a customer who interrupts stops the text and the model, and hears what is said next', async () => {
  let returned = 0;
  const heard: string[] = [];
  const agent = await startAgent({
    onPrompt: ({ voicePrompt }, _session, signal) => {
      if (voicePrompt === 'Stop.') return 'Fine, I stop.';
      signal.addEventListener('abort', () => heard.push('aborted'));
      const source = {
        next: async () => ({ value: 'And so on and so on. ', done: false as const }),
        return: async () => {
          returned += 1;
          return { value: undefined, done: true as const };
        },
      };
      let parts = 0;
      const stuck = { ...source, next: () => (parts++ < 20 ? source.next() : new Promise<never>(() => undefined)) };
      return { [Symbol.asyncIterator]: () => stuck };
    },
    onInterrupt: ({ type }) => void heard.push(type),
  });
  const call = await connect(agent.url, { welcome_text: 'Hello.' });
  await lab.call(call.id).say('Tell me a story.');
  await until('the story', () => agent.text().length > 200);
  await lab.call(call.id).say('Stop.');
  await until('the answer', () => agent.text().endsWith('Fine, I stop.'));
  assert.equal(returned, 1);
  // The first words interrupt the welcome text.
  assert.deepEqual(heard.slice(-2), ['aborted', 'interrupt']);
  const story = agent.sent.findIndex(({ token }) => token === 'Fine, I stop.');
  assert.deepEqual(agent.sent[story - 1], { type: 'text', token: '', last: true });
  assert.equal((await relayOf(call)).status, 'active');
  assert.deepEqual(agent.failures, []);
});

test('an answer that comes after the customer has gone on is not said', async () => {
  const answers: ((text: string) => void)[] = [];
  const agent = await startAgent({
    onPrompt: () => new Promise<string>((resolve) => answers.push(resolve)),
  });
  const call = await connect(agent.url, { welcome_text: 'Hello.' });
  await lab.call(call.id).say('One.');
  await until('the first prompt', () => answers.length === 1);
  await lab.call(call.id).say('Two.');
  await until('the second prompt', () => answers.length === 2);
  answers[0]?.('The answer to one.');
  answers[1]?.('The answer to two.');
  await until('the answer', () => agent.text() !== '');
  assert.equal(agent.text(), 'The answer to two.');
});

test('an agent that throws is told so, and its call goes on without it', async () => {
  const agent = await startAgent({
    onPrompt: () => {
      throw new Error('The model is away.');
    },
  });
  const call = await connect(agent.url, { welcome_text: 'Hello.' });
  await lab.call(call.id).say('Hello?');
  await ended(call);
  assert.deepEqual([(await relayOf(call)).reason, agent.failures], ['agent_closed', ['The model is away.']]);
});

test('what the server cannot do is reported, and the agent goes on', async () => {
  const agent = await startAgent({
    onSetup: async (_setup, session) => {
      await session.play('https://169.254.169.254/latest/meta-data');
      await session.say('Hello.');
    },
  });
  const call = await connect(agent.url);
  await until('the report', () => agent.failures.length === 1);
  assert.match(agent.failures[0] ?? '', /^The file could not be played/);
  assert.equal((await relayOf(call)).status, 'active');
});

/** A socket without a server. */
function openSocket() {
  const listeners = new Map<string, (event: never) => void>();
  const sent: Record<string, unknown>[] = [];
  const closed: number[] = [];
  const socket: SocketLike = {
    send: (text) => void sent.push(JSON.parse(text)),
    close: (code = 1005) => void closed.push(code),
    addEventListener: (type: string, listener: (event: never) => void) => void listeners.set(type, listener),
  };
  const receive = (data: unknown) => listeners.get('message')?.({ data } as never);
  return { socket, sent, closed, receive };
}

const SETUP = {
  ...{ type: 'setup', sessionId: 'rly_1', callSid: 'call_1', accountSid: 'acc_1', from: '+1', to: '+1' },
  ...{ callerName: '', direction: 'inbound', customParameters: {} },
};

test('whoever does not speak the protocol is disconnected, and unknown messages are ignored', () => {
  const messages: [unknown[], number[]][] = [
    [['nonsense'], [1002]],
    [[JSON.stringify(null)], [1002]],
    [[new Uint8Array(3)], [1002]],
    [[JSON.stringify({ type: 'prompt', voicePrompt: 'Hi', lang: 'en-US', last: true })], [1002]],
    [[JSON.stringify({ ...SETUP, callSid: 5 })], [1002]],
    [[JSON.stringify(SETUP), JSON.stringify(SETUP)], [1002]],
    [[JSON.stringify(SETUP), JSON.stringify({ type: 'dtmf' })], [1002]],
    [[JSON.stringify({ type: 'toString' }), JSON.stringify(SETUP), JSON.stringify({ type: 'news' })], []],
  ];
  for (const [texts, codes] of messages) {
    const failures: string[] = [];
    const { socket, closed, receive } = openSocket();
    createRelay({ onError: ({ description }) => void failures.push(description) })(socket);
    for (const text of texts) receive(text);
    assert.deepEqual([closed, failures.length], [codes, codes.length], String(texts));
  }
});

test('what the server would refuse is not sent', async () => {
  const { socket, sent, receive } = openSocket();
  const session = createRelay({ onError: () => assert.fail() })(socket);
  assert.throws(() => session.setup, { code: 'invalid_argument' });
  receive(JSON.stringify(SETUP));
  const refused = [
    () => session.sendDigits('12-3'),
    () => session.play(''),
    () => session.play('https://files.example/a.wav', { loop: -1 }),
    () => session.language({ spoken: 'English please' }),
    () => session.say('Hola.', { lang: 'español' }),
    () => session.end('x'.repeat(16_001)),
  ];
  for (const call of refused) assert.throws(call, { code: 'invalid_argument' });
  assert.throws(() => createRelay({} as RelayHandlers), { code: 'invalid_argument' });
  assert.deepEqual(sent, []);
});

test('texts are said one after the other, long ones in parts that cut no character', async () => {
  const { socket, sent, receive } = openSocket();
  const session = createRelay({ onError: () => assert.fail() })(socket);
  receive(JSON.stringify(SETUP));
  const long = `${'a'.repeat(3_999)}🐕${'b'.repeat(10)}`;
  const all = [session.say(tokens('One ', 'two. ')), session.say(long), session.end()];
  await Promise.all(all);
  assert.deepEqual(
    sent.map(({ token, type }) => token ?? type),
    ['One ', 'two. ', '', 'a'.repeat(3_999), `🐕${'b'.repeat(10)}`, '', 'end'],
  );
});
