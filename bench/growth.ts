/**
 * Compares the cost of every list with every filter, and of sends, on a small and on a large database. Prints the ratio
 * of the medians, and the p99 on the large database. Both databases run at the same time and get requests in turn, so
 * that other load slows both equally. `--messages 10000000` takes an hour to load. `--postgres /usr/lib/postgresql/15`
 * uses that PostgreSQL. `--only '^/messages '` measures only the lists whose line matches.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { binariesIn } from '../src/server/embedded-postgres/binaries.ts';
import { createCaller } from '../test/support/caller.ts';
import { GROWTH_ENDPOINT, growthId, growthNumber, loadGrowth } from '../test/support/growth.ts';
import { median, percentile, startBenchPostgres } from './support/postgres.ts';
import { endChild, load, startChild } from './support/processes.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    conversations: { type: 'string' },
    contacts: { type: 'string' },
    requests: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '10' },
    postgres: { type: 'string' },
    only: { type: 'string', default: '' },
    'no-sends': { type: 'boolean', default: false },
  },
});
const SMALL = 10_000;
const TENANTS = 1_000;
const CONVERSATION_SHARE = 0.1;
const TARGET_RATIO = 1.5;
const TARGET_P99_MS = 50;
/** The number of recipients of sends. A few are in memory. The conversations of many are spread over their tables. */
const RECIPIENTS = { few: 100, many: 200_000 };

/** Returns values for filters from a tenant. `n` chooses a tenant with a large or a small share of the rows. */
async function samplesOf(client: pg.Client, n: number) {
  const tenant_id = growthId('tnt', n);
  // The first conversation always has a contact, even if few conversations have one.
  const talk = await client.query(
    'select id, external_number from conversations where tenant_id = $1 order by id limit 1',
    [tenant_id],
  );
  const event = await client.query('select id, resource_id from events where tenant_id = $1 limit 1', [tenant_id]);
  const call = await client.query('select id from calls where tenant_id = $1 limit 1', [tenant_id]);
  const own = growthNumber(n);
  const [{ id: conversation_id, external_number: person }] = talk.rows;
  return {
    tenant_id,
    phone_number_id: growthId('num', n),
    conversation_id,
    person,
    own,
    event: event.rows[0],
    call: call.rows[0],
  };
}
type Samples = Awaited<ReturnType<typeof samplesOf>>;

/** The contact of the sampled conversation. `typed` is its number as a person types it. */
function contactOf({ conversation_id, person }: Samples) {
  const typed = `${person.slice(2, 5)} ${person.slice(5, 8)}-${person.slice(8)}`;
  return {
    contact_id: conversation_id.replace('cnv_', 'con_'),
    external_ref: `ref-${conversation_id.slice(-6)}`,
    typed,
  };
}

