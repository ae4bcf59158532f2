/** The proxies of deploy/proxy in front of the product: TLS, paths, sockets, and a failed server. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { WebSocket } from 'ws';
import { DOCUMENT_BYTES_MAX } from '../../src/domain/numbers/port-in-documents/rules.ts';
import { examplePath, GATEWAY_PATHS, INSIDE_PATHS, PUBLIC_PATHS } from '../../src/http/edge/public-paths.ts';
import { DATABASE_CERTIFICATE, DATABASE_KEY } from '../support/database-certificate.ts';
import { useHarness } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { killAtExit } from '../support/kill-at-exit.ts';
import { freePort } from '../support/ports.ts';
import { missing } from '../support/programs.ts';
import { makeScratch } from '../support/scratch.ts';

const harness = await useHarness({ startWorkers: false });
const scratch = makeScratch('proxies');
const running: ChildProcess[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) {
    const exited = once(child, 'exit');
    if (child.kill('SIGKILL')) await exited;
  }
});
after(() => scratch.remove());

/** Writes a configuration with the servers and ports of this machine. Without `first` the first server is gone. */
async function render(name: string, first?: number): Promise<{ file: string; port: number }> {
  const [http, port, firstPort] = [await freePort(), await freePort(), first ?? (await freePort())];
  const certificates = join(scratch.path, `certificates-${name}`);
  mkdirSync(certificates, { recursive: true });
  for (const file of [
    'phone.example.pem',
    ...(name === 'nginx.conf' ? ['phone.example.crt', 'phone.example.key'] : []),
  ])
    writeFileSync(join(certificates, file), `${DATABASE_CERTIFICATE}${DATABASE_KEY}`, { mode: 0o600 });
  const text = readFileSync(new URL(`../../deploy/proxy/${name}`, import.meta.url), 'utf8')
    .replaceAll('10.0.0.11:8080', `127.0.0.1:${firstPort}`)
    .replaceAll('10.0.0.12:8080', harness.url.replace('http://', ''))
    .replaceAll(/\/etc\/(haproxy|nginx)\/certs\//g, `${certificates}/`)
    .replaceAll('/var/log/nginx/', `${scratch.path}/`)
    // Containers allow fewer open files.
    .replace('maxconn 20000', 'maxconn 500')
    .replace('worker_connections 20000', 'worker_connections 500')
    .replace(/(bind :|listen )80\b/, `$1${http}`)
    .replace(/(bind :|listen )443\b/, `$1${port}`);
  const file = join(scratch.path, name);
  writeFileSync(file, text);
  return { file, port };
}

async function run(command: string, args: readonly string[], port: number): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (chunk) => {
      said += chunk;
    });
  }
  killAtExit(child);
  running.push(child);
  await until('the proxy serves', async () => {
    assert.equal(child.exitCode, null, said);
    return (await askOnce(port, '/docs').catch(() => undefined))?.status === 200;
  });
}

type Asked = { readonly headers?: Record<string, string>; readonly body?: Uint8Array };

type Answer = { readonly status: number; readonly isOurs: boolean };

/**
 * Asks through the proxy. `isOurs` is false if the proxy has answered. A proxy counts a server that was stalled for a
 * while as gone, and replies 503 without asking it. The request is then sent again.
 */
async function ask(port: number, path: string, asked: Asked = {}): Promise<Answer> {
  let answer: Answer | undefined;
  await until(`the proxy has a server for ${path}`, async () => {
    answer = await askOnce(port, path, asked);
    return answer.status !== 503 || answer.isOurs;
  });
  return answer ?? assert.fail();
}

function askOnce(port: number, path: string, { headers = {}, body }: Asked = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const options = { host: 'localhost', port, path, headers, ca: DATABASE_CERTIFICATE, agent: false };
    const method = body === undefined ? 'GET' : 'POST';
    const asking = request({ ...options, method }, (reply) => {
      reply.resume();
      resolve({ status: reply.statusCode ?? 0, isOurs: 'request-id' in reply.headers });
    });
    asking.on('error', reject).end(body);
  });
}

/** Opens a WebSocket when the proxy has a server. Returns it, and a promise of its close code. */
async function connect(port: number, path: string) {
  let opened: { readonly client: WebSocket; readonly closed: Promise<number> } | undefined;
  await until(`the proxy has a server for ${path}`, async () => {
    const client = new WebSocket(`wss://localhost:${port}${path}`, { ca: DATABASE_CERTIFICATE });
    opened = { client, closed: new Promise((resolve) => client.once('close', resolve)) };
    return await once(client, 'open').then(
      () => true,
      (error: Error) => {
        if (error.message === 'Unexpected server response: 503') return false;
        throw error;
      },
    );
  });
  return opened ?? assert.fail();
}

/** Opens a WebSocket. Returns its close code, or `open` if the far side answers a ping. */
async function socket(port: number, path: string): Promise<number | 'open'> {
  const { client, closed } = await connect(port, path);
  if (client.readyState === WebSocket.OPEN) client.ping();
  const outcome = await Promise.race([closed, once(client, 'pong').then(() => 'open' as const)]);
  client.terminate();
  return outcome;
}

