/**
 * Compares calls over Asterisk that a live number's routing config controls with the same calls of Asterisk's own
 * dialplan. Measures the processor time of a call, the additional delay of its set-up, and its statements. The engines
 * run in turn. Audio flows both ways in each call, and the caller must hear the target.
 *
 *   --calls N   calls of a round     --seconds S   length of a call      --rounds R, 0 for the delay alone
 *   --per-second P   calls that begin in a second      --set-ups N   calls for the delay, or 0
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeSipRoot } from '../test/sip/root.ts';
import { until } from '../test/support/jobs.ts';
import { untilQuiet } from './support/call-statements.ts';
import { cpuOf, ownCpu } from './support/cpu.ts';
import { median, percentile } from './support/postgres.ts';
import { load } from './support/processes.ts';
import { callIn, callInForked, callInHeard, callInStreamed, callOutRecorded } from './support/sip-calls.ts';
import type { SetUp } from './support/sip-order.ts';
import { type EngineName, openSipWorld, type SipWorld } from './support/sip-world.ts';
import { countStatements, startCounting } from './support/statements.ts';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '24' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    'per-second': { type: 'string', default: '2' },
    'set-ups': { type: 'string', default: '200' },
  },
});
const LOAD = {
  calls: Number(values.calls),
  talkMs: Number(values.seconds) * 1_000,
  perSecond: Number(values['per-second']),
};
const ROUNDS = Number(values.rounds);
const SET_UPS = Number(values['set-ups']);

const IDLE_MS = 15_000;
const QUIET_MS_MAX = 60_000;
/** The calls that measure the delay. They are placed one after another. */
const BATCH = { calls: 10, perSecond: 2, talkMs: 150 };
const OWN_STATEMENTS = /bench_own|^vacuum|^checkpoint/i;

const TITLES: Readonly<Record<EngineName, string>> = {
  alone: 'dialplan',
  keys: 'dialplan that hears keys',
  ours: 'Dialplane',
};
const TITLE_CHARS = 44;
const NAMES = Object.keys(TITLES) as EngineName[];

/** A kind of calls, and the engine that carries them. */
type Kind = {
  readonly title: string;
  readonly engine: EngineName;
  readonly run: (world: SipWorld) => Promise<unknown>;
  /** Titles of the kinds that this kind is compared with. */
  readonly over: readonly string[];
};

const KINDS: readonly Kind[] = [
  ...NAMES.map((engine) => ({
    ...{ title: `plain, ${TITLES[engine]}`, engine, run: (world: SipWorld) => callIn(world, engine, LOAD) },
    over: engine === 'ours' ? [`plain, ${TITLES.alone}`, `plain, ${TITLES.keys}`] : [],
  })),
  ...(['keys', 'ours'] as const).map((engine) => ({
    ...{ title: `recorded, ${TITLES[engine]}`, engine, run: (world: SipWorld) => callOutRecorded(world, engine, LOAD) },
    over: engine === 'ours' ? [`recorded, ${TITLES.keys}`] : [],
  })),
  {
    title: `streamed, ${TITLES.keys}`,
    engine: 'keys',
    run: (world) => callInForked(world, LOAD),
    over: [`plain, ${TITLES.keys}`],
  },
  {
    title: `streamed, ${TITLES.ours}`,
    engine: 'ours',
    run: (world) => callInStreamed(world, LOAD),
    over: [`plain, ${TITLES.ours}`, `streamed, ${TITLES.keys}`],
  },
  {
    title: `plain, ${TITLES.keys}, with events`,
    engine: 'keys',
    run: (world) => callInHeard(world, LOAD),
    over: [`plain, ${TITLES.keys}`],
  },
];

/** Processor time in µs, and the number of statements, for a call or for a second without calls. */
type Spent = Record<'engine' | 'product' | 'postgres' | 'people' | 'statements' | 'transactions', number>;

function cpuNow({ engines, postgresPid, peoplePid }: SipWorld, name: EngineName) {
  const others = { postgres: cpuOf(postgresPid), people: cpuOf(peoplePid) };
  return { engine: cpuOf(engines[name].pid()), product: ownCpu(), ...others };
}

/** Measures the processor time during `work`. */
async function measure(
  world: SipWorld,
  name: EngineName,
  run: () => Promise<unknown>,
): Promise<{ readonly spent: Spent; readonly seconds: number }> {
  await startCounting(world.client);
  const before = cpuNow(world, name);
  const startMs = performance.now();
  await run();
  const seconds = (performance.now() - startMs) / 1_000;
  const after = cpuNow(world, name);
  const counted = await countStatements(world.client, OWN_STATEMENTS);
  const sum = (of: typeof counted) => of.reduce((all, { calls }) => all + calls, 0);
  const spent = {
    engine: after.engine - before.engine,
    product: after.product - before.product,
    postgres: after.postgres - before.postgres,
    people: after.people - before.people,
    statements: sum(counted),
    transactions: sum(counted.filter(({ text }) => /^commit/i.test(text))),
  };
  return { spent, seconds };
}

function each(spent: Spent, change: (amount: number, key: keyof Spent) => number): Spent {
  const entries = Object.entries(spent) as [keyof Spent, number][];
  return Object.fromEntries(entries.map(([key, amount]) => [key, change(amount, key)])) as Spent;
}

