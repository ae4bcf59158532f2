/** Sockets and messages of cells. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { WebSocket } from 'ws';
import { createBus } from '../../src/db/bus.ts';
import { mintIngestToken } from '../../src/domain/voice/media-streams/ingest-token.ts';
import { CLOSE } from '../../src/http/sockets/close-codes.ts';
import { newId } from '../../src/lib/ids.ts';
import { makeLine, PLACES, startCellInstallation } from '../support/cell-installation.ts';
import { silentLog, sql, until } from '../support/jobs.ts';
import { countStatements } from '../support/statement-counts.ts';
import { connectWebClient } from '../support/web-clients.ts';

const installation = await startCellInstallation();
await installation.divide();
const { accounts, call, productOf } = installation;
after(() => installation.close());

test('a realtime token opens the socket of its cell, at the address of the cell and at that of the installation', async () => {
  const { test_key: key } = accounts.west;
  const { token, url } = (await call('POST', '/v1/realtime/tokens', { key })).body;
  assert.match(url, /\/cells\/west\/v1\/realtime$/);
  const root = installation.process.url.replace('http', 'ws');
  const sockets = await Promise.all(
    [`${root}/v1/realtime`, `${root}/cells/west/v1/realtime`].map(async (address) => {
      const socket = new WebSocket(`${address}?token=${token}`);
      const types: string[] = [];
      socket.on('message', (text) => types.push(JSON.parse(String(text)).type));
      await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
      return { socket, types };
    }),
  );
  const { number } = await makeLine(call, key);
  const text = { from: '+16025550143', to: number.phone_number, body: 'Hello' };
  assert.equal((await call('POST', '/v1/test/inbound_messages', { key, body: text })).status, 201);
  await until('both sockets got the event', () => sockets.every(({ types }) => types.includes('message.received')));
  for (const { socket } of sockets) socket.terminate();
});

test('a web client of a cell logs in at the address of the installation, with its token in the address or in a message', async () => {
  const { test_key: key } = accounts.west;
  const { tenantId } = await makeLine(call, key);
  const made = await call('POST', '/v1/web_clients', { key, body: { tenant_id: tenantId } });
  assert.equal(made.status, 201);
  for (const isInAddress of [true, false]) {
    const minted = await call('POST', `/v1/web_clients/${made.body.id}/tokens`, { key });
    const { token } = minted.body;
    const client = await connectWebClient(installation.process, isInAddress ? token : undefined);
    if (!isInAddress) client.send({ type: 'register', token });
    await client.receive('registered');
    await client.close();
  }
});

test('the audio of a leg reaches the cell of its token, at the address of the installation and at that of another cell', async () => {
  const [ledger = assert.fail()] = await sql<{ id: number }>(
    productOf('west').context.db,
    `select id from ledgers where account_id = $1 and mode = 'test'`,
    [accounts.west.id],
  );
  const leg = { callRef: newId('call'), legRef: newId('call_leg'), party: 'customer' } as const;
  // Another process of the installation mints the token with the same secret.
  const ofWest = { ledgerId: ledger.id, accountId: accounts.west.id, mode: 'test' } as const;
  const token = mintIngestToken(productOf('east').context, ofWest, leg);
  const query = new URLSearchParams({ call: leg.callRef, leg: leg.legRef, token });
  const root = installation.process.url.replace('http', 'ws');
  const counts = PLACES.map((place) => countStatements(productOf(place).context.db));
  const asked = () => counts.map((each) => each.take()['call_audio_nodes_connect'] ?? 0);
  try {
    for (const path of ['', '/cells/east', '/cell-audio/east', '/cells/west']) {
      const socket = new WebSocket(`${root}${path}/v1/ingest?${query}`);
      const [code] = await once(socket, 'close');
      // The cell knows the token, and has no such call.
      assert.deepEqual([code, asked()], [CLOSE.noStream[0], [0, 0, 1]], path);
    }
    const forged = new WebSocket(`${root}/cells/west/v1/ingest?${query}x`);
    const [code] = await once(forged, 'close');
    assert.deepEqual([code, asked()], [CLOSE.usedToken[0], [0, 0, 0]]);
  } finally {
    for (const each of counts) each.stop();
  }
});

test('a cell in a schema of another database does not receive the messages of that database', async () => {
  const received: string[] = [];
  for (const place of ['first', 'east'] as const) {
    productOf(place).context.bus.subscribe('probe', (text, remote) => received.push(`${place} ${text} ${remote}`));
  }
  const others = (['first', 'east'] as const).map((place) =>
    createBus(productOf(place).context.db, silentLog, place === 'first' ? undefined : place),
  );
  try {
    for (const [index, bus] of others.entries()) {
      await bus.start();
      bus.publish('probe', `${index}`);
      await until('the message arrives', () => received.length > index);
    }
    assert.deepEqual(received, ['first 0 true', 'east 1 true']);
  } finally {
    await Promise.all(others.map((bus) => bus.close()));
  }
});
