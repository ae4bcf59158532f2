/**
 * Two processes behind HAProxy are restarted in turns while a client sends requests. HAProxy repeats nothing, so each
 * request that meets a process on its way out would fail. Run by `npm run test:rolling`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createCaller } from '../support/caller.ts';
import { type CliProcess, startCli } from '../support/cli-process.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { makeSenderAt, openSite } from '../support/product-process.ts';
import { missing } from '../support/programs.ts';
import { makeScratch } from '../support/scratch.ts';

const RESTARTS = 4;
const EVERY_MS = 50;

/** The balancer of deploy/, reduced to what matters here: probes every second, and no second try. */
function configOf(port: number, ports: readonly number[]): string {
  return `
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  retries 0
  option http-keep-alive
  default-server inter 1s fall 2 rise 1
frontend api
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  option httpchk GET /readyz
${ports.map((each, index) => `  server node${index} 127.0.0.1:${each} check`).join('\n')}
`;
}

type Failure = { readonly at: string; readonly path: string; readonly what: string };

/** Sends 20 requests a second, texts and lists in turns, over connections that it keeps and over new ones. */
function startLoad(url: string, key: string, numberId: string) {
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
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
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
  }, EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      kept.destroy();
      return { sent, failures };
    },
  };
}

test('four restarts behind HAProxy without retries fail no request', {
  skip: missing('haproxy'),
}, async () => {
  const scratch = makeScratch('rolling');
  const site = await openSite();
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
  await Promise.all(nodes.map((node) => node.ready()));
  const config = join(scratch.path, 'haproxy.cfg');
  writeFileSync(config, configOf(port as number, ports));
  const balancer = spawn('haproxy', ['-db', '-f', config], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const call = createCaller(url, site.account.test_key);
  try {
    await until(
      'the balancer serves',
      async () => (await call('GET', '/readyz').catch(() => undefined))?.status === 200,
    );
    const { numberId } = await makeSenderAt(call);
    const load = startLoad(url, site.account.test_key, numberId);
    for (let restart = 0; restart < RESTARTS; restart++) {
      const index = restart % nodes.length;
      const { code } = await (nodes[index] as CliProcess).ended('SIGTERM');
      assert.equal(code, 0);
      nodes[index] = start(index);
      await nodes[index].ready();
      // The balancer must have seen it before the other one leaves.
      await delay(3_000);
    }
    const { sent, failures } = await load.stop();
    console.log(`${sent} requests, ${failures.length} failed`);
    assert.deepEqual(failures, []);
    assert.ok(sent > 400, `only ${sent} requests`);
  } finally {
    balancer.kill('SIGKILL');
    for (const { child } of nodes) child.kill('SIGKILL');
    await site.close();
    scratch.remove();
  }
});
