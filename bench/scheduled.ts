/**
 * Measures what many texts for the same moment cost. One ledger schedules 10,000 texts for one moment, over several
 * numbers of several tenants. Its clock is moved to shortly before the moment. The run measures how long it takes until
 * the carrier has all texts, and compares
 *
 * - their order with the order of scheduling at each number: the run fails if one is out of order;
 * - their rate with the rate of the same texts sent immediately, with 32 connections;
 * - the latency of another ledger's texts at a steady rate, with the latency before the moment.
 *
 * The last comparison has two latencies: of the reply, and of the delivery. The latter is the time from the acceptance
 * of a text to its delivery, without the second that the simulated network takes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type Caller, createCaller } from '../test/support/caller.ts';
import { buyNumber, expectBody } from './support/numbers.ts';
import { type Latencies, loadSteadily } from './support/open-load.ts';
import { median, percentile, startBenchPostgres } from './support/postgres.ts';
import { endChild, load, startChild } from './support/processes.ts';

const { values } = parseArgs({
  options: {
    texts: { type: 'string', default: '10000' },
    pairs: { type: 'string', default: '3' },
    'per-second': { type: 'string', default: '20' },
    seconds: { type: 'string', default: '6' },
  },
});
const TEXTS = Number(values.texts);
/** Each number belongs to a different tenant, and schedules its texts one after the other. */
const NUMBERS = 16;
const CONNECTIONS = 32;
/** Each recipient gets several texts of one number, so conversations have an order too. */
const RECIPIENTS_PER_NUMBER = 125;
const AHEAD_MS = 600_000;
/** The time between the moved clock and the moment. */
const BEFORE_MS = 2_000;
/** How long after a text the simulated network reports its receipt. */
const RECEIPT_MS = 1_000;
const WAIT_MS_MAX = 300_000;

type Ledger = { readonly call: Caller; readonly numbers: readonly string[] };
type Bench = { readonly busy: Ledger; readonly other: Ledger; readonly client: pg.Client };

function textOf(ledger: Ledger, index: number): { from: string; to: string; body: string } {
  const line = index % NUMBERS;
  const person = line * RECIPIENTS_PER_NUMBER + (Math.floor(index / NUMBERS) % RECIPIENTS_PER_NUMBER);
  return { from: ledger.numbers[line] as string, to: `+1602${5_120_000 + person}`, body: `Reminder ${index}` };
}

/** Schedules the texts for one moment. Returns the moment. */
async function schedule({ busy }: Bench): Promise<Date> {
  const { now } = await expectBody(busy.call('GET', '/v1/test/clock'));
  const sendAt = new Date(Date.parse(now) + AHEAD_MS);
  const lines = Array.from({ length: NUMBERS }, async (_, line) => {
    for (let index = line; index < TEXTS; index += NUMBERS) {
      await expectBody(busy.call('POST', '/v1/messages', { body: { ...textOf(busy, index), send_at: sendAt } }));
    }
  });
  await Promise.all(lines);
  return sendAt;
}

/** Sends the same texts immediately. Returns how many reached the carrier in a second. */
async function sendPlain({ busy, client }: Bench): Promise<number> {
  const { now } = await expectBody(busy.call('GET', '/v1/test/clock'));
  let next = 0;
  const connections = Array.from({ length: CONNECTIONS }, async () => {
    for (let index = next++; index < TEXTS; index = next++) {
      await expectBody(busy.call('POST', '/v1/messages', { body: textOf(busy, index) }));
    }
  });
  await Promise.all(connections);
  const arrived = await untilArrived(client, new Date(now), 'm.created_at >= $1');
  return (arrived.length * 1_000) / ((arrived.at(-1) as Arrival).atMs - Date.parse(now));
}

type Arrival = { readonly id: string; readonly from: string; readonly to: string; readonly atMs: number };

/** Waits until the carrier has all texts. Returns them in the order of their arrival. */
async function untilArrived(client: pg.Client, moment: Date, condition: string): Promise<Arrival[]> {
  const deadline = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const { rows } = await client.query<Arrival>(
      `select m.id, m."from", m."to", extract(epoch from s.at)::float8 * 1000 as "atMs"
       from messages m join simulated_messages s on s.ledger_id = m.ledger_id and s.ref = m.id
       where ${condition} and m.body like 'Reminder %' order by s.id`,
      [moment],
    );
    if (rows.length === TEXTS) return rows;
    if (performance.now() > deadline) throw new Error(`only ${rows.length} of ${TEXTS} texts arrived`);
    await sleep(500);
  }
}

/**
 * Throws if texts of a number arrived in another order than that of their ids. Ids ascend in the order of scheduling.
 */
function checkOrder(arrived: readonly Arrival[]): void {
  for (const [from, own] of Map.groupBy(arrived, (each) => each.from)) {
    const late = own.filter(({ id }, index) => index > 0 && id < (own[index - 1] as Arrival).id);
    if (late.length > 0) throw new Error(`${late.length} of ${own.length} texts of ${from} are out of order`);
  }
}

type Cost = { readonly reply: Latencies; readonly handOver: { readonly p50Ms: number; readonly p99Ms: number } };

