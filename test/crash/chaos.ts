import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';
import type { WorkerSettings } from '../../src/queue/worker/settings.ts';
import { createCaller } from '../support/caller.ts';
import { createRandom } from '../support/fault-rules.ts';
import { sql, until } from '../support/jobs.ts';
import { clearForTexts, fund } from '../support/money.ts';
import { freePort } from '../support/ports.ts';
import { expectStatus, openSite, type ProductProcess, type Site, untilIdle } from '../support/product-process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { readFacts } from './chaos-facts.ts';
import { findProblems, type Outage } from './chaos-findings.ts';
import { createTexts } from './chaos-texts.ts';
import type { FarSide } from './far-side.ts';
import { KILL_POINTS, type KillPoints, openKillPoints } from './kill-points.ts';
import { newSeed } from './new-seed.ts';
import { makeLines } from './voice-crash.ts';
import { createVoiceClient } from './voice-crash-client.ts';
import { watchOrder } from './watch-order.ts';

type ChaosPlan = {
  readonly texts: number;
  readonly calls: number;
  /** All texts and calls start within this time. */
  readonly beginWithinMs: number;
  /** Stops early if all has ended. */
  readonly kills: number;
  /** How long the product runs between two kills, on average. */
  readonly runsForMs: number;
  readonly workerSettings: Partial<WorkerSettings>;
  /** After the last kill, all calls and sends must end within this time. */
  readonly settleWithinMs: number;
  /**
   * True shortens times to seconds: talks, and rings that nobody answers. The product asks immediately about running
   * calls. False uses the usual times of people and of the product.
   */
  readonly isShort: boolean;
  /** Longest time that the loss of a report about a call may go unnoticed while the product runs. */
  readonly healedMs: number;
  readonly seed: number;
};

/**
 * A chaos run of full size: 2,000 texts, 200 calls and 26 kills. Prints its seed and its figures.
 * @param startFarSide starts the carrier
 */
export async function runFullChaos(startFarSide: () => Promise<FarSide>): Promise<void> {
  const plan = {
    texts: 2_000,
    calls: 200,
    beginWithinMs: 300_000,
    kills: 26,
    runsForMs: 6_000,
    workerSettings: {},
    settleWithinMs: 300_000,
    isShort: false,
    healedMs: 90_000,
    seed: newSeed(),
  };
  for (const figure of await runChaos(plan, startFarSide)) console.log(figure);
}

/**
 * A chaos run of the usual size: 30 texts, 8 calls and 3 kills.
 * @param startFarSide starts the carrier
 * @returns figures of the run, one per line
 */
export function runSmallChaos(startFarSide: () => Promise<FarSide>, seed: number): Promise<string[]> {
  const plan = {
    texts: 30,
    calls: 8,
    beginWithinMs: 4_000,
    kills: 3,
    runsForMs: 1_000,
    workerSettings: { leaseMs: 2_000, pollMs: 200 },
    settleWithinMs: 120_000,
    isShort: true,
    healedMs: Number.POSITIVE_INFINITY,
    seed,
  };
  return runChaos(plan, startFarSide);
}

/**
 * Plays texts and calls of a live key over a carrier on a bad network. Kills the product at exact points and restarts
 * it. Fails unless each text and call happened once and ended once.
 * @param startFarSide starts the carrier
 * @returns figures of the run, one per line
 */
async function runChaos(plan: ChaosPlan, startFarSide: () => Promise<FarSide>): Promise<string[]> {
  const [site, farSide, receiver] = await Promise.all([openSite(), startFarSide(), startReceiver()]);
  const points = await openKillPoints(site.db, site.databaseUrl, farSide);
  try {
    return await chaos({ site, farSide, receiver, points, plan });
  } finally {
    await points.close();
    await site.close();
    await Promise.all([farSide.close(), receiver.close()]);
  }
}

type Scene = {
  readonly site: Site;
  readonly farSide: FarSide;
  readonly receiver: Receiver;
  readonly points: KillPoints;
  readonly plan: ChaosPlan;
};

