/**
 * A queue on real processes: two workers and two gateways. They are killed one after the other. Callers come and talk
 * at random times; some hang up while they wait. Some agents are web clients with sockets at the processes.
 */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { allThenThrow } from '../../src/lib/errors/all-then-throw.ts';
import { WORKER_SETTINGS } from '../../src/queue/worker/settings.ts';
import { type Caller, createCaller } from '../support/caller.ts';
import { createRandom } from '../support/fault-rules.ts';
import { until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { expectStatus, openSite, type ProductProcess, type Site } from '../support/product-process.ts';
import { findQueueProblems, listChangesOf, longestBesideMs, type Span } from './queue-findings.ts';
import { countDue, readChanges, readQueuedCalls, readStages, watchQueue } from './queue-history.ts';
import { type QueueWebClient, startQueueWebClient } from './queue-web-client.ts';
import { postUntilAnswered, type RequestCounts } from './retry-request.ts';

export type QueueProcessesPlan = {
  readonly callers: number;
  readonly telephones: number;
  readonly webClients: number;
  /** Mean time from one caller to the next, and of a talk; both exponential. */
  readonly everyMs: number;
  readonly talkMs: number;
  /** The share of callers who hang up if they wait, each after `talkMs` on average. */
  readonly impatient: number;
  /** Mean time from one kill to the next. */
  readonly killEveryMs: number;
  readonly seed: number;
};

/**
 * Plays the callers. Fails unless each caller is answered once, or hangs up while it waits. Callers must be answered in
 * the order of arrival, by an agent without another caller, and none may wait while an agent is free.
 * @returns figures of the run, one a line
 */
export async function runQueueProcesses(plan: QueueProcessesPlan): Promise<string[]> {
  const site = await openSite();
  try {
    return await play(site, plan);
  } finally {
    await site.close();
  }
}

async function play(site: Site, plan: QueueProcessesPlan): Promise<string[]> {
  await watchQueue(site.db);
  const fleet = await startFleet(site);
  const { call } = fleet;
  const tenant = await expectStatus(call('POST', '/v1/tenants', { body: { name: 'Desert Paws Clinic' } }), 201);
  const counts: RequestCounts = { unanswered: 0 };
  const webClients = await Promise.all(
    Array.from({ length: plan.webClients }, () => openWebClient(fleet, tenant.id, counts)),
  );
  const telephones = Array.from({ length: plan.telephones }, (_, n) => `+1602555${4000 + n}`);
  const openedMs = Date.now();
  const number = await makeQueue(call, tenant.id, [...telephones, ...webClients.map(({ id }) => id)]);
  const over = new AbortController();
  const stalls = watchStalls(over.signal);
  const killing = keepKilling(fleet, plan, over.signal);
  const startedMs = performance.now();
  const playing = playCallers({ site, call, number, counts, plan }).finally(() => over.abort());
  // A process that is being started must not outlive a failed run.
  await allThenThrow([playing, killing]);
  const [callers, kills] = [await playing, await killing];
  await until('all work is done', async () => (await countDue(site.db)) === 0, SETTLED_WITHIN_MS);
  for (const webClient of webClients) await webClient.stop();
  const always = [{ fromMs: openedMs, toMs: Date.now() }];
  const present = new Map<string, readonly Span[]>([
    ...telephones.map((telephone) => [telephone, always] as const),
    ...webClients.map((webClient) => [webClient.id, webClient.present()] as const),
  ]);
  const calls = (await readQueuedCalls(site.db)).map((each) => ({ ...each, gaveUp: callers.gaveUp.has(each.id) }));
  assert.deepEqual(
    calls.map(({ id }) => id),
    callers.ids.toSorted(),
    'the calls that were acknowledged, each once',
  );
  const excused = [...kills.flatMap(({ recovery }) => recovery ?? []), ...stalls];
  const changes = await readChanges(site.db);
  const startMs = changes[0]?.atMs ?? 0;
  const excuses = excused.map(
    ({ fromMs, toMs }) => `${Math.round(fromMs - startMs)} to ${Math.round(toMs - startMs)} ms`,
  );
  const facts = { calls, changes, present, excused };
  const problems = findQueueProblems(facts);
  const named = [...new Set(problems.flatMap((problem) => problem.match(/call_\w+/g) ?? []))];
  const seen = named.flatMap((id) => [id, ...listChangesOf(id, facts).map((line) => `  ${line}`)]);
  assert.ok(problems.length === 0, [...problems, `excused: ${excuses.join(', ')}`, ...seen].join('\n'));
  const reasons = Map.groupBy(calls, ({ reasons: [reason] }) => reason);
  const sum = (of: keyof QueueWebClient['counts']) => webClients.reduce((total, each) => total + each.counts[of], 0);
  return [
    `seed ${plan.seed}: ${plan.callers} callers, ${plan.telephones + plan.webClients} agents, ${plan.webClients} of them web clients`,
    [...reasons].map(([reason, own]) => `${own.length} ${reason}`).join(', '),
    `${kills.length} kills: ${kills.map(({ name }) => name).join(', ')}; ${counts.unanswered} requests unanswered`,
    `logins and connections of audio of web clients that failed or broke: ${sum('logins')} and ${sum('audios')}`,
    `a caller waited beside a free agent for at most ${(longestBesideMs(facts) / 1000).toFixed(1)} s, kills apart`,
    `${((performance.now() - startedMs) / 1000).toFixed(0)} s, of which the machine stood still for ${stalls.length} moments`,
  ];
}

const SETTLED_WITHIN_MS = 120_000;

type Fleet = {
  /** Sends each request to the next of the processes that work. */
  readonly call: Caller;
  readonly origin: (of: 'signalling' | 'audio') => string;
  readonly members: {
    readonly name: 'worker' | 'gateway';
    process: ProductProcess;
    readonly start: () => Promise<ProductProcess>;
  }[];
};

/** Starts two processes that work and have the API, and two gateways. */
async function startFleet(site: Site): Promise<Fleet> {
  const members = await Promise.all(
    (['worker', 'worker', 'gateway', 'gateway'] as const).map(async (name) => {
      const options = { port: await freePort(), work: name === 'worker', gateway: name === 'gateway' };
      const start = () => site.start(options);
      return { name, process: await start(), start };
    }),
  );
  let turn = 0;
  const next = (name: 'worker' | 'gateway') => {
    const own = members.filter((member) => member.name === name);
    return (own[turn++ % own.length] as (typeof own)[number]).process.url;
  };
  const key = site.account.test_key;
  return {
    members,
    call: (...request) => createCaller(next('worker'), key)(...request),
    origin: (of) => next(of === 'audio' ? 'gateway' : 'worker'),
  };
}

async function openWebClient({ call, origin }: Fleet, tenantId: string, counts: RequestCounts) {
  const body = { tenant_id: tenantId };
  const { id } = await expectStatus(call('POST', '/v1/web_clients', { body }), 201);
  let tokens = 0;
  const mint = async () => {
    const once = `${id} token ${tokens++}`;
    return (await postUntilAnswered(call, `/v1/web_clients/${id}/tokens`, { body: {}, once, counts })).body.token;
  };
  const webClient = startQueueWebClient({ id, mint, origin });
  await until('the web client is logged in', () => webClient.present().length > 0);
  return webClient;
}

/** Makes a queue and a number that leads to it. Returns the number. */
async function makeQueue(call: Caller, tenant_id: string, agents: readonly string[]): Promise<string> {
  const make = (path: string, body: object) => expectStatus(call('POST', path, { body: { tenant_id, ...body } }), 201);
  const settings = { ring_seconds: 30, max_waiting: 1_000, max_wait_seconds: 3_600 };
  const queue = await make('/v1/queues', { name: 'Support', agents, ...settings });
  const open_behavior = { type: 'queue', queue_id: queue.id };
  const { id: routing_config_id } = await make('/v1/routing_configs', { name: 'Support line', open_behavior });
  const search = await expectStatus(call('GET', '/v1/phone_numbers/available?area_code=602&limit=1'), 200);
  const number = await make('/v1/phone_numbers', { phone_number: search.data[0].phone_number });
  await expectStatus(call('PATCH', `/v1/phone_numbers/${number.id}`, { body: { routing_config_id } }), 200);
  return number.phone_number;
}

type Stage = {
  readonly site: Site;
  readonly call: Caller;
  readonly number: string;
  readonly counts: RequestCounts;
  readonly plan: QueueProcessesPlan;
};

const LOOK_MS = 200;
/** Callers hang up when the run says so. Otherwise they would hang up long after the run. */
const SCRIPT = 'wait 300, wait 300, wait 300, wait 300, hangup';
/** Nothing takes longer than this, also on a slow machine. */
const ENDED_WITHIN_MS = 900_000;

/** Lets the callers come, talk and hang up. Resolves when all calls have ended. */
async function playCallers({ site, call, number, counts, plan }: Stage) {
  const random = createRandom(plan.seed);
  const exponential = (meanMs: number) => -meanMs * Math.log(1 - random());
  const ids: string[] = [];
  const gaveUp = new Set<string>();
  const failures: unknown[] = [];
  const noting = (request: Promise<void>) => request.catch((error: unknown) => void failures.push(error));
  const arrivals: Promise<void>[] = [];
  const talks = new Map<string, Promise<void>>();
  const arrive = async (n: number) => {
    const body = { from: `+1480555${1000 + n}`, to: number, script: SCRIPT };
    const { body: placed } = await postUntilAnswered(call, '/v1/test/inbound_calls', {
      body,
      once: `caller ${n}`,
      counts,
    });
    ids.push(placed.id);
  };
  const hangUp = async (id: string, inMs: number) => {
    await pause(inMs);
    const once = `${id} leaves`;
    await postUntilAnswered(call, `/v1/test/calls/${id}/hangup`, { body: { party: 'customer' }, once, counts });
  };
  const patience = new Map<string, number>();
  const look = async () => {
    const stages = await readStages(site.db);
    for (const [id, stage] of stages) {
      if (stage === 'queued' && !patience.has(id)) {
        const isPatient = random() >= plan.impatient;
        patience.set(id, isPatient ? Number.POSITIVE_INFINITY : Date.now() + exponential(plan.talkMs));
      }
      if (stage === 'queued' && (patience.get(id) ?? 0) < Date.now() && !talks.has(id)) {
        gaveUp.add(id);
        talks.set(id, noting(hangUp(id, 0)));
      }
      if (stage === 'talking' && !talks.has(id)) talks.set(id, noting(hangUp(id, exponential(plan.talkMs))));
    }
    return stages.size;
  };
  let nextMs = performance.now();
  const deadlineMs = nextMs + ENDED_WITHIN_MS;
  for (let running = 0; arrivals.length < plan.callers || running > 0 || ids.length < plan.callers; ) {
    while (arrivals.length < plan.callers && nextMs <= performance.now()) {
      arrivals.push(noting(arrive(arrivals.length)));
      nextMs += exponential(plan.everyMs);
    }
    if (failures.length > 0) throw failures[0];
    assert.ok(performance.now() < deadlineMs, `${running} of ${ids.length} calls have not ended`);
    await pause(LOOK_MS);
    running = await look();
  }
  await Promise.all([...arrivals, ...talks.values()]);
  return { ids, gaveUp };
}

/** The claims of a killed process are due again after this time. Their work is done within the rest. */
const RECOVERY_MS = WORKER_SETTINGS.urgentLeaseMs + WORKER_SETTINGS.pollMs + 2_000;

/**
 * `recovery`: how long after the kill the queue may be late. A gateway has no part in the queue, so its kill
 * has none.
 */
type Kill = { readonly name: string; readonly recovery?: Span };

/** Kills a process at random, and starts it again, until `over`. */
async function keepKilling({ members }: Fleet, { killEveryMs, seed }: QueueProcessesPlan, over: AbortSignal) {
  const random = createRandom(seed + 1);
  const kills: Kill[] = [];
  for (;;) {
    await pause(killEveryMs * (0.5 + random()), undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return kills;
    const member = members[Math.floor(random() * members.length)] as (typeof members)[number];
    const fromMs = Date.now();
    await member.process.kill();
    member.process = await member.start();
    const recovery = { fromMs, toMs: fromMs + RECOVERY_MS };
    kills.push({ name: member.name, ...(member.name === 'worker' && { recovery }) });
  }
}

const TICK_MS = 100;
/** If a timer is this late, the machine did other work: the delay is not the product's. */
const STALL_MS = 300;

/** Records when the machine stood still, until `over`. */
function watchStalls(over: AbortSignal): Span[] {
  const stalls: Span[] = [];
  let dueMs = Date.now() + TICK_MS;
  const timer = setInterval(() => {
    const toMs = Date.now();
    if (toMs - dueMs > STALL_MS) stalls.push({ fromMs: dueMs - TICK_MS, toMs: toMs + STALL_MS });
    dueMs = toMs + TICK_MS;
  }, TICK_MS);
  over.addEventListener('abort', () => clearInterval(timer));
  return stalls;
}
