import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import pg from 'pg';
import { WebSocket } from 'ws';
import { samplesOf } from '../../src/audio/pcm.ts';
import { connectBareClient } from '../support/bare-realtime-client.ts';
import { createCaller } from '../support/caller.ts';
import { type CliProcess, startCli, startHere } from '../support/cli-process.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { sql, until } from '../support/jobs.ts';
import { expectStatus, makeSenderAt, openSite, registerAt, type Site, untilIdle } from '../support/product-process.ts';
import { startReceiver } from '../support/receiver.ts';
import { makeScratch } from '../support/scratch.ts';
import { connectTo, reachStatus, startStream } from '../support/streams.ts';

let site: Site;
const running: CliProcess[] = [];

before(async () => {
  site = await openSite();
});

afterEach(() => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL');
});

after(() => site.close());

function start(env: Record<string, string> = {}): CliProcess {
  const started = startCli({
    DATABASE_URL: site.databaseUrl,
    DIALPLANE_SECRET: TEST_SECRET,
    DIALPLANE_ALLOW_LOCAL_WEBHOOKS: 'on',
    DIALPLANE_RATE_LIMIT: 'off',
    ...env,
  });
  running.push(started);
  return started;
}

async function startReady() {
  const program = start();
  const url = await program.ready();
  return { program, url, call: createCaller(url, site.account.test_key) };
}

/** Opens one persistent connection that sends requests one after the other without a pause. */
function openClient(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  return {
    text: () => text,
    ask: (method: string, path: string, body?: object) => {
      const json = body === undefined ? '' : JSON.stringify(body);
      const head = [`${method} ${path} HTTP/1.1`, 'Host: x', `Content-Length: ${json.length}`];
      const key = `Authorization: Bearer ${site.account.test_key}`;
      socket.write([...head, key, 'Content-Type: application/json', '', json].join('\r\n'));
    },
  };
}

function isRefused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
  }).then((refused) => {
    socket.destroy();
    return refused as boolean;
  });
}

