import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { FORK, openMediaClient, useMediaNodes } from '../../../test/support/media-node.ts';
import { MULAW_SILENCE } from '../../audio/mulaw.ts';
import { monotonicMs } from '../../lib/time/time.ts';
import type { AudioSource, Frame, Populate, StreamDirectory, StreamEnding } from './types.ts';

const start = useMediaNodes();

/** Plays the tick's number in every byte. */
const counting = (into: AudioSource['into']): AudioSource => ({
  into,
  read: (tick): Frame => new Uint8Array(160).fill(tick % 250),
});

const withVoice: Populate = async (audio) => audio.addSource(counting(['inbound']));

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const ramp = (length: number) => Uint8Array.from({ length }, (_, i) => i % 250);

async function untilEnded(node: Awaited<ReturnType<typeof start>>, streamId: string) {
  while (!node.endings.has(streamId)) await new Promise((resolve) => setImmediate(resolve));
  return node.endings.get(streamId);
}

describe('a stream', () => {
  test('starts with start, and sends both tracks every 20 ms, numbered without a gap', async () => {
    const node = await start({ populate: withVoice });
    const client = openMediaClient(node.addStream('stm_1'));
    await client.until((messages) => messages.length >= 41);
    assert.deepEqual(client.messages[0], {
      event: 'start',
      stream_id: 'stm_1',
      call_id: 'call_stm_1',
      tracks: ['inbound', 'outbound'],
      media_format: { encoding: 'audio/x-mulaw', sample_rate: 8000 },
    });
    for (const track of ['inbound', 'outbound']) {
      const media = client.messages.filter((message) => message['track'] === track);
      media.forEach((message, i) => {
        assert.deepEqual(Object.keys(message), ['event', 'track', 'seq', 'timestamp_ms', 'payload']);
        assert.equal(message.event, 'media');
        assert.equal(message['seq'], i + 1);
        assert.equal(message['timestamp_ms'], i * 20);
      });
    }
    const inbound = client.audioOf('inbound');
    assert.equal(inbound[160], (inbound[0] as number) + 1);
    assert.ok(client.audioOf('outbound').every((sample) => sample === MULAW_SILENCE));
    assert.deepEqual(node.connected, ['stm_1']);
  });

  test('of one track sends only that track', async () => {
    const node = await start({ populate: withVoice });
    const client = openMediaClient(node.addStream('stm_1', { track: 'inbound', direction: 'fork' }));
    await client.until((messages) => messages.length >= 6);
    assert.deepEqual(client.messages[0]?.['tracks'], ['inbound']);
    assert.deepEqual([...new Set(client.messages.slice(1).map((message) => message['track']))], ['inbound']);
  });

  test('accepts its token in the Authorization header too', async () => {
    const node = await start();
    const url = node.addStream('stm_1').split('?')[0] as string;
    const client = openMediaClient(url, { headers: { authorization: 'Bearer token-stm_1' } });
    assert.equal((await client.until((messages) => messages[0])).event, 'start');
  });

  test('uses the token in the header if the one in the query is empty', async () => {
    const node = await start();
    const url = node.addStream('stm_1').split('?')[0] as string;
    const client = openMediaClient(`${url}?token=`, { headers: { authorization: 'Bearer token-stm_1' } });
    assert.equal((await client.until((messages) => messages[0])).event, 'start');
  });

  test('accepts its token once: a second connection is refused with 4401, and the first continues', async () => {
    const node = await start();
    const url = node.addStream('stm_1');
    const first = openMediaClient(url);
    await first.until((messages) => messages.length > 1);
    assert.equal((await openMediaClient(url).closed).code, 4401);
    const seen = first.messages.length;
    await first.until((messages) => messages.length > seen + 2);
    assert.equal(node.endings.size, 0);
  });

  test('that does not exist is refused with 4404, and a wrong or absent token with 4401', async () => {
    const node = await start();
    node.addStream('stm_1');
    const base = `${node.url}/v1/streams/node1`;
    assert.equal((await openMediaClient(`${base}/stm_2?token=x`).closed).code, 4404);
    assert.equal((await openMediaClient(`${base}/stm_1?token=x`).closed).code, 4401);
    assert.equal((await openMediaClient(`${base}/stm_1`).closed).code, 4401);
  });

  test('receives the digits on its tracks', async () => {
    const node = await start();
    const client = openMediaClient(node.addStream('stm_1', { track: 'inbound' }));
    await client.until((messages) => messages.length > 1);
    const audio = node.audios.find('call_stm_1');
    audio?.reportDigit({ digit: '7', track: 'outbound' });
    audio?.reportDigit({ digit: '5', track: 'inbound' });
    const notice = await client.until((messages) => messages.find((message) => message.event === 'dtmf'));
    assert.deepEqual(notice, { event: 'dtmf', digit: '5', track: 'inbound' });
  });

  test('that is stopped sends why, closes with 1000 and is reported at once', async () => {
    const node = await start();
    const client = openMediaClient(node.addStream('stm_1'));
    await client.until((messages) => messages.length > 20);
    assert.ok(node.gateway.stop('stm_1', 'api_request'));
    assert.equal((await client.closed).code, 1000);
    assert.deepEqual(client.messages.at(-1), { event: 'stop', reason: 'api_request' });
    const ending = await untilEnded(node, 'stm_1');
    assert.equal(ending?.reason, 'api_request');
    assert.ok((ending?.lateMs ?? Number.NaN) < 1_000, String(ending?.lateMs));
    assert.equal(node.gateway.stop('stm_1', 'api_request'), false);
    assert.equal(node.audios.size, 0);
  });

  test('ends with its call', async () => {
    const node = await start();
    const client = openMediaClient(node.addStream('stm_1'));
    await client.until((messages) => messages.length > 1);
    node.audios.find('call_stm_1')?.close('call_ended');
    assert.equal((await client.closed).code, 1000);
    assert.deepEqual(client.messages.at(-1), { event: 'stop', reason: 'call_ended' });
    assert.equal((await untilEnded(node, 'stm_1'))?.reason, 'call_ended');
  });

  test('whose client disconnects is reported as client_closed', async () => {
    const node = await start();
    for (const [id, leave] of [
      ['stm_1', 'close'],
      ['stm_2', 'terminate'],
    ] as const) {
      const client = openMediaClient(node.addStream(id));
      await client.until((messages) => messages.length > 1);
      client.socket[leave]();
      assert.equal((await untilEnded(node, id))?.reason, 'client_closed');
    }
    assert.deepEqual(node.gateway.sockets, { streams: 0, ingests: 0, relays: 0 });
  });

  test('that is stopped while its client connects never starts, and sends why', async () => {
    const streams = {
      claim: async (streamId: string) => {
        const call = { ledgerId: 1, callId: 'call_1' };
        return { ok: true, stream: { streamId, call, ...FORK } } as const;
      },
      claimDial: async () => undefined,
      connected: async () => 'call_ended' as const,
      closed: async (streamId: string, ending: { reason: string }) => void reported.push([streamId, ending.reason]),
    };
    const reported: string[][] = [];
    const other = await start({ streams });
    const client = openMediaClient(`${other.url}/v1/streams/node1/stm_9?token=x`);
    assert.equal((await client.closed).code, 1000);
    assert.deepEqual(client.messages, [{ event: 'stop', reason: 'call_ended' }]);
    assert.deepEqual(reported, [['stm_9', 'call_ended']]);
  });

  test('whose call audio cannot be created fails with carrier_error and 1011', async () => {
    const node = await start({ populate: () => Promise.reject(new Error('no parties')) });
    const client = openMediaClient(node.addStream('stm_1'));
    assert.equal((await client.closed).code, 1011);
    assert.deepEqual(client.messages, [{ event: 'stop', reason: 'carrier_error' }]);
    assert.equal((await untilEnded(node, 'stm_1'))?.reason, 'carrier_error');
    assert.equal(node.audios.size, 0);
  });

  test('has its end reported until that succeeds, with how late it is', async () => {
    let attempts = 0;
    const endings: StreamEnding[] = [];
    const streams = {
      claim: async (streamId: string) => {
        const call = { ledgerId: 1, callId: 'call_1' };
        return { ok: true, stream: { streamId, call, ...FORK } } as const;
      },
      claimDial: async () => undefined,
      connected: async () => null,
      closed: async (_id: string, ending: StreamEnding) => {
        if (++attempts < 3) throw new Error('database down');
        endings.push(ending);
      },
    };
    const node = await start({ streams, retryMs: 30 });
    const client = openMediaClient(`${node.url}/v1/streams/node1/stm_9?token=x`);
    await client.until((messages) => messages.length > 1);
    const stoppedMs = monotonicMs();
    node.gateway.stop('stm_9', 'api_request');
    await node.gateway.drain(0);
    const [{ reason, lateMs } = assert.fail(), ...others] = endings;
    assert.deepEqual([reason, others, attempts], ['api_request', [], 3]);
    assert.ok(lateMs >= 85 && lateMs <= monotonicMs() - stoppedMs, `${lateMs} ms`);
  });
});

