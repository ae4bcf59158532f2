/** The steps of a process that ends: when balancers, clients and running calls notice it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createCaller } from '../support/caller.ts';
import { type CliProcess, startCli } from '../support/cli-process.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { expectStatus, makeSenderAt, openSite, type Site } from '../support/product-process.ts';
import { makeScratch } from '../support/scratch.ts';
import { connectTo } from '../support/streams.ts';

const scratch = makeScratch('lame-duck');
let site: Site;
const running: CliProcess[] = [];

before(async () => {
  site = await openSite();
});

after(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await site.close();
  scratch.remove();
});

function start(env: Record<string, string>): CliProcess {
  const program = startCli({ DATABASE_URL: site.databaseUrl, DIALPLANE_SECRET: TEST_SECRET, ...env });
  running.push(program);
  return program;
}

/** Sends a GET; resolves with the status and the Connection header of the reply, or with the error's code. */
async function ask(url: string, agent?: Agent): Promise<{ status: number | string; connection?: string | undefined }> {
  try {
    const [reply] = (await once(get(url, agent === undefined ? {} : { agent }), 'response')) as [IncomingMessage];
    reply.resume();
    await once(reply, 'end');
    return { status: reply.statusCode ?? 0, connection: reply.headers.connection };
  } catch (error) {
    return { status: error instanceof Error && 'code' in error ? String(error.code) : 'failed' };
  }
}

test('on SIGTERM a process is first not ready, then announces that it closes, and only then refuses connections', async () => {
  const program = start({ DIALPLANE_LAME_DUCK_SECONDS: '6' });
  const url = await program.ready();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  assert.deepEqual(await ask(`${url}/healthz`, agent), { status: 200, connection: 'keep-alive' });
  const sinceMs = performance.now();
  const ended = program.ended('SIGTERM');
  await until('it is not ready', async () => (await ask(`${url}/readyz`)).status === 503);
  assert.deepEqual(await ask(`${url}/healthz`, agent), { status: 200, connection: 'close' }, 'an open connection');
  assert.deepEqual(await ask(`${url}/v1/tenants`), { status: 401, connection: 'close' }, 'a new connection');
  await until('connections are refused', async () => (await ask(`${url}/healthz`)).status === 'ECONNREFUSED', 20_000);
  assert.ok(performance.now() - sinceMs > 5_900, 'the listener stays open for the time of the setting');
  assert.equal((await ended).code, 0);
  agent.destroy();
});

test('an open media stream keeps its audio until it ends, and the API takes no more traffic', async () => {
  const program = start({ DIALPLANE_DRAIN_SECONDS: '60', DIALPLANE_RATE_LIMIT: 'off' });
  const url = await program.ready();
  const call = createCaller(url, site.account.test_key);
  const { numberId } = await makeSenderAt(call);
  const body = { from: numberId, to: '+16025550120', connect_to: '+16025550121' };
  const { id } = await expectStatus(call('POST', '/v1/calls', { body }), 201);
  await until('the parties talk', async () => (await call('GET', `/v1/calls/${id}`)).body.status === 'in_progress');
  const stream = await expectStatus(call('POST', `/v1/calls/${id}/streams`, { body: {} }), 201);
  const client = connectTo(stream, url);
  await client.until((messages) => messages.some(({ event }) => event === 'start'));
  const ended = program.ended('SIGTERM');
  await until('connections are refused', async () => (await ask(`${url}/healthz`)).status === 'ECONNREFUSED');
  const had = client.messages.length;
  await client.until((messages) => messages.length > had + 25);
  client.socket.close();
  assert.equal((await ended).code, 0);
});

test('a first start is ready only once keys.json is written', async () => {
  const port = await freePort();
  const folder = join(scratch.path, 'install');
  const env = { DATABASE_URL: '', DIALPLANE_SECRET: '', DIALPLANE_DATA: folder, PORT: String(port) };
  const program = start(env);
  const seen: { status: number | string; hasKeys: boolean }[] = [];
  await until(
    'it is ready',
    async () => {
      const { status } = await ask(`http://127.0.0.1:${port}/readyz`);
      seen.push({ status, hasKeys: existsSync(join(folder, 'keys.json')) });
      return status === 200;
    },
    90_000,
  );
  assert.deepEqual(seen.at(-1), { status: 200, hasKeys: true });
  assert.equal((await program.ended('SIGTERM')).code, 0);
});
