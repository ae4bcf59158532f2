/**
 * Compares POST /messages over 32 connections, with every check on, with pgbench. pgbench has 16 clients, which run the
 * same statement for one message at a time, on the same durable database in the same run. Prints the ratio of the
 * medians of paired runs. Also prints how much the sender delays a second ledger with two connections; with --fairness
 * it prints only this. With --campaign every message goes through one campaign with limits that are never reached. With
 * --rows it prints what a row of the statement costs PostgreSQL. With --wal it prints what each table, index and
 * statement costs in the whole life of a text, with and without a webhook endpoint.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import pg from 'pg';
import { PLANNING } from '../src/db/connection-pool.ts';
import { SEND } from '../src/domain/messaging/messages/send-queries.ts';
import { createCaller } from '../test/support/caller.ts';
import { BRAND, CAMPAIGN } from '../test/support/compliance.ts';
import { buyNumber } from './support/numbers.ts';
import { median, startBenchPostgres, untilNone } from './support/postgres.ts';
import { startChild } from './support/processes.ts';
import { printRowCosts } from './support/send-rows.ts';
import { COUNTING } from './support/statements.ts';
import { measureLife, printLife } from './support/text-life.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '6' },
    pairs: { type: 'string', default: '5' },
    pgbench: { type: 'string', default: 'pgbench' },
    'no-workers': { type: 'boolean', default: false },
    campaign: { type: 'boolean', default: false },
    fairness: { type: 'boolean', default: false },
    rows: { type: 'boolean', default: false },
    wal: { type: 'boolean', default: false },
    texts: { type: 'string', default: '4000' },
    recipients: { type: 'string', default: '4000' },
  },
});
const RECIPIENTS = 20_000;

type Served = { url: string; keys: [string, string] };
type Load = { perSecond: number; failures: number; p50Ms: number; p99Ms: number };

/** Attaches the number to a campaign whose pacing never delays a message. */
async function attachCampaign(served: Served, from: string, client: pg.Client): Promise<void> {
  const call = createCaller(served.url, served.keys[0]);
  const make = async (path: string, body: object) => {
    const made = await call('POST', path, { body });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.body;
  };
  const { body: number } = await call('GET', `/v1/phone_numbers/${from}`);
  const brand = await make('/v1/brands', { ...BRAND, entity_type: 'public_company' });
  const campaign = await make('/v1/campaigns', { tenant_id: number.tenant_id, brand_id: brand.id, ...CAMPAIGN });
  await client.query('update campaigns set messages_per_minute = 100000000, daily_cap = 1000000000');
  const attached = await call('PATCH', `/v1/phone_numbers/${from}`, { body: { campaign_id: campaign.id } });
  if (!attached.body.messaging_ready) throw new Error(JSON.stringify(attached.body));
}

type Sender = { url: string; key: string; from: string };

async function load({ url, key, from }: Sender, connections: number, seconds: number): Promise<Load> {
  const args = { port: new URL(url).port, key, from, connections, seconds, recipients: RECIPIENTS };
  const { message } = await startChild<Load>(
    './load.ts',
    Object.entries(args).flatMap(([name, value]) => [`--${name}`, String(value)]),
  );
  if (message.failures > 0) throw new Error(`${message.failures} sends were not accepted`);
  return message;
}

/** Returns the product's statement for one row. SQL makes the ids, which ascend like the product's. */
function pgbenchScript(ledgerId: number, from: string): string {
  const stamp = `to_char(clock_timestamp(), 'YYYYMMDDHH24MISSUS') || lpad(:client_id::text, 3, '0') || lpad(:r::text, 3, '0')`;
  const text = `'Your appointment is tomorrow at 9:30. Reply C to confirm.'`;
  const given: Readonly<Record<string, string>> = {
    ledger_id: `${ledgerId}`,
    from_ref: `'${from}'`,
    recipient: `'+1602' || (2000000 + :to)`,
    message_id: `'msg_' || ${stamp}`,
    conversation_id: `'cnv_' || ${stamp}`,
    ...{ body: text, preview: text, media: `'[]'`, segments: '1', metadata: `'{}'`, planned: 'false' },
  };
  const columns = /with ordinality as i \((.*), n\)/.exec(SEND.text)?.[1]?.split(', ') ?? [];
  // pgbench reads a colon before a letter as a variable, even inside a literal.
  const unmistakable = SEND.text.replaceAll(/(?<!:):(?=[A-Za-z])/g, "' || ':' || '");
  const one = unmistakable.replaceAll(/\$(\d+)::/g, (_, place: string) => {
    return `array[${given[columns[Number(place) - 1] ?? ''] ?? 'null'}]::`;
  });
  return `\\set to random(0, ${RECIPIENTS - 1})\n\\set r random(0, 999)\n${one.replaceAll(/--.*$/gm, '').replaceAll('\n', ' ')};\n`;
}

async function pgbench(url: string, script: string, seconds: number): Promise<{ perSecond: number; meanMs: number }> {
  const args = ['-n', '-M', 'prepared', '-c', '16', '-j', '2', '-T', String(seconds), '-f', script, url];
  const planning = PLANNING.replaceAll(/set (\w+) = (\w+);?/g, '-c $1=$2');
  const env = { ...process.env, PGOPTIONS: planning };
  const { stdout } = await promisify(execFile)(values.pgbench as string, args, { env });
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  const meanMs = Number(/latency average = ([\d.]+)/.exec(stdout)?.[1]);
  return { perSecond, meanMs };
}

