/**
 * Compares the latency of the API during 500 concurrent simulated calls with its latency without calls. Each call is
 * transcribed. If taskset is installed, the product runs on one core and the load on another. Prints medians of paired
 * runs, and the processor time and the statements of a call.
 *
 *   --calls N   concurrent calls     --seconds S   length of a run      --pairs P
 *   --statements   lists the statements of a live call instead, without those of the simulated network
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type Caller, createCaller } from '../test/support/caller.ts';
import { countLiveCalls, untilQuiet } from './support/call-statements.ts';
import { buyNumber, expectBody, person } from './support/numbers.ts';
import { type Ask, type Latencies, loadSteadily } from './support/open-load.ts';
import { median, startBenchPostgres } from './support/postgres.ts';
import { canPin, endChild, load, pin, startChild } from './support/processes.ts';
import { COUNTING, countStatements, startCounting } from './support/statements.ts';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '20' },
    pairs: { type: 'string', default: '3' },
    statements: { type: 'boolean', default: false },
    'no-pairs': { type: 'boolean', default: false },
  },
});
const CALLS = Number(values.calls);
const PER_SECOND = 50;
/** How long a call lasts on the simulated network, from its request on. */
const CALL_S = 18;
const COUNTED_CALLS = 300;
const WARM_UP_CALLS = 200;
const OWN_STATEMENTS = /bench_own|^vacuum|^checkpoint/i;

type Bench = {
  readonly call: Caller;
  readonly child: ChildProcess;
  readonly client: pg.Client;
  readonly numberId: string;
};

async function placeCall({ call, numberId }: Bench): Promise<string> {
  const body = { from: numberId, to: person(), connect_to: person(), transcribe: true };
  return (await expectBody(call('POST', '/v1/calls', { body }))).id;
}

/** Counts the calls that have not ended. */
async function countActive({ client }: Bench): Promise<number> {
  const { rows } = await client.query('select count(*)::int as bench_own from calls where ended_at is null');
  return rows[0].bench_own;
}

/** Keeps the number of running calls constant until it is stopped. The calls start one after another. */
function keepCalling(bench: Bench) {
  const ids: string[] = [];
  const active: number[] = [];
  let on = true;
  const stepMs = 250;
  const stepMax = Math.ceil((CALLS / CALL_S) * 1.15 * (stepMs / 1000));
  const work = async () => {
    while (on) {
      const now = await countActive(bench);
      active.push(now);
      const more = Math.min(stepMax, CALLS - now);
      const begunMs = performance.now();
      ids.push(...(await Promise.all(Array.from({ length: Math.max(more, 0) }, () => placeCall(bench)))));
      await sleep(Math.max(0, stepMs - (performance.now() - begunMs)));
    }
  };
  const done = work();
  return {
    /** Returns the most recent calls. */
    latest: () => ids.slice(-CALLS),
    active,
    stop: () => {
      on = false;
      return done;
    },
  };
}

function askFor({ call, numberId }: Bench, ids: () => readonly string[]): (index: number) => Ask {
  const some = () => {
    const known = ids();
    return known[Math.floor(Math.random() * known.length)];
  };
  return (index) => {
    switch (index % 5) {
      case 0:
      case 2:
        return { name: 'GET /calls/{id}', send: () => call('GET', `/v1/calls/${some()}`) };
      case 4:
        return { name: 'GET /calls', send: () => call('GET', '/v1/calls?limit=20') };
      default: {
        const body = { from: numberId, to: person(), body: 'Your appointment is tomorrow at 9:30.' };
        return { name: 'POST /messages', send: () => call('POST', '/v1/messages', { body }) };
      }
    }
  };
}

/** Returns the processor time of the product so far, in milliseconds. */
async function cpuMs({ child }: Bench): Promise<number> {
  child.send('cpu');
  const [usage] = (await once(child, 'message')) as [NodeJS.CpuUsage];
  return (usage.user + usage.system) / 1000;
}

const show = ({ p50Ms, p99Ms, maxMs }: Latencies) =>
  `p50 ${p50Ms.toFixed(1)} p99 ${p99Ms.toFixed(1)} max ${maxMs.toFixed(0)} ms`;

function print(title: string, latencies: ReadonlyMap<string, Latencies>): Latencies {
  const all = latencies.get('all') as Latencies;
  console.log(`${title}: ${show(all)} (${load()})`);
  for (const [name, own] of latencies) if (name !== 'all') console.log(`    ${name.padEnd(16)} ${show(own)}`);
  return all;
}

async function placeSteadily(bench: Bench, calls: number): Promise<void> {
  for (let placed = 0; placed < calls; placed++) {
    await Promise.all([placeCall(bench), sleep(1000 / (CALLS / CALL_S))]);
  }
}

