/**
 * Two processes behind HAProxy are restarted or killed in turns while a client sends requests. In restarts HAProxy
 * repeats nothing, so each request that reaches a stopping process would fail. Killed processes lose requests, and
 * HAProxy repeats these as deploy/proxy/haproxy.cfg says. Run by `npm run test:rolling`.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createCaller } from '../support/caller.ts';
import { type CliProcess, startCli } from '../support/cli-process.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { makeSenderAt, openSite } from '../support/product-process.ts';
import { missing } from '../support/programs.ts';
import { readProxyFile, startBalancer } from './balancer.ts';
import { startLoad } from './request-load.ts';

const RESTARTS = 4;
const KILLS = 30;
/** The greatest share of requests without an answer while processes are killed. */
const FAILED_SHARE_MAX = 0.0005;
/**
 * The time from one request to the next. It is shorter when processes are killed, so that a kill meets more requests.
 */
const EVERY_MS = { SIGTERM: 50, SIGKILL: 10 };

/** The log lines of deploy/'s balancer about requests that it sent to another server. */
function readRepeats(): string {
  const [backend = ''] = /(?<=\nbackend api\n)( {2}.*\n)+/.exec(readProxyFile()) ?? [];
  const lines = backend
    .split('\n')
    .filter((line) => /^ {2}(retries|option redispatch|retry-on|http-request) /.test(line));
  assert.equal(lines.length, 4, backend);
  return lines.join('\n');
}

/** The balancer of deploy/, reduced to its probes (every second here) and its repeats. */
const sectionsOf = (port: number, ports: readonly number[], repeats: string): string => `
frontend in
  bind 127.0.0.1:${port}
  default_backend api
backend api
  balance roundrobin
  default-server inter 1s fall 2 rise 1
  option httpchk GET /readyz
${repeats}
${ports.map((each, index) => `  server node${index} 127.0.0.1:${each} check`).join('\n')}
`;

const skip = missing('haproxy');

/** Starts two processes behind HAProxy. */
async function useNodes(t: TestContext, signal: 'SIGTERM' | 'SIGKILL', repeats: string) {
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
  const { untilUses } = startBalancer(t, sectionsOf(port as number, ports, repeats));
  const url = `http://127.0.0.1:${port}`;
  const call = createCaller(url, site.account.test_key);
  await until('the balancer serves', async () => (await call('GET', '/readyz').catch(() => undefined))?.status === 200);
  const { numberId } = await makeSenderAt(call);
  // A server ends only while the balancer uses the other one.
  await untilUses('api', 2);
  return {
    call,
    load: startLoad({ url, key: site.account.test_key, numberId }, EVERY_MS[signal]),
    /** Ends each process in turns, and starts it again. */
    endInTurns: async (times: number) => {
      for (let time = 0; time < times; time++) {
        const index = time % nodes.length;
        const { code } = await (nodes[index] as CliProcess).ended(signal);
        if (signal === 'SIGTERM') assert.equal(code, 0);
        await untilUses('api', 1);
        nodes[index] = start(index);
        await nodes[index].ready();
        await untilUses('api', 2);
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
