/**
 * Compares ordered durable webhook delivery with a plain undici Pool. The pool posts the same requests to the same
 * receiver over the same number of connections, in the same run, in alternating pairs. Prints the ratio of the medians
 * and the processor time of a delivery in each process. Then measures how much a dead and a slow receiver among ten
 * slow the other eight, and the time of an event from its transaction to the receiver.
 *
 *   --events N --resources N --pairs N --connections N --throughput-only --costs
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { listLedgers } from '../src/domain/accounts/index.ts';
import { emitEvents } from '../src/domain/events/index.ts';
import { createCaller } from '../test/support/caller.ts';
import { type BarePosts, createBarePosts } from './support/bare-posts.ts';
import { measureCost, printCost } from './support/costs.ts';
import { cpuOf, ownCpu } from './support/cpu.ts';
import { median, percentile, startBenchPostgres } from './support/postgres.ts';
import { startChild } from './support/processes.ts';
import { startBenchProduct } from './support/product.ts';
import type { Expected, Report } from './support/receiver.ts';
import { COUNTING } from './support/statements.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '8000' },
    resources: { type: 'string', default: '2000' },
    pairs: { type: 'string', default: '5' },
    connections: { type: 'string', default: '64' },
    'throughput-only': { type: 'boolean', default: false },
    costs: { type: 'boolean', default: false },
  },
});
const EVENTS = Number(values.events);
const RESOURCES = Number(values.resources);
const CONNECTIONS = Number(values.connections);
const PER_TRANSACTION = 100;
/** How many rounds of bare posts take about as long as one round of ordered deliveries. Bare posts are faster. */
const BARE_ROUNDS = 4;
const LIMIT_MS = 120_000;
const QUICK = '/quick/one';

const postgres = await startBenchPostgres(values.costs ? COUNTING : {});
const { child, message: port } = await startChild<number>('./receiver.ts', []);
const origin = `http://127.0.0.1:${port}`;
const { product, accounts, url } = await startBenchProduct(postgres.url, { names: ['Bench'], work: true });
const { db } = product.context;
const account = accounts[0] as (typeof accounts)[number];
const ledgerId = (await listLedgers(db, account.id)).find(({ mode }) => mode === 'test')?.id as number;
const call = createCaller(url, account.test_key);

const message = {
  object: 'message',
  tenant_id: 'tnt_01jd5h0s4mp1e0000000000000',
  conversation_id: 'cnv_01jd5h0s4mp1e0000000000000',
  direction: 'outbound',
  from: '+16025550100',
  to: '+16025550143',
  body: 'Your appointment is tomorrow at 9:30. Reply C to confirm.',
  media: [],
  status: 'delivered',
  error_code: null,
  segments: 1,
  metadata: {},
};

let round = 0;

/** Commits events of all resources in turn. */
async function emit(count: number, resources: number): Promise<void> {
  round++;
  for (let done = 0; done < count; done += PER_TRANSACTION) {
    const events = Array.from({ length: Math.min(PER_TRANSACTION, count - done) }, (_, index) => {
      const resourceId = `msg_${round}_${(done + index) % resources}`;
      return { type: 'message.delivered', tenantId: null, resourceId, data: { ...message, id: resourceId } } as const;
    });
    await db.transaction((tx) => emitEvents(tx, ledgerId, events));
  }
}

async function register(path: string): Promise<string> {
  const reply = await call('POST', '/v1/webhook_endpoints', { body: { url: `${origin}${path}` } });
  return reply.body.id;
}

const turn = (id: string, path: string, status: 'active' | 'disabled') =>
  call('PATCH', `/v1/webhook_endpoints/${id}`, { body: { url: `${origin}${path}`, status } });

async function count(text: string, parameters: readonly unknown[] = []): Promise<number> {
  const [row] = await db.query<{ count: number }>({ name: '', text }, parameters);
  return row?.count ?? 0;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await sleep(5);
  }
}

const report = async (): Promise<Report> => (await fetch(`${origin}/report`)).json() as Promise<Report>;
const lanesOf = (id: string) => count('select count(*) from (select 1 from lanes where group_id = $1 limit 1) l', [id]);

