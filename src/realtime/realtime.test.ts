import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { connectBareClient } from '../../test/support/bare-realtime-client.ts';
import { type Harness, useHarness } from '../../test/support/harness.ts';
import { until } from '../../test/support/http-target.ts';
import { makeTenant } from '../../test/support/numbers.ts';
import { skipWhile } from '../../test/support/stepping-time.ts';
import { expireKeyById, listLedgers, revokeKeyById } from '../domain/accounts/index.ts';
import { emitEvent, emitEvents, type NewEvent } from '../domain/events/index.ts';
import { endsWithin } from '../lib/concurrency/ends-within.ts';
import { now } from '../lib/time/time.ts';
import { UNREAD_BYTES_MAX } from './event-socket.ts';

type Received = { id: string; tenant_id: string | null; sequence: number; data: { n: number } };

let nowMs = now();
const clock = { now: () => nowMs };
const here = await useHarness({ clock, startWorkers: false });
/** Another process on the same database. */
const there = await useHarness({ clock, startWorkers: false, databaseUrl: here.databaseUrl });

/** Connects a client and keeps its received messages. */
async function listen(token: string, harness = here) {
  const socket = new WebSocket(`${harness.url.replace('http', 'ws')}/v1/realtime?token=${token}`);
  const texts: string[] = [];
  socket.on('message', (message, isBinary) => {
    assert.equal(isBinary, false);
    texts.push(String(message));
  });
  const closed = once(socket, 'close').then(([code]) => code as number);
  await once(socket, 'open');
  const events = () => texts.map((text) => JSON.parse(text) as Received);
  return { socket, texts, events, closed };
}

async function mint(key?: string, harness = here): Promise<string> {
  const reply = await harness.call('POST', '/v1/realtime/tokens', key === undefined ? {} : { key });
  assert.equal(reply.status, 201);
  return reply.body.token;
}

async function ledgerId(mode: 'test' | 'live' = 'test', accountId = here.account.id): Promise<number> {
  const ledgers = await listLedgers(here.context.db, accountId);
  return ledgers.find((ledger) => ledger.mode === mode)?.id as number;
}

let count = 0;
function newEvent(fields: Partial<NewEvent> = {}): NewEvent {
  const n = ++count;
  return {
    type: 'message.received',
    tenantId: null,
    resourceId: `msg_${n}`,
    data: { object: 'message', n },
    ...fields,
  };
}

/** Commits one event, by default in the test ledger of the first account. */
async function emit(fields: Partial<NewEvent> = {}, { harness = here, ledger = 0 } = {}) {
  const id = ledger === 0 ? await ledgerId() : ledger;
  return harness.context.db.transaction((tx) => emitEvent(tx, id, newEvent(fields)));
}

test('a token comes with the address of the socket and expires after one hour', async () => {
  const reply = await here.call('POST', '/v1/realtime/tokens');
  assert.equal(reply.status, 201);
  assert.match(reply.body.token, /^svcrt_/);
  assert.equal(reply.body.object, 'realtime_token');
  assert.equal(reply.body.url, 'ws://localhost/v1/realtime');
  assert.equal(Date.parse(reply.body.expires_at), Math.floor(nowMs / 1000) * 1000 + 3_600_000);
});

test('a token of a key that a rotation replaces expires with the key, not after an hour', async () => {
  const { id, key } = await keyNamed('to rotate');
  await mint(key);
  const rotated = await here.call('POST', `/v1/api_keys/${id}/rotate`, { body: { expires_in_seconds: 8 } });
  assert.equal(rotated.status, 201);
  const { data } = (await here.call('GET', '/v1/api_keys')).body;
  const { expires_at: ends } = data.find((each: { id: string }) => each.id === id);
  const old = await here.call('POST', '/v1/realtime/tokens', { key });
  assert.equal(old.body.expires_at, ends);
  const fresh = await here.call('POST', '/v1/realtime/tokens', { key: rotated.body.key });
  assert.equal(Date.parse(fresh.body.expires_at), Math.floor(nowMs / 1000) * 1000 + 3_600_000);
});

test('a request with the same Idempotency-Key gets the first token again', async () => {
  const options = { headers: { 'idempotency-key': 'same' } };
  const first = await here.call('POST', '/v1/realtime/tokens', options);
  const second = await here.call('POST', '/v1/realtime/tokens', options);
  assert.equal(second.body.token, first.body.token);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
});

test('a committed event arrives as the exact bytes of its envelope', async () => {
  const client = await listen(await mint());
  const envelope = await emit();
  await until(() => client.texts.length === 1);
  assert.equal(client.texts[0], JSON.stringify(envelope));
  client.socket.close();
});

test('an event that is rolled back never arrives', async () => {
  const client = await listen(await mint());
  const id = await ledgerId();
  const failed = here.context.db.transaction(async (tx) => {
    await emitEvent(tx, id, newEvent({ data: { object: 'message', n: -1 } }));
    throw new Error('rolled back');
  });
  await assert.rejects(failed, /rolled back/);
  const marker = await emit();
  await until(() => client.texts.length > 0);
  assert.deepEqual(
    client.events().map((event) => event.id),
    [marker.id],
  );
  client.socket.close();
});

