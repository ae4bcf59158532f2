/** The program in separate roles, as an operator runs them. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { createAccount } from '../../src/domain/accounts/index.ts';
import { createCaller } from '../support/caller.ts';
import { startCli } from '../support/cli-process.ts';
import { cloneDatabase } from '../support/database.ts';
import { silentLog, until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { expectStatus, forgetHeartbeats, makeSenderAt } from '../support/product-process.ts';
import { makeScratch } from '../support/scratch.ts';
import { connectTo, reachStatus, startStream } from '../support/streams.ts';

const scratch = makeScratch('gateway-roles');
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
  scratch.remove();
});

test('a separate gateway serves streams, drains when stopped, and its loss fails its streams', async () => {
  const database = await cloneDatabase();
  const db = openDatabase({ url: database.url, connectionsMax: 2, log: silentLog });
  const account = await db.transaction((tx) => createAccount(tx, 'First account'));
  const port = String(await freePort());
  const shared = {
    DATABASE_URL: database.url,
    DIALPLANE_SECRET: 'x'.repeat(40),
    DIALPLANE_DATA: scratch.path,
    DIALPLANE_RATE_LIMIT: 'off',
  };
  const main = startCli({ ...shared, MEDIA_URL: `ws://127.0.0.1:${port}` }, ['--roles', 'api,worker']);
  const startGateway = () => {
    const program = startCli({ ...shared, PORT: port }, ['--roles', 'gateway']);
    children.push(program.child);
    return program;
  };
  children.push(main.child);
  const call = createCaller(await main.ready(), account.test_key);
  const { numberId: from } = await makeSenderAt(call);
  const openStream = async () => {
    const body = { from, to: '+16025550143', connect_to: '+16025550117' };
    const { id } = await expectStatus(call('POST', '/v1/calls', { body }), 201);
    await reachStatus({ call }, id, 'in_progress');
    const stream = await startStream({ call }, id);
    const client = connectTo(stream, new URL(stream.url).origin);
    await client.until(() => client.audioOf('inbound').length > 4_000);
    const list = async () => (await call('GET', `/v1/calls/${id}/streams`)).body.data;
    return { client, list, stop: () => call('DELETE', `/v1/calls/${id}/streams/${stream.id}`) };
  };
  const first = startGateway();
  await first.ready();
  const lasting = await openStream();
  const ending = first.ended('SIGTERM');
  const had = lasting.client.audioOf('inbound').length;
  await lasting.client.until(() => lasting.client.audioOf('inbound').length > had + 8_000);
  await lasting.stop();
  assert.equal((await lasting.client.closed).code, 1000);
  assert.equal((await ending).code, 0);

  const second = startGateway();
  await second.ready();
  const cut = await openStream();
  await second.ended('SIGKILL');
  await forgetHeartbeats(db);
  await until('the stream has failed', async () => (await cut.list())[0].status === 'failed', 25_000);
  assert.equal((await cut.list())[0].stop_reason, 'carrier_error');
  await main.ended('SIGTERM');
  await db.close();
  await database.drop();
});