/**
 * Resolves when the receiver has got the expected number since its last report. The receiver reports it itself, because
 * polling would slow it down.
 */
async function reached(expected: Expected): Promise<void> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  const heard = once(child, 'message', { signal });
  child.send(expected);
  await heard;
}

type Run = { perSecond: number; violations: number; cpuUs: Record<'node' | 'PostgreSQL' | 'receiver', number> };

const cpuNow = () => ({ node: ownCpu(), PostgreSQL: cpuOf(postgres.pid), receiver: cpuOf(child.pid as number) });

/** Emits events while the endpoint is disabled. */
async function makeBacklog(id: string, path: string): Promise<void> {
  await turn(id, path, 'disabled');
  await emit(EVENTS, RESOURCES);
  await until('the lanes rest', async () => {
    return (await count("select count(*) from lanes where group_id = $1 and run_at < 'infinity'", [id])) === 0;
  });
  await report();
}

/** Emits events while the endpoint is disabled, and then delivers them. */
async function deliverBacklog(id: string, path: string): Promise<Run> {
  await makeBacklog(id, path);
  return await deliver(id, path);
}

/** Enables the endpoint, and waits until all events are accepted and recorded. */
async function deliver(id: string, path: string): Promise<Run> {
  const before = cpuNow();
  const startedAt = performance.now();
  const all = reached({ path, count: EVENTS });
  await turn(id, path, 'active');
  await all;
  await until('all is recorded', async () => (await lanesOf(id)) === 0);
  const seconds = (performance.now() - startedAt) / 1000;
  const after = cpuNow();
  const seen = (await report())[path];
  // There is one more event than emitted: it reports that the endpoint was disabled.
  if (seen === undefined || seen.count < EVENTS) throw new Error(`${seen?.count} of ${EVENTS} arrived`);
  const perDelivery = (name: keyof typeof after) => (after[name] - before[name]) / seen.count;
  const cpuUs = {
    node: perDelivery('node'),
    PostgreSQL: perDelivery('PostgreSQL'),
    receiver: perDelivery('receiver'),
  };
  return { perSecond: seen.count / seconds, violations: seen.violations, cpuUs };
}

async function comparePair(id: string, bare: BarePosts, oursFirst: boolean): Promise<{ ours: Run; bare: number }> {
  const before = oursFirst ? undefined : await bare.post(BARE_ROUNDS * EVENTS);
  const ours = await deliverBacklog(id, QUICK);
  return { ours, bare: before ?? (await bare.post(BARE_ROUNDS * EVENTS)) };
}

async function compareThroughput(): Promise<void> {
  const id = await register(QUICK);
  // Warms both sides up equally before the first pair, so that both run compiled code.
  for (let n = 0; n < BARE_ROUNDS; n++) await deliverBacklog(id, QUICK);
  const bare = await createBarePosts(origin, '/quick/bare', CONNECTIONS);
  await bare.post(BARE_ROUNDS * EVENTS);
  const pairs: { ours: Run; bare: number }[] = [];
  for (let pair = 0; pair < Number(values.pairs); pair++) {
    const made = await comparePair(id, bare, pair % 2 === 0);
    pairs.push(made);
    const cpu = Object.entries(made.ours.cpuUs).map(([name, us]) => `${name} ${us.toFixed(0)}`);
    console.log(
      `pair ${pair + 1}: ordered and durable ${Math.round(made.ours.perSecond)}/s, bare ${Math.round(made.bare)}/s, ratio ${(made.ours.perSecond / made.bare).toFixed(3)}; processor time of a delivery, µs: ${cpu.join(', ')}`,
    );
    await report();
  }
  const of = (figure: (pair: { ours: Run; bare: number }) => number) => median(pairs.map(figure));
  const violations = pairs.reduce((sum, { ours }) => sum + ours.violations, 0);
  console.log(
    `medians: ordered and durable ${Math.round(of(({ ours }) => ours.perSecond))}/s, bare ${Math.round(of((pair) => pair.bare))}/s; ratio ${of(({ ours, bare }) => ours.perSecond / bare).toFixed(3)}; order violations ${violations}`,
  );
  await bare.close();
  await call('DELETE', `/v1/webhook_endpoints/${id}`);
}