/** Sends texts of the other ledger at a steady rate. */
async function measureOther({ other, client }: Bench): Promise<Cost> {
  const [from] = other.numbers;
  const ids: string[] = [];
  const latencies = await loadSteadily(Number(values['per-second']), Number(values.seconds), (index) => ({
    name: 'send',
    send: async () => {
      const body = { from, to: `+1602${5_200_000 + index}`, body: 'Hello' };
      const reply = await other.call('POST', '/v1/messages', { body });
      ids.push(reply.body.id);
      return reply;
    },
  }));
  const deadline = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const { rows } = await client.query<{ ms: number | null }>(
      `select (select extract(epoch from (h ->> 'at')::timestamptz - m.created_at)::float8 * 1000
               from json_array_elements(m.status_history) h where h ->> 'status' = 'delivered') as ms
       from messages m where m.id = any($1::text[])`,
      [ids],
    );
    if (rows.every(({ ms }) => ms !== null)) {
      const sorted = rows.map(({ ms }) => Number(ms) - RECEIPT_MS).sort((a, b) => a - b);
      const handOver = { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
      return { reply: latencies.get('all') as Latencies, handOver };
    }
    if (performance.now() > deadline) throw new Error('texts of the other ledger are not delivered');
    await sleep(100);
  }
}

/** Waits until no text is being sent, and writes the whole database to the disk. */
async function settle(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      `select count(*)::int as n from jobs where queue = 'messaging' and kind <> 'message.release'`,
    );
    if (rows[0].n === 0) break;
    await sleep(200);
  }
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

const show = ({ p50Ms, p99Ms }: { p50Ms: number; p99Ms: number }) =>
  `p50 ${p50Ms.toFixed(1)} p99 ${p99Ms.toFixed(1)} ms`;

/**
 * `rate` is divided by the rate of texts that are sent immediately. The others are the other ledger's p99 during the
 * run, divided by its p99 before.
 */
type Ratios = { readonly rate: number; readonly reply: number; readonly handOver: number };

async function runPair(bench: Bench, pair: number): Promise<Ratios> {
  const { busy, client } = bench;
  await settle(client);
  const plainPerSecond = await sendPlain(bench);
  await settle(client);
  const startedAt = performance.now();
  const sendAt = await schedule(bench);
  const scheduledPerSecond = (TEXTS * 1_000) / (performance.now() - startedAt);
  await settle(client);
  const before = await measureOther(bench);
  const { now } = await expectBody(busy.call('GET', '/v1/test/clock'));
  const advance_seconds = (sendAt.getTime() - BEFORE_MS - Date.parse(now)) / 1_000;
  await expectBody(busy.call('POST', '/v1/test/clock', { body: { advance_seconds } }));
  await sleep(BEFORE_MS);
  const [arrived, during] = await Promise.all([untilArrived(client, sendAt, 'm.send_at = $1'), measureOther(bench)]);
  checkOrder(arrived);
  const goneMs = (arrived.at(-1) as Arrival).atMs - sendAt.getTime();
  const perSecond = (TEXTS * 1_000) / goneMs;
  console.log(
    `pair ${pair}: scheduled at ${scheduledPerSecond.toFixed(0)}/s; all gone ${(goneMs / 1_000).toFixed(2)} s after ` +
      `their moment, ${perSecond.toFixed(0)}/s (at once ${plainPerSecond.toFixed(0)}/s), in order\n` +
      `  other ledger before: reply ${show(before.reply)}, hand-over ${show(before.handOver)}\n` +
      `  other ledger during: reply ${show(during.reply)}, hand-over ${show(during.handOver)}`,
  );
  return {
    rate: perSecond / plainPerSecond,
    reply: during.reply.p99Ms / before.reply.p99Ms,
    handOver: during.handOver.p99Ms / before.handOver.p99Ms,
  };
}

async function main(): Promise<void> {
  const postgres = await startBenchPostgres();
  try {
    const args = ['--database', postgres.url, '--workers'];
    const { child, message } = await startChild<{ url: string; keys: [string, string] }>('./serve.ts', args);
    const [busyCall, otherCall] = message.keys.map((key) => createCaller(message.url, key)) as [Caller, Caller];
    const numbers: string[] = [];
    for (let line = 0; line < NUMBERS; line++) numbers.push(await buyNumber(busyCall));
    const client = new pg.Client(postgres.url);
    client.on('error', () => undefined);
    await client.connect();
    const other = { call: otherCall, numbers: [await buyNumber(otherCall)] };
    const bench: Bench = { busy: { call: busyCall, numbers }, other, client };
    const ratios: Ratios[] = [];
    for (let pair = 1; pair <= Number(values.pairs); pair++) ratios.push(await runPair(bench, pair));
    const of = (name: keyof Ratios) => median(ratios.map((each) => each[name])).toFixed(2);
    console.log(`\n${load()}`);
    console.log(`rate of texts for one moment, over the same texts sent at once, median: ${of('rate')} (target: 1)`);
    console.log(`p99 of another ledger's reply, during over before, median: ${of('reply')} (target: at most 2)`);
    console.log(`p99 of another ledger's hand-over, the same, median: ${of('handOver')} (target: at most 2)`);
    await client.end();
    await endChild(child);
  } finally {
    await postgres.stop();
  }
}

await main();
