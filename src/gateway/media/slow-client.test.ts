/** Clients that read too slowly, over real sockets: what a kernel takes in for them is audio that comes late. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startBadLink } from '../../../test/support/bad-link.ts';
import {
  type MediaNodeOptions,
  openMediaClient,
  type StreamMessage,
  startMediaNode,
} from '../../../test/support/media-node.ts';
import { WAITING_TICKS_MAX } from './outgoing.ts';

type Client = ReturnType<typeof openMediaClient>;

const closers: (() => unknown)[] = [];
after(() => Promise.all(closers.map((close) => close())));

async function start(options?: MediaNodeOptions) {
  const node = await startMediaNode(options);
  closers.push(node.close);
  return node;
}

/** A node, and the address of a stream on it by the way of another. */
async function startPair(options: MediaNodeOptions = {}) {
  const holder = await start({ nodeId: 'holder', ...options });
  const front = await start({ nodeId: 'front', nodes: { find: async () => holder.url }, ...options });
  return { holder, addStream: (id: string) => holder.addStream(id).replace(holder.url, front.url) };
}

const seqOf = (message: StreamMessage | undefined) =>
  message?.event === 'media' && message['track'] === 'inbound' ? (message['seq'] as number) : undefined;
const seqsOf = ({ messages }: Client) => messages.flatMap((message) => seqOf(message) ?? []);
const lastSeq = (client: Client) => seqsOf(client).at(-1) ?? 0;
const reach = (client: Client, seq: number) => client.until((messages) => messages.some((one) => seqOf(one) === seq));

/** First numbers after a gap. */
function gapsOf(client: Client): number[] {
  const seqs = seqsOf(client);
  return seqs.filter((seq, i) => i > 0 && seq !== (seqs[i - 1] as number) + 1);
}

/** Two clients whose streams began at nearly the same time; the one that is not slow is the clock. */
async function openBoth(url: string, clockUrl: string) {
  const client = openMediaClient(url);
  const clock = openMediaClient(clockUrl);
  await Promise.all([client, clock].map((one) => reach(one, 10)));
  return { client, clock };
}

/** A busy machine hands on a tick or two together. */
const ROUGHLY_TICKS = 15;

async function pauseAndResume({ client, clock }: { client: Client; clock: Client }): Promise<void> {
  const ahead = lastSeq(client) - lastSeq(clock);
  client.socket.pause();
  client.say({ event: 'mark', name: 'early' });
  await reach(clock, 200);
  client.say({ event: 'mark', name: 'late' });
  await reach(clock, 350);
  const late: number[] = [];
  client.socket.on('message', () => late.push(lastSeq(clock) + ahead - lastSeq(client)));
  client.socket.resume();
  await client.until(() => gapsOf(client).length > 0);
  const [first = 0, ...others] = gapsOf(client);
  assert.ok(first >= 350 + ahead - WAITING_TICKS_MAX - ROUGHLY_TICKS, `it goes on with ${first}`);
  await reach(clock, 375);
  assert.ok((late.at(-1) ?? Number.NaN) < ROUGHLY_TICKS, `${late.at(-1)} ticks late`);
  assert.deepEqual([others, gapsOf(client).length], [[], 1]);
  const marks = client.messages.filter(({ event }) => event === 'mark').map(({ name }) => name);
  assert.deepEqual(marks, ['early', 'late']);
  assert.deepEqual(gapsOf(clock), []);
}

test('a client that paused sees one gap, hears the present at once, and has all its marks; nobody else is touched', async () => {
  const node = await start();
  await pauseAndResume(await openBoth(node.addStream('stm_1'), node.addStream('stm_2')));
});

test('a client that paused behind another node as well', async () => {
  const { holder, addStream } = await startPair();
  await pauseAndResume(await openBoth(addStream('stm_1'), holder.addStream('stm_2')));
});

/** Half of what two tracks need. */
const HALF_BYTES_PER_SECOND = 14_000;
/** Less than what would wait before a ping if nothing were left out. */
const IMPATIENT_MS = 2_500;

async function readSlowly(url: string, addStream: (id: string) => string, clockUrl: string) {
  const link = await startBadLink(url, { bytesPerSecond: HALF_BYTES_PER_SECOND });
  closers.push(link.close);
  const both = await openBoth(addStream('stm_1').replace(url, link.url), clockUrl);
  const end = both.client.closed.then(({ code }) => assert.fail(`closed with ${code}`));
  await Promise.race([reach(both.clock, 600), end]);
  assert.ok(gapsOf(both.client).length > 0, 'there is no gap');
}

test('a client that reads half of what it is sent loses frames and keeps its stream', async () => {
  const node = await start({ heartbeatMs: IMPATIENT_MS });
  await readSlowly(node.url, node.addStream, node.addStream('stm_2'));
  assert.equal(node.endings.size, 0);
});

test('a client that reads half of what it is sent keeps its stream behind another node as well', async () => {
  const { holder, addStream } = await startPair({ heartbeatMs: IMPATIENT_MS });
  const { origin } = new URL(addStream('stm_0'));
  await readSlowly(origin, addStream, holder.addStream('stm_2'));
  assert.equal(holder.endings.size, 0);
});

test('a client that is 300 ms away misses nothing', async () => {
  const node = await start();
  const link = await startBadLink(node.url, { delayMs: 150 });
  closers.push(link.close);
  const client = openMediaClient(node.addStream('stm_1').replace(node.url, link.url));
  await reach(client, 200);
  assert.deepEqual(gapsOf(client), []);
});
