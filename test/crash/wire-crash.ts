import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { CARRIER_CAPABILITIES } from '../../src/carriers/ports/carrier.ts';
import { createCipher } from '../../src/lib/cipher.ts';
import type { WorkerSettings } from '../../src/queue/worker/settings.ts';
import { secretsOf } from '../../src/server/config.ts';
import { type Caller, createCaller } from '../support/caller.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { clearForTexts, fund } from '../support/money.ts';
import {
  freePort,
  makeSenderAt,
  openSite,
  type ProductProcess,
  type Site,
  untilIdle,
} from '../support/product-process.ts';
import { connectWire } from '../wire/adapter.ts';
import type { FaultRule } from '../wire/faults.ts';
import { startWire, type Wire } from '../wire/wire-process.ts';
import { postUntilAnswered } from './retry-request.ts';

export type WireCrashPlan = {
  readonly sends: number;
  readonly kills: number;
  readonly workerSettings: Partial<WorkerSettings>;
  /** Time after the last kill within which every text must have its end. */
  readonly settleWithinMs: number;
};

/** One send and one report in ten misbehave. */
const RULES: readonly FaultRule[] = [
  ...(['timeout_after_acceptance', '500', '429', 'lose', 'delay'] as const).map(
    (is) => ({ operation: 'messaging.send', is, share: 0.02 }) as const,
  ),
  ...(['duplicate', 'disorder', 'delay'] as const).map((is) => ({ event: '*', is, share: 0.03 }) as const),
];

/**
 * Sends live texts over the wire carrier from a product that is killed at random moments and started again. Fails
 * unless each text was sent once and has one end.
 * @returns figures of the run, one per line
 */
export async function runWireCrash(plan: WireCrashPlan): Promise<string[]> {
  const [site, wire] = await Promise.all([openSite(), startWire()]);
  try {
    return await crash({ site, wire }, plan);
  } finally {
    await site.close();
    await wire.close();
  }
}

type Scene = { readonly site: Site; readonly wire: Wire };

async function crash({ site, wire }: Scene, plan: WireCrashPlan): Promise<string[]> {
  const { db, account } = site;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await connect({ site, wire }, url);
  const start = () => site.start({ port, workerSettings: plan.workerSettings });
  const product = await start();
  const call = createCaller(url, account.live_key);
  await fund({ context: { db }, account });
  const { numberId } = await makeSenderAt(call);
  await clearForTexts({ context: { db } }, numberId);
  await wire.people.faults({ rules: RULES });
  const sending = sendAll(call, numberId, plan.sends);
  await keepKilling(product, start, { plan, sending });
  await sending.done;
  const startedMs = performance.now();
  // The carrier makes the receipt of a text a second after it took the text.
  const waiting = "select 1 from messages where status not in ('delivered', 'failed') limit 1";
  await until('every text has its end', async () => (await sql(db, waiting)).length === 0, plan.settleWithinMs);
  await wire.people.drained({});
  await untilIdle(db, plan.settleWithinMs);
  await assertOneEnd({ site, wire }, plan.sends);
  const settledMs = Math.round(performance.now() - startedMs);
  return [`${plan.sends} texts, ${await wire.people.struck({})} faults, ${settledMs} ms until each had its end`];
}

/** Adds the connection before the product starts, and tells the carrier where to report. */
async function connect({ site, wire }: Scene, publicUrl: string): Promise<void> {
  const { key, secret } = wire;
  const made = {
    kind: 'wire',
    name: 'wire',
    settings: { url: wire.url, public_url: publicUrl, request_ms: '1000' },
    credentials: { key, secret },
    capabilities: CARRIER_CAPABILITIES,
  };
  const id = await addConnection({ db: site.db, cipher: createCipher(secretsOf(TEST_SECRET)) }, made);
  await connectWire({ ...made, id }).setup();
}

type Sending = { readonly done: Promise<unknown>; acknowledged(): number };

const CONNECTIONS = 8;

function sendAll(call: Caller, from: string, sends: number): Sending {
  let [next, acknowledged] = [0, 0];
  const work = async () => {
    while (next < sends) {
      const index = next++;
      const body = { from, to: personOf(index), body: bodyOf(index) };
      await postUntilAnswered(call, '/v1/messages', { body, once: `wire ${index}`, counts: { unanswered: 0 } });
      acknowledged++;
    }
  };
  return { done: Promise.all(Array.from({ length: CONNECTIONS }, work)), acknowledged: () => acknowledged };
}

const personOf = (index: number) => `+1602555${2000 + (index % 500)}`;
const bodyOf = (index: number) => `Text ${index} of many`;

async function keepKilling(
  first: ProductProcess,
  restart: () => Promise<ProductProcess>,
  { plan, sending }: { plan: WireCrashPlan; sending: Sending },
): Promise<void> {
  let product = first;
  for (let kill = 1; kill <= plan.kills; kill++) {
    const share = (plan.sends * kill) / plan.kills;
    await until('as many texts are acknowledged', () => sending.acknowledged() >= share, plan.settleWithinMs);
    await pause(Math.random() * 300);
    await product.kill();
    product = await restart();
  }
}

async function assertOneEnd({ site, wire }: Scene, sends: number): Promise<void> {
  const ends = await sql<{ id: string; status: string; ends: number }>(
    site.db,
    `select m.id, m.status, (select count(*) from events e where e.ledger_id = m.ledger_id and e.resource_id = m.id
       and e.type in ('message.delivered', 'message.failed')) as ends from messages m`,
  );
  assert.equal(ends.length, sends, 'every text is stored once');
  assert.deepEqual(
    ends.filter((text) => text.status !== 'delivered' || text.ends !== 1),
    [],
  );
  assert.deepEqual(
    (await wire.people.repeated({})).filter((name) => name.startsWith('messaging.send')),
    [],
    'nothing is sent twice',
  );
  for (let index = 0; index < sends; index++) {
    assert.equal(await wire.people.received({ to: personOf(index), body: bodyOf(index) }), 1);
  }
}
