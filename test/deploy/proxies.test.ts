/** The proxies of deploy/proxy in front of the product: TLS, routes by role, sockets, and another server when one is gone. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { WebSocket } from 'ws';
import { DATABASE_CERTIFICATE, DATABASE_KEY } from '../support/database-certificate.ts';
import { useHarness } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { freePort } from '../support/product-process.ts';
import { makeScratch } from '../support/scratch.ts';
import { noProgram, readProjectFile } from './files.ts';

const harness = await useHarness({ startWorkers: false });
const gateway = await useHarness({ startWorkers: false, databaseUrl: harness.databaseUrl });
const scratch = makeScratch('proxies');
const running: ChildProcess[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
after(() => scratch.remove());

const hostOf = (url: string) => url.replace('http://', '');

/** Writes a configuration with the servers and ports of this machine. One of the two servers of each kind is gone. */
async function render(path: string): Promise<{ file: string; port: number }> {
  const [http, port, gone] = [await freePort(), await freePort(), await freePort()];
  const pem = join(scratch.path, 'site.pem');
  writeFileSync(pem, `${DATABASE_CERTIFICATE}${DATABASE_KEY}`, { mode: 0o600 });
  const text = readProjectFile(path)
    .replaceAll('10.0.0.21:8080', `127.0.0.1:${gone}`)
    .replaceAll('10.0.0.22:8080', hostOf(harness.url))
    .replaceAll('10.0.0.21:8081', `127.0.0.1:${gone}`)
    .replaceAll('10.0.0.22:8081', hostOf(gateway.url))
    .replaceAll(/\/etc\/(haproxy|nginx)\/phone\.example\.com\.\w+/g, pem)
    .replace(/^ +listen \[::\]:\d+.*\n/gm, '')
    .replace(/(bind :|listen )80\b/, `$1${http}`)
    .replace(/(bind :|listen )443\b/, `$1${port}`);
  const file = join(scratch.path, path.replaceAll('/', '-'));
  writeFileSync(file, text);
  return { file, port };
}

async function run(command: string, args: readonly string[], port: number): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => (said += chunk));
  process.once('exit', () => child.kill('SIGKILL'));
  running.push(child);
  await until('the proxy serves', async () => {
    assert.equal(child.exitCode, null, said);
    return (await ask(port, '/docs').catch(() => 0)) === 200;
  });
}

function ask(port: number, path: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = request(
      { host: 'localhost', port, path, headers, ca: DATABASE_CERTIFICATE, agent: false },
      (reply) => {
        reply.resume();
        resolve(reply.statusCode ?? 0);
      },
    );
    asking.on('error', reject).end();
  });
}

/** Opens a WebSocket; returns how it was closed, or `open`. */
async function socket(port: number, path: string): Promise<number | 'open'> {
  const client = new WebSocket(`wss://localhost:${port}${path}`, { ca: DATABASE_CERTIFICATE });
  const closed = once(client, 'close').then(([code]) => code as number);
  await once(client, 'open');
  const outcome = await Promise.race([closed, once(client, 'message').then(() => 'open' as const), pauseOpen(client)]);
  client.terminate();
  return outcome;
}

/** A ping shows that the far side holds the socket open. */
async function pauseOpen(client: WebSocket): Promise<'open'> {
  client.ping();
  await once(client, 'pong');
  return 'open';
}

async function assertServes(port: number): Promise<void> {
  const authorization = `Bearer ${harness.account.test_key}`;
  for (let n = 0; n < 6; n++)
    assert.equal(await ask(port, '/v1/tenants', { authorization }), 200, 'one of two is gone');
  assert.equal(await ask(port, '/opt-in/no-such-form'), 404);
  for (const path of ['/metrics', '/healthz', '/readyz']) assert.equal(await ask(port, path), 404);
  const { token } = (await harness.call('POST', '/v1/realtime/tokens')).body;
  assert.equal(await socket(port, `/v1/realtime?token=${token}`), 'open');
  // A gateway closes a socket with an unknown token by a code of its own; the API refuses the handshake.
  const code = await socket(port, '/v1/streams/gateway_1/stm_1?token=x');
  assert.ok(typeof code === 'number' && code >= 4400 && code < 4500, `closed with ${code}`);
}

test('HAProxy', { skip: noProgram('haproxy') }, async () => {
  const { file, port } = await render('deploy/proxy/haproxy.cfg');
  await run('haproxy', ['-db', '-f', file], port);
  await assertServes(port);
});

test('nginx', { skip: noProgram('nginx') }, async () => {
  const { file, port } = await render('deploy/proxy/nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(scratch.path, name)};`)
    .join(' ');
  const log = join(scratch.path, 'log');
  mkdirSync(log);
  chmodSync(scratch.path, 0o755);
  const main = join(scratch.path, 'nginx-main.conf');
  const http = `access_log off; ${temporary} include ${file};`;
  writeFileSync(main, `daemon off; pid ${join(scratch.path, 'pid')}; error_log stderr; events {} http { ${http} }\n`);
  writeFileSync(file, readFileSync(file, 'utf8').replace('/var/log/nginx/', `${log}/`));
  await run('nginx', ['-c', main, '-p', scratch.path], port);
  await assertServes(port);
});