/** The compared requests: each filter alone, each filter with the tenant, and pairs of filters. */
function requestsOf(s: Samples): [path: string, query: Record<string, string>][] {
  const { tenant_id, phone_number_id, conversation_id, person, own } = s;
  const { contact_id, external_ref, typed } = contactOf(s);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const [end, start] = [daysAgo(20), daysAgo(1)];
  const withTenant = (path: string, queries: Record<string, string>[]): [string, Record<string, string>][] =>
    queries.flatMap((query) => [query, { ...query, tenant_id }]).map((query) => [path, query]);
  return [
    ...withTenant('/messages', [
      {},
      { direction: 'inbound' },
      ...['queued', 'sent', 'failed', 'delivered', 'received'].map((status) => ({ status })),
      { from: own },
      { to: own },
      { from: person },
      { to: person },
      { from: own, to: person },
      { from: own, status: 'failed' },
      { end },
      { status: 'failed', end },
      { start },
      { status: 'failed', start },
    ]),
    ['/messages', { conversation_id }],
    ['/messages', { conversation_id, status: 'failed' }],
    ...withTenant('/conversations', [{}, { opted_out: 'true' }, { opted_out: 'false' }, { external_number: person }]),
    ...withTenant('/conversations', [{ state: 'open' }, { assignee: 'none' }, { assignee: 'user-1' }, { tag: 'vip' }]),
    ...withTenant('/conversations', [{ assignee: 'user-1', tag: 'vip', state: 'open' }]),
    ['/conversations', { phone_number_id }],
    ['/conversations', { phone_number_id, opted_out: 'true' }],
    ...withTenant('/conversations', [{ reader: 'user-1' }, { reader: 'user-1', unread: 'true' }, { contact_id }]),
    [`/conversations/${conversation_id}/timeline`, {}],
    [`/conversations/${conversation_id}/notes`, {}],
    ...withTenant('/contacts', [{}, { q: 'mer' }, { q: 'mer per' }, { phone_number: person }, { external_ref }]),
    ...withTenant('/search', [
      { q: 'mer' },
      { q: 'mercer pers' },
      { q: 'mercer zzz' },
      { q: typed },
      { q: typed.slice(0, 7) },
    ]),
    ...withTenant('/search', [{ q: external_ref }, { q: contact_id }, { q: conversation_id }]),
    ...withTenant('/calls', [
      {},
      { direction: 'inbound' },
      { status: 'failed' },
      { status: 'dialing' },
      { outcome: 'voicemail' },
      { outcome: 'busy', direction: 'inbound' },
      { external_number: person },
      { external_number: 'anonymous' },
      { end },
    ]),
    ['/calls', { phone_number_id, outcome: 'missed' }],
    ...withTenant('/queues', [{}]),
    [`/queues/${tenant_id.replace('tnt_', 'que_')}`, {}],
    ...withTenant('/voicemails', [{}, { end }]),
    ...withTenant('/recordings', [{}, { end }]),
    ['/recordings', { call_id: s.call.id }],
    ...withTenant('/opt_outs', [{}, { external_number: person }]),
    ...withTenant('/events', [
      {},
      { type: 'voicemail.created' },
      { type: 'call.missed' },
      { resource_id: s.event.resource_id },
      { end },
      { order: 'asc' },
      { order: 'asc', type: 'voicemail.created' },
      { order: 'asc', start: end },
      { order: 'asc', after: s.event.id },
    ]),
    ...['pending', 'delivered', 'failed', 'given_up'].map((status): [string, Record<string, string>] => [
      `/webhook_endpoints/${GROWTH_ENDPOINT}/deliveries`,
      { status },
    ]),
    [`/webhook_endpoints/${GROWTH_ENDPOINT}/deliveries`, { event_id: s.event.id }],
    ['/tenants', {}],
    ['/tenants', { external_ref: 'ref-7' }],
    ...withTenant('/phone_numbers', [{}]),
  ];
}

type Request = { readonly name: string; readonly address: string };
type Cost = Readonly<Record<'ratio' | 'medianMs' | 'p95Ms' | 'p99Ms', number>> & { readonly name: string };

/** Returns the requests for a tenant with a large share and for one with a small share. */
async function namedRequests(client: pg.Client): Promise<Request[]> {
  const shares = { 'large tenant': await samplesOf(client, 0), 'small tenant': await samplesOf(client, 500) };
  const all = Object.entries(shares).flatMap(([share, samples]) =>
    requestsOf(samples).map(([path, query]) => {
      const filters = `${Object.keys(query).sort().join('+')} ${query['status'] ?? query['type'] ?? query['q'] ?? ''}`;
      const name = `${path.replace(/(cnv|que|whe)_\w+/, '…')} ${filters} (${share})`;
      return { name, address: `/v1${path}?${new URLSearchParams(query)}` };
    }),
  );
  return all.filter(({ name }) => new RegExp(values.only).test(name));
}

/** Returns the time of one request in milliseconds. */
async function timeOf({ call }: Loaded, address: string): Promise<number> {
  const startedAt = performance.now();
  const { status, body } = await call('GET', address);
  if (status !== 200) throw new Error(`${address}: ${JSON.stringify(body)}`);
  return performance.now() - startedAt;
}

/** Sends each list request to both databases in turn. The first 8 requests of each are not counted. */
async function compareLists(small: Loaded, large: Loaded): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const [index, { name, address }] of large.requests.entries()) {
    const [base, times]: [number[], number[]] = [[], []];
    for (let n = -8; n < Number(values.requests); n++) {
      const pair = [
        await timeOf(small, (small.requests[index] as Request).address),
        await timeOf(large, address),
      ] as const;
      if (n < 0) continue;
      base.push(pair[0]);
      times.push(pair[1]);
    }
    times.sort((a, b) => a - b);
    const medianMs = median(times);
    costs.push({
      name,
      ratio: medianMs / median(base),
      medianMs,
      p95Ms: percentile(times, 0.95),
      p99Ms: percentile(times, 0.99),
    });
  }
  return costs;
}

