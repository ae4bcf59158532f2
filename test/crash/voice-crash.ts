import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerSettings } from '../../src/queue/worker/settings.ts';
import type { Caller } from '../support/caller.ts';
import { createRandom } from '../support/fault-rules.ts';
import { until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { expectStatus, openSite, type ProductProcess, type Site, untilIdle } from '../support/product-process.ts';
import { createVoiceClient, type Lines, type VoiceClient } from './voice-crash-client.ts';
import { assertCallsEndedOnce, watchOrders } from './voice-crash-findings.ts';

export type VoiceCrashPlan = {
  readonly calls: number;
  /** All calls start within this time. */
  readonly beginWithinMs: number;
  readonly kills: number;
  readonly workerSettings: Partial<WorkerSettings>;
  /** After the last kill, all work must be done within this time. */
  readonly settleWithinMs: number;
  /** Chooses the moments of the kills. */
  readonly seed: number;
};

/**
 * Plays calls on a product that is killed and restarted at times that the seed chooses. Waits until all work is done.
 * Fails unless each call ended once, with all its results and no result twice.
 * @returns figures of the run, one per line
 */
export async function runVoiceCrash(plan: VoiceCrashPlan): Promise<string[]> {
  const site = await openSite();
  try {
    return await crash(site, plan);
  } finally {
    await site.close();
  }
}

async function crash(site: Site, plan: VoiceCrashPlan): Promise<string[]> {
  const options = { port: await freePort(), workerSettings: plan.workerSettings };
  await watchOrders(site.db);
  const product = await site.start(options);
  const { url, call } = product;
  const { calls, beginWithinMs } = plan;
  const lines = await makeLines(call);
  const client = createVoiceClient({ url, key: site.account.test_key, lines, calls, beginWithinMs });
  const startedMs = performance.now();
  const played = client.playAll();
  const killing = keepKilling(product, () => site.start(options), { plan, client });
  await Promise.all([played, killing]);
  const { moments, lastKillMs } = await killing;
  await untilIdle(site.db, plan.settleWithinMs);
  const idleMs = performance.now();
  const found = await assertCallsEndedOnce(site, url, client);
  return [
    `seed ${plan.seed}: ${calls} calls, ${client.unanswered()} requests unanswered`,
    moments.join(', '),
    ...found,
    `${seconds(idleMs - startedMs)} from the first call until all work was done, ${seconds(idleMs - lastKillMs)} after the last kill`,
  ];
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** The agents that ring for a caller. */
export const TARGETS = [1, 2, 3].map((n) => `+160255530${n}0`);

/** Creates two numbers of a tenant: one rings three targets, the other reaches a voicemail. */
export async function makeLines(call: Caller): Promise<Lines> {
  const tenant = await expectStatus(call('POST', '/v1/tenants', { body: { name: 'Desert Paws Clinic' } }), 201);
  const voicemail = { type: 'voicemail', greeting_text: 'Please leave a message.', transcribe: true };
  const ring = { type: 'ring', targets: TARGETS, strategy: 'simultaneous', timeout_seconds: 20, no_answer: voicemail };
  const search = await expectStatus(call('GET', '/v1/phone_numbers/available?area_code=602&limit=2'), 200);
  // The second routing config is never open.
  const configs = [
    { open_behavior: ring, recording: { enabled: true } },
    { open_behavior: ring, business_hours: { schedule: [] }, closed_behavior: voicemail },
  ];
  const [ringing, message] = await Promise.all(
    configs.map(async (behavior, index) => {
      const body = { tenant_id: tenant.id, name: `Desk ${index}`, ...behavior };
      const config = await expectStatus(call('POST', '/v1/routing_configs', { body }), 201);
      const bought = { tenant_id: tenant.id, phone_number: search.data[index].phone_number };
      const number = await expectStatus(call('POST', '/v1/phone_numbers', { body: bought }), 201);
      const attach = { body: { routing_config_id: config.id } };
      await expectStatus(call('PATCH', `/v1/phone_numbers/${number.id}`, attach), 200);
      return { id: number.id, e164: number.phone_number };
    }),
  );
  return { ringing, voicemail: message } as Lines;
}

type Scene = { readonly plan: VoiceCrashPlan; readonly client: VoiceClient };

/** Duration of a call on the simulated network. */
const CALL_MS = 18_000;

/** Kills and restarts the product at times that the seed chooses, from the first call until most calls have ended. */
async function keepKilling(first: ProductProcess, restart: () => Promise<ProductProcess>, { plan, client }: Scene) {
  const random = createRandom(plan.seed);
  const moments: string[] = [];
  let product = first;
  let lastKillMs = 0;
  const eachMs = (plan.beginWithinMs + CALL_MS * 0.6) / plan.kills;
  await until('the first call is placed', () => client.acknowledged() > 0, plan.settleWithinMs);
  for (let kill = 1; kill <= plan.kills; kill++) {
    const atMs = eachMs * (0.2 + random() * 0.8);
    await pause(atMs);
    moments.push(`kill ${kill} with ${client.acknowledged() - client.ended()} calls under way, ${client.ended()} over`);
    await product.kill();
    lastKillMs = performance.now();
    product = await restart();
    await pause(eachMs - atMs);
  }
  return { moments, lastKillMs };
}