/** Waits until an engine has no channel left, and all work for its calls is done. */
async function untilOver({ engines, client }: SipWorld, name: EngineName): Promise<void> {
  await until('no channel is left', async () => (await engines[name].listChannels()).length === 0, QUIET_MS_MAX);
  await untilQuiet(client);
}

/** Returns the cost of a call in a round. The cost of the same time without calls is subtracted. */
async function runRound(world: SipWorld, { title, engine: name, run }: Kind, idle: Spent): Promise<Spent> {
  const { spent, seconds } = await measure(world, name, async () => {
    await run(world);
    await untilOver(world, name);
  });
  const own = each(spent, (all, key) => (all - idle[key] * seconds) / LOAD.calls);
  const shown = [own.engine, own.product, own.postgres].map((us) => (us / 1_000).toFixed(1)).join(' + ');
  const share = (spent.people / seconds / 10_000).toFixed(0);
  console.log(`  ${title.padEnd(TITLE_CHARS)} ${shown} ms a call; the people ${share} % of a core, ${load()}`);
  return own;
}

/** Returns the cost of a second without calls. */
async function measureIdle(world: SipWorld, name: EngineName): Promise<Spent> {
  const { spent, seconds } = await measure(world, name, () => sleep(IDLE_MS));
  return each(spent, (all) => all / seconds);
}

type Table = ReadonlyMap<string, Spent[]>;

async function measureProcessors(world: SipWorld): Promise<Table> {
  const idle = {} as Record<EngineName, Spent>;
  for (const name of NAMES) idle[name] = await measureIdle(world, name);
  const [engine, product] = [idle.ours.engine, idle.ours.product].map((us) => (us / 1_000).toFixed(1));
  console.log(`\nwithout calls, in each second: ${engine} ms of the engine, ${product} of ours; taken off below`);
  const table = new Map(KINDS.map(({ title }): [string, Spent[]] => [title, []]));
  for (let round = 1; round <= ROUNDS; round++) {
    console.log(`round ${round}: engine + ours + PostgreSQL`);
    for (const kind of KINDS) table.get(kind.title)?.push(await runRound(world, kind, idle[kind.engine]));
  }
  return table;
}

function printTable(table: Table): void {
  const rowsOf = (title: string) => table.get(title) ?? [];
  const pad = (amount: string) => amount.padStart(12);
  console.log(
    `\nms of processor for a call of ${values.seconds} s, medians of ${ROUNDS} rounds of ${LOAD.calls} calls`,
  );
  const columns = ['engine', 'ours', 'PostgreSQL', 'calls a core', 'statements', 'commits'];
  console.log(`${''.padEnd(TITLE_CHARS)}${columns.map((name) => pad(` ${name}`)).join('')}`);
  for (const { title, engine } of KINDS) {
    const of = (key: keyof Spent) => median(rowsOf(title).map((spent) => spent[key]));
    const ms = (key: keyof Spent) => pad((of(key) / 1_000).toFixed(1));
    const carried = pad(((LOAD.talkMs * 1_000) / of('engine')).toFixed(0));
    const own = (text: string) => (engine === 'ours' ? text : pad('-'));
    const counts = (['statements', 'transactions'] as const).map((key) => own(pad(of(key).toFixed(1)))).join('');
    console.log(
      `${title.padEnd(TITLE_CHARS)}${ms('engine')}${own(ms('product'))}${own(ms('postgres'))}${carried}${counts}`,
    );
  }
  for (const { title, over } of KINDS) {
    for (const other of over) {
      const ratios = rowsOf(title).map(({ engine }, round) => engine / (rowsOf(other)[round]?.engine ?? Number.NaN));
      console.log(`the engine, ${title} over ${other}: ${median(ratios).toFixed(2)}`);
    }
  }
}

async function measureSetUps(world: SipWorld): Promise<void> {
  const setUps: Record<EngineName, SetUp[]> = { alone: [], keys: [], ours: [] };
  for (let placed = -BATCH.calls; placed < SET_UPS; placed += BATCH.calls) {
    for (const name of NAMES) {
      const own = await callIn(world, name, BATCH);
      await untilOver(world, name);
      // The first calls are not counted, because they warm everything up.
      if (placed >= 0) setUps[name].push(...own);
    }
  }
  console.log(`ms from the caller's INVITE, ${SET_UPS} calls one after another, ${load()}`);
  const moments = { calledMs: 'INVITE at the target', answeredMs: '200 at the caller' };
  for (const [key, title] of Object.entries(moments) as [keyof SetUp, string][]) {
    const at = (share: number, name: EngineName) => {
      const sorted = setUps[name].map((setUp) => setUp[key]).sort((a, b) => a - b);
      return percentile(sorted, share);
    };
    for (const name of NAMES) {
      const [p50, p99] = [0.5, 0.99].map((share) => at(share, name).toFixed(1));
      console.log(`${title.padEnd(22)} ${TITLES[name].padEnd(28)} p50 ${p50}, p99 ${p99}`);
    }
    const [p50, p99] = [0.5, 0.99].map((share) => (at(share, 'ours') - at(share, 'alone')).toFixed(1));
    console.log(`${title.padEnd(22)} added: p50 ${p50}, p99 ${p99} (to reach: p99 below 50)`);
  }
}

const missing = makeSipRoot();
if (missing !== undefined) throw new Error(`this machine lacks ${missing}`);
const world = await openSipWorld();
try {
  if (SET_UPS > 0) await measureSetUps(world);
  if (ROUNDS > 0) printTable(await measureProcessors(world));
} finally {
  await world.close();
}
