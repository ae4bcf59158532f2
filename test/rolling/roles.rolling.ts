/**
 * An upgrade of the Helm chart with plain processes: each role in turn, while a caller that repeats no request sends
 * texts and makes calls. Run by `npm run test:rolling`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchOrder } from '../crash/watch-order.ts';
import { createCaller } from '../support/caller.ts';
import { sql, until } from '../support/jobs.ts';
import { makeSenderAt, openSite, registerAt, type Site, untilIdle } from '../support/product-process.ts';
import { missing } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { startCalls } from './call-load.ts';
import { startLoad } from './request-load.ts';
import { startTopology } from './topology.ts';

/** The time from one request to the next. Each request sends a text or reads a list. */
const EVERY_MS = 100;
const IDLE_WITHIN_MS = 120_000;

test('an upgrade of the chart fails no request, cuts no audio, and loses and repeats nothing', {
  skip: missing('haproxy'),
}, async (t) => {
  const site = await openSite();
  t.after(() => site.close());
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const watch = watchOrder(receiver, () => ({}));
  const { url, gateways, rollDeployment, rollGateways } = await startTopology(t, site);
  const key = site.account.test_key;
  const call = createCaller(url, key);
  const { numberId } = await makeSenderAt(call);
  await registerAt(call, receiver.url);
  const [load, calls] = [startLoad({ url, key, numberId }, EVERY_MS), startCalls({ url, key, numberId })];
  await untilAllStream(site, gateways);
  await rollDeployment('worker');
  await rollDeployment('api');
  await rollGateways(() => untilAllStream(site, gateways));
  const [asked, spoken] = [await load.stop(), await calls.stop()];
  console.log(`${asked.sent} requests, ${asked.failures.length} failed`);
  console.log(
    `${spoken.calls.length} calls, ${spoken.failures.length} failed; ${spoken.frames} frames of audio, ${spoken.missing} left out`,
  );
  assert.deepEqual(asked.failures, []);
  assert.deepEqual(spoken.failures, []);
  await untilIdle(site.db, IDLE_WITHIN_MS);
  await assertHappenedOnce(site, asked.texts, spoken.calls);
  const events = await sql<{ id: string }>(site.db, 'select id from events');
  assert.deepEqual([...watch.taken()].sort(), events.map(({ id }) => id).sort());
  assert.equal(watch.arrivals(), events.length, 'each event arrives once');
  assert.deepEqual(watch.violations(), []);
});

/** Waits until each gateway has audio, so that each gateway that stops has audio to keep. */
function untilAllStream(site: Site, gateways: number): Promise<void> {
  const text = `select count(distinct g.node_id)::int as streaming from gateway_nodes g
    join media_streams s on s.node_id = g.node_id and s.status = 'active' where not g.draining`;
  return until(
    'each gateway has audio',
    async () => (await sql<{ streaming: number }>(site.db, text))[0]?.streaming === gateways,
    120_000,
  );
}

/** Fails unless every accepted text reached the network once, and every call ended once. */
async function assertHappenedOnce(site: Site, texts: readonly string[], calls: readonly string[]): Promise<void> {
  const sent = await sql<{ ref: string }>(site.db, 'select ref from simulated_messages');
  assert.deepEqual(sent.map(({ ref }) => ref).sort(), [...texts].sort());
  const ended = await sql<{ resource_id: string }>(
    site.db,
    `select resource_id from events where type = 'call.completed'`,
  );
  assert.deepEqual(ended.map(({ resource_id }) => resource_id).sort(), [...calls].sort());
  const streams = await sql(site.db, `select id from media_streams where stop_reason is distinct from 'api_request'`);
  assert.deepEqual(streams, []);
}
