/** Clients that read too slowly, over real sockets. The kernels buffer their audio until it is old. */
import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, suite, test } from 'node:test';
import {
  type MediaNodeOptions,
  openMediaClient,
  type StreamMessage,
  useMediaNodes,
} from '../../../test/support/media-node.ts';
import { startSlowProxy } from '../../../test/support/slow-proxy.ts';
import { FRAME_MS } from '../../audio/frames.ts';
import { WAITING_TICKS_MAX } from './outgoing.ts';

type Client = ReturnType<typeof openMediaClient>;

const closers: (() => unknown)[] = [];
after(() => Promise.all(closers.map((close) => close())));

const start = useMediaNodes();

/** A node, and the address of a stream on it through another node. */
async function startPair(options: MediaNodeOptions = {}) {
  const holder = await start({ nodeId: 'holder', ...options });
  const front = await start({ nodeId: 'front', nodes: { find: async () => holder.url }, ...options });
  return { holder, addStream: (id: string) => holder.addStream(id).replace(holder.url, front.url) };
}

const seqOf = (message: StreamMessage | undefined) =>
  message?.event === 'media' && message['track'] === 'inbound' ? (message['seq'] as number) : undefined;
const seqsOf = ({ messages }: Client) => messages.flatMap((message) => seqOf(message) ?? []);
const lastSeq = (client: Client) => seqsOf(client).at(-1) ?? 0;
const reach = (client: Client, seq: number) =>
  client.until((messages) => messages.some((one) => (seqOf(one) ?? 0) >= seq));

/** Returns the seq after each gap. */
function gapsOf(client: Client): number[] {
  const seqs = seqsOf(client);
  return seqs.filter((seq, i) => i > 0 && seq !== (seqs[i - 1] as number) + 1);
}

/**
 * Two clients whose streams start at nearly the same time. The client `clock` reads fast enough, so its messages
 * measure the time.
 */
async function openBoth(url: string, clockUrl: string) {
  const client = openMediaClient(url);
  const clock = openMediaClient(clockUrl);
  await Promise.all([client, clock].map((one) => reach(one, 10)));
  return { client, clock };
}

/** A busy machine delivers a few ticks together. */
const ROUGHLY_TICKS = 15;

async function pauseAndResume({ client, clock }: { client: Client; clock: Client }): Promise<void> {
  const ahead = lastSeq(client) - lastSeq(clock);
  client.socket.pause();
  client.send({ event: 'mark', name: 'early' });
  await reach(clock, 200);
  client.send({ event: 'mark', name: 'late' });
  await reach(clock, 350);
  const late: number[] = [];
  client.socket.on('message', () => late.push(lastSeq(clock) + ahead - lastSeq(client)));
  client.socket.resume();
  await client.until(() => gapsOf(client).length > 0);
  const [first = 0, ...others] = gapsOf(client);
  assert.ok(first >= 350 + ahead - WAITING_TICKS_MAX - ROUGHLY_TICKS, `it continues with ${first}`);
  await reach(clock, 375);
  assert.ok((late.at(-1) ?? Number.NaN) < ROUGHLY_TICKS, `${late.at(-1)} ticks late`);
  assert.deepEqual([others, gapsOf(client).length], [[], 1]);
  const marks = client.messages.filter(({ event }) => event === 'mark').map(({ name }) => name);
  assert.deepEqual(marks, ['early', 'late']);
  assert.deepEqual(gapsOf(clock), []);
}

/** Half of what two tracks need. */
const HALF_BYTES_PER_SECOND = 14_000;
/** Less than the time that a ping would wait if no frames were dropped. */
const IMPATIENT_MS = 2_500;

async function readSlowly(url: string, addStream: (id: string) => string, clockUrl: string) {
  const link = await startSlowProxy(url, { bytesPerSecond: HALF_BYTES_PER_SECOND });
  closers.push(link.close);
  const both = await openBoth(addStream('stm_1').replace(url, link.url), clockUrl);
  const end = both.client.closed.then(({ code }) => assert.fail(`closed with ${code}`));
  await Promise.race([reach(both.clock, 600), end]);
  assert.ok(gapsOf(both.client).length > 0, 'there is no gap');
}

/** Several stalls may follow each other, so a shorter one than frames may wait counts too. */
const STALL_MS = (WAITING_TICKS_MAX * FRAME_MS) / 5;
const TIMES_MAX = 4;

/**
 * Runs a check of gaps. If this process stood still during the check for a fifth of the time that frames may wait, the
 * clients lost frames for that reason. Then the check runs again.
 */
async function withoutStalls(check: () => Promise<void>): Promise<void> {
  const delay = monitorEventLoopDelay();
  for (let times = 1; ; times++) {
    delay.reset();
    delay.enable();
    try {
      return await check();
    } catch (error) {
      if (delay.max / 1e6 < STALL_MS || times === TIMES_MAX) throw error;
    } finally {
      delay.disable();
    }
  }
}

// The tests do not wait for each other.
suite('slow clients', { concurrency: true }, () => {
  test('a client that pauses has one gap, then current audio and all its marks; other clients have no gap', () =>
    withoutStalls(async () => {
      const node = await start();
      await pauseAndResume(await openBoth(node.addStream('stm_1'), node.addStream('stm_2')));
    }));

  test('so does a client that pauses behind another node', () =>
    withoutStalls(async () => {
      const { holder, addStream } = await startPair();
      await pauseAndResume(await openBoth(addStream('stm_1'), holder.addStream('stm_2')));
    }));

  test('a client that reads at half the pace loses frames and keeps its stream', async () => {
    const node = await start({ heartbeatMs: IMPATIENT_MS });
    await readSlowly(node.url, node.addStream, node.addStream('stm_2'));
    assert.equal(node.endings.size, 0);
  });

  test('a client that reads at half the pace keeps its stream behind another node too', async () => {
    const { holder, addStream } = await startPair({ heartbeatMs: IMPATIENT_MS });
    const { origin } = new URL(addStream('stm_0'));
    await readSlowly(origin, addStream, holder.addStream('stm_2'));
    assert.equal(holder.endings.size, 0);
  });

  test('a client with a round trip of 300 ms loses nothing', () =>
    withoutStalls(async () => {
      const node = await start();
      const link = await startSlowProxy(node.url, { delayMs: 150 });
      closers.push(link.close);
      const client = openMediaClient(node.addStream('stm_1').replace(node.url, link.url));
      await reach(client, 200);
      assert.deepEqual(gapsOf(client), []);
    }));
});