test("a tenant's token receives that tenant's events only, and none of the account itself", async () => {
  const one = await here.call('POST', '/v1/tenants', { body: { name: 'One' } });
  const two = await here.call('POST', '/v1/tenants', { body: { name: 'Two' } });
  const client = await listen(await mint(await here.tenantKey(one.body.id)));
  const whole = await listen(await mint());
  await emit({ tenantId: two.body.id });
  await emit({ tenantId: null });
  const own = await emit({ tenantId: one.body.id });
  await until(() => client.texts.length > 0 && whole.texts.length === 3);
  assert.deepEqual(
    client.events().map((event) => event.id),
    [own.id],
  );
  for (const { socket } of [client, whole]) socket.close();
});

test("an account's key mints a token for the events of one tenant", async () => {
  const [one, two] = [await makeTenant(here), await makeTenant(here)];
  const tokenOf = (tenant_id: string, key = here.account.test_key) =>
    here.call('POST', '/v1/realtime/tokens', { key, body: { tenant_id } });
  const client = await listen((await tokenOf(one)).body.token);
  await emit({ tenantId: two });
  await emit();
  const own = await emit({ tenantId: one });
  await until(() => client.texts.length > 0);
  assert.deepEqual(
    client.events().map((event) => event.id),
    [own.id],
  );
  client.socket.close();
  assert.equal((await tokenOf('tnt_none')).body.error.code, 'tenant_not_found');
  const key = await here.tenantKey(one);
  assert.equal((await tokenOf(one, key)).status, 201);
  assert.equal((await tokenOf(two, key)).body.error.code, 'tenant_restricted_key');
});

test('two tokens of one second differ', async () => {
  assert.notEqual(await mint(), await mint());
});

test('events of another account and of the other mode never arrive', async () => {
  const other = await here.secondAccount();
  const client = await listen(await mint());
  await emit({}, { ledger: await ledgerId('live') });
  await emit({}, { ledger: await ledgerId('test', other.id) });
  const own = await emit();
  await until(() => client.texts.length > 0);
  assert.deepEqual(
    client.events().map((event) => event.id),
    [own.id],
  );
  client.socket.close();
});

test('an event of any size arrives complete', async () => {
  const client = await listen(await mint());
  const texts = [10, 100, 40_000, 70_000].map((length) => 'é'.repeat(length));
  for (const text of texts) await emit({ data: { object: 'message', text } });
  await until(() => client.texts.length === texts.length);
  const lengths = client.texts.map((text) => (JSON.parse(text).data.text as string).length);
  assert.deepEqual(lengths, [10, 100, 40_000, 70_000]);
  client.socket.close();
});

test('events of another process arrive once each', async () => {
  const token = await mint();
  const client = await listen(token);
  const remote = await listen(token, there);
  const id = await ledgerId();
  const sent: string[] = [];
  const emitShared = async (harness: Harness, count: number) => {
    const events = Array.from({ length: count }, () => newEvent({ resourceId: 'msg_shared' }));
    const envelopes = await harness.context.db.transaction((tx) => emitEvents(tx, id, events));
    sent.push(...envelopes.map((envelope) => JSON.stringify(envelope)));
  };
  for (let round = 0; round < 20; round++) await emitShared(round % 2 === 0 ? here : there, 40);
  for (const { texts } of [client, remote]) await until(() => sent.every((text) => texts.includes(text)));
  // A repeated event would arrive before these.
  await emitShared(here, 1);
  await emitShared(there, 1);
  for (const { socket, texts } of [client, remote]) {
    await until(() => sent.every((text) => texts.includes(text)));
    // An event of an earlier test may still be on its way to the other process.
    const shared = texts.filter((text) => text.includes('"resource_id":"msg_shared"'));
    assert.deepEqual(shared.toSorted(), sent.toSorted());
    socket.close();
  }
});

test('a repeated notification delivers its events once', async () => {
  const client = await listen(await mint());
  const envelope = await emit({}, { harness: there });
  await until(() => client.texts.length === 1);
  there.context.bus.publish('events', `${await ledgerId()}:${envelope.id.slice(4)}`);
  const marker = await emit({}, { harness: there });
  await until(() => client.texts.length > 1);
  assert.deepEqual(
    client.events().map((event) => event.id),
    [envelope.id, marker.id],
  );
  client.socket.close();
});

for (const [name, token] of Object.entries({
  'without a token': '',
  'with an API key': 'svc_test_00000000000000000000000000000000',
  'with a forged token': 'svcrt_eyJleHAiOjk5OTk5OTk5OTksImNsYWltcyI6eyJsZWRnZXIiOjEsInRlbmFudCI6bnVsbH19.AAAA',
})) {
  test(`a socket ${name} is closed with 4401 after the handshake`, async () => {
    const client = await listen(token);
    assert.equal(await client.closed, 4401);
  });
}