async function chaos(scene: Scene): Promise<string[]> {
  const { site, farSide, plan } = scene;
  const options = { port: await freePort(), workerSettings: plan.workerSettings, liveWebhooksLocal: true };
  const url = `http://127.0.0.1:${options.port}`;
  await farSide.connect(site, url);
  const start = () => site.start(options);
  const product = await start();
  const stage = await setStage(scene, url);
  await farSide.misbehave(plan.seed);
  const startedMs = performance.now();
  const played = new AbortController();
  const playing = Promise.all([stage.texts.playAll(), stage.calls.playAll()]).finally(() => {
    played.abort();
    // If one of the runs failed, the others end too.
    for (const traffic of [stage.texts, stage.calls]) traffic.abandon();
  });
  const killing = keepKilling(scene, { first: product, restart: start, done: played.signal });
  const hurrying = plan.isShort ? keepHurrying(site.db, farSide, played.signal) : undefined;
  // The product is no longer disturbed when a failure is reported.
  await Promise.allSettled([playing, killing, hurrying]);
  await Promise.all([playing, hurrying]);
  const killed = await killing;
  const playedMs = performance.now();
  const decided = await settle(scene);
  const facts = await readFacts(site.db, farSide, { texts: stage.texts.texts, calls: stage.calls.calls });
  assert.deepEqual(findProblems(facts, { healedMs: plan.healedMs, outages: killed.map(({ outage }) => outage) }), []);
  assert.deepEqual(stage.order.violations(), []);
  await assertAllDelivered(site, stage.order.taken());
  const outcomes = Map.groupBy(facts.calls, ({ direction, outcome }) => `${direction} ${outcome}`);
  const unanswered = stage.texts.unanswered() + stage.calls.unanswered();
  return [
    `seed ${plan.seed}: ${plan.texts} texts, ${plan.calls} calls, ${await farSide.struck()} faults, ${decided}`,
    `${unanswered} requests unanswered; ${stage.order.arrivals()} webhooks for ${stage.order.taken().size} events`,
    [...outcomes].map(([what, own]) => `${own.length} ${what}`).join(', '),
    `${killed.length} kills: ${killed.map(({ at }) => at).join(', ')}`,
    `${seconds(playedMs - startedMs)} of traffic, ${seconds(performance.now() - playedMs)} until all was settled`,
  ];
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Buys the numbers, registers the receiver, and prepares the traffic. */
async function setStage({ site, farSide, receiver, plan }: Scene, url: string) {
  const { db, account } = site;
  const key = account.live_key;
  const call = createCaller(url, key);
  await fund({ context: { db }, account });
  const lines = await makeLines(call);
  await clearForTexts({ context: { db } }, lines.ringing.id);
  // The run has more texts than a small campaign may send in a minute.
  await sql(db, 'update campaigns set messages_per_minute = 4500, daily_cap = 200000');
  const order = watchOrder(receiver, ({ event }, times) => {
    return { status: Number.parseInt(event.id.slice(-2), 32) % 60 === 0 && times === 1 ? 500 : 200 };
  });
  const body = { url: 'https://receiver.example.com/hooks' };
  const { id } = await expectStatus(call('POST', '/v1/webhook_endpoints', { body }), 201);
  await sql(db, 'update webhook_endpoints set url = $2 where id = $1', [id, receiver.url]);
  const { beginWithinMs } = plan;
  const { textIn, callIn: arrive, neverAnswers, hangUp } = farSide;
  const texts = createTexts({ call, textIn, number: lines.ringing, texts: plan.texts, beginWithinMs });
  const paced = { calls: plan.calls, beginWithinMs, lookMs: LOOK_MS, ...(plan.isShort && hangUp && { hangUp }) };
  const calls = createVoiceClient({ url, key, lines, arrive, neverAnswers, ...paced });
  return { texts, calls, order };
}

const POINT_MS = 5_000;
/** How often a client looks at its calls. The network causes the load of the run. */
const LOOK_MS = 1_000;

type Killing = {
  readonly first: ProductProcess;
  readonly restart: () => Promise<ProductProcess>;
  /** Ends the killing. */
  readonly done: AbortSignal;
};

/** A kill: its point, and the time without a running product. */
type Killed = { readonly at: string; readonly outage: Outage };

/** Kills and restarts the product at each point in turn. It runs for a while between two kills. */
async function keepKilling({ points, plan }: Scene, { first, restart, done }: Killing): Promise<Killed[]> {
  const random = createRandom(plan.seed);
  const order = KILL_POINTS.map((point) => ({ point, lot: random() })).sort((a, b) => a.lot - b.lot);
  const killed: Killed[] = [];
  let product = first;
  while (killed.length < plan.kills && !done.aborted) {
    await pause(plan.runsForMs * (0.5 + random()));
    const { point } = order[killed.length % order.length] as (typeof order)[number];
    let fromMs = Date.now();
    const kill = async () => {
      fromMs = Date.now();
      await product.kill();
    };
    const isKilled = await points.killAt(point, kill, POINT_MS);
    if (!isKilled) await kill();
    product = await restart();
    killed.push({ at: isKilled ? point.at : 'no point', outage: { fromMs, toMs: Date.now() } });
  }
  return killed;
}

/**
 * Waits until all texts and calls have ended. Lost reports count as older, so that the product asks for them early.
 * @returns how texts ended that the carrier may or may not have
 */
async function settle({ site: { db }, farSide, plan }: Scene): Promise<string> {
  await farSide.drained();
  const decided = await farSide.decideTexts(db, plan.settleWithinMs);
  await untilIdle(db, plan.settleWithinMs);
  for (const { minutes, sweep } of LOST) await askAbout(db, sweep, minutes);
  assert.deepEqual(await sql(db, RECEIPTS.waiting), [], 'every text has its end');
  assert.deepEqual(await sql(db, RECORDINGS.waiting), [], 'every recording is kept');
  await untilIdle(db, plan.settleWithinMs);
  return decided;
}

const RECEIPTS = {
  name: 'lost_receipts',
  roundS: 300,
  waiting: `select id, status from messages where status in ('queued', 'sent')`,
  age: `update messages set created_at = clock_timestamp() - make_interval(secs => $1)
    where status in ('queued', 'sent')`,
};

const UNREPORTED = `ended_at is not null and case outcome when 'voicemail' then not (state ->> 'voicemailKept')::boolean
  else state #>> '{recording,name}' in ('on', 'stopped') end`;

const RECORDINGS = {
  name: 'lost_recordings',
  roundS: 30,
  // Includes rows of the Telnyx adapter, which explain a failure to its reader.
  waiting: `select id, outcome, state -> 'recording' as recording,
      array(select to_jsonb(r) from telnyx_recordings r where r.call_ref = calls.id) as recordings,
      array(select to_jsonb(l) from telnyx_legs l where l.call_ref = calls.id) as legs
    from calls where ${UNREPORTED}`,
  // The adapter treats a recording as absent once the leg has been over for minutes.
  age: `with aged as (
      update calls set ended_at = clock_timestamp() - make_interval(secs => $1) where ${UNREPORTED} returning id)
    update telnyx_legs set ended_at = clock_timestamp() - make_interval(secs => $1)
    where ended_at is not null and call_ref in (select id from aged)`,
};

/** The product asks the carrier at these ages, in minutes. The carrier's answer may be faulty, as for every request. */
const LOST = [
  ...[2, 4, 8, 15, 30, 60].map((minutes) => ({ minutes, sweep: RECORDINGS })),
  ...[15, 30, 60, 120].map((minutes) => ({ minutes, sweep: RECEIPTS })),
];

/** Makes the rows that wait for a report older, and waits until the product has asked about them. */
async function askAbout(db: Database, { name, roundS, waiting, age }: typeof RECEIPTS, minutes: number): Promise<void> {
  if ((await sql(db, waiting)).length === 0) return;
  await sql(db, age, [minutes * 60 + 1]);
  const kind = `sweep.${name}`;
  await sql(db, 'update jobs set run_at = clock_timestamp() where kind = $1', [kind]);
  // A claim also moves `run_at`, but only by the time of its lease, which is shorter.
  const asked = 'select 1 from jobs where kind = $1 and run_at > clock_timestamp() + make_interval(secs => $2)';
  await until(`${name} are asked for`, async () => (await sql(db, asked, [kind, roundS / 2])).length > 0, 60_000);
}

const HURRY_MS = 2_000;

/**
 * Repeats two changes until `done`: running calls become old enough for the product to ask the carrier about them, and
 * the ring time of phones that nobody answers ends.
 */
async function keepHurrying(db: Database, { neverAnswers }: FarSide, done: AbortSignal): Promise<void> {
  const age = `update calls set started_at = started_at - interval '1 minute'
    where ended_at is null and started_at > clock_timestamp() - interval '1 minute'`;
  const due = `update jobs set run_at = clock_timestamp() where kind = 'sweep.running_calls' and run_at > clock_timestamp()`;
  const rung = `update jobs j set run_at = clock_timestamp() from calls c
    where j.kind = 'call-timer' and j.id = 'call:' || c.id || ':ring' and position($1 in c.state::text) > 0
      and j.lease_token is null and j.run_at between clock_timestamp() and clock_timestamp() + interval '25 s'`;
  while (!done.aborted) {
    await sql(db, age);
    await sql(db, due);
    await sql(db, rung, [neverAnswers]);
    await pause(HURRY_MS);
  }
}

async function assertAllDelivered({ db }: Site, taken: ReadonlySet<string>): Promise<void> {
  // The numbers were bought before the receiver was registered.
  const events = await sql<{ id: string }>(
    db,
    `select id from events where type like 'message.%' or type like 'call.%'`,
  );
  const missing = events.filter(({ id }) => !taken.has(id)).map(({ id }) => id);
  assert.deepEqual(missing, [], 'events that the receiver never took');
}