async function assertServes(port: number): Promise<void> {
  const authorization = `Bearer ${harness.account.test_key}`;
  for (let n = 0; n < 6; n++)
    assert.equal((await ask(port, '/v1/tenants', { headers: { authorization } })).status, 200, 'one of two is gone');
  for (const path of PUBLIC_PATHS) {
    const { status } = await fetch(harness.url + examplePath(path), { redirect: 'manual' });
    assert.deepEqual(await ask(port, examplePath(path)), { status, isOurs: true }, path);
  }
  for (const path of [...INSIDE_PATHS, '/other', '/docsother'])
    assert.deepEqual(await ask(port, path), { status: 404, isOurs: false }, path);
  const document = { headers: { 'content-type': 'application/pdf' }, body: Buffer.alloc(DOCUMENT_BYTES_MAX) };
  assert.deepEqual(await ask(port, '/v1/port_ins/x/documents', document), { status: 401, isOurs: true });
  const { token } = (await harness.call('POST', '/v1/realtime/tokens')).body;
  assert.equal(await socket(port, `/v1/realtime?token=${token}`), 'open');
  for (const path of [
    '/v1/streams/gw_1/stm_1?token=x',
    '/v1/ingest?leg=x&token=x',
    '/v1/softphone/audio/gw_1?token=x',
  ]) {
    // Codes of sockets that are accepted and then refused by the gateway. The code is 1013 if the gateway does not know
    // the node.
    const code = await socket(port, path);
    assert.ok(code === 'open' || code === 1013 || (code >= 4400 && code < 4500), `${path} is closed with ${code}`);
  }
}

test('the page about the proxy names every public path, those of gateways, and those that stay inside', () => {
  const page = readFileSync(new URL('../../docs/deploying.md', import.meta.url), 'utf8');
  const [table = ''] = /(?<=\n\| Path \| To \| \|\n.*\n)(\|.*\n)+/.exec(page) ?? [];
  const named = (to: string) => {
    const rows = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
    const cells = rows.filter((row) => row[2] === to).map((row) => row[1] ?? '');
    return cells
      .flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path.replace('…', '')))
      .sort();
  };
  assert.deepEqual(named('gateway'), [...GATEWAY_PATHS].sort());
  assert.deepEqual(named('nobody'), [...INSIDE_PATHS].sort());
  assert.deepEqual(named('api'), [...PUBLIC_PATHS, '/v1/realtime', '/v1/softphone'].sort());
});

test('HAProxy', { skip: missing('haproxy') }, async () => {
  const { file, port } = await render('haproxy.cfg');
  await run('haproxy', ['-db', '-f', file], port);
  await assertServes(port);
});

/** A server whose probe is healthy, but which ends each connection after a whole request. */
async function startDyingServer() {
  const received: string[] = [];
  const server = createServer(async (incoming, reply) => {
    if (incoming.url === '/readyz') return void reply.end('{}');
    for await (const _ of incoming);
    received.push(String(incoming.method));
    incoming.socket.resetAndDestroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const take = (method: string) => {
    const count = received.filter((each) => each === method).length;
    received.length = 0;
    return count;
  };
  return { port: (server.address() as AddressInfo).port, take };
}

test('HAProxy repeats what a server did not answer before its end: a GET, and a POST with an Idempotency-Key', {
  skip: missing('haproxy'),
}, async () => {
  const dying = await startDyingServer();
  const { file, port } = await render('haproxy.cfg', dying.port);
  await run('haproxy', ['-db', '-f', file], port);
  const headers = { authorization: `Bearer ${harness.account.test_key}`, 'content-type': 'application/json' };
  const times = [0, 1, 2, 3];
  const countTenants = async () => (await harness.call('GET', '/v1/tenants')).body.data.length as number;
  /**
   * Sends requests until the other server answers a request that the dying server received first. Some requests skip
   * the dying server, because HAProxy counts it as down for a time.
   */
  const untilRepeated = (method: string, status: number, asking: () => Promise<number>) =>
    until(`a ${method} is repeated`, async () => {
      dying.take(method);
      const seen = await asking();
      assert.ok([status, 502].includes(seen), `${seen}`);
      return seen === status && dying.take(method) > 0;
    });
  await untilRepeated('GET', 200, async () => (await ask(port, '/v1/tenants', { headers })).status);

  const make = async (keys: Record<string, string>) => {
    const body = Buffer.from(JSON.stringify({ name: 'Smile Dental' }));
    return (await ask(port, '/v1/tenants', { headers: { ...headers, ...keys }, body })).status;
  };
  let made = await countTenants();
  let asked = 0;
  await untilRepeated('POST', 201, async () => {
    const status = await make({ 'idempotency-key': `of-a-dying-server-${++asked}` });
    if (status === 201) made++;
    return status;
  });
  assert.equal(await countTenants(), made);

  dying.take('POST');
  const statuses = [];
  for (const _ of times) statuses.push(await make({}));
  const lost = dying.take('POST');
  assert.ok(lost > 0, 'the dying server received POSTs without a key');
  assert.equal(statuses.filter((status) => status === 502).length, lost, `statuses ${statuses}`);
  assert.equal(await countTenants(), made + times.length - lost);
});

test('nginx', { skip: missing('nginx') }, async () => {
  const { file, port } = await render('nginx.conf');
  const settings = `daemon off; master_process off; pid ${join(scratch.path, 'nginx.pid')};`;
  await run('nginx', ['-c', file, '-p', scratch.path, '-g', settings], port);
  await assertServes(port);
});
