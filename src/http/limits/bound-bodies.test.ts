import assert from 'node:assert/strict';
import net, { type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'node:test';
import fastify from 'fastify';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { gate } from '../../../test/support/jobs.ts';
import { sleep } from '../../../test/support/stepping-time.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { createErrorHandler } from '../edge/error-handler.ts';
import type { Api } from '../edge/types.ts';
import { boundBodies } from './bound-bodies.ts';
import { watchBody } from './watched-body.ts';

const KIB = 1024;
const metrics = createMetrics();
const app = fastify() as unknown as Api;
/** The look-up of the key waits for this promise. */
let keyIsFound: Promise<unknown> = Promise.resolve();
let lookUp = Promise.withResolvers<net.Socket>();
let lookupsEnded = 0;
app.decorateRequest('scope', null as never);
app.setErrorHandler(createErrorHandler('http://localhost'));
app.addHook('onRequest', async (request) => {
  const { account } = request.headers;
  if (account === undefined) return;
  lookUp.resolve(request.raw.socket);
  await keyIsFound;
  Object.assign(request, { scope: { accountId: account } });
  lookupsEnded++;
});
boundBodies(app, metrics, {
  admission: { totalBytesMax: 800 * KIB, accountBytesMax: 200 * KIB, waitingMax: 10, waitMs: 15_000 },
  unverified: { totalBytesMax: 800 * KIB, addressBytesMax: 400 * KIB, connectionBytesMax: 200 * KIB },
});
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
const config = {
  findFirst: async ({ params }: { params: unknown }) => {
    if ((params as { id: string }).id === 'none') throw new ApiError('not_found');
  },
};
const bytesOf = async ({ body }: { body: unknown }) => ({ bytes: (body as Buffer | undefined)?.length });
app.post('/files/:id', { bodyLimit: 200 * KIB, config }, bytesOf);
const reports = { bodyLimit: 200 * KIB, config: { carrierReports: true as const } };
app.post('/reports/:connection', reports, bytesOf);
await app.listen({ host: '127.0.0.1', port: 0 });
closeAfterTests(() => app.close());
const { port } = app.server.address() as AddressInfo;

const clients: net.Socket[] = [];
closeAfterTests(() => {
  for (const client of clients) client.destroy();
});

/** Sends the head of a request, and the given part of its body. */
function begin(path: string, headers: Record<string, string | number>, body: Buffer = Buffer.alloc(0)): net.Socket {
  const client = net.connect(port, '127.0.0.1');
  clients.push(client);
  client.on('error', () => undefined);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  client.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: a/b\r\nConnection: close\r\n${lines.join('')}\r\n`);
  client.write(body);
  return client;
}

/** Returns the bytes that arrive before the connection ends. The text is empty if the connection is cut. */
const replyOf = (client: net.Socket): Promise<string> => text(client).catch(() => '');

const send = (path: string, account: string | null, bytes: number) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'a/b', ...(account !== null && { account }) },
    body: Buffer.alloc(bytes),
  });

async function refusedFor(reason: string): Promise<number> {
  const { values } = await metrics.bodiesRefused.get();
  return values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
}

/** Waits until the condition is true. Checks it in each turn of the event loop. */
async function turnsUntil(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

test('clients that leave while their key is looked up hold no share', async () => {
  for (let round = 0; round < 4; round++) {
    const found = gate();
    keyIsFound = found.opened;
    const endedBefore = lookupsEnded;
    lookUp = Promise.withResolvers();
    const client = begin('/files/1', { account: 'leaver', 'content-length': 200 * KIB });
    const connection = await lookUp.promise;
    const closed = new Promise((resolve) => connection.once('close', resolve));
    client.destroy();
    await closed;
    found.open();
    await turnsUntil(() => lookupsEnded > endedBefore);
  }
  keyIsFound = Promise.resolve();
  const reply = await send('/files/1', 'leaver', 200 * KIB);
  assert.deepEqual([reply.status, await reply.json()], [200, { bytes: 200 * KIB }]);
});

test('slow bodies of one account stop no other account, and are cut off', async () => {
  const before = lookupsEnded;
  const slow = [1, 2, 3, 4].map(() => begin('/files/1', { account: 'slow', 'content-length': 200 * KIB }));
  await turnsUntil(() => lookupsEnded >= before + 4);
  assert.equal((await send('/files/1', 'other', 200 * KIB)).status, 200);
  const replies = slow.map((client) => replyOf(client));
  await sleep(8_000);
  assert.match(await (replies[0] as Promise<string>), /^HTTP\/1\.1 400 .*arrived too slowly/s);
  assert.equal(await refusedFor('slow'), 1);
  for (const client of slow) client.destroy();
});

test('a chunked body is counted as the longest that its route takes, and must arrive at the rate', async () => {
  const before = lookupsEnded;
  const client = begin('/files/1', { account: 'chunked', 'transfer-encoding': 'chunked' }, Buffer.from('1\r\nx\r\n'));
  await turnsUntil(() => lookupsEnded > before);
  const reply = replyOf(client);
  await sleep(8_000);
  assert.match(await reply, /^HTTP\/1\.1 400 .*arrived too slowly/s);
});

test('a large body without a known sender must arrive at the rate too', async () => {
  const before = await refusedFor('slow');
  const client = begin('/reports/ccn_slow', { 'content-length': 150 * KIB }, Buffer.alloc(KIB));
  const reply = replyOf(client);
  await sleep(8_000);
  assert.equal(await refusedFor('slow'), before + 1);
  assert.match(await reply, /^HTTP\/1\.1 400 .*arrived too slowly/s);
});

test('a body that was late at one check, and has arrived at the next, is read', async () => {
  const raw = new PassThrough();
  const late: number[] = [];
  const rate = { bytesPerS: 16 * KIB, graceMs: 4_500 };
  const { stream } = watchBody(raw, { rate, onSlow: () => late.push(1) });
  // The check after 5 seconds finds no byte. The next check finds all bytes that are due.
  await sleep(5_500);
  raw.end(Buffer.alloc(100 * KIB));
  assert.equal((await buffer(stream)).length, 100 * KIB);
  await sleep(2_000);
  assert.deepEqual(late, []);
});

test('a large body to a resource that does not exist is refused before it arrives', async () => {
  const client = begin('/files/none', { account: 'a', 'content-length': 200 * KIB });
  assert.match(await replyOf(client), /^HTTP\/1\.1 404 /);
});

test('bodies without a known sender are bounded by carrier connection, and the reports of others arrive', async () => {
  const half = () => begin('/reports/ccn_1', { 'content-length': 150 * KIB }, Buffer.alloc(100 * KIB + 1));
  const held = [half(), half()];
  const first = await Promise.race(held.map((client) => replyOf(client)));
  assert.match(first, /^HTTP\/1\.1 503 .*retry-after: 1.*carrier_unavailable/is);
  assert.equal(await refusedFor('unverified_connection'), 1);
  assert.equal((await send('/reports/ccn_2', null, 50 * KIB)).status, 200);
  for (const client of held) client.destroy();
});

test('bodies without a known sender are bounded by address', async () => {
  const before = await refusedFor('unverified_address');
  const half = () => begin('/files/1', { 'content-length': 190 * KIB }, Buffer.alloc(150 * KIB));
  const held = [half(), half(), half()];
  assert.match(await Promise.race(held.map((client) => replyOf(client))), /^HTTP\/1\.1 429 .*rate_limited/s);
  assert.equal(await refusedFor('unverified_address'), before + 1);
  for (const client of held) client.destroy();
});
