import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { until } from '../../../test/support/jobs.ts';
import { type MediaNodeOptions, openMediaClient, useMediaNodes } from '../../../test/support/media-node.ts';
import { sleep } from '../../../test/support/stepping-time.ts';
import { encodeMulaw } from '../../audio/mulaw.ts';
import { engineDialect, telnyxDialect } from '../../carriers/connections/media-dialects.ts';
import type { SocketTrack } from '../../carriers/ports/audio.ts';

const start = useMediaNodes();

const TELNYX = { dialect: telnyxDialect, track: 'both' } as const;
const ENGINE = { dialect: engineDialect, track: 'inbound' } as const;

type Peer = { socket: WebSocket; texts: string[]; audio: Buffer[]; closed: Promise<number> };

/** A carrier whose messages the test sends. */
async function connect(url: string, headers: Record<string, string> = {}): Promise<Peer> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  const peer: Peer = { socket, texts: [], audio: [], closed: once(socket, 'close').then(([code]) => code as number) };
  socket.on('message', (message, isBinary) => {
    if (isBinary) peer.audio.push(message as Buffer);
    else peer.texts.push(String(message));
  });
  await once(socket, 'open');
  return peer;
}

/** A call with a carrier's socket and a client's stream on one node. */
async function join(
  { dialect, track }: { dialect: typeof engineDialect; track: SocketTrack },
  options: MediaNodeOptions = {},
) {
  const node = await start(options);
  const call = { ledgerId: 1, callId: 'call_1' };
  node.grants.set('leg_1', { call, dialect });
  const peer = await connect(`${node.url}/v1/ingest?call=call_1&leg=leg_1&track=${track}&token=carrier-leg_1`);
  const client = openMediaClient(node.addStream('stm_1', { call }));
  await client.until((messages) => messages.length > 1);
  return { node, peer, client };
}

const frame = (value: number) => new Uint8Array(160).fill(value);
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

const START = '{"event":"MEDIA_START","channel_id":"1","format":"ulaw","optimal_frame_size":160,"ptime":20}';

const telnyxStart = (format?: object) => JSON.stringify({ event: 'start', start: { media_format: format } });

const telnyxMedia = (chunk: number, value: number, track = 'inbound') =>
  JSON.stringify({
    event: 'media',
    sequence_number: String(chunk + 1),
    stream_id: '32DE0DEA',
    media: { track, chunk: String(chunk), timestamp: String(chunk * 20), payload: base64(frame(value)) },
  });

