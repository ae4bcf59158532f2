import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { fastify } from 'fastify';
import { until } from '../../../test/support/http-target.ts';
import type { Scope } from '../../lib/scope.ts';
import { monotonicMs, after as schedule } from '../../lib/time/time.ts';
import type { Api } from '../edge/types.ts';
import { type ConnectionLimits, limitConnections } from './connection-limits.ts';

/** More bytes than the buffers of two loopback sockets can hold. */
const BIG = 'x'.repeat(16 * 1024 * 1024);
/** The length of the `end` that `readAll` passes to its condition. */
const END_CHARS = 16;

const apps: Api[] = [];
const clients: Socket[] = [];

after(async () => {
  for (const client of clients) client.destroy();
  for (const app of apps) await app.close();
});

async function serve(limits: Partial<ConnectionLimits>) {
  const app = fastify({ forceCloseConnections: true }) as unknown as Api;
  apps.push(app);
  const state = { made: 0, running: 0, most: 0, open: 0, release: (): void => undefined };
  limitConnections(app, { shareBytesMax: Number.POSITIVE_INFINITY, ...limits });
  app.addHook('onRequest', (request, _reply, done) => {
    const { key } = request.headers as { key?: string };
    if (key !== undefined) request.scope = { keyId: key } as Scope;
    done();
  });
  app.get('/streamed', () => {
    state.made++;
    return Readable.from(Array(256).fill(BIG.slice(0, 65_536)));
  });
  app.get('/big', async () => {
    state.made++;
    return BIG;
  });
  app.get('/small', async () => {
    state.most = Math.max(state.most, ++state.running);
    await new Promise((resolve) => setImmediate(resolve));
    state.running--;
    state.made++;
    return `small ${state.made}.`;
  });
  app.get('/held', () => {
    state.made++;
    return new Promise((resolve) => {
      state.release = () => resolve('held.');
    });
  });
  app.server.on('connection', (socket) => {
    state.open++;
    socket.once('close', () => state.open--);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { state, port };
}

/** A client that sends its requests in one write, and reads when the test resumes it. */
async function ask(port: number, paths: readonly string[], key = 'one'): Promise<Socket> {
  const client = connect({ port, host: '127.0.0.1' });
  clients.push(client);
  client.on('error', () => undefined);
  await once(client, 'connect');
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nKey: ${key}\r\n\r\n`).join(''));
  return client;
}

/** Reads until the condition is true. The condition gets the whole text so far, and its end. */
async function readAll(client: Socket, until: (text: string, end: string) => boolean): Promise<string> {
  let [text, end] = ['', ''];
  for await (const chunk of client) {
    text += chunk;
    // Slicing `text` for each chunk would copy all of it, so the end is stored separately.
    end = `${end}${chunk}`.slice(-END_CHARS);
    if (until(text, end)) break;
  }
  return text;
}

test('a client that reads nothing has one reply made, however many requests it sent', async () => {
  const { state, port } = await serve({});
  await ask(port, Array(50).fill('/big'));
  const other = await ask(port, Array(20).fill('/small'));
  await readAll(other, (text) => text.includes('small 21.'));
  assert.equal(state.made, 21);
});

test('requests of one connection run one after another and are answered in order', async () => {
  const { state, port } = await serve({});
  const client = await ask(port, Array(30).fill('/small'));
  const text = await readAll(client, (all) => all.includes('small 30.'));
  const numbers = [...text.matchAll(/small (\d+)\./g)].map(([, n]) => Number(n));
  assert.deepEqual(
    numbers,
    [...numbers].sort((a, b) => a - b),
  );
  assert.equal(state.most, 1);
});

test('a connection with too many waiting requests is closed, and these are not started', async () => {
  const { state, port } = await serve({ waitingMax: 5 });
  const fits = await ask(port, ['/held', ...Array(5).fill('/small')]);
  await until(() => state.made === 1);
  state.release();
  await readAll(fits, (text) => text.includes('small 6.'));
  await ask(port, ['/held', ...Array(6).fill('/small')]);
  await until(() => state.made === 7 && state.open === 0);
  state.release();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(state.made, 7);
});

test('waiting requests of a closed connection are not started', async () => {
  const { state, port } = await serve({});
  const client = await ask(port, ['/held', '/small']);
  await until(() => state.made === 1);
  client.destroy();
  await until(() => state.open === 0);
  state.release();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(state.made, 1);
});

test('a client that reads nothing of a reply loses its connection', async () => {
  const { state, port } = await serve({ stalledMs: 200 });
  await ask(port, ['/big']);
  await until(() => state.made === 1);
  await until(() => state.open === 0);
});

test('a handler may take longer than a reply may stall, also behind another request', async () => {
  const { state, port } = await serve({ stalledMs: 200 });
  const client = await ask(port, ['/small', '/held']);
  await until(() => state.made === 2);
  await ask(port, ['/big']);
  await until(() => state.open === 2);
  await until(() => state.open === 1);
  state.release();
  assert.match(await readAll(client, (text) => text.includes('held.')), /held\./);
});

test('a slow reader and a slow handler do not count as stalled', async () => {
  const { state, port } = await serve({ stalledMs: 2_000 });
  const slow = await ask(port, ['/big']);
  const held = await ask(port, ['/held']);
  const startedMs = monotonicMs();
  let bytes = 0;
  slow.on('data', (chunk) => {
    bytes += chunk.length;
    slow.pause();
    schedule(12, () => slow.resume());
  });
  await until(() => bytes > BIG.length, 60_000);
  assert.ok(monotonicMs() - startedMs > 2_000);
  state.release();
  assert.match(await readAll(held, (text) => text.includes('held.')), /held\./);
});

test('with too many unread bytes in all, the oldest reply is cut off and the newest is made', async () => {
  const { state, port } = await serve({ unreadBytesMax: BIG.length * 2.5 });
  const first = await ask(port, ['/big']);
  await until(() => state.made === 1);
  const others = [await ask(port, ['/big']), await ask(port, ['/big'])];
  await until(() => state.made === 3);
  await until(() => state.open === 2);
  for (const client of others) {
    assert.ok((await readAll(client, (text) => text.length > BIG.length)).length > BIG.length);
  }
  const taken = await readAll(first, () => false).catch((error) => error.code);
  assert.ok(taken === 'ECONNRESET' || taken.length < BIG.length);
  // Only unread bytes count. One reply may stay unread while other replies are made and read.
  const late = await ask(port, ['/big']);
  await until(() => state.made === 4);
  for (let n = 0; n < 3; n++) {
    await readAll(await ask(port, ['/big']), (text) => text.length > BIG.length);
  }
  assert.ok((await readAll(late, (text) => text.length > BIG.length)).length > BIG.length);
});

/** Reads until the connection ends. @returns the bytes that arrived */
async function bytesOf(client: Socket): Promise<number> {
  let bytes = 0;
  client.on('data', (chunk) => {
    bytes += chunk.length;
  });
  if (!client.closed) await once(client, 'close');
  return bytes;
}

test('beyond the total a client that owes more is cut off, and not an older reply of a client that owes less', async () => {
  const { state, port } = await serve({ unreadBytesMax: BIG.length * 3.5 });
  const honest = await ask(port, ['/big'], 'honest');
  await until(() => state.made === 1);
  const greedy = [await ask(port, ['/big'], 'greedy'), await ask(port, ['/big'], 'greedy')];
  await until(() => state.made === 3);
  await ask(port, ['/big'], 'third');
  await until(() => state.made === 4 && state.open === 3);
  assert.ok((await bytesOf(greedy[0] as Socket)) < BIG.length);
  assert.ok((await readAll(honest, (text) => text.length > BIG.length)).length > BIG.length);
});

test('a key beyond its share loses its own oldest reply', async () => {
  const { state, port } = await serve({ shareBytesMax: BIG.length * 2.5 });
  const honest = await ask(port, ['/big'], 'honest');
  await until(() => state.made === 1);
  // Both keys have one address. If the address exceeds its share, the key with the most unread bytes loses a
  // connection.
  const greedy: Socket[] = [];
  for (let n = 0; n < 3; n++) {
    greedy.push(await ask(port, ['/big'], 'greedy'));
    await until(() => state.made === n + 2);
  }
  await until(() => state.open === 2);
  for (const client of greedy.slice(0, 2)) assert.ok((await bytesOf(client)) < BIG.length);
  assert.ok((await readAll(honest, (text) => text.length > BIG.length)).length > BIG.length);
});

test('a streamed reply is never cut off for unread bytes, its own or those of others', async () => {
  const { state, port } = await serve({ unreadBytesMax: BIG.length * 1.5, shareBytesMax: BIG.length * 1.5 });
  const streamed = await ask(port, ['/streamed']);
  await until(() => state.made === 1);
  for (let n = 0; n < 4; n++) {
    await ask(port, ['/big']);
    await until(() => state.made === n + 2);
  }
  await until(() => state.open === 2);
  assert.ok((await readAll(streamed, (_, end) => end.endsWith('0\r\n\r\n'))).length > BIG.length);
});
