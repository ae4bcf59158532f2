import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { after } from '../../src/lib/time/time.ts';
import { changesSince, readState, unendedWork } from './process-state.ts';
import '../../test/support/stepping-time.ts';

test('a process that was changed and restored has no changes', async () => {
  const before = readState();
  process.env['DIALPLANE_LEFT'] = 'x';
  delete process.env['DIALPLANE_LEFT'];
  const server = createServer().listen(0);
  await once(server, 'listening');
  server.close();
  assert.deepEqual(await changesSince(before), []);
});

test('a reply whose body was not read is no change once its server has closed', async () => {
  const before = readState();
  // More than the client reads ahead, so that it does not see the end of the connection.
  const server = createHttpServer((_request, reply) => void reply.end(Buffer.alloc(2 ** 18))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  let reply: Response | undefined = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.closeAllConnections();
  server.close();
  assert.equal(reply.status, 200);
  assert.ok((await changesSince(before, 1_500)).includes('1 TCPSocketWrap left open'));
  reply = undefined;
  assert.deepEqual(await changesSince(before), []);
});

test('each kind of change is named: environment, working folder, global, replaced function', async () => {
  const before = readState();
  const folder = process.cwd();
  const { now } = Date;
  process.env['DIALPLANE_LEFT'] = 'x';
  process.chdir('..');
  Object.assign(globalThis, { left: Number.NaN });
  Date.now = () => 0;
  const changes = await changesSince(before, 0);
  const changed = process.cwd();
  process.chdir(folder);
  Date.now = now;
  delete process.env['DIALPLANE_LEFT'];
  Reflect.deleteProperty(globalThis, 'left');
  assert.deepEqual(changes.sort(), [
    'the environment variable DIALPLANE_LEFT changed',
    'the global Date.now changed',
    'the global left changed',
    `the working folder is ${changed}`,
  ]);
  assert.deepEqual(await changesSince(before), []);
});

test('a listener of the process is named with its code', async () => {
  const before = readState();
  const listener = () => 'from a test';
  process.once('SIGUSR2', listener);
  const changes = await changesSince(before, 0);
  process.off('SIGUSR2', listener);
  assert.deepEqual(changes, ["process listens for SIGUSR2: () => 'from a test'"]);
});

test('what keeps the process alive is counted by kind', async () => {
  const before = readState();
  const server = createServer().listen(0);
  const timers = [setTimeout(() => undefined, 60_000), setInterval(() => undefined, 60_000)];
  // The timer does not keep the process alive.
  setTimeout(() => undefined, 60_000).unref();
  await once(server, 'listening');
  const changes = await changesSince(before, 0);
  server.close();
  for (const timer of timers) clearTimeout(timer);
  // Loops that earlier files of this process left behind may have a timer too.
  const timersOpen = changes.find((line) => line.endsWith('Timeout left open')) ?? '';
  assert.ok(Number.parseInt(timersOpen, 10) >= 2, `${changes}`);
  assert.ok(changes.includes('1 TCPServerWrap left open'), `${changes}`);
  assert.deepEqual(await changesSince(before), []);
});

test('an Immediate is no leftover, because it runs in this turn', async () => {
  const before = readState();
  const ran = new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(await changesSince(before, 0), []);
  await ran;
});

test('a timer is shown with its delay and with what it calls', async () => {
  const before = readState();
  const timer = setTimeout(() => assert.fail('a test left it behind'), 61_234);
  const timerOfProduct = after(61_236, () => assert.fail('the product left it behind'));
  const ended = setTimeout(() => undefined, 61_235);
  clearTimeout(ended);
  const changes = await changesSince(before, 0);
  clearTimeout(timer);
  timerOfProduct.cancel();
  assert.ok(changes.includes('2 Timeout left open'), `${changes}`);
  const shown = changes.filter((line) => line.includes('of 6123'));
  assert.deepEqual(shown, [
    "1 Timeout of 61234 ms calls () => assert.fail('a test left it behind')",
    "1 Timeout of 61236 ms calls () => assert.fail('the product left it behind')",
  ]);
});

test('work that ends while sockets close is no leftover', async () => {
  const looks = [['bytes between sockets'], ['bytes between sockets'], []];
  assert.deepEqual(await unendedWork(() => looks.shift() ?? []), []);
  assert.deepEqual(await unendedWork(() => ['1 statement'], 0), ['1 statement']);
});