test('SIGTERM: no more connections, requests on open ones are answered, sockets close with 1012, exit code 0', async () => {
  const { program, url, call } = await startReady();
  const { token } = await expectStatus(call('POST', '/v1/realtime/tokens'), 201);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?token=${token}`);
  await once(socket, 'open');
  const socketClosed = once(socket, 'close');
  const blocker = new pg.Client({ connectionString: site.databaseUrl });
  await blocker.connect();
  await blocker.query('begin; lock table tenants in exclusive mode');
  try {
    const client = openClient(url);
    client.ask('POST', '/v1/tenants', { name: 'Under way' });
    await until('the request waits for the lock', async () => {
      const text = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      return (await sql(site.db, text)).length > 0;
    });
    const ended = program.ended('SIGTERM');
    await until('new connections are refused', () => isRefused(url));
    client.ask('GET', '/v1/conversations');
    assert.equal(program.child.exitCode, null, 'the requests are waited for');
    await blocker.query('commit');
    const { code, signal } = await ended;
    const replies = client.text().match(/HTTP\/1\.1 \d+|"name":"[^"]*"/g);
    assert.deepEqual(replies, ['HTTP/1.1 201', '"name":"Under way"', 'HTTP/1.1 200']);
    assert.match(client.text(), /HTTP\/1\.1 200.*\r\nconnection: close\r\n/is, 'the connection delays nothing');
    assert.deepEqual([code, signal], [0, null]);
    assert.equal((await socketClosed)[0], 1012);
  } finally {
    await blocker.end();
  }
});

test('SIGTERM ends the process with code 0 despite open work that never ends, and another process delivers immediately', async () => {
  const receiver = await startReceiver();
  const { program, url, call } = await startReady();
  const { numberId } = await makeSenderAt(call);
  const endpointId = await registerAt(call, receiver.url);
  receiver.answer({ hang: true });
  const body = { from: numberId, to: '+16025550170', body: 'Hello' };
  const { id } = await expectStatus(call('POST', '/v1/messages', { body }), 201);
  await receiver.arrived(1);

  // A client that never finishes its request, and one that never answers a closing handshake.
  const { hostname, port } = new URL(url);
  const silent = connect(Number(port), hostname);
  silent.write('POST /v1/tenants HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n');
  silent.write(`Authorization: Bearer ${site.account.test_key}\r\nContent-Type: application/json\r\n\r\n{`);
  const { token } = await expectStatus(call('POST', '/v1/realtime/tokens'), 201);
  const bare = connectBareClient({ hostname, port }, token);
  for (const socket of [silent, bare]) socket.on('error', () => socket.destroy());
  await once(bare, 'data');

  receiver.answer({});
  const { code, signal } = await program.ended('SIGTERM');
  assert.deepEqual([code, signal], [0, null], program.text());
  // Starts only now, because on a busy machine a start takes longer than the time limit of a delivery.
  const next = await site.start();
  try {
    // The lease would last 30 s.
    await until('the other process delivers', () => receiver.received.length === 2, 15_000);
    assert.deepEqual(
      receiver.received.map(({ event }) => event.resource_id),
      [id, id],
    );
    await untilIdle(site.db, 15_000);
    const text = 'select status, json_array_length(attempts::json) as attempts from deliveries where endpoint_id = $1';
    const shown = await sql(site.db, text, [endpointId]);
    assert.deepEqual(shown, [{ status: 'delivered', attempts: 1 }], 'our going down is no failure of the receiver');
    await expectStatus(next.call('DELETE', `/v1/webhook_endpoints/${endpointId}`), 204);
  } finally {
    silent.destroy();
    bare.destroy();
    await next.kill();
    await receiver.close();
  }
});

test('SIGTERM releases claimed jobs that have not started: another process sends the texts that this one accepted', async () => {
  const { program, call } = await startReady();
  const { numberId } = await makeSenderAt(call);
  const next = await site.start();
  try {
    const body = { from: numberId, to: '+16025550171', body: 'Hello' };
    const texts = Array.from({ length: 50 }, () => expectStatus(call('POST', '/v1/messages', { body }), 201));
    const ids = (await Promise.all(texts)).map(({ id }) => id);
    const ended = await program.ended('SIGTERM');
    assert.equal(ended.code, 0);
    await untilIdle(site.db, 15_000);
    const stored = await sql<{ status: string }>(site.db, 'select status from messages where id = any($1)', [ids]);
    assert.deepEqual(new Set(stored.map(({ status }) => status)), new Set(['delivered']));
  } finally {
    await next.kill();
  }
});

test('SIGTERM lets a stream go on whose client is connected and whose first frame is yet to come', async () => {
  const { program, url, call } = await startReady();
  const { numberId } = await makeSenderAt(call);
  const parties = { to: '+16025550172', connect_to: '+16025550173' };
  const { id } = await expectStatus(call('POST', '/v1/calls', { body: { from: numberId, ...parties } }), 201);
  await reachStatus({ call }, id, 'in_progress');
  const stream = await startStream({ call }, id);
  await until('the carrier is asked for the audio', async () => {
    return (await sql(site.db, 'select 1 from call_commands where call_id = $1', [id])).length === 0;
  });
  const blocker = new pg.Client({ connectionString: site.databaseUrl });
  await blocker.connect();
  try {
    // The claim of the token waits for this lock.
    await blocker.query('begin; lock table media_streams in exclusive mode');
    const client = connectTo(stream, url);
    await once(client.socket, 'open');
    const ended = program.ended('SIGTERM');
    await until('the gateway drains', async () => {
      return (await sql(site.db, 'select 1 from gateway_nodes where draining')).length > 0;
    });
    await blocker.query('commit');
    await client.until(() => client.audioOf('inbound').length > samplesOf(500));
    client.socket.close();
    assert.deepEqual(await ended.then(({ code, signal }) => [code, signal]), [0, null], program.text());
    const rows = await sql(site.db, 'select status, stop_reason from media_streams where id = $1', [stream.id]);
    assert.deepEqual(rows, [{ status: 'stopped', stop_reason: 'client_closed' }]);
  } finally {
    await blocker.end();
  }
});

test('a second start on a data folder in use ends with code 1 and an error that names the process using it', async () => {
  const scratch = makeScratch('twice');
  try {
    const env = { DATABASE_URL: '', DIALPLANE_SECRET: '', DIALPLANE_DATA: join(scratch.path, 'install') };
    const first = start(env);
    await first.ready();
    const { code, out, err } = await startHere(env);
    assert.equal(code, 1);
    assert.match(out + err, new RegExp(`in use by process ${first.child.pid}`));
    assert.match(out + err, /DIALPLANE_DATA/);
    assert.doesNotMatch(out + err, /at .*\.ts/);
    assert.equal((await first.ended('SIGTERM')).code, 0, 'the first one was left alone');
  } finally {
    scratch.remove();
  }
});
