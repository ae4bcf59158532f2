/**
 * Calls over Asterisk that a live number's routing config controls, compared with the same calls of Asterisk's own
 * dialplan: the processor time of a call, the delay that is added to its set-up, and its statements. The engines run in
 * turn. Audio flows both ways in each call, and the caller must hear the target.
 *
 *   --calls N   calls of a round     --seconds S   length of a call      --rounds R
 *   --per-second P   calls that begin in a second      --set-ups N   calls for the delay
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeSipRoot } from '../test/sip/root.ts';
import { until } from '../test/support/jobs.ts';
import { untilQuiet } from './support/call-statements.ts';
import { cpuOf, ownCpu } from './support/cpu.ts';
import { median, percentile } from './support/postgres.ts';
import { load } from './support/processes.ts';
import type { SetUp } from './support/sip-order.ts';
import { openSipWorld, type SipWorld } from './support/sip-world.ts';
import { countStatements, startCounting } from './support/statements.ts';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '24' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
    'per-second': { type: 'string', default: '2' },
    'set-ups': { type: 'string', default: '200' },
  },
});
const CALLS = Number(values.calls);
const TALK_MS = Number(values.seconds) * 1_000;
const ROUNDS = Number(values.rounds);
const PER_SECOND = Number(values['per-second']);
const SET_UPS = Number(values['set-ups']);

const IDLE_MS = 15_000;
const QUIET_MS_MAX = 30_000;
/** Of calls one after another, for the delay. */
const BATCH = 10;
const SHORT_MS = 150;
const OWN_STATEMENTS = /bench_own|^vacuum|^checkpoint/i;

type EngineName = keyof SipWorld['engines'];
const NAMES: readonly EngineName[] = ['alone', 'keys', 'ours'];
const TITLES: Readonly<Record<EngineName, string>> = {
  alone: 'dialplan',
  keys: 'dialplan that hears keys',
  ours: 'Dialplane',
};

/** µs of processor time, or µs in each second while nothing happens; and statements in the same way. */
type Spent = {
  readonly engine: number;
  readonly product: number;
  readonly postgres: number;
  readonly people: number;
  readonly statements: number;
  readonly transactions: number;
};

function cpuNow({ engines, postgresPid }: SipWorld, name: EngineName) {
  return { engine: cpuOf(engines[name].pid()), product: ownCpu(), postgres: cpuOf(postgresPid) };
}

/** Measures what is spent while something runs. `people` is what it returns. */
async function measure(world: SipWorld, name: EngineName, run: () => Promise<number>): Promise<Spent & { ms: number }> {
  await startCounting(world.client);
  const before = cpuNow(world, name);
  const startMs = performance.now();
  const people = await run();
  const ms = performance.now() - startMs;
  const after = cpuNow(world, name);
  const counted = await countStatements(world.client, OWN_STATEMENTS);
  const sum = (of: typeof counted) => of.reduce((all, { calls }) => all + calls, 0);
  return {
    engine: after.engine - before.engine,
    product: after.product - before.product,
    postgres: after.postgres - before.postgres,
    ...{ people, ms, statements: sum(counted) },
    transactions: sum(counted.filter(({ text }) => /^commit/i.test(text))),
  };
}

/** Waits until no channel is left at an engine, and all work for its calls is done. */
async function untilOver({ engines, client }: SipWorld, name: EngineName): Promise<void> {
  await until('no channel is left', async () => (await engines[name].listChannels()).length === 0, QUIET_MS_MAX);
  await untilQuiet(client);
}

/** Returns what a call of a round takes, without what would have been spent without calls. */
async function runRound(world: SipWorld, name: EngineName, idle: Spent): Promise<Spent> {
  const { ms, ...spent } = await measure(world, name, async () => {
    const order = { to: world.number, calls: CALLS, perSecond: PER_SECOND, talkMs: TALK_MS };
    const { cpuUs } = await world.place({ enginePort: world.engines[name].sipPort, ...order });
    await untilOver(world, name);
    return cpuUs;
  });
  const share = ((spent.people / (ms * 1_000)) * 100).toFixed(0);
  const entries = Object.entries(spent) as [keyof Spent, number][];
  const each = Object.fromEntries(entries.map(([key, all]) => [key, (all - (idle[key] * ms) / 1_000) / CALLS]));
  const { engine, product, postgres } = each as Spent;
  const shown = [engine, product, postgres].map((us) => (us / 1_000).toFixed(1)).join(' + ');
  console.log(`  ${TITLES[name].padEnd(26)} ${shown} ms a call; the people ${share} % of a core, ${load()}`);
  return each as Spent;
}

