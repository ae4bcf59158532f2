/** The plan of the usage summary by tenant, which reads sums of a page of tenants. */
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
const KIND_ROWS = `unnest('{sms_segment_outbound,sms_segment_inbound}'::text[]) kind`;
const MIDNIGHT = `date_trunc('day', now(), 'UTC')`;
// The sums need not match here: the plan depends on their number only. Hours go back as far as the range below.
const LOAD = [
  `insert into usage_days (ledger_id, scope, day, kind, quantity)
   select ledger_id, id, ${MIDNIGHT} - n * interval '24 hours', kind, 1
   from ${TENANT_ROWS}, generate_series(1, ${DAYS}) n, ${KIND_ROWS}`,
  `insert into usage_hours (ledger_id, scope, hour, kind, quantity)
   select ledger_id, id, ${MIDNIGHT} - n * interval '1 hour', kind, 1
   from ${TENANT_ROWS}, generate_series(1, 14 * 24) n, ${KIND_ROWS}`,
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

/** Tests that the summary by tenant reads the sums in its range, and no others. */
export function testUsagePlan({ clients, home, takeRuns }: Product): void {
  test('the usage summary by tenant reads ranges of the days and hours of its tenants', async () => {
    const midnight = new Date(today());
    midnight.setUTCHours(0, 0, 0, 0);
    const ago = (days: number, hours: number, minutes: number) =>
      new Date(midnight.getTime() - days * 86_400_000 + hours * 3_600_000 + minutes * 60_000).toISOString();
    // From 10:15 of a day to 05:30 of the tenth day after it: nine whole days, with thirteen whole hours before them
    // and five after them.
    const range = { start: ago(12, 10, 15), end: ago(2, 5, 30) };
    takeRuns();
    const url = `/v1/usage?${new URLSearchParams({ group_by: 'tenant', ...range })}`;
    const reply = await home.harness.call('GET', url, { key: home.key });
    assert.deepEqual([reply.status, reply.body.has_more], [200, true]);
    const run = takeRuns().find(({ name }) => name === 'usage_by_tenant');
    assert.ok(run !== undefined);
    for (const client of clients) checkSums(await explain(client, run));
  });
}

function checkSums(plan: Json): void {
  const read = (table: string) =>
    scansOf(plan)
      .filter((scan: Json) => scan['Relation Name'] === table)
      .reduce((sum, scan) => sum + rowsRead(scan), 0);
  // Single entries of the first and of the last hour: one a minute, of all tenants.
  const entries = 45 + 30;
  const about = JSON.stringify(plan, null, 1);
  assert.equal(read('usage_days'), PAGE * 9 * KINDS, about);
  assert.equal(read('usage_hours'), PAGE * (13 + 5) * KINDS, about);
  assert.equal(read('usage_archive'), entries, about);
  const sorted = nodesOf(plan).filter((node) => node['Node Type'] === 'Sort');
  assert.ok(Math.max(0, ...sorted.map((node) => node['Actual Rows'])) <= PAGE * KINDS + entries, about);
  checkPlan(plan, 'the usage by tenant', PAGE + PAGE * (9 + 13 + 5) * KINDS + entries + WAITING_MAX);
}
