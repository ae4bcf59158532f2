/**
 * Measures the reads of operators, and of platforms with many tenants: notices, standings of accounts, and *Find* by
 * words, references, ids and numbers. The database has 10,000 accounts, a million events, and 100,000 tenants of one
 * account.
 *
 *   --accounts N   --events N   --tenants N   --requests N
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createCaller } from '../test/support/caller.ts';
import { signIn } from '../test/support/console.ts';
import { growthId } from '../test/support/growth.ts';
import { median, percentile, startBenchPostgres } from './support/postgres.ts';
import { load } from './support/processes.ts';
import { startBenchProduct } from './support/product.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '10000' },
    events: { type: 'string', default: '1000000' },
    tenants: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '100' },
  },
});
const [ACCOUNTS, EVENTS, TENANTS] = [Number(values.accounts), Number(values.events), Number(values.tenants)];
/** The first requests of each kind are not counted. */
const UNCOUNTED = 10;

const ACCOUNT_ROWS = `insert into accounts (id, name)
  select 'acct_' || lpad(n::text, 26, '0'), 'Account ' || n from generate_series(1, $1::integer) n`;
const LEDGER_ROWS = `insert into ledgers (account_id, mode)
  select a.id, mode from accounts a, unnest(array['live', 'test']) mode on conflict do nothing`;
// The events of 29 days in all ledgers. One in 300 is a call to 911.
const EVENT_ROWS = `insert into events (ledger_id, id, type, event_version, resource_id, sequence, data, created_at)
  select 1 + n % (select max(id) from ledgers), 'evt_' || lpad(n::text, 26, '0'),
    case when n % 300 = 0 then 'emergency_call.placed' else 'message.delivered' end, '2026-11-20',
    'call_' || lpad(n::text, 26, '0'), 1, '{"from": "+16025550120"}', now() - interval '29 days' * (1 - n::float / $1)
  from generate_series(1, $1::integer) n`;
// Names with 300 different words. One word is in 333 names, and "Clinic" is in all of them.
const NAME = `'Name' || n % 300 || ' Place' || n / 300 || ' Clinic'`;
const TENANT_ROWS = `insert into tenants (ledger_id, id, name, external_ref, timezone, created_at)
  select $1, 'tnt_g' || lpad(n::text, 25, '0'), ${NAME}, 'ref-' || n, 'UTC', now() from generate_series(0, $2 - 1) n`;
const WORD_ROWS = `insert into tenant_words (ledger_id, tenant_id, word)
  select ledger_id, id, word from tenants, unnest(string_to_array(lower(name), ' ')) word where ledger_id = $1`;
const NUMBER_ROWS = `insert into phone_numbers (ledger_id, id, tenant_id, phone_number, status, capabilities, created_at)
  select $1, 'num_g' || lpad(n::text, 25, '0'), 'tnt_g' || lpad(n::text, 25, '0'), '+1480' || (2000000 + n), 'active',
    '{sms,mms,voice}', now() from generate_series(0, $2 - 1) n`;

async function loadRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select id from ledgers where mode = 'test' order by id limit 1`);
  await client.query('set synchronous_commit = off');
  await client.query(ACCOUNT_ROWS, [ACCOUNTS]);
  await client.query(LEDGER_ROWS);
  await client.query(EVENT_ROWS, [EVENTS]);
  for (const text of [TENANT_ROWS, NUMBER_ROWS]) await client.query(text, [rows[0].id, TENANTS]);
  await client.query(WORD_ROWS, [rows[0].id]);
  await client.query('vacuum analyze');
}

const find = (path: string, query: Record<string, string>) => `/v1/${path}?${new URLSearchParams(query)}`;
const WORDS = ['name7', 'nam', 'clinic', 'name7 place33', 'clinic place3', 'name7 nowhere', 'ref-77777'];
const SEARCHES = [...WORDS, growthId('tnt', 77_777), '480 207', '(480) 207-7777'];

async function measure(name: string, ask: () => Promise<{ status: number; body: unknown }>): Promise<void> {
  const times: number[] = [];
  for (let n = -UNCOUNTED; n < Number(values.requests); n++) {
    const startedAt = performance.now();
    const { status, body } = await ask();
    if (status !== 200) throw new Error(`${name}: ${JSON.stringify(body)}`);
    if (n >= 0) times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const figures = [median(times), percentile(times, 0.95), times.at(-1) as number].map((ms) => `${ms.toFixed(1)} ms`);
  console.log(`${name.padEnd(45)} median ${figures[0]}, p95 ${figures[1]}, most ${figures[2]}`);
}

const postgres = await startBenchPostgres();
const client = new pg.Client(postgres.url);
await client.connect();
const { product, accounts, url } = await startBenchProduct(postgres.url, { names: ['Bench'], work: false });
try {
  await loadRows(client);
  const [account] = accounts;
  if (account === undefined) throw new Error('no account');
  const call = createCaller(url, account.test_key);
  const operator = await signIn({ context: product.context, call });
  console.log(`${ACCOUNTS} accounts, ${EVENTS} events, ${TENANTS} tenants (${load()})`);
  for (const path of ['/notices', '/account_standings']) await measure(path, () => operator.call('GET', path));
  for (const q of SEARCHES) await measure(`/search ${q}`, () => call('GET', find('search', { q })));
  for (const q of SEARCHES.slice(0, 5)) await measure(`/tenants ${q}`, () => call('GET', find('tenants', { q })));
  console.log(load());
} finally {
  await product.close();
  await client.end();
  await postgres.stop();
}
