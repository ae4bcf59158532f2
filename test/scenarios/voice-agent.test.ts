/** The voice agent example, and the program in separate roles, as an operator runs them. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../src/db/database.ts';
import { createAccount } from '../../src/domain/accounts/index.ts';
import { createCaller } from '../support/caller.ts';
import { startCli } from '../support/cli-process.ts';
import { cloneDatabase } from '../support/database.ts';
import { silentLog, until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { expectStatus, makeSenderAt } from '../support/product-process.ts';
import { makeScratch } from '../support/scratch.ts';
import { connectTo, reachStatus, startStream } from '../support/streams.ts';

const scratch = makeScratch('voice-agent');
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
  scratch.remove();
});

const EXAMPLE = fileURLToPath(new URL('../../examples/voice-agent.mjs', import.meta.url));

function runAgent(key: string, url: string): { text: () => string } {
  const child = spawn(process.execPath, [EXAMPLE, key, `${url}/v1`], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let text = '';
  for (const output of [child.stdout, child.stderr]) output?.on('data', (chunk) => (text += chunk));
  return { text: () => text };
}

test('the voice agent finishes its greeting for a silent caller, stops for one who speaks, answers and hangs up', async () => {
  const folder = join(scratch.path, 'install');
  const program = startCli({ DIALPLANE_DATA: folder });
  children.push(program.child);
  const url = await program.ready();
  const { test_key: key } = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'));
  const call = createCaller(url, key);
  const { tenantId, numberId, e164 } = await makeSenderAt(call);
  const open_behavior = { type: 'ring', targets: ['+16025550117'] };
  const body = { tenant_id: tenantId, name: 'Agent', open_behavior };
  const config = await expectStatus(call('POST', '/v1/routing_configs', { body }), 201);
  await expectStatus(call('PATCH', `/v1/phone_numbers/${numberId}`, { body: { routing_config_id: config.id } }), 200);
  const agent = runAgent(key, url);
  await until('it waits', () => agent.text().includes('waiting for a call'));
  const from = '+16025550143';
  /** Runs a call, and returns what the agent prints about it. */
  const attended = async (arrived: object) => {
    const before = agent.text().length;
    const { id } = await expectStatus(call('POST', '/v1/test/inbound_calls', { body: arrived }), 201);
    const said = () => agent.text().slice(before);
    await until(`the stream is over: ${said()}`, () => said().includes('call.stream.stopped'), 20_000);
    const { outcome, duration_seconds, events } = await reachStatus({ call }, id, 'completed');
    assert.deepEqual([outcome, events.at(-1).detail.reason], ['answered', 'api_request'], said());
    return { lines: said().trim().split('\n').sort(), duration_seconds };
  };
  const over = ['call.stream.started ', 'call.stream.stopped call_ended', 'over: call_ended'];
  const silent = await attended({ from, to: e164 });
  assert.deepEqual(silent.lines, over);
  assert.ok(silent.duration_seconds >= 6, `the greeting takes 6 s, the call took ${silent.duration_seconds}`);
  const script = 'wait 4, say "Hello, can I come on Monday?"';
  const speaking = await attended({ from, to: e164, script });
  assert.deepEqual(speaking.lines, [...over, 'the caller speaks: listening'].sort());
  assert.equal((await program.ended('SIGTERM')).code, 0);
});

test('the voice agent prints one sentence if no API answers', async () => {
  const agent = runAgent('svc_test_none', `http://127.0.0.1:${await freePort()}`);
  await until('it has printed it', () => agent.text().includes('no API answers at http://127.0.0.1:'));
  assert.equal(agent.text().trim().split('\n').length, 1, agent.text());
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
  await until('the stream has failed', async () => (await cut.list())[0].status === 'failed', 25_000);
  assert.equal((await cut.list())[0].stop_reason, 'carrier_error');
  await main.ended('SIGTERM');
  await db.close();
  await database.drop();
});
