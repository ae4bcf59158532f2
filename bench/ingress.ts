/**
 * Measures how long a carrier waits for a 2xx. Signed notices come at a steady rate over 32 connections. They are
 * verified, stored and answered, while the workers apply them. Of ten notices nine are receipts, two for each text, and
 * one is an inbound text. The reference is GET /healthz at the same rate in the same run, in alternating pairs. It
 * shows the cost of the server and the load generator alone.
 *
 * With --databases, notices of a connection in one database take turns with notices of a connection in several
 * databases. For the latter, each database is asked for the number of a notice. All are on one server, and the first
 * has the number.
 *
 *   --per-second N --seconds N --pairs N --databases N
 */
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import type { Cell } from '../src/server/cells/cell.ts';
import { sharersByPlace } from '../src/server/cells/sharers-by-place.ts';
import type { Product } from '../src/server/compose.ts';
import { addConnection } from '../test/support/live-network.ts';
import { REPORTING_KIND, type Report, signReport } from '../test/support/reporting-carrier.ts';
import { type Latencies, loadSteadily } from './support/open-load.ts';
import { openOther } from './support/other-databases.ts';
import { median, startBenchPostgres } from './support/postgres.ts';
import { BENCH_SECRET, startBenchProduct } from './support/product.ts';

const { values } = parseArgs({
  options: {
    'per-second': { type: 'string', default: '200' },
    seconds: { type: 'string', default: '15' },
    pairs: { type: 'string', default: '3' },
    databases: { type: 'string', default: '1' },
  },
});
const PER_SECOND = Number(values['per-second']);
const SECONDS = Number(values.seconds);
const SECRET = 'a secret that is only good for benchmarks';
const NUMBER = '+16025550100';
/** How many people send texts. */
const PERSONS = 500;
/** How many texts wait for their receipts. They are enough for all rounds. */
const TEXTS = 20_000;

const DATABASES = Number(values.databases);

/** The other databases. The process currently uses the first `open` of them. */
const others: Cell[] = [];
let open = 0;
const places: { first: Product | undefined; cells: { list(): readonly Cell[] } } = {
  first: undefined,
  cells: { list: () => others.slice(0, open) },
};

const postgres = await startBenchPostgres();
const { product, accounts, url } = await startBenchProduct(postgres.url, {
  names: ['Bench'],
  work: true,
  adapterKinds: [REPORTING_KIND],
  sharersOf: sharersByPlace(places),
});
places.first = product;
const { db } = product.context;
const connection = await addConnection(product.context, {
  kind: REPORTING_KIND.description.kind,
  name: 'bench',
  credentials: { secret: SECRET },
  capabilities: [],
});
await product.connections.refresh();
for (let number = 1; number < DATABASES; number++) {
  const first = { url: postgres.url, db, secret: BENCH_SECRET };
  others.push(await openOther(number, first, { connectionId: connection, kind: REPORTING_KIND }));
}
await db.query(
  {
    name: '',
    text: `with ledger as (select id from ledgers where account_id = $1 and mode = 'live'), tenant as (
       insert into tenants (ledger_id, id, name, timezone, created_at)
       select id, 'tnt_bench', 'Bench', 'UTC', now() from ledger returning ledger_id
     ), number as (
       insert into phone_numbers (ledger_id, id, tenant_id, phone_number, status, capabilities, created_at, connection_id)
       select ledger_id, 'num_bench', 'tnt_bench', $2, 'active', '{sms}', now(), $4 from tenant returning ledger_id
     ), conversation as (
       insert into conversations (ledger_id, id, tenant_id, phone_number_id, external_number, last_activity_at,
         last_message_preview)
       select ledger_id, 'cnv_bench', 'tnt_bench', 'num_bench', '+14805559999', now(), 'Hi' from number
       returning ledger_id
     ), texts as (
       insert into messages (ledger_id, id, tenant_id, conversation_id, direction, origin, "from", "to", body, status,
         segments, status_history, created_at)
       select ledger_id, 'msg_bench_' || n, 'tnt_bench', 'cnv_bench', 'outbound', 'api', $2, '+14805559999', 'Hi',
         'queued', 1, '[{"status": "queued", "at": "2026-01-01T00:00:00.000Z"}]', now()
       from conversation cross join generate_series(0, $3::int - 1) n
     )
     insert into live_numbers (phone_number, ledger_id, number_id) select $2, ledger_id, 'num_bench' from number`,
  },
  [accounts[0]?.id, NUMBER, TEXTS, connection],
);

