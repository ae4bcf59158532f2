/**
 * Ordered durable delivery of webhooks against a bare undici Pool that posts the same bodies to the same receiver, in
 * the same run, in alternating pairs; prints the ratio of the medians. Then what a dead and a slow receiver among ten
 * cost the other eight, and how long an event takes from its transaction to the receiver.
 *
 *   --events N --resources N --pairs N --connections N
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { Pool } from 'undici';
import { createAccount, listLedgers } from '../src/domain/accounts/index.ts';
import { emitEvents } from '../src/domain/events/index.ts';
import { compose } from '../src/server/compose.ts';
import { createCaller } from '../test/support/caller.ts';
import { median, percentile, startBenchPostgres } from './support/postgres.ts';
import { startChild } from './support/processes.ts';
import type { Report } from './support/receiver.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '8000' },
    resources: { type: 'string', default: '2000' },
    pairs: { type: 'string', default: '5' },
    connections: { type: 'string', default: '64' },
  },
});
const EVENTS = Number(values.events);
const RESOURCES = Number(values.resources);
const CONNECTIONS = Number(values.connections);
const PER_TRANSACTION = 100;
/** Bare posts are quicker: so many rounds of them take about as long as one of ordered deliveries. */
const BARE_ROUNDS = 4;
const LIMIT_MS = 120_000;

const postgres = await startBenchPostgres();
const { child, message: port } = await startChild<number>('./receiver.ts', []);
const origin = `http://127.0.0.1:${port}`;
const product = await compose({
  databaseUrl: postgres.url,
  secret: 'a secret that is only good for benchmarks',
  log: pino({ level: 'error' }),
  settings: {
    publicUrl: 'http://localhost',
    mediaUrl: 'ws://localhost',
    rateLimit: false,
    allowLocalWebhooks: true,
    trustedProxies: 0,
  },
});
const { db } = product.context;
const account = await db.transaction((tx) => createAccount(tx, 'Bench'));
const ledgerId = (await listLedgers(db, account.id)).find(({ mode }) => mode === 'test')?.id as number;
await product.app.listen({ host: '127.0.0.1', port: 0 });
await product.start({ server: product.app.server, work: true });
const call = createCaller(
  `http://127.0.0.1:${(product.app.server.address() as { port: number }).port}`,
  account.test_key,
);

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

/** Commits events, each resource's in turn. */
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
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await sleep(20);
  }
}

const report = async (last = ''): Promise<Report> => (await fetch(`${origin}/report${last}`)).json() as Promise<Report>;
const lanesOf = (id: string) => count('select count(*) from (select 1 from lanes where group_id = $1 limit 1) l', [id]);

/** Collects events while the endpoint is off, switches it on and waits until nothing is left. Deliveries a second. */
async function deliverBacklog(id: string, path: string): Promise<{ perSecond: number; violations: number }> {
  await turn(id, path, 'disabled');
  await emit(EVENTS, RESOURCES);
  await until('the lanes rest', async () => {
    return (await count("select count(*) from lanes where group_id = $1 and run_at < 'infinity'", [id])) === 0;
  });
  await report();
  const startedAt = performance.now();
  await turn(id, path, 'active');
  await until('all is delivered', async () => (await lanesOf(id)) === 0);
  const seconds = (performance.now() - startedAt) / 1000;
  const seen = (await report())[path];
  // One more is the event of the endpoint's own switching-off.
  if (seen === undefined || seen.count < EVENTS) throw new Error(`${seen?.count} of ${EVENTS} arrived`);
  return { perSecond: seen.count / seconds, violations: seen.violations };
}

/** Posts bodies of the same kind and size with nothing but a pool, so many at a time. */
async function postBare(): Promise<number> {
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const body = (n: number) =>
    JSON.stringify({
      id: 'evt_01jd5h0s4mp1e0000000000000',
      object: 'event',
      type: 'message.delivered',
      event_version: '2026-11-20',
      created_at: new Date(),
      tenant_id: null,
      resource_id: `msg_${round}_${n % RESOURCES}`,
      sequence: 1,
      data: { ...message, id: `msg_${round}_${n % RESOURCES}` },
    });
  const bodies = Array.from({ length: BARE_ROUNDS * EVENTS }, (_, n) => body(n)).values();
  const post = async () => {
    for (const each of bodies) {
      const headers = { 'content-type': 'application/json' };
      const reply = await pool.request({ method: 'POST', path: '/quick/bare', headers, body: each });
      await reply.body.dump();
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, post));
  const perSecond = (BARE_ROUNDS * EVENTS) / ((performance.now() - startedAt) / 1000);
  await pool.close();
  await report();
  return perSecond;
}

async function compareThroughput(): Promise<void> {
  const path = '/quick/one';
  const id = await register(path);
  await deliverBacklog(id, path);
  await postBare();
  const ratios: number[] = [];
  const ours: number[] = [];
  const bare: number[] = [];
  let violations = 0;
  for (let pair = 0; pair < Number(values.pairs); pair++) {
    const oursFirst = pair % 2 === 0;
    const before = oursFirst ? undefined : await postBare();
    const delivered = await deliverBacklog(id, path);
    const reference = before ?? (await postBare());
    ours.push(delivered.perSecond);
    bare.push(reference);
    ratios.push(delivered.perSecond / reference);
    violations += delivered.violations;
    console.log(
      `pair ${pair + 1}: ordered and durable ${Math.round(delivered.perSecond)}/s, bare ${Math.round(reference)}/s, ratio ${(delivered.perSecond / reference).toFixed(3)}`,
    );
  }
  console.log(
    `medians: ordered and durable ${Math.round(median(ours))}/s, bare ${Math.round(median(bare))}/s; ratio ${median(ratios).toFixed(3)}; order violations ${violations}`,
  );
  await call('DELETE', `/v1/webhook_endpoints/${id}`);
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

/** Deliveries a second to the eight quick ones of ten endpoints. */
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
    `a dead and a slow one of ten leave the other eight ${(ratio * 100).toFixed(1)} %; order violations ${violations}`,
  );
}

try {
  await compareThroughput();
  await measureLatency();
  await compareNeighbours();
} finally {
  child.disconnect();
  await product.close();
  await postgres.stop();
}