test('a socket is closed with 4408 after one hour, and its token is no longer valid', async () => {
  const token = await mint();
  const client = await listen(token);
  nowMs += 3_599_000;
  const last = await emit();
  await until(() => client.texts.length === 1);
  assert.equal(client.events()[0]?.id, last.id);
  nowMs += 1_000;
  assert.equal(await client.closed, 4408);
  assert.equal(await (await listen(token)).closed, 4401);
});

/** Returns a client that has completed the handshake and reads nothing after it. */
async function openUnread(token: string): Promise<Socket> {
  const socket = connectBareClient(new URL(here.url), token);
  await once(socket, 'readable');
  assert.match(String(socket.read(12)), /101/);
  socket.pause();
  return socket;
}

test('a client that stops reading is closed with 4429, and other clients lose nothing', async () => {
  const token = await mint();
  const unread = await openUnread(token);
  const client = await listen(token);
  const before = await openSockets();
  const text = 'x'.repeat(UNREAD_BYTES_MAX / 4);
  let sent = 0;
  while ((await openSockets()) === before) {
    await emit({ data: { object: 'message', text } });
    sent++;
    await until(() => client.texts.length === sent);
    assert.ok(sent < 200, 'the socket was not closed after 200 events');
  }
  let tail = Buffer.alloc(0);
  unread.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-100);
  });
  unread.resume();
  await until(() => tail.includes(Buffer.concat([Buffer.from([0x11, 0x4d]), Buffer.from('reading too slowly')])));
  unread.destroy();
  assert.equal(client.socket.readyState, WebSocket.OPEN);
  client.socket.close();
});

async function openSockets(): Promise<number> {
  return (await here.context.metrics.realtimeSockets.get()).values[0]?.value ?? 0;
}

test('messages of a client have no effect, and a large one closes its socket', async () => {
  const client = await listen(await mint());
  client.socket.send('{"subscribe":"everything"}');
  const own = await emit();
  await until(() => client.texts.length === 1);
  assert.equal(client.events()[0]?.id, own.id);
  client.socket.send('x'.repeat(2_000));
  assert.equal(await client.closed, 1009);
});

test('a request that is not a handshake gets upgrade_required, with or without a key', async () => {
  const { token } = (await here.call('POST', '/v1/realtime/tokens')).body;
  for (const [path, key] of [
    ['/v1/realtime', null],
    [`/v1/realtime?token=${token}`, null],
    ['/v1/realtime', here.account.test_key],
  ] as const) {
    const reply = await here.call('GET', path, { key });
    assert.equal(reply.status, 426);
    assert.equal(reply.body.error.code, 'upgrade_required');
    assert.equal(reply.headers.get('upgrade'), 'websocket');
  }
});

async function keyNamed(name: string): Promise<{ id: string; key: string }> {
  const reply = await here.call('POST', '/v1/api_keys', { body: { name } });
  assert.equal(reply.status, 201);
  return reply.body;
}

test('revoking a key over the API ends its sockets and tokens on every process, and no others', async () => {
  const { id, key } = await keyNamed('to revoke');
  const token = await mint(key);
  const clients = [await listen(token), await listen(token, there)];
  const kept = await listen(await mint());
  assert.equal((await here.call('DELETE', `/v1/api_keys/${id}`)).status, 204);
  for (const client of clients) assert.equal(await within(5_000, client.closed), 4401);
  for (const harness of [here, there]) {
    const late = await listen(token, harness);
    await emit();
    assert.equal(await within(5_000, late.closed), 4401);
    assert.deepEqual(late.texts, []);
  }
  const own = await emit();
  await until(() => kept.events().some(({ id: seen }) => seen === own.id));
  kept.socket.close();
});

test('a key that ends without a notification ends its sockets within five seconds', async () => {
  for (const end of [
    (id: string) => revokeKeyById(here.context.db, id),
    (id: string) => expireKeyById(here.context.db, id, 0),
  ]) {
    const { id, key } = await keyNamed('to end');
    const token = await mint(key);
    const client = await listen(token);
    await end(id);
    assert.equal(await within(5_000, client.closed), 4401);
    assert.equal(await within(5_000, (await listen(token, there)).closed), 4401);
  }
});

async function within<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  assert.ok(await skipWhile(endsWithin(promise, limitMs), limitMs), `no result within ${limitMs} ms`);
  return await promise;
}

test('a handshake on another path gets the response of an ordinary request', async () => {
  const socket = new WebSocket(`${here.url.replace('http', 'ws')}/nothing/here`);
  const [, response] = await once(socket, 'unexpected-response');
  assert.equal(response.statusCode, 404);
  socket.on('error', () => undefined);
  socket.terminate();
});

test('a request that offers another protocol gets its response over HTTP/1.1', async () => {
  const { port } = new URL(here.url);
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
  socket.write('GET /v1/tenants HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
  const [chunk] = await once(socket, 'data');
  assert.match(String(chunk), /^HTTP\/1\.1 401 /);
  socket.destroy();
});