async function measureSends({ url, key }: Loaded, recipients: number): Promise<number> {
  const args = {
    port: new URL(url).port,
    key,
    from: growthId('num', 0),
    connections: 32,
    seconds: values.seconds,
    recipients,
  };
  const { message } = await startChild<{ perSecond: number; failures: number }>(
    './load.ts',
    Object.entries(args).flatMap(([name, value]) => [`--${name}`, String(value)]),
  );
  if (message.failures > 0) throw new Error(`${message.failures} sends were not accepted`);
  return message.perSecond;
}

/** Creates a conversation of the sending number with each recipient, so that sends find it. */
async function meetRecipients({ client, ledgerId }: Loaded): Promise<void> {
  await client.query(
    `insert into conversations (ledger_id, id, tenant_id, phone_number_id, external_number, last_activity_at,
       last_message_preview)
     select $1, 'cnv_h' || lpad(n::text, 25, '0'), $2, $3, '+1602' || (2000000 + n), now() - interval '2 days', 'Hello'
     from generate_series(0, $4::int - 1) n order by random() on conflict do nothing`,
    [ledgerId, growthId('tnt', 0), growthId('num', 0), RECIPIENTS.many],
  );
  await client.query('vacuum analyze conversations');
  await client.query('checkpoint');
}

/** Starts a server on a database of this size. */
async function open(messages: number, conversations = Math.round(messages * CONVERSATION_SHARE)) {
  const binaries = values.postgres === undefined ? undefined : binariesIn(values.postgres, values.postgres);
  const postgres = await startBenchPostgres({}, binaries);
  const client = new pg.Client(postgres.url);
  client.on('error', () => undefined);
  const { child, message } = await startChild<{ url: string; keys: [string] }>('./serve.ts', [
    '--database',
    postgres.url,
  ]);
  const close = async () => {
    await endChild(child);
    await client.end();
    await postgres.stop();
  };
  try {
    await client.connect();
    const [{ ledger_id }] = (await client.query('select ledger_id from api_keys order by id limit 1')).rows;
    const ledgerId: number = ledger_id;
    const contacts = Math.min(conversations, Number(values.contacts ?? conversations));
    await loadGrowth(client, { ledgerId, tenants: TENANTS, conversations, contacts, messages });
    console.log(`${messages} messages of ${conversations} conversations are loaded (${load()})`);
    const { url, keys } = message;
    const requests = await namedRequests(client);
    return { client, ledgerId, url, key: keys[0], call: createCaller(url, keys[0]), requests, close };
  } catch (error) {
    await close();
    throw error;
  }
}
type Loaded = Awaited<ReturnType<typeof open>>;

function printLists(costs: readonly Cost[]): void {
  for (const { name, ratio, medianMs, p95Ms, p99Ms } of costs) {
    const isGood = ratio <= TARGET_RATIO && p99Ms < TARGET_P99_MS;
    const figures = `${medianMs.toFixed(1)} ms  p95 ${p95Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms  ×${ratio.toFixed(2)}`;
    console.log(`${isGood ? ' ' : '!'} ${name.padEnd(70)} ${figures}`);
  }
  const worst = Math.max(...costs.map(({ ratio }) => ratio));
  const slowest = Math.max(...costs.map(({ p99Ms }) => p99Ms));
  console.log(
    `\nlists: worst ratio ×${worst.toFixed(2)} (target: ${TARGET_RATIO}), worst p99 ${slowest.toFixed(1)} ms (target: 50)`,
  );
}

/** Sends to few recipients of the small database and to many of the large one, three times in turn. */
async function compareSends(small: Loaded, large: Loaded): Promise<void> {
  for (const each of [small, large]) await meetRecipients(each);
  const ratios: number[] = [];
  for (let round = 1; round <= 3; round++) {
    const few = await measureSends(small, RECIPIENTS.few);
    const many = await measureSends(large, RECIPIENTS.many);
    ratios.push(few / many);
    console.log(
      `sends ${round}: to ${RECIPIENTS.few} recipients at ${SMALL} messages ${few.toFixed(0)}/s, ` +
        `to ${RECIPIENTS.many} at ${values.messages} ${many.toFixed(0)}/s`,
    );
  }
  console.log(`sends: median ratio ×${median(ratios).toFixed(2)} (target: at most ${TARGET_RATIO})`);
}

const small = await open(SMALL);
try {
  const large = await open(
    Number(values.messages),
    values.conversations === undefined ? undefined : Number(values.conversations),
  );
  try {
    printLists(await compareLists(small, large));
    if (!values['no-sends']) await compareSends(small, large);
  } finally {
    await large.close();
  }
} finally {
  await small.close();
}