describe('a client that breaks the protocol', () => {
  const violations: [string, (string | Uint8Array)[], number][] = [
    ['with text that is not JSON', ['hello'], 4400],
    ['with an unknown event', ['{"event":"play"}'], 4400],
    ['with a payload that is not base64', ['{"event":"media","payload":"?"}'], 4400],
    ['with a binary message', [new Uint8Array(160)], 1003],
    ['with a message that is too long', [`{"event":"clear","x":"${'x'.repeat(660_000)}"}`], 1009],
    ['with a thousand and one marks', Array(1_001).fill('{"event":"mark","name":"m"}'), 1008],
  ];
  for (const [what, messages, code] of violations) {
    test(`${what} is closed with ${code}`, async () => {
      const node = await start();
      const client = openMediaClient(node.addStream('stm_1'));
      await client.until((received) => received.length > 0);
      if (code === 1008) client.send({ event: 'media', payload: base64(new Uint8Array(80_000)) });
      for (const message of messages) client.socket.send(message);
      assert.equal((await client.closed).code, code);
      assert.equal((await untilEnded(node, 'stm_1'))?.reason, 'client_closed');
    });
  }

  test('on a fork as well is closed with 4400', async () => {
    const node = await start();
    const client = openMediaClient(node.addStream('stm_1', { direction: 'fork' }));
    await client.until((received) => received.length > 0);
    client.send({ event: 'media', payload: '?' });
    assert.deepEqual(await client.closed, { code: 4400, reason: 'payload is not base64' });
  });
});

