/** The plans of the usage summaries by tenant, which reads sums of a page of tenants, and by day. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import type { Bound } from '../../src/db/statement.ts';
import { today } from '../../src/lib/time/time.ts';
import type { Json } from '../support/events.ts';
import { checkPlan, explain, nodesOf, rowsRead, scansOf } from './plan-check.ts';
import type { World } from './world.ts';

const DAYS = 100;
/** The tenants of a page, and some more. */
const TENANTS = 150;
const KINDS = 2;
/** A page of 100 tenants, and one more tenant, which shows that there is a next page. */
const PAGE = 101;
/** One entry a minute, of each tenant in turn. */
const ARCHIVE_MINUTES = 20_000;
/** Entries of other tests that wait to be added up. */
const WAITING_MAX = 20;

const TENANT_ROWS = `(select ledger_id, id from tenants where ledger_id = $1 order by id desc limit ${TENANTS}) t`;
/** Those tenants, and the sums of the whole ledger. */
const SCOPE_ROWS = `(select ledger_id, id from ${TENANT_ROWS} union all select $1, '') s`;
const KIND_ROWS = `unnest('{sms_segment_outbound,sms_segment_inbound}'::text[]) kind`;
const MIDNIGHT = `date_trunc('day', now(), 'UTC')`;
// The sums of the three tables need not match: the plan depends only on the number of rows. The hours go back as far as
// the range below.
const LOAD = [
  `insert into usage_days (ledger_id, scope, day, kind, quantity)
   select ledger_id, id, ${MIDNIGHT} - n * interval '24 hours', kind, 1
   from ${SCOPE_ROWS}, generate_series(1, ${DAYS}) n, ${KIND_ROWS} on conflict do nothing`,
  `insert into usage_hours (ledger_id, scope, hour, kind, quantity)
   select ledger_id, id, ${MIDNIGHT} - n * interval '1 hour', kind, 1
   from ${SCOPE_ROWS}, generate_series(1, 14 * 24) n, ${KIND_ROWS} on conflict do nothing`,
  `insert into usage_archive (ledger_id, kind, reference, tenant_id, quantity, at)
   select ledger_id, 'sms_segment_outbound', 'plan-' || n, id, 1, ${MIDNIGHT} - n * interval '1 minute'
   from generate_series(1, ${ARCHIVE_MINUTES}) n
   join (select *, row_number() over (order by id) - 1 as place from tenants where ledger_id = $1) t
     on place = n % (select count(*) from tenants where ledger_id = $1)`,
];

/** Fills the ledger with usage of its newest tenants. */
export async function loadUsage(client: pg.Client, ledgerId: number): Promise<void> {
  for (const text of LOAD) await client.query(text, [ledgerId]);
  await client.query('vacuum analyze usage_days, usage_hours, usage_archive');
}

type Product = { readonly clients: readonly pg.Client[]; readonly home: World; readonly takeRuns: () => Bound[] };

/** Single entries of the first and of the last hour of the range: one a minute, of all tenants. */
const ENTRIES = 45 + 30;

/**
 * Returns a range from 10:15 of a day to 05:30 of the tenth day after it: nine whole days, with thirteen whole hours
 * before them and five after them.
 */
function makeRange(): { start: string; end: string } {
  const midnight = new Date(today());
  midnight.setUTCHours(0, 0, 0, 0);
  const ago = (days: number, hours: number, minutes: number) =>
    new Date(midnight.getTime() - days * 86_400_000 + hours * 3_600_000 + minutes * 60_000).toISOString();
  return { start: ago(12, 10, 15), end: ago(2, 5, 30) };
}

/** Tests that the summaries by tenant and by day read the sums in their range, and no others. */
export function testUsagePlan({ clients, home, takeRuns }: Product): void {
  const runOf = async (name: string, query: Record<string, string>): Promise<{ run: Bound; body: Json }> => {
    takeRuns();
    const url = `/v1/usage?${new URLSearchParams({ ...query, ...makeRange() })}`;
    const { status, body } = await home.harness.call('GET', url, { key: home.key });
    const run = takeRuns().find((each) => each.name === name);
    assert.ok(status === 200 && run !== undefined, `${name}: ${status}`);
    return { run, body };
  };

  test('the usage summary by tenant reads ranges of the days and hours of its tenants', async () => {
    const { run, body } = await runOf('usage_by_tenant', { group_by: 'tenant' });
    assert.equal(body.has_more, true);
    for (const client of clients) checkSums(await explain(client, run));
  });

  for (const name of ['usage_by_day', 'usage_by_day_of_tenant']) {
    test(`the usage summary by day reads one range of the days and two of the hours (${name})`, async () => {
      // The newest tenants have sums.
      const newest = await home.harness.call('GET', '/v1/tenants?limit=1', { key: home.key });
      const tenant = name === 'usage_by_day' ? {} : { tenant_id: newest.body.data[0].id };
      const { run } = await runOf(name, { group_by: 'day', ...tenant });
      for (const client of clients) checkDays(await explain(client, run));
    });
  }
}

function scansOfTable(plan: Json, table: string): Json[] {
  return scansOf(plan).filter((scan: Json) => scan['Relation Name'] === table);
}

function checkDays(plan: Json): void {
  const about = JSON.stringify(plan, null, 1);
  const scans = (table: string) => scansOfTable(plan, table).length;
  const read = (table: string) => scansOfTable(plan, table).reduce((sum, scan) => sum + rowsRead(scan), 0);
  assert.deepEqual([scans('usage_days'), scans('usage_hours')], [1, 2], about);
  assert.deepEqual([read('usage_days'), read('usage_hours')], [9 * KINDS, (13 + 5) * KINDS], about);
  assert.ok(read('usage_archive') <= ENTRIES + 1, about);
  checkPlan(plan, 'the usage by day', (9 + 13 + 5) * KINDS + ENTRIES + WAITING_MAX);
}

function checkSums(plan: Json): void {
  const read = (table: string) => scansOfTable(plan, table).reduce((sum, scan) => sum + rowsRead(scan), 0);
  const entries = ENTRIES;
  const about = JSON.stringify(plan, null, 1);
  assert.equal(read('usage_days'), PAGE * 9 * KINDS, about);
  assert.equal(read('usage_hours'), PAGE * (13 + 5) * KINDS, about);
  assert.equal(read('usage_archive'), entries, about);
  const sorted = nodesOf(plan).filter((node) => node['Node Type'] === 'Sort');
  assert.ok(Math.max(0, ...sorted.map((node) => node['Actual Rows'])) <= PAGE * KINDS + entries, about);
  checkPlan(plan, 'the usage by tenant', PAGE + PAGE * (9 + 13 + 5) * KINDS + entries + WAITING_MAX);
}
