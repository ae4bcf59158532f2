/**
 * The messages that three public programs for Twilio's Media Streams read and send, written from their sources:
 * - Twilio's sample of an assistant (twilio-samples/speech-assistant-openai-realtime-api-node, index.js);
 * - the transport of OpenAI's agents (npm: @openai/agents-extensions, TwilioRealtimeTransport.ts);
 * - the serializer of Pipecat (PyPI: pipecat-ai, serializers/twilio.py).
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../../test/support/jobs.ts';
import { FORK, useMediaNodes } from '../../../test/support/media-node.ts';
import { type StreamAgent, useStreamAgents } from '../../../test/support/stream-agent.ts';

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

type Media = { readonly payload: string; readonly timestamp: string };
type Start = { readonly streamSid: string; readonly callSid: string; readonly [field: string]: unknown };

/**
 * Connects a program. `sent` returns the contents of all messages of one event, each from the field with the event's
 * name.
 */
async function connect() {
  const agent = await startAgent();
  const node = await start();
  node.dials.set('stm_1', { ...STREAM, url: agent.url, allowLoopback: true });
  await node.gateway.dial('stm_1');
  const sent = <T>(event: string): T[] =>
    agent.messages.flatMap((message) => (message.event === event ? [message[event] as T] : []));
  await until('the stream has audio', () => sent('media').length > 3);
  const [{ streamSid } = assert.fail('no start')] = sent<Start>('start');
  return { agent, node, sent, streamSid };
}

const isOpen = ({ closes }: StreamAgent) => closes.length === 0;
const payload = (ms: number) => Buffer.alloc(8 * ms, 7).toString('base64');

describe('a stream in the dialect of Twilio serves', () => {
  test("Twilio's sample: a mark of one name after each piece of audio, all of which return, also after clear", async () => {
    const { agent, sent, streamSid } = await connect();
    const pieces = 40;
    for (let piece = 0; piece < pieces; piece++) {
      agent.send({ event: 'media', streamSid, media: { payload: payload(200) } });
      agent.send({ event: 'mark', streamSid, mark: { name: 'responsePart' } });
    }
    await until('the first piece is played', () => sent('mark').length > 0);
    assert.ok(sent('mark').length < pieces);
    agent.send({ event: 'clear', streamSid });
    await until('all marks return', () => sent('mark').length === pieces);
    // The client takes the time of the latest audio as the position of its caller.
    assert.ok(sent<Media>('media').every(({ timestamp }) => Number(timestamp) >= 0));
    assert.ok(isOpen(agent));
  });

  test("the transport of OpenAI's agents: the format of telephones, time that only moves on, and each mark by its name", async () => {
    const { agent, sent, streamSid } = await connect();
    const [begun] = sent<Start>('start');
    assert.deepEqual(begun?.['mediaFormat'], { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 });
    const names = ['item_1:20:g1:m1', 'item_1:40:g1:m2', 'done:item_1:g1:m3'];
    for (const name of names) {
      agent.send({ event: 'media', streamSid, media: { payload: payload(20) } });
      agent.send({ event: 'mark', streamSid, mark: { name } });
    }
    await until('all marks return', () => sent('mark').length === names.length);
    assert.deepEqual(
      sent('mark'),
      names.map((name) => ({ name })),
    );
    // The client fills a gap with silence. If a message begins before the end of the last one, the client starts a new
    // stream.
    let untilMs = 0;
    for (const { timestamp, payload: audio } of sent<Media>('media')) {
      assert.match(timestamp, /^\d+$/);
      assert.ok(Number(timestamp) >= untilMs, `${timestamp} after ${untilMs}`);
      untilMs = Number(timestamp) + Buffer.from(audio, 'base64').length / 8;
    }
  });

  test('the serializer of Pipecat: the ids and parameters in start, digits by their names, audio of any length', async () => {
    const { agent, node, sent, streamSid } = await connect();
    const [connected, begun] = agent.messages;
    assert.deepEqual([connected?.event, begun?.event], ['connected', 'start']);
    const { callSid, customParameters } = sent<Start>('start')[0] ?? assert.fail();
    assert.deepEqual([streamSid, callSid, customParameters], ['stm_1', 'call_1', { plan: 'gold' }]);
    for (const digit of '0*#') node.audios.find('call_1')?.reportDigit({ digit, track: 'inbound' });
    await until('the digits', () => sent('dtmf').length === 3);
    assert.deepEqual(
      sent<{ digit: string }>('dtmf').map(({ digit }) => digit),
      ['0', '*', '#'],
    );
    for (const ms of [37, 1, 500]) agent.send({ event: 'media', streamSid, media: { payload: payload(ms) } });
    agent.send({ event: 'clear', streamSid });
    const heard = sent('media').length;
    await until('the stream goes on', () => sent('media').length > heard + 3);
    assert.ok(isOpen(agent));
  });
});