test('audio that the client of a fork plays is ignored, and the stream continues', async () => {
  const node = await start();
  const client = openMediaClient(node.addStream('stm_1', { direction: 'fork' }));
  await client.until((received) => received.length > 1);
  client.send({ event: 'media', payload: base64(ramp(8_000)) });
  client.send({ event: 'mark', name: 'm' });
  client.send({ event: 'clear' });
  const before = client.messages.length;
  await client.until((messages) => messages.length > before + 40);
  assert.ok(client.audioOf('outbound').every((code) => code === MULAW_SILENCE));
  assert.ok(client.messages.every(({ event }) => event !== 'mark'));
});

test('a flood of messages is read at ten times real time, and other streams continue', async () => {
  let cleared = 0;
  const populate: Populate = async (audio) => audio.addSink({ write: () => undefined, clear: () => cleared++ });
  const node = await start({ populate });
  const flooder = openMediaClient(node.addStream('stm_1'));
  const other = openMediaClient(node.addStream('stm_2'));
  await Promise.all([flooder, other].map((client) => client.until((messages) => messages.length > 1)));
  const since = monotonicMs();
  for (let n = 0; n < 60_000; n++) flooder.send({ event: 'clear' });
  while (cleared < 5_000) await new Promise((resolve) => setImmediate(resolve));
  const before = other.messages.length;
  await other.until((messages) => messages.length > before + 40);
  // The burst, the rate since then, and the messages that the node had already read when it paused the client.
  const allowed = 5_000 + (500 * (monotonicMs() - since)) / 1000 + 6_000;
  assert.ok(cleared < allowed, `${cleared} of ${allowed}`);
});