/** The values of the received frames, without silence and repeats. */
function heardOf(client: Awaited<ReturnType<typeof join>>['client'], track: string): number[] {
  const values = [...client.audioOf(track)].filter((value) => value !== 0xff);
  return values.filter((value, i) => value !== values[i - 1]);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a carrier with the Telnyx dialect', () => {
  test('is heard by the client on the tracks that it names, its chunks in order', async () => {
    const { peer, client } = await join(TELNYX);
    peer.socket.send('{"event":"connected","version":"1.0.0"}');
    peer.socket.send('{"event":"start","sequence_number":"1","start":{"call_control_id":"v3:x"},"stream_id":"s"}');
    for (const chunk of [1, 2, 4, 3, 6, 5, 7]) peer.socket.send(telnyxMedia(chunk, chunk));
    for (const chunk of [1, 2, 3]) peer.socket.send(telnyxMedia(chunk, 100 + chunk, 'outbound'));
    await client.until(() => heardOf(client, 'inbound').length === 7 && heardOf(client, 'outbound').length === 3);
    assert.deepEqual(heardOf(client, 'inbound'), [1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(heardOf(client, 'outbound'), [101, 102, 103]);
  });

  test('is not waited for after a lost chunk, and its repeats are not heard', async () => {
    const { peer, client } = await join(TELNYX);
    peer.socket.send(telnyxStart());
    for (const chunk of [1, 2, 2, 4, 5, 6, 7, 8, 9, 3]) peer.socket.send(telnyxMedia(chunk, chunk));
    await client.until(() => heardOf(client, 'inbound').length === 8);
    assert.deepEqual(heardOf(client, 'inbound'), [1, 2, 4, 5, 6, 7, 8, 9]);
  });

  test('is sent what the client plays, at its pace, and not its own voice', async () => {
    const { peer, client } = await join(TELNYX);
    peer.socket.send(telnyxStart());
    for (let chunk = 1; chunk <= 9; chunk++) peer.socket.send(telnyxMedia(chunk, chunk, 'outbound'));
    await client.until(() => heardOf(client, 'outbound').length >= 9);
    client.send({ event: 'media', payload: base64(Uint8Array.from([...frame(50), ...frame(51)])) });
    while (peer.texts.length < 2) await turn();
    assert.deepEqual(
      peer.texts.map((text) => JSON.parse(text)),
      [50, 51].map((value) => ({ event: 'media', media: { payload: base64(frame(value)) } })),
    );
  });

  test('repeats what it is sent, and the client hears that once', async () => {
    const { peer, client } = await join(TELNYX);
    peer.socket.send(telnyxStart());
    client.send({ event: 'media', payload: base64(new Uint8Array(3 * 8_000).fill(50)) });
    while (peer.texts.length < 1) await turn();
    for (const chunk of [1, 2, 3]) {
      peer.socket.send(telnyxMedia(chunk, 50, 'outbound'));
      peer.socket.send(telnyxMedia(chunk, chunk));
    }
    await client.until(() => heardOf(client, 'inbound').length === 3);
    assert.deepEqual(heardOf(client, 'outbound'), [50]);
  });

  test('confirms a mark when the customer has heard it, and only then the client receives it', async () => {
    const { peer, client } = await join(TELNYX);
    client.send({ event: 'media', payload: base64(frame(50)) });
    client.send({ event: 'mark', name: 'hello' });
    while (peer.texts.length < 2) await turn();
    assert.deepEqual(JSON.parse(peer.texts[1] as string), { event: 'mark', mark: { name: 'hello' } });
    const seen = client.messages.length;
    await client.until((messages) => messages.length > seen + 4);
    assert.ok(client.messages.every(({ event }) => event !== 'mark'));
    peer.socket.send('{"event":"mark","mark":{"name":"never sent"}}');
    peer.socket.send('{"event":"mark","mark":{"name":"hello"}}');
    peer.socket.send('{"event":"mark","mark":{"name":"hello"}}');
    await client.until((messages) => messages.some(({ event }) => event === 'mark'));
    const more = client.messages.length;
    await client.until((messages) => messages.length > more + 4);
    assert.deepEqual(
      client.messages.filter(({ event }) => event === 'mark'),
      [{ event: 'mark', name: 'hello' }],
    );
  });

  test('is sent clear, and the client receives the marks it has not confirmed at once', async () => {
    const { peer, client } = await join(TELNYX);
    client.send({ event: 'media', payload: base64(frame(50)) });
    client.send({ event: 'mark', name: 'hello' });
    while (peer.texts.length < 2) await turn();
    client.send({ event: 'clear' });
    await client.until((messages) => messages.some(({ event }) => event === 'mark'));
    while (peer.texts.length < 3) await turn();
    assert.equal(peer.texts[2], '{"event":"clear"}');
  });

  test('is heard as what its start says it sends, also if the start comes late', async () => {
    const { peer, client } = await join(TELNYX);
    // A-law codes of 1 and of 4,032, by G.711.
    const codes = [0xd5, 0xaa];
    for (const [at, code] of codes.entries()) peer.socket.send(telnyxMedia(at + 1, code));
    peer.socket.send(telnyxStart({ encoding: 'PCMA', sample_rate: 8_000, channels: 1 }));
    peer.socket.send(telnyxMedia(3, 0xd5));
    await client.until(() => heardOf(client, 'inbound').length === 3);
    const inMulaw = Array.from(encodeMulaw(Int16Array.of(1 * 8, 4_032 * 8)));
    assert.deepEqual(heardOf(client, 'inbound'), [inMulaw[0], inMulaw[1], inMulaw[0]]);
  });

  for (const format of [
    { encoding: 'G722', sample_rate: 8_000 },
    { encoding: 'L16', sample_rate: 16_000, channels: 1 },
    { encoding: 'PCMU', sample_rate: 16_000 },
    { encoding: 'PCMU', channels: 2 },
    { encoding: 'toString' },
  ]) {
    test(`that sends ${JSON.stringify(format)} is refused and named in the log, and none of it is heard`, async () => {
      const lines: string[] = [];
      const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
      const { node, peer, client } = await join(TELNYX, { log });
      peer.socket.send(telnyxMedia(1, 1));
      peer.socket.send(telnyxStart(format));
      peer.socket.send(telnyxMedia(2, 2));
      await until('the socket is closed', () => peer.socket.readyState === WebSocket.CLOSED);
      assert.equal(await peer.closed, 1003);
      await client.closed;
      assert.deepEqual(heardOf(client, 'inbound'), []);
      assert.deepEqual(client.messages.at(-1), { event: 'stop', reason: 'carrier_error' });
      assert.equal(node.ingestEndings.get('call_1'), 'lost');
      const [line = assert.fail()] = lines.map((text) => JSON.parse(text));
      assert.deepEqual([line.call, line.format], ['call_1', JSON.stringify(format)]);
    });
  }

  test('may send events and signals that have no meaning here', async () => {
    const { peer, client } = await join(TELNYX);
    const flash = '{"event":"dtmf","dtmf":{"digit":"!"}}';
    for (const text of ['{"event":"quality","mos":4}', flash, '{"event":"dtmf"}', '{}']) peer.socket.send(text);
    peer.socket.send('{"event":"dtmf","dtmf":{"digit":"9"}}');
    await client.until((messages) => messages.find(({ event }) => event === 'dtmf'));
    const heard = client.messages.filter(({ event }) => event === 'dtmf').map(({ digit }) => digit);
    assert.deepEqual(heard, ['9']);
  });

  test('reports digits to the client', async () => {
    const { peer, client } = await join(TELNYX);
    peer.socket.send('{"event":"dtmf","stream_id":"s","dtmf":{"digit":"9"}}');
    const notice = await client.until((messages) => messages.find(({ event }) => event === 'dtmf'));
    assert.deepEqual(notice, { event: 'dtmf', digit: '9', track: 'inbound' });
  });

  test('may send its token in its own header', async () => {
    const node = await start();
    node.grants.set('leg_1', { call: { ledgerId: 1, callId: 'call_1' }, dialect: telnyxDialect });
    const url = `${node.url}/v1/ingest?call=call_1&leg=leg_1`;
    const peer = await connect(url, { 'x-telnyx-streaming-auth-token': 'carrier-leg_1' });
    peer.socket.send(telnyxMedia(1, 1));
    while (node.gateway.sockets.ingests === 0) await turn();
    const refused = await connect(url, { 'x-telnyx-streaming-auth-token': 'wrong' });
    assert.equal(await refused.closed, 4401);
    assert.equal(await (await connect(`${node.url}/v1/ingest?call=call_1&leg=leg_2&token=x`)).closed, 4404);
    assert.equal(await (await connect(`${node.url}/v1/ingest`)).closed, 4404);
  });

  test('that sends stop ends without an error, and the stream continues', async () => {
    const { node, peer, client } = await join(TELNYX);
    peer.socket.send('{"event":"stop","stream_id":"s"}');
    assert.equal(await peer.closed, 1000);
    assert.equal(node.ingestEndings.get('call_1'), 'ended');
    const seen = client.messages.length;
    await client.until((messages) => messages.length > seen + 4);
  });

  for (const [what, act] of [
    ['is lost', (socket: WebSocket) => socket.terminate()],
    ['sends a malformed message', (socket: WebSocket) => socket.send('{"event":"media","media":{"track":"x"}}')],
    ['sends binary', (socket: WebSocket) => socket.send(frame(1))],
  ] as const) {
    test(`that ${what} ends the stream with carrier_error`, async () => {
      const { node, peer, client } = await join(TELNYX);
      act(peer.socket);
      assert.equal((await client.closed).code, 1000);
      assert.deepEqual(client.messages.at(-1), { event: 'stop', reason: 'carrier_error' });
      assert.equal(node.ingestEndings.get('call_1'), 'lost');
      while (!node.endings.has('stm_1')) await turn();
      assert.equal(node.endings.get('stm_1')?.reason, 'carrier_error');
    });
  }
});

describe('a SIP engine', () => {
  test('sends and receives bare frames', async () => {
    const { peer, client } = await join(ENGINE);
    peer.socket.send(START);
    for (let n = 1; n <= 5; n++) peer.socket.send(frame(n));
    await client.until(() => heardOf(client, 'inbound').length === 5);
    assert.deepEqual(heardOf(client, 'inbound'), [1, 2, 3, 4, 5]);
    client.send({ event: 'media', payload: base64(frame(50)) });
    client.send({ event: 'mark', name: 'hello' });
    await client.until((messages) => messages.some(({ event }) => event === 'mark'));
    while (peer.audio.length < 1) await turn();
    assert.deepEqual(Uint8Array.from(peer.audio[0] as Buffer), frame(50));
    client.send({ event: 'clear' });
    while (peer.texts.length < 1) await turn();
    assert.deepEqual(peer.texts, ['{"command":"FLUSH_MEDIA"}']);
  });

  test('that listens to one side only is that track, and is sent nothing', async () => {
    const { peer, client } = await join({ dialect: engineDialect, track: 'outbound' });
    peer.socket.send(START);
    for (let n = 1; n <= 5; n++) peer.socket.send(frame(n));
    await client.until(() => heardOf(client, 'outbound').length === 5);
    assert.deepEqual(heardOf(client, 'inbound'), []);
    client.send({ event: 'media', payload: base64(frame(50)) });
    await client.until(() => heardOf(client, 'outbound').includes(50));
    assert.equal(peer.audio.length, 0);
  });

  test('reports digits, and other control messages are ignored', async () => {
    const { peer, client } = await join(ENGINE);
    for (const text of [START, '{"event":"MEDIA_XOFF"}', '{"event":"STATUS","queue_length":3}']) peer.socket.send(text);
    peer.socket.send('{"event":"DTMF_END","channel_id":"1","digit":"#"}');
    const notice = await client.until((messages) => messages.find(({ event }) => event === 'dtmf'));
    assert.deepEqual(notice, { event: 'dtmf', digit: '#', track: 'inbound' });
  });

  test('with another codec is refused', async () => {
    const { peer } = await join(ENGINE);
    peer.socket.send(START.replace('ulaw', 'slin16'));
    assert.equal(await peer.closed, 1003);
  });
});

test('a carrier that answers no ping and sends nothing is cut off', async () => {
  const node = await start({ heartbeatMs: 60 });
  node.grants.set('leg_1', { call: { ledgerId: 1, callId: 'call_1' }, dialect: telnyxDialect });
  const socket = new WebSocket(`${node.url}/v1/ingest?call=call_1&leg=leg_1&token=carrier-leg_1`, { autoPong: false });
  const [code] = await once(socket, 'close');
  assert.equal(code, 1006);
});

test('a carrier reaches the node with the call through any other node', async () => {
  const holder = await start({ nodeId: 'holder' });
  const front = await start({ nodeId: 'front', nodes: { find: async () => holder.url } });
  holder.grants.set('leg_1', { call: { ledgerId: 1, callId: 'call_1' }, dialect: telnyxDialect });
  const peer = await connect(`${front.url}/v1/ingest?node=holder&call=call_1&leg=leg_1&token=carrier-leg_1`);
  while (holder.gateway.sockets.ingests === 0) await turn();
  assert.equal(peer.socket.readyState, WebSocket.OPEN);
});

test('both tracks of a leg may come at once, each over one socket; none is sent back to the carrier', async () => {
  const { node, peer: inbound, client } = await join(ENGINE);
  const address = (track: string) => `${node.url}/v1/ingest?call=call_1&leg=leg_1&track=${track}&token=carrier-leg_1`;
  const outbound = await connect(address('outbound'));
  for (let n = 1; n <= 5; n++) {
    inbound.socket.send(frame(n));
    outbound.socket.send(frame(100 + n));
  }
  await client.until(() => heardOf(client, 'inbound').length === 5 && heardOf(client, 'outbound').length === 5);
  assert.deepEqual(heardOf(client, 'outbound'), [101, 102, 103, 104, 105]);
  assert.deepEqual(inbound.audio, []);
  for (const track of ['inbound', 'outbound', 'both']) assert.equal(await (await connect(address(track))).closed, 4409);
  outbound.socket.send('{"event":"none"}');
  outbound.socket.close();
  assert.equal((await client.closed).code, 1000);
});

test('a socket for a node that is not up is refused as unreachable, and none is forwarded twice', async () => {
  const node = await start({
    ingests: {
      claim: async () => ({ ok: false, refused: 'elsewhere' }),
      closed: async () => undefined,
      found: async () => undefined,
    },
  });
  const address = `${node.url}/v1/ingest?node=gone&call=call_1&leg=leg_1&token=carrier-leg_1`;
  assert.equal(await (await connect(address)).closed, 1013);
  assert.equal(await (await connect(address, { 'dialplane-forwarded-by': 'another' })).closed, 4404);
});

test('an agent at a telephone is heard on the line of agents alone, and is sent that line alone', async () => {
  const { node, peer: inbound, client } = await join(ENGINE);
  const call = { ledgerId: 1, callId: 'call_1' };
  const outbound = await connect(`${node.url}/v1/ingest?call=call_1&leg=leg_1&track=outbound&token=carrier-leg_1`);
  const { audio, release } = await node.audios.acquire(call);
  let said: Uint8Array | undefined;
  const voice = { into: ['agent'] as const, read: () => said };
  const heard: number[] = [];
  audio.addSource(voice);
  audio.addSink({ ownSources: [voice], hearsAll: true, write: ({ agent }) => void heard.push(agent[0] as number) });
  const hears = async (value: number, socket: WebSocket) => {
    const before = heard.length;
    while (!heard.slice(before).includes(value)) {
      socket.send(frame(value));
      await sleep(20);
    }
  };
  await hears(101, outbound.socket);

  node.grants.set('leg_2', { call, dialect: engineDialect, party: 'agent' });
  const agent = await connect(`${node.url}/v1/ingest?call=call_1&leg=leg_2&track=inbound&token=carrier-leg_2`);
  agent.socket.send(START);
  await hears(7, agent.socket);
  const before = heard.length;
  for (let n = 0; n < 5; n++) outbound.socket.send(frame(102));
  await client.until(() => heardOf(client, 'outbound').includes(102));
  assert.ok(!heard.slice(before).includes(102), 'the agent is heard twice');
  said = frame(50);
  for (let n = 0; n < 5; n++) inbound.socket.send(frame(1));
  await client.until(() => heardOf(client, 'inbound').length > 0);
  while (agent.audio.length === 0) await turn();
  said = undefined;
  agent.socket.send('{"event":"DTMF_END","channel_id":"1","digit":"5"}');
  agent.socket.close();
  while (node.agentEndings.length === 0) await turn();
  await hears(103, outbound.socket);

  assert.deepEqual(node.agentEndings, ['leg_2']);
  assert.deepEqual([...new Set(agent.audio.map((bytes) => bytes[0]))], [50]);
  assert.deepEqual(inbound.audio, []);
  assert.deepEqual([heardOf(client, 'inbound'), heardOf(client, 'outbound').includes(7)], [[1], false]);
  assert.ok(!client.messages.some(({ event }) => event === 'dtmf'), 'keys of an agent are no keys of the customer');
  assert.equal(node.ingestEndings.size, 0);
  release();
});