/** Returns what is spent in a second without calls. */
async function measureIdle(world: SipWorld, name: EngineName): Promise<Spent> {
  const { ms, ...spent } = await measure(world, name, () => sleep(IDLE_MS, 0));
  return Object.fromEntries(Object.entries(spent).map(([key, all]) => [key, (all / ms) * 1_000])) as Spent;
}

type Table = Readonly<Record<EngineName, readonly Spent[]>>;

async function measureProcessors(world: SipWorld): Promise<Table> {
  const idle = {
    alone: await measureIdle(world, 'alone'),
    keys: await measureIdle(world, 'keys'),
    ours: await measureIdle(world, 'ours'),
  };
  console.log(
    `without calls, in each second: ${(idle.ours.engine / 1_000).toFixed(1)} ms of the engine, ${(idle.ours.product / 1_000).toFixed(1)} of ours`,
  );
  const table: Record<EngineName, Spent[]> = { alone: [], keys: [], ours: [] };
  for (let round = 1; round <= ROUNDS; round++) {
    console.log(`round ${round}: engine + ours + PostgreSQL`);
    for (const name of NAMES) table[name].push(await runRound(world, name, idle[name]));
  }
  return table;
}

function printTable(table: Table): void {
  const of = (name: EngineName, key: keyof Spent) => median(table[name].map((spent) => spent[key]));
  const ms = (us: number) => (us / 1_000).toFixed(1).padStart(8);
  console.log(`\nms of processor for a call of ${values.seconds} s, medians of ${ROUNDS} rounds of ${CALLS} calls`);
  console.log(`${''.padEnd(28)}  engine    ours  PostgreSQL   calls that a core of the engine carries`);
  for (const name of NAMES) {
    const carried = (TALK_MS * 1_000) / of(name, 'engine');
    const own = name === 'ours' ? `${ms(of(name, 'product'))}    ${ms(of(name, 'postgres'))}` : ' '.repeat(20);
    console.log(`${TITLES[name].padEnd(28)}${ms(of(name, 'engine'))}${own}   ${carried.toFixed(0)}`);
  }
  for (const name of ['alone', 'keys'] as const) {
    const ratios = table.ours.map(({ engine }, round) => engine / (table[name][round] as Spent).engine);
    console.log(
      `the engine with Dialplane, over the ${TITLES[name]}: ${median(ratios).toFixed(2)} (to reach: below 1.10)`,
    );
  }
  const [statements, transactions] = [of('ours', 'statements'), of('ours', 'transactions')];
  console.log(`${statements.toFixed(1)} statements a call, ${transactions.toFixed(1)} of them commits of transactions`);
}

async function measureSetUps(world: SipWorld): Promise<void> {
  const setUps: Record<EngineName, SetUp[]> = { alone: [], keys: [], ours: [] };
  for (let placed = -BATCH; placed < SET_UPS; placed += BATCH) {
    for (const name of NAMES) {
      const order = { to: world.number, calls: BATCH, perSecond: 2, talkMs: SHORT_MS };
      const { setUps: own } = await world.place({ enginePort: world.engines[name].sipPort, ...order });
      await untilOver(world, name);
      // The first calls warm everything up.
      if (placed >= 0) setUps[name].push(...own);
    }
  }
  console.log(`\nms from the caller's INVITE, ${SET_UPS} calls one after another, ${load()}`);
  for (const [key, title] of [
    ['calledMs', 'INVITE at the target'],
    ['answeredMs', '200 at the caller'],
  ] as const) {
    const sorted = (name: EngineName) => setUps[name].map((setUp) => setUp[key]).sort((a, b) => a - b);
    const at = (share: number, name: EngineName) => percentile(sorted(name), share);
    for (const name of ['alone', 'ours'] as const) {
      const shown = [0.5, 0.99].map((share) => at(share, name).toFixed(1));
      console.log(`${title.padEnd(22)} ${TITLES[name].padEnd(28)} p50 ${shown[0]}, p99 ${shown[1]}`);
    }
    const [p50, p99] = [0.5, 0.99].map((share) => (at(share, 'ours') - at(share, 'alone')).toFixed(1));
    console.log(`${title.padEnd(22)} added: p50 ${p50}, p99 ${p99} (to reach: p99 below 50)`);
  }
}

const missing = makeSipRoot();
if (missing !== undefined) throw new Error(`this machine lacks ${missing}`);
const world = await openSipWorld();
try {
  await measureSetUps(world);
  printTable(await measureProcessors(world));
} finally {
  await world.close();
}