test('a client that answers no ping is cut off, and one that does stays', async () => {
  const node = await start({ heartbeatMs: 500 });
  const alive = openMediaClient(node.addStream('stm_1'));
  const dead = openMediaClient(node.addStream('stm_2'), { autoPong: false });
  assert.equal((await dead.closed).code, 1006);
  assert.equal((await untilEnded(node, 'stm_2'))?.reason, 'client_closed');
  const seen = alive.messages.length;
  await alive.until((messages) => messages.length > seen + 10);
});

test('a node with its limit of sockets closes the next with 1013', async () => {
  const node = await start({ socketsMax: 1 });
  const first = openMediaClient(node.addStream('stm_1'));
  await first.until((messages) => messages.length > 0);
  assert.equal((await openMediaClient(node.addStream('stm_2')).closed).code, 1013);
});

describe('draining', () => {
  test('refuses new sockets with 1012, lets streams continue to their end, and then resolves', async () => {
    const node = await start();
    const client = openMediaClient(node.addStream('stm_1'));
    await client.until((messages) => messages.length > 1);
    const drained = node.gateway.drain(60_000);
    assert.equal((await openMediaClient(node.addStream('stm_2')).closed).code, 1012);
    const seen = client.messages.length;
    await client.until((messages) => messages.length > seen + 4);
    client.socket.close();
    await drained;
    assert.equal(node.endings.get('stm_1')?.reason, 'client_closed');
  });

  test('closes the remaining sockets with 1012 at its deadline', async () => {
    const node = await start();
    const client = openMediaClient(node.addStream('stm_1'));
    await client.until((messages) => messages.length > 1);
    await node.gateway.drain(50);
    assert.equal((await client.closed).code, 1012);
    assert.deepEqual(client.messages.at(-1), { event: 'stop', reason: 'carrier_error' });
    assert.equal(node.endings.get('stm_1')?.reason, 'carrier_error');
  });

  /** A node with a connected client. Its directory answers the claim of the token once `open` is called. */
  async function startSlow(closed?: StreamDirectory['closed']) {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const endings: string[] = [];
    const streams = {
      claim: async (streamId: string) => {
        await opened;
        const call = { ledgerId: 1, callId: 'call_1' };
        return { ok: true, stream: { streamId, call, ...FORK } } as const;
      },
      claimDial: async () => undefined,
      connected: async () => null,
      closed: closed ?? (async (_id: string, { reason }: StreamEnding) => void endings.push(reason)),
    };
    const node = await start({ streams });
    const client = openMediaClient(`${node.url}/v1/streams/node1/stm_9?token=x`);
    await once(client.socket, 'open');
    /** Drains the gateway. Resolves with the reasons of all ends that it has reported. */
    const drain = (drainMs: number) => node.gateway.drain(drainMs).then(() => [...endings]);
    return { client, open, drain };
  }

  test('waits for a stream whose client is connected, and whose first frame is yet to come', async () => {
    const { client, open, drain } = await startSlow();
    const drained = drain(60_000);
    await new Promise((resolve) => setImmediate(resolve));
    open();
    await client.until((messages) => messages.length > 4);
    client.socket.close();
    assert.deepEqual(await drained, ['client_closed']);
  });

  test('does not wait for the report of an end that the directory does not take', async () => {
    const { client, open, drain } = await startSlow(() => new Promise(() => undefined));
    open();
    await client.until((messages) => messages.length > 4);
    assert.deepEqual(await drain(0), []);
    assert.equal((await client.closed).code, 1012);
  });

  test('ends a stream with 1012 that has not started by the deadline, and reports its end', async () => {
    const { client, open, drain } = await startSlow();
    const drained = drain(0);
    await new Promise((resolve) => setImmediate(resolve));
    open();
    assert.deepEqual(await drained, ['carrier_error']);
    assert.equal((await client.closed).code, 1012);
    assert.deepEqual(client.messages, [{ event: 'stop', reason: 'carrier_error' }]);
  });
});