const FAIRNESS_PAIRS = 3;
const NEIGHBOUR_CONNECTIONS = 2;

/** Measures how much a ledger's p99 grows while another ledger sends at full speed. */
async function measureFairness(busy: Sender, other: Sender, seconds: number, idle: () => Promise<void>): Promise<void> {
  const slowdowns: number[] = [];
  for (let pair = 1; pair <= FAIRNESS_PAIRS; pair++) {
    await idle();
    const alone = await load(other, NEIGHBOUR_CONNECTIONS, seconds);
    await idle();
    const [sending, beside] = await Promise.all([load(busy, 32, seconds), load(other, NEIGHBOUR_CONNECTIONS, seconds)]);
    slowdowns.push(beside.p99Ms / alone.p99Ms);
    console.log(
      `neighbour ${pair}: alone p50 ${alone.p50Ms.toFixed(1)} p99 ${alone.p99Ms.toFixed(1)} ms   ` +
        `beside p50 ${beside.p50Ms.toFixed(1)} p99 ${beside.p99Ms.toFixed(1)} ms   ` +
        `the sender ${sending.perSecond.toFixed(0)}/s`,
    );
  }
  const ratio = median(slowdowns).toFixed(1);
  console.log(`a second ledger's p99 while another sends at full speed, median: ×${ratio} (target: at most 1.5)`);
}

/** Prints what a row of the statement costs. */
async function printRows(): Promise<void> {
  const postgres = await startBenchPostgres(COUNTING);
  try {
    const { child, message: served } = await startChild<Served>('./serve.ts', ['--database', postgres.url]);
    const from = await buyNumber(createCaller(served.url, served.keys[0]));
    const client = new pg.Client(postgres.url);
    await client.connect();
    const { rows } = await client.query('select ledger_id from phone_numbers where id = $1', [from]);
    await client.end();
    await printRowCosts(postgres.url, { ledgerId: rows[0].ledger_id, from });
    child.disconnect();
  } finally {
    await postgres.stop();
  }
}

/** Prints what the life of a text costs, without and with a webhook endpoint. */
async function printLives(): Promise<void> {
  for (const endpoint of [false, true]) {
    const options = { texts: Number(values.texts), recipients: Number(values.recipients), endpoint };
    printLife(endpoint ? 'With an endpoint' : 'Without endpoints', await measureLife(options));
  }
}

type Rates = { url: string; script: string; sender: Sender; seconds: number; idle: () => Promise<void> };

/** Runs pgbench and the product in pairs. */
async function compareRates({ url, script, sender, seconds, idle }: Rates): Promise<void> {
  const ratios: number[] = [];
  const latencies: number[] = [];
  for (let pair = 1; pair <= Number(values.pairs); pair++) {
    await idle();
    const reference = await pgbench(url, script, seconds);
    await idle();
    const product = await load(sender, 32, seconds);
    ratios.push(product.perSecond / reference.perSecond);
    latencies.push(product.p99Ms / reference.meanMs);
    console.log(
      `pair ${pair}: pgbench-16 ${reference.perSecond.toFixed(0)}/s (mean ${reference.meanMs.toFixed(1)} ms)   ` +
        `POST /messages ${product.perSecond.toFixed(0)}/s (p50 ${product.p50Ms.toFixed(1)} ms, ` +
        `p99 ${product.p99Ms.toFixed(1)} ms)   ratio ${(product.perSecond / reference.perSecond).toFixed(2)}`,
    );
  }
  console.log(`\nsend ratio, median: ${median(ratios).toFixed(2)} (target: ${values.campaign ? '1.0' : '1.6'})`);
  console.log(`p99 over pgbench's mean, median: ${median(latencies).toFixed(1)} (target: at most 8)`);
}

/** Removes the effects of a run before the next one: texts in progress, dead rows, and pages that are not written. */
async function settle(client: pg.Client): Promise<void> {
  if (values['no-workers']) {
    await client.query(`delete from jobs where queue = 'messaging'`);
    await client.query('delete from paced_messages');
  }
  await untilNone(client, 'paced_messages', `jobs where queue = 'messaging'`);
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

async function main(): Promise<void> {
  const postgres = await startBenchPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'dialplane-pgbench-'));
  try {
    const workers = values['no-workers'] ? [] : ['--workers'];
    const { child, message: served } = await startChild<Served>('./serve.ts', ['--database', postgres.url, ...workers]);
    const from = await buyNumber(createCaller(served.url, served.keys[0]));
    const neighbour = await buyNumber(createCaller(served.url, served.keys[1]));
    const sender = { url: served.url, key: served.keys[0], from };
    const other = { url: served.url, key: served.keys[1], from: neighbour };
    const client = new pg.Client(postgres.url);
    client.on('error', () => undefined);
    await client.connect();
    if (values.campaign) await attachCampaign(served, from, client);
    const { rows } = await client.query('select ledger_id from phone_numbers where id = $1', [from]);
    const script = join(folder, 'send.sql');
    writeFileSync(script, pgbenchScript(rows[0].ledger_id, from));
    const seconds = Number(values.seconds);
    const idle = () => settle(client);
    await load(sender, 32, 3);
    if (!values.fairness) {
      await pgbench(postgres.url, script, 2);
      await compareRates({ url: postgres.url, script, sender, seconds, idle });
    }
    await measureFairness(sender, other, seconds, idle);
    await client.end();
    child.disconnect();
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await postgres.stop();
  }
}

await (values.rows ? printRows() : values.wal ? printLives() : main());