const pool = new Pool(url, { connections: 32 });
let made = 0;

async function send(path: string, body: string | null, headers: Record<string, string> = {}) {
  const reply = await pool.request({ path, method: body === null ? 'GET' : 'POST', body, headers });
  return { status: reply.statusCode, body: await reply.body.json(), headers: new Headers() };
}

function notice() {
  const n = made++;
  const body = JSON.stringify([reportOf(n)]);
  return send(`/carrier/reporting/${connection}`, body, signReport(SECRET, body));
}

function reportOf(n: number): Report {
  const id = `bench-${n}`;
  if (n % 10 === 9) {
    const from = `+1480555${String(n % PERSONS).padStart(4, '0')}`;
    return { id, key: from, type: 'text', to: NUMBER, from, body: 'Is 9:30 still free?' };
  }
  const key = `msg_bench_${(n >> 1) % TEXTS}`;
  return { id, key, type: 'receipt', to: NUMBER, status: n % 2 === 0 ? 'sent' : 'delivered' };
}

async function measure(name: string, ask: () => ReturnType<typeof send>): Promise<Latencies> {
  const taken = await loadSteadily(PER_SECOND, SECONDS, () => ({ name, send: ask }));
  return taken.get('all') as Latencies;
}

const show = ({ p50Ms, p99Ms, maxMs }: Latencies) =>
  `p50 ${p50Ms.toFixed(1)} p99 ${p99Ms.toFixed(1)} max ${maxMs.toFixed(0)} ms`;

await loadSteadily(PER_SECOND, 3, () => ({ name: 'warm', send: notice }));

/** Measures notices against /healthz. */
async function compareWithHealth(): Promise<void> {
  const p99s: number[] = [];
  const ratios: number[] = [];
  for (let pair = 1; pair <= Number(values.pairs); pair++) {
    const bare = await measure('healthz', () => send('/healthz', null));
    const ours = await measure('notice', notice);
    p99s.push(ours.p99Ms);
    ratios.push(ours.p99Ms / bare.p99Ms);
    console.log(`pair ${pair}: notices ${show(ours)}; /healthz ${show(bare)}`);
  }
  console.log(`\np99 of the 2xx, median: ${median(p99s).toFixed(1)} ms (target: below 100)`);
  console.log(`p99 over that of /healthz, median: x${median(ratios).toFixed(1)}`);
}

/** Compares notices of a connection in one database with notices of a connection in several, in turns. */
async function compareDatabases(): Promise<void> {
  const taken: Latencies[][] = Array.from({ length: DATABASES }, () => []);
  for (let round = 1; round <= Number(values.pairs); round++) {
    const order = [...taken.keys()];
    for (const index of round % 2 === 0 ? order.toReversed() : order) {
      open = index;
      taken[index]?.push(await measure('notice', notice));
    }
    const all = taken.map((rounds, index) => `${index + 1}: ${show(rounds.at(-1) as Latencies)}`);
    console.log(`round ${round}: ${all.join('; ')}`);
  }
  const [alone = []] = taken;
  for (const [index, rounds] of taken.entries()) {
    const p50 = median(rounds.map(({ p50Ms }) => p50Ms));
    const p99 = median(rounds.map(({ p99Ms }) => p99Ms));
    const ratio = median(rounds.map(({ p50Ms }, round) => p50Ms / (alone[round] as Latencies).p50Ms));
    console.log(`${index + 1} databases: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, p50 x${ratio.toFixed(2)}`);
  }
}

if (DATABASES > 1) await compareDatabases();
else await compareWithHealth();
const [row] = await db.query<{ waiting: number }>(
  { name: '', text: "select count(*)::int as waiting from carrier_inbox where state = 'waiting'" },
  [],
);
console.log(`\n${made} notices at ${PER_SECOND}/s, ${row?.waiting} not handed over at the end`);
await pool.close();
for (const other of others) await other.product?.close();
await product.close();
await postgres.stop();
