/**
 * Two processes behind HAProxy are restarted or killed in turns while a client sends requests. In restarts HAProxy
 * repeats nothing, so each request that meets a process on its way out would fail. Killed processes take requests with
 * them: HAProxy repeats these as deploy/proxy/haproxy.cfg says. Run by `npm run test:rolling`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { createCaller } from '../support/caller.ts';
import { type CliProcess, startCli } from '../support/cli-process.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { makeSenderAt, openSite } from '../support/product-process.ts';
import { missing } from '../support/programs.ts';
import { makeScratch } from '../support/scratch.ts';

const RESTARTS = 4;
const KILLS = 30;
/** The greatest share of requests without an answer while processes are killed. */
const FAILED_SHARE_MAX = 0.0005;
/** How often a request is sent: while processes are killed more of them must be under way. */
const EVERY_MS = { SIGTERM: 50, SIGKILL: 10 };

/** The log lines of deploy/'s balancer about requests that it sent to another server. */
function readRepeats(): string {
  const config = readFileSync(new URL('../../deploy/proxy/haproxy.cfg', import.meta.url), 'utf8');
  const [backend = ''] = /(?<=\nbackend api\n)( {2}.*\n)+/.exec(config) ?? [];
  const lines = backend
    .split('\n')
    .filter((line) => /^ {2}(retries|option redispatch|retry-on|http-request) /.test(line));
  assert.equal(lines.length, 4, backend);
  return lines.join('\n');
}

type Balancing = { readonly statsSocket: string; readonly repeats: string };

/** The balancer of deploy/, reduced to what matters here: probes every second, and what is repeated. */
function configOf(port: number, ports: readonly number[], { statsSocket, repeats }: Balancing): string {
  return `
global
  stats socket ${statsSocket} mode 600
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  option http-keep-alive
  default-server inter 1s fall 2 rise 1
frontend api
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  option httpchk GET /readyz
${repeats}
${ports.map((each, index) => `  server node${index} 127.0.0.1:${each} check`).join('\n')}
`;
}

const skip = missing('haproxy');

/** Returns how many servers the balancer sends requests to. */
async function countUp(statsSocket: string): Promise<number> {
  const rows = (await text(connect(statsSocket).end('show stat\n'))).split('\n').map((row) => row.split(','));
  const status = rows[0]?.indexOf('status') ?? assert.fail();
  return rows.filter((row) => row[1]?.startsWith('node') && row[status] === 'UP').length;
}

type Failure = { readonly at: string; readonly path: string; readonly what: string };

/** Sends a request each `everyMs`, texts and lists in turns, over connections that it keeps and over new ones. */
function startLoad(url: string, key: string, numberId: string, everyMs: number) {
  const failures: Failure[] = [];
  const kept = new Agent({ keepAlive: true, maxSockets: 8 });
  let sent = 0;
  const send = (n: number) =>
    new Promise<void>((resolve) => {
      const isText = n % 2 === 0;
      const path = isText ? '/v1/messages' : '/v1/messages?limit=1';
      const fail = (what: string) => {
        failures.push({ at: new Date().toISOString(), path, what });
        resolve();
      };
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(isText && { 'idempotency-key': `text-${n}` }),
      };
      const options = { method: isText ? 'POST' : 'GET', headers, agent: n % 4 < 2 ? kept : false } as const;
      const asked = request(`${url}${path}`, options, (reply) => {
        reply.resume().on('end', () => {
          const expected = isText ? 201 : 200;
          if (reply.statusCode === expected) resolve();
          else fail(`status ${reply.statusCode}`);
        });
      });
      asked.on('error', (error) => fail(error.message));
      asked.end(isText ? JSON.stringify({ from: numberId, to: '+16025550170', body: `Text ${n}` }) : undefined);
    });
  const open = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const one = send(sent++).finally(() => open.delete(one));
    open.add(one);
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      kept.destroy();
      return { sent, failures };
    },
  };
}

/** Starts two processes behind HAProxy. */
async function useNodes(t: TestContext, signal: 'SIGTERM' | 'SIGKILL', repeats: string) {
  const scratch = makeScratch('rolling');
  t.after(() => scratch.remove());
  const site = await openSite();
  t.after(() => site.close());
  const [port, ...ports] = [await freePort(), await freePort(), await freePort()];
  const start = (index: number) =>
    startCli({
      DATABASE_URL: site.databaseUrl,
      DIALPLANE_SECRET: TEST_SECRET,
      DIALPLANE_RATE_LIMIT: 'off',
      DIALPLANE_LAME_DUCK_SECONDS: '',
      PORT: String(ports[index]),
    });
  const nodes: CliProcess[] = [start(0), start(1)];
  t.after(() => {
    for (const { child } of nodes) child.kill('SIGKILL');
  });
  await Promise.all(nodes.map((node) => node.ready()));
  const statsSocket = join(scratch.path, 'haproxy.sock');
  const config = join(scratch.path, 'haproxy.cfg');
  writeFileSync(config, configOf(port as number, ports, { statsSocket, repeats }));
  const balancer = spawn('haproxy', ['-db', '-f', config], { stdio: 'ignore' });
  t.after(() => balancer.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  const call = createCaller(url, site.account.test_key);
  await until('the balancer serves', async () => (await call('GET', '/readyz').catch(() => undefined))?.status === 200);
  const { numberId } = await makeSenderAt(call);
  // A server ends only while the balancer uses the other one.
  const untilUses = (servers: number) =>
    until(`the balancer uses ${servers}`, async () => (await countUp(statsSocket)) === servers, 30_000);
  await untilUses(2);
  return {
    call,
    load: startLoad(url, site.account.test_key, numberId, EVERY_MS[signal]),
    /** Ends each process in turns, and starts it again. */
    endInTurns: async (times: number) => {
      for (let time = 0; time < times; time++) {
        const index = time % nodes.length;
        const { code } = await (nodes[index] as CliProcess).ended(signal);
        if (signal === 'SIGTERM') assert.equal(code, 0);
        await untilUses(1);
        nodes[index] = start(index);
        await nodes[index].ready();
        await untilUses(2);
      }
    },
  };
}

test('four restarts behind HAProxy without retries fail no request', { skip }, async (t) => {
  const { load, endInTurns } = await useNodes(t, 'SIGTERM', '  retries 0');
  await endInTurns(RESTARTS);
  const { sent, failures } = await load.stop();
  console.log(`${sent} requests, ${failures.length} failed`);
  assert.deepEqual(failures, []);
  assert.ok(sent > 400, `only ${sent} requests`);
});

test('of the requests that a caller sends once while processes are killed, at most 0.05 % fail', {
  skip,
}, async (t) => {
  const { load, endInTurns } = await useNodes(t, 'SIGKILL', readRepeats());
  await endInTurns(KILLS);
  const { sent, failures } = await load.stop();
  console.log(`${sent} requests, ${failures.length} failed: ${JSON.stringify(failures)}`);
  assert.ok(failures.length <= sent * FAILED_SHARE_MAX, JSON.stringify(failures));
});