/** Prints the cost of a delivery by statement. */
async function showCosts(): Promise<void> {
  const client = new pg.Client(postgres.url);
  await client.connect();
  const id = await register(QUICK);
  for (let n = 0; n < BARE_ROUNDS; n++) await deliverBacklog(id, QUICK);
  await makeBacklog(id, QUICK);
  const cost = await measureCost(
    { client, postgresPid: postgres.pid },
    EVENTS,
    async () => void (await deliver(id, QUICK)),
  );
  printCost('a delivery', cost);
  await client.end();
}

async function measureLatency(): Promise<void> {
  const path = '/quick/latency';
  const id = await register(path);
  const eventsMax = 2_000;
  for (let sent = 0; sent < eventsMax; sent += 10) {
    await emit(10, 10);
    await sleep(40);
  }
  await until('all is delivered', async () => (await lanesOf(id)) === 0);
  const sorted = ((await report())[path]?.latenciesMs ?? []).sort((a, b) => a - b);
  const p50 = percentile(sorted, 0.5);
  const p99 = percentile(sorted, 0.99);
  console.log(`event to receiver at about 200/s: p50 ${p50} ms, p99 ${p99} ms (${sorted.length} deliveries)`);
  await call('DELETE', `/v1/webhook_endpoints/${id}`);
}

/** Measures the deliveries per second to the eight quick endpoints among the ten. */
async function deliverToTen(others: readonly [string, string]): Promise<{ perSecond: number; violations: number }> {
  const quick = Array.from({ length: 8 }, (_, n) => `/quick/ten-${round}-${n}`);
  const ids = await Promise.all([...quick, ...others].map(register));
  const events = Math.ceil(EVENTS / 8);
  const startedAt = Date.now();
  await emit(events, Math.ceil(RESOURCES / 8));
  let reports: Report = {};
  await until('the quick ones have all', async () => {
    for (const [path, seen] of Object.entries(await report())) {
      const sum = reports[path];
      if (sum === undefined) reports[path] = seen;
      else
        Object.assign(sum, {
          count: sum.count + seen.count,
          violations: sum.violations + seen.violations,
          lastAtMs: seen.lastAtMs,
        });
    }
    return quick.every((path) => (reports[path]?.count ?? 0) >= events);
  });
  const lastAtMs = Math.max(...quick.map((path) => reports[path]?.lastAtMs ?? 0));
  const violations = quick.reduce((sum, path) => sum + (reports[path]?.violations ?? 0), 0);
  reports = {};
  await Promise.all(ids.map((id) => call('DELETE', `/v1/webhook_endpoints/${id}`)));
  return { perSecond: (8 * events) / ((lastAtMs - startedAt) / 1000), violations };
}

async function compareNeighbours(): Promise<void> {
  const ratios: number[] = [];
  let violations = 0;
  await deliverToTen(['/quick/a', '/quick/b']);
  for (let pair = 0; pair < Number(values.pairs); pair++) {
    const runs = [
      ['/quick/a', '/quick/b'],
      [`/dead/${pair}`, `/slow/${pair}`],
    ] as const;
    const order = pair % 2 === 0 ? [0, 1] : [1, 0];
    const perSecond = [0, 0];
    for (const which of order) {
      const run = await deliverToTen(runs[which as 0 | 1]);
      perSecond[which as 0 | 1] = run.perSecond;
      violations += run.violations;
    }
    const [healthy = 0, troubled = 0] = perSecond;
    ratios.push(troubled / healthy);
    console.log(
      `pair ${pair + 1}: ten healthy ${Math.round(healthy)}/s, one dead and one slow ${Math.round(troubled)}/s`,
    );
  }
  const ratio = median(ratios);
  console.log(
    `with a dead and a slow receiver among ten, the other eight keep ${(ratio * 100).toFixed(1)} %; order violations ${violations}`,
  );
}

try {
  if (values.costs) await showCosts();
  else await compareThroughput();
  if (!values.costs && !values['throughput-only']) {
    await measureLatency();
    await compareNeighbours();
  }
} finally {
  child.disconnect();
  await product.close();
  await postgres.stop();
}