/** Measures the cost of one call, from its request to its summary, without other load. */
async function measureCost(bench: Bench): Promise<void> {
  await placeSteadily(bench, WARM_UP_CALLS);
  await untilQuiet(bench.client);
  await bench.client.query('vacuum analyze');
  await startCounting(bench.client);
  const before = await cpuMs(bench);
  const startMs = performance.now();
  await placeSteadily(bench, COUNTED_CALLS);
  await untilQuiet(bench.client);
  const spent = ((await cpuMs(bench)) - before) / COUNTED_CALLS;
  const counted = await countStatements(bench.client, OWN_STATEMENTS);
  const sum = (of: readonly { calls: number; ms: number }[]) => [
    (of.reduce((all, { calls }) => all + calls, 0) / COUNTED_CALLS).toFixed(1),
    (of.reduce((all, { ms }) => all + ms, 0) / COUNTED_CALLS).toFixed(1),
  ];
  const [statements, ms] = sum(counted);
  const [commits] = sum(counted.filter(({ text }) => /^commit/i.test(text)));
  console.log(
    `a call: ${statements} statements, ${commits} of them commits of transactions; ${ms} ms in PostgreSQL, ` +
      `${spent.toFixed(1)} ms of processor in the product (${((performance.now() - startMs) / 1000).toFixed(0)} s, ${load()})`,
  );
}

/** Lists the statements of a live call. */
async function listStatements(): Promise<void> {
  const { counted, calls } = await countLiveCalls();
  const sum = (of: typeof counted) => (of.reduce((all, each) => all + each.calls, 0) / calls).toFixed(1);
  const ms = counted.reduce((all, each) => all + each.ms, 0) / calls;
  const commits = sum(counted.filter(({ text }) => /^commit/i.test(text)));
  console.log(`a live call: ${sum(counted)} statements, ${commits} of them commits; ${ms.toFixed(1)} ms in PostgreSQL`);
  for (const { text, calls: times, ms: own } of counted.slice(0, 90)) {
    console.log(`  ${(times / calls).toFixed(2).padStart(7)} × ${(own / times).toFixed(2)} ms  ${text.slice(0, 110)}`);
  }
}

async function measurePair(
  bench: Bench,
  pair: number,
): Promise<{ alone: Latencies; beside: Latencies; active: number }> {
  const seconds = Number(values.seconds);
  await untilQuiet(bench.client);
  await bench.client.query('vacuum analyze');
  await bench.client.query('checkpoint');
  const known = await expectBody(bench.call('GET', '/v1/calls?limit=100'));
  const ids = known.data.map(({ id }: { id: string }) => id);
  const alone = print(
    `pair ${pair}, no calls`,
    await loadSteadily(
      PER_SECOND,
      seconds,
      askFor(bench, () => ids),
    ),
  );
  const calls = keepCalling(bench);
  while ((calls.active.at(-1) ?? 0) < CALLS * 0.97) await sleep(250);
  const from = calls.active.length;
  const before = await cpuMs(bench);
  const startMs = performance.now();
  const latencies = await loadSteadily(PER_SECOND, seconds, askFor(bench, calls.latest));
  const share = ((await cpuMs(bench)) - before) / (performance.now() - startMs);
  const active = median(calls.active.slice(from));
  await calls.stop();
  const beside = print(`pair ${pair}, ${active} calls, ${(share * 100).toFixed(0)} % of a core`, latencies);
  return { alone, beside, active };
}

async function measurePairs(bench: Bench): Promise<void> {
  const pairs: Awaited<ReturnType<typeof measurePair>>[] = [];
  for (let pair = 1; pair <= Number(values.pairs); pair++) pairs.push(await measurePair(bench, pair));
  const beside = median(pairs.map((pair) => pair.beside.p99Ms));
  const times = median(pairs.map((pair) => pair.beside.p99Ms / pair.alone.p99Ms));
  console.log(
    `\nAPI p99 beside ${median(pairs.map((pair) => pair.active))} calls, median: ${beside.toFixed(1)} ms (to reach: below 100)`,
  );
  console.log(`p99 beside the calls over p99 without, median: ×${times.toFixed(1)}`);
}

async function main(): Promise<void> {
  const postgres = await startBenchPostgres(COUNTING);
  try {
    const pinned = canPin();
    if (pinned) await pin(process.pid, 1);
    console.log(
      pinned ? 'the product has core 0, the load core 1, PostgreSQL what it finds' : 'nothing is kept to a core',
    );
    const args = ['--database', postgres.url, '--workers'];
    type Served = { url: string; keys: [string, string] };
    const { child, message } = await startChild<Served>('./serve.ts', args, { core: pinned ? 0 : undefined });
    const call = createCaller(message.url, message.keys[0]);
    const client = new pg.Client(postgres.url);
    client.on('error', () => undefined);
    await client.connect();
    const bench = { call, child, client, numberId: await buyNumber(call) };
    await measureCost(bench);
    if (!values['no-pairs']) await measurePairs(bench);
    await client.end();
    await endChild(child);
  } finally {
    await postgres.stop();
  }
}

if (values.statements) await listStatements();
else await main();
