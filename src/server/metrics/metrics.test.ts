import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { TEST_METRICS_TOKEN, useHarness } from '../../../test/support/harness.ts';
import { silentLog } from '../../../test/support/jobs.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { now } from '../../lib/time/time.ts';
import { createFigures } from './figures.ts';
import { openMetricsListener } from './metrics-listener.ts';

let aheadMs = 0;
const harness = await useHarness({ startWorkers: false, clock: { now: () => now() + aheadMs } });
const { metrics, log } = harness.context;
const silent = () => undefined;

/** Scrapes when the last rendering is too old to be shared. */
function scrapeAgain(): Promise<string> {
  aheadMs += 2_000;
  return metrics.scrape();
}

test('the table in docs/operating.md has every metric with its labels, and no other', async () => {
  const text = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
  const documented = [...text.matchAll(/^\| `(dialplane_\w+)(?:\{([\w,]+)\})?` \|/gm)].map(
    ([, name, labels = '']) => `${name}{${labels}}`,
  );
  const defined = createMetrics().registry.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[];
  assert.deepEqual(documented.sort(), defined.map(({ name, labelNames }) => `${name}{${labelNames.join()}}`).sort());
});

test('names follow the conventions of Prometheus, and each has a help text', async () => {
  const runtime = new Registry();
  collectDefaultMetrics({ register: runtime });
  for (const { name } of await runtime.getMetricsAsJSON()) assert.match(name, /^(process|nodejs)_/);
  for (const { name, help, type } of await createMetrics().registry.getMetricsAsJSON()) {
    assert.match(name, /^dialplane_[a-z_]+$/);
    assert.equal(name.endsWith('_total'), String(type) === 'counter', name);
    if (name.includes('duration')) assert.match(name, /_seconds$/);
    assert.ok(help.length > 10, name);
  }
});

test('the listener serves the metrics on loopback', async () => {
  const listener = await openMetricsListener(harness.context, { port: 0, onProgress: silent });
  try {
    assert.match(listener.url ?? '', /^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    const reply = await fetch(listener.url ?? '');
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('content-type') ?? '', /^text\/plain/);
    assert.match(await reply.text(), /dialplane_build_info\{version="0\.1\.0",node_version="[\d.]+"\} 1/);
    assert.equal((await fetch(new URL('/', listener.url ?? ''))).status, 404);
  } finally {
    await listener.close();
  }
});

test('a metrics port in use is reported, and the product runs without the listener', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const said: string[] = [];
  const listener = await openMetricsListener({ metrics, log }, { port, onProgress: (text) => said.push(text) });
  other.close();
  assert.equal(listener.url, null);
  assert.match(said.join(), new RegExp(`No metrics on port ${port}: .*EADDRINUSE.* DIALPLANE_METRICS_PORT`));
  await listener.close();
});

test('the public port serves the metrics only for the token', async () => {
  assert.equal((await harness.call('GET', '/metrics', { key: TEST_METRICS_TOKEN })).status, 200);
  for (const key of [null, 'wrong', `${TEST_METRICS_TOKEN}x`, harness.account.test_key]) {
    assert.equal((await harness.call('GET', '/metrics', { key })).status, 401);
  }
});

test('scrapes within two seconds share one rendering', async () => {
  const clock = manualClock();
  const own = createMetrics(clock.nowMs);
  let samples = 0;
  own.sample(() => {
    samples++;
  });
  const first = await own.scrape();
  own.messages.inc({ direction: 'outbound' });
  assert.equal(await own.scrape(), first);
  assert.equal(samples, 1);
  clock.pass(2_000);
  assert.match(await own.scrape(), /dialplane_messages_total\{direction="outbound"\} 1/);
  assert.equal(samples, 2);
});

test('a scrape asks the database nothing', async () => {
  const { db } = harness.context;
  const { query } = db;
  let queries = 0;
  const counted: typeof query = (statement, values) => {
    queries++;
    return query(statement, values);
  };
  Object.assign(db, { query: counted });
  try {
    assert.match(await scrapeAgain(), /dialplane_db_pool_connections/);
    assert.equal(queries, 0);
  } finally {
    Object.assign(db, { query });
  }
});

test('queue figures are read from the database, and left out while it cannot be read', async () => {
  const own = createMetrics();
  const context = { db: harness.context.db, metrics: own, log: silentLog };
  let stats = async () => [{ queue: 'messaging' as const, depth: 7, oldestDueMs: 1_500 }];
  const figures = createFigures(context, { stats: () => stats() });
  await figures.refresh();
  assert.match(await own.registry.metrics(), /dialplane_queue_depth\{queue="messaging"\} 7/);
  assert.match(await own.registry.metrics(), /dialplane_queue_oldest_due_seconds\{queue="messaging"\} 1.5/);
  assert.match(await own.registry.metrics(), /dialplane_paced_messages_waiting\{state="resting"\} 0/);
  stats = () => Promise.reject(new Error('away'));
  await figures.refresh();
  assert.doesNotMatch(await own.registry.metrics(), /dialplane_queue_depth\{|waiting\{/);
});

test('sockets, carrier requests, calls and the pool are measured', async () => {
  const tenant = await harness.call('POST', '/v1/tenants', { body: { name: 'Clinic' } });
  const onSale = await harness.call('GET', '/v1/phone_numbers/available?area_code=602&limit=1');
  const body = { tenant_id: tenant.body.id, phone_number: onSale.body.data[0].phone_number };
  const number = await harness.call('POST', '/v1/phone_numbers', { body });
  const call = { from: number.body.id, to: '+16025550120', connect_to: '+16025550121' };
  assert.equal((await harness.call('POST', '/v1/calls', { body: call })).status, 201);
  await harness.advance(60);
  const text = await scrapeAgain();
  const request = 'carrier="simulated",capability="numbers",operation="search",result="done"';
  assert.match(text, new RegExp(`dialplane_carrier_request_duration_seconds_count\\{${request}\\} 1`));
  assert.match(text, /dialplane_calls_started_total\{direction="outbound"\} 1/);
  assert.match(text, /dialplane_calls_ended_total\{direction="outbound",outcome="answered"\} 1/);
  assert.match(text, /dialplane_db_pool_connections_max 5/);
  assert.match(text, /dialplane_web_client_sockets\{kind="signalling"\} 0/);
  assert.match(text, /dialplane_media_sockets\{kind="streams"\} 0/);
});
