/** Two commands follow a server that stops and starts again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere } from '../../../test/support/cli-process.ts';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { cloneDatabase } from '../../../test/support/database.ts';
import { startHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { makeLine, makeTenant } from '../../../test/support/numbers.ts';
import { freePort } from '../../../test/support/ports.ts';
import { useReceiver } from '../../../test/support/receiver.ts';
import { startCommandHere } from '../../../test/support/running-command.ts';

const database = await cloneDatabase();
closeAfterTests(() => database.drop());
const port = await freePort();
const startServer = (at: number) => startHarness({ databaseUrl: database.url, port: at, serveMedia: false });
let server = await startServer(port);
closeAfterTests(() => server.close());
const { url, account } = server;
const { number } = await makeLine(server);
const receiver = await useReceiver();
const access = ['--url', url, '--key', account.test_key];

async function textIn(body: string): Promise<void> {
  const text = { from: '+16025550143', to: number.phone_number, body };
  const reply = await server.call('POST', '/v1/test/inbound_messages', { key: account.test_key, body: text });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
}

const bodies = () => receiver.received.map(({ event }) => event.data['body']);

test('listen and logs go on after the server was away, without losing anything', async () => {
  const listening = startCommandHere([
    'listen',
    '--forward-to',
    receiver.url,
    '--events',
    'message.received',
    ...access,
  ]);
  const logs = startCommandHere([
    'logs',
    '--follow',
    '--last',
    '0',
    '--path',
    '/test/inbound_messages',
    '--json',
    ...access,
  ]);
  await until('both follow', () => listening.out.length > 0 && logs.err.length > 0, 30_000);
  await textIn('before');
  await until('the first arrives', () => bodies().length === 1 && logs.out.length === 1);
  await server.close();
  await until('both say that it is away', () => listening.err.length === 2 && logs.err.length === 2, 20_000);
  for (const { err } of [listening, logs]) assert.match(String(err[1]), /^http\S+ does not answer: .*Trying again\.$/);
  // The server starts at another port and an event happens there. Neither command can see it.
  server = await startServer(await freePort());
  await textIn('while away');
  await server.close();
  server = await startServer(port);
  await until('both say that it is back', () => listening.err.length === 3 && logs.err.length === 3, 20_000);
  for (const { err } of [listening, logs]) assert.match(String(err[2]), /answers again/);
  await textIn('after');
  await until('all have arrived', () => bodies().length >= 3 && logs.out.length >= 3);
  assert.deepEqual(bodies(), ['before', 'while away', 'after']);
  assert.equal(new Set(logs.out.map((line) => JSON.parse(line).id)).size, 3);
  assert.deepEqual([await listening.stop(), await logs.stop()], [0, 0]);
});

test('listen goes on after a reset of the test ledger', async () => {
  const listening = startCommandHere(['listen', '--forward-to', receiver.url, '--events', 'opt_out.*', ...access]);
  await until('it listens', () => listening.out.length > 0, 30_000);
  const before = receiver.received.length;
  assert.equal((await server.call('POST', '/v1/test/reset', { key: account.test_key })).status, 200);
  const tenantId = await makeTenant(server, account.test_key);
  const optOut = { tenant_id: tenantId, external_number: '+16025550143' };
  await server.call('POST', '/v1/opt_outs', { key: account.test_key, body: optOut });
  await until('the event arrives', () => receiver.received.length > before);
  assert.equal(receiver.received.at(-1)?.event.data['tenant_id'], tenantId);
  assert.equal(await listening.stop(), 0);
});

test('a server that is away at the start ends the command with a sentence', async () => {
  const nobody = ['--url', `http://127.0.0.1:${await freePort()}`, '--key', account.test_key];
  for (const words of [['logs'], ['listen', '--forward-to', '3000']]) {
    const { code, err } = await runHere([...words, ...nobody], {});
    assert.equal(code, 1);
    assert.match(err, /^http:\/\/127\.0\.0\.1:\d+ does not answer: /);
  }
});
