/**
 * Twilio's Media Streams, compared with the messages in Twilio's documents:
 * https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { until } from '../../../test/support/jobs.ts';
import { FORK, useMediaNodes } from '../../../test/support/media-node.ts';
import { type AgentMessage as Message, useStreamAgents } from '../../../test/support/stream-agent.ts';

const start = useMediaNodes();

const startAgent = useStreamAgents();

const STREAM = {
  ...FORK,
  streamId: 'stm_1',
  call: { ledgerId: 1, callId: 'call_1' },
  dialect: 'twilio',
  direction: 'bidirectional',
  track: 'inbound',
  parameters: { plan: 'gold' },
} as const;

async function dial(agentUrl: string, fields: object = {}) {
  const node = await start();
  node.dials.set('stm_1', { ...STREAM, url: agentUrl, allowLoopback: true, ...fields });
  await node.gateway.dial('stm_1');
  return node;
}

const mediaOf = (messages: readonly Message[]) => messages.filter(({ event }) => event === 'media');
const received = (agent: { messages: Message[] }, event: string) =>
  until(`the agent has ${event}`, () => agent.messages.some((message) => message.event === event));

describe('a stream in the dialect of Twilio that the gateway connects', () => {
  test('begins with connected and start, and sends media, with all fields in the form of the documents', async () => {
    const agent = await startAgent();
    await dial(agent.url);
    await until('three media messages', () => mediaOf(agent.messages).length >= 3);
    const [connected, first] = agent.messages;
    assert.deepEqual(connected, { event: 'connected', protocol: 'Call', version: '1.0.0' });
    assert.deepEqual(first, {
      event: 'start',
      sequenceNumber: '1',
      start: {
        streamSid: 'stm_1',
        accountSid: 'acc_1',
        callSid: 'call_1',
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
        customParameters: { plan: 'gold' },
      },
      streamSid: 'stm_1',
    });
    mediaOf(agent.messages).forEach((message, index) => {
      const { payload, ...media } = message['media'] as Record<string, string>;
      assert.deepEqual(media, { track: 'inbound', chunk: String(index + 1), timestamp: String(index * 20) });
      assert.equal(Buffer.from(payload as string, 'base64').length, 160);
      assert.deepEqual(
        { ...message, media: 0 },
        { event: 'media', sequenceNumber: String(index + 2), media: 0, streamSid: 'stm_1' },
      );
    });
  });

  test('sends digits, returns marks, plays and clears audio, and ends with stop', async () => {
    const agent = await startAgent();
    const node = await dial(agent.url, { track: 'both' });
    await received(agent, 'media');
    node.audios.find('call_1')?.reportDigit({ digit: '5', track: 'inbound' });
    await received(agent, 'dtmf');
    const payload = Buffer.alloc(160 * 500, 7).toString('base64');
    agent.send({ event: 'media', streamSid: 'stm_1', media: { payload } });
    agent.send({ event: 'mark', streamSid: 'stm_1', mark: { name: 'greeting' } });
    const isPlayed = ({ media }: Message) => {
      const { track, payload: frame } = media as Record<string, string>;
      return track === 'outbound' && Buffer.from(frame as string, 'base64').every((code) => code === 7);
    };
    await until('the agent hears what it plays', () => mediaOf(agent.messages).some(isPlayed));
    assert.ok(!agent.messages.some(({ event }) => event === 'mark'));
    agent.send({ event: 'clear', streamSid: 'stm_1' });
    await received(agent, 'mark');
    assert.ok(node.gateway.stop('stm_1', 'call_ended'));
    await received(agent, 'stop');
    const find = (name: string) => {
      const { sequenceNumber, ...rest } = agent.messages.find(({ event }) => event === name) as Message;
      assert.match(String(sequenceNumber), /^\d+$/);
      return rest;
    };
    const streamSid = 'stm_1';
    assert.deepEqual(find('dtmf'), { event: 'dtmf', streamSid, dtmf: { track: 'inbound_track', digit: '5' } });
    assert.deepEqual(find('mark'), { event: 'mark', streamSid, mark: { name: 'greeting' } });
    const stop = { accountSid: 'acc_1', callSid: 'call_1' };
    assert.deepEqual(find('stop'), { event: 'stop', stop, streamSid });
    const numbers = agent.messages.slice(1).map(({ sequenceNumber }) => Number(sequenceNumber));
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    );
    await until('the socket is closed', () => agent.closes.length === 1);
    assert.deepEqual(agent.closes, [1000]);
  });

  test('is closed with 4400 by a message of another form, and the stream ends', async () => {
    for (const wrong of [{ event: 'media', payload: 'AAAA' }, { event: 'mark', mark: {} }, { event: 'play' }]) {
      const agent = await startAgent();
      const node = await dial(agent.url);
      await received(agent, 'media');
      agent.send(wrong);
      await until('the socket is closed', () => agent.closes.length === 1);
      assert.deepEqual(agent.closes, [4400]);
      assert.equal(node.endings.get('stm_1')?.reason, 'client_closed');
    }
  });
});

describe('a stream that the gateway connects', () => {
  test('is repeated after a refused handshake, and connects', async () => {
    const agent = await startAgent([503]);
    const node = await dial(agent.url);
    await received(agent, 'media');
    assert.deepEqual([agent.handshakes(), node.connected, node.endings.size], [2, ['stm_1'], 0]);
  });

  test('fails after three refused handshakes, with the status of the last', async () => {
    const agent = await startAgent([503, 503, 403]);
    const node = await dial(agent.url);
    const { reason, connectError } = node.endings.get('stm_1') ?? assert.fail();
    assert.deepEqual(
      [agent.handshakes(), reason, connectError, node.connected],
      [3, 'no_client', 'The server answered the WebSocket handshake with 403.', []],
    );
  });

  test('that is stopped while it connects is not connected again', async () => {
    const agent = await startAgent([503, 503, 503]);
    const node = await start();
    node.dials.set('stm_1', { ...STREAM, url: agent.url, allowLoopback: true });
    const dialled = node.gateway.dial('stm_1');
    await until('the first handshake', () => agent.handshakes() === 1);
    assert.ok(node.gateway.stop('stm_1', 'api_request'));
    await dialled;
    assert.deepEqual([agent.handshakes(), node.endings.get('stm_1')?.reason], [1, 'api_request']);
  });

  test('does not connect to an internal address, by number or by name', async () => {
    const agent = await startAgent();
    const { port } = new URL(agent.url);
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      const node = await dial(`ws://${host}:${port}/`, { allowLoopback: false });
      const ending = node.endings.get('stm_1');
      const message = 'The host does not resolve to public addresses only, so no connection was made.';
      assert.deepEqual([ending?.reason, ending?.connectError], ['no_client', message], host);
    }
    assert.equal(agent.handshakes(), 0);
  });
});
