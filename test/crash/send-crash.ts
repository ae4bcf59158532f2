import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerSettings } from '../../src/queue/worker/settings.ts';
import { createRandom } from '../support/fault-rules.ts';
import { until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import {
  makeSenderAt,
  openSite,
  type ProductProcess,
  registerAt,
  type Site,
  untilIdle,
} from '../support/product-process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type CrashClient, createCrashClient } from './crash-client.ts';
import { assertAllTaken, assertNothingLostNorTwice } from './crash-findings.ts';
import { type OrderWatch, watchOrder } from './watch-order.ts';

export type CrashPlan = {
  sends: number;
  /** Number of kills. The last one comes when everything is sent and not yet delivered. */
  kills: number;
  workerSettings: Partial<WorkerSettings>;
  /** Maximum number of times that the failing receiver refuses one event. */
  refusalsMax: number;
  /** Time limit after the last kill for all work to be done. */
  settleWithinMs: number;
  /** Chooses the moments of the kills and how slow a receiver is. */
  seed: number;
};

/**
 * Sends texts to a product that is killed at moments that the seed chooses and started again, waits until all work is
 * done, and fails if an acknowledged effect was lost or happened twice.
 * @returns figures of the run, one per line
 */
export async function runSendCrash(plan: CrashPlan): Promise<string[]> {
  const site = await openSite();
  const [flaky, slow] = await Promise.all([startReceiver(), startReceiver()]);
  try {
    return await crash(site, { flaky, slow }, plan);
  } finally {
    await site.close();
    await Promise.all([flaky.close(), slow.close()]);
  }
}

type Receivers = { flaky: Receiver; slow: Receiver };

async function crash(site: Site, { flaky, slow }: Receivers, plan: CrashPlan): Promise<string[]> {
  const options = { port: await freePort(), workerSettings: plan.workerSettings };
  const product = await site.start(options);
  const { numberId, e164 } = await makeSenderAt(product.call);
  for (const { url } of [flaky, slow]) await registerAt(product.call, url);
  // One event in thirty is refused at first. A third of these are refused several times.
  const atFlaky = watchOrder(flaky, ({ event }, times) => {
    const lot = Number.parseInt(event.id.slice(-2), 32) % 90;
    return { status: times <= (lot === 0 ? plan.refusalsMax : lot < 3 ? 1 : 0) ? 500 : 200 };
  });
  const delays = createRandom(plan.seed);
  const atSlow = watchOrder(slow, () => ({ delayMs: 5 + delays() * 40 }));

  const { url } = product;
  const client = createCrashClient({ url, key: site.account.test_key, numberId, e164, sends: plan.sends });
  const startedMs = performance.now();
  const sent = client.sendAll();
  const running = keepKilling(product, () => site.start(options), { plan, client, atSlow });
  await Promise.all([sent, client.toggleOptOuts(), running]);
  const lastKillMs = (await running).lastKillMs;
  await untilIdle(site.db, plan.settleWithinMs);
  const idleMs = performance.now();

  await assertNothingLostNorTwice(site.db, client);
  for (const watch of [atFlaky, atSlow]) await assertAllTaken(site.db, watch);
  return [
    `seed ${plan.seed}: ${client.acknowledged()} of ${plan.sends} texts acknowledged, ${client.unanswered()} requests unanswered`,
    `${(await running).moments.join(', ')}`,
    `${atFlaky.taken().size} events; ${atFlaky.arrivals()} arrivals at the failing receiver, ${atSlow.arrivals()} at the slow one`,
    `${seconds(idleMs - startedMs)} from the first send to the last delivery, ${seconds(idleMs - lastKillMs)} of it after the last kill`,
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

type Scene = { plan: CrashPlan; client: CrashClient; atSlow: OrderWatch };

/** Kills and restarts the product: each time at another share of the sends, the last time during the deliveries. */
async function keepKilling(first: ProductProcess, restart: () => Promise<ProductProcess>, scene: Scene) {
  const { plan, client, atSlow } = scene;
  const random = createRandom(plan.seed);
  const moments: string[] = [];
  let product = first;
  let lastKillMs = 0;
  for (let kill = 1; kill <= plan.kills; kill++) {
    const last = kill === plan.kills;
    const share = last ? 0.3 + random() * 0.6 : (kill - random() * 0.9) / plan.kills;
    const progress = last ? () => atSlow.taken().size : client.acknowledged;
    await until(`kill ${kill}`, () => progress() >= plan.sends * share * 0.99, plan.settleWithinMs);
    await pause(random() * 20);
    moments.push(`kill ${kill} at ${progress()} ${last ? 'deliveries' : 'sends'}`);
    await product.kill();
    lastKillMs = performance.now();
    product = await restart();
  }
  return { moments, lastKillMs };
}
