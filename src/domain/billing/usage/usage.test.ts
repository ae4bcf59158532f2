import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { gate, openJobsDatabase, sql, until } from '../../../../test/support/jobs.ts';
import { checkProperty } from '../../../../test/support/property.ts';
import { migrate } from '../../../db/migrate.ts';
import { now, today } from '../../../lib/time/time.ts';
import type { UsageKind } from '../kinds.ts';
import { meterUsage } from './meter-usage.ts';
import {
  readUsageTimes,
  rollUpUsage,
  sumUsage,
  sumUsageByDay,
  sumUsageByTenant,
  sweepUsageArchive,
  type Usage,
} from './queries.ts';
import { splitRange } from './rules.ts';

let database: Awaited<ReturnType<typeof openJobsDatabase>>;
const USAGE_TABLES = ['usage_entries', 'usage_archive', 'usage_hours', 'usage_days', 'usage_horizons'];
before(async () => {
  database = await openJobsDatabase();
  await sql(
    database.db,
    `insert into tenants (ledger_id, id, name, timezone, created_at)
     select $1, unnest('{tnt_1,tnt_2}'::text[]), 'Tenant', 'UTC', now()`,
    [database.ledgerId],
  );
});
after(() => database.close());
beforeEach(async () => {
  for (const table of USAGE_TABLES) await sql(database.db, `delete from ${table}`);
});

const meter = (...usages: Usage[]) => database.db.transaction((tx) => meterUsage(tx, database.ledgerId, usages));

const segments = (reference: string, at: Date, quantity = 1, tenantId: string | null = 'tnt_1'): Usage => ({
  kind: 'sms_segment_outbound',
  tenantId,
  quantity,
  reference,
  at,
});

async function sum(start: Date, end: Date | null, tenantId: string | null = null): Promise<Record<string, number>> {
  const times = await readUsageTimes(database.db, database.ledgerId);
  const sums = await sumUsage(database.db, database.ledgerId, { tenantId, range: splitRange({ start, end }, times) });
  return Object.fromEntries(sums.map(({ kind, quantity }) => [kind, Number(quantity)]));
}

/** The sums of each tenant with usage in the range. */
async function sumByTenant(start: Date, end: Date | null): Promise<Record<string, Record<string, number>>> {
  const times = await readUsageTimes(database.db, database.ledgerId);
  const range = splitRange({ start, end }, times);
  const groups = await sumUsageByTenant(database.db, database.ledgerId, { range, before: null, rows: 10 });
  const named = groups.map(({ tenantId, sums }) => [
    tenantId,
    Object.fromEntries(sums.map(({ kind, quantity }) => [kind, Number(quantity)])),
  ]);
  return Object.fromEntries(named);
}

/** The sums of each day with usage in the range. */
async function sumByDay(start: Date, end: Date | null, tenantId: string | null) {
  const times = await readUsageTimes(database.db, database.ledgerId);
  const range = splitRange({ start, end }, times);
  const sums = await sumUsageByDay(database.db, database.ledgerId, { tenantId, range });
  const days = Map.groupBy(sums, ({ day }) => day);
  const kindsOf = (its: typeof sums) => Object.fromEntries(its.map(({ kind, quantity }) => [kind, Number(quantity)]));
  return Object.fromEntries([...days].map(([day, its]) => [day, kindsOf(its)]));
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FROM_MS = Date.parse('2026-01-31T00:00:00Z');
const SPAN_MS = 4 * DAY_MS;
const multipleOf = (unitMs: number) => fc.integer({ min: 0, max: SPAN_MS / unitMs }).map((count) => count * unitMs);
// Many moments are on the hour or at midnight, where the parts of a range meet.
const moment = fc
  .oneof(multipleOf(60_000), multipleOf(HOUR_MS), multipleOf(DAY_MS))
  .map((sinceMs) => new Date(FROM_MS + sinceMs));
const entry = fc.record({
  kind: fc.constantFrom<UsageKind>('sms_segment_outbound', 'number_month'),
  tenantId: fc.constantFrom('tnt_1', 'tnt_2', null),
  quantity: fc.integer({ min: 1, max: 9 }),
  reference: fc.integer({ min: 1, max: 30 }).map(String),
  at: moment,
});
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ meter: fc.array(entry, { minLength: 1, maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ crash: fc.array(entry, { minLength: 1, maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ rollUp: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ from: moment, to: fc.option(moment, { freq: 4 }) }) },
);

/** The expected summary of a tenant, or (null) of the ledger: the entries in the range. */
function sumOf(entries: Iterable<Usage>, [start, end]: [Date, Date | null], ofTenant: string | null) {
  const sums: Record<string, number> = {};
  for (const { kind, tenantId, quantity, at } of entries) {
    const isInRange = (at as Date) >= start && (end === null || (at as Date) < end);
    if (isInRange && (ofTenant === null || tenantId === ofTenant)) sums[kind] = (sums[kind] ?? 0) + quantity;
  }
  return sums;
}

test('a summary is exact at every moment and over every range, whatever is added up or repeated', async () => {
  await checkProperty(
    fc
      .asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const known = new Map<string, Usage>();
        for (const each of steps) {
          if ('meter' in each) {
            await meter(...each.meter);
            for (const usage of each.meter) {
              const name = `${usage.kind} ${usage.reference}`;
              if (!known.has(name)) known.set(name, usage);
            }
          } else if ('crash' in each) {
            const crash = database.db.transaction(async (tx) => {
              await meterUsage(tx, database.ledgerId, each.crash);
              throw new Error('crash');
            });
            await assert.rejects(crash, /crash/);
          } else if ('rollUp' in each) {
            await rollUpUsage(database.db, each.rollUp);
          } else {
            const { from, to } = each;
            const range: [Date, Date | null] = to === null || from < to ? [from, to] : [to, from];
            if (from.getTime() === to?.getTime()) continue;
            const expected = (tenantId: string | null) => sumOf(known.values(), range, tenantId);
            const ofTenants = { tnt_1: expected('tnt_1'), tnt_2: expected('tnt_2') };
            const summaries = { tnt_1: await sum(...range, 'tnt_1'), tnt_2: await sum(...range, 'tnt_2') };
            assert.deepEqual([await sum(...range), summaries], [expected(null), ofTenants]);
            assert.deepEqual(await sumByTenant(...range), ofTenants);
          }
        }
      })
      .beforeEach(async () => {
        for (const table of USAGE_TABLES) await sql(database.db, `delete from ${table}`);
      }),
    { runs: 60 },
  );
});

test('a summary by day has for each day of the range the summary of that day', async () => {
  const clear = async () => {
    for (const table of USAGE_TABLES) await sql(database.db, `delete from ${table}`);
  };
  const [first, afterLast] = [FROM_MS, FROM_MS + SPAN_MS + DAY_MS];
  await checkProperty(
    fc
      .asyncProperty(
        fc.array(entry, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 0, max: 40 }),
        fc.tuple(moment, fc.option(moment, { freq: 4 })),
        fc.constantFrom('tnt_1', null),
        async (entries, rolledUp, [from, to], tenantId) => {
          await meter(...entries);
          // The other entries still wait to be added up.
          if (rolledUp > 0) await rollUpUsage(database.db, rolledUp);
          if (from.getTime() === to?.getTime()) return;
          const [start, end] = to === null || from < to ? [from, to] : [to, from];
          const expected: Record<string, unknown> = {};
          for (let day = first; day < afterLast; day += DAY_MS) {
            const within = {
              from: Math.max(day, start.getTime()),
              to: Math.min(day + DAY_MS, end?.getTime() ?? afterLast),
            };
            if (within.from >= within.to) continue;
            const ofDay = await sum(new Date(within.from), new Date(within.to), tenantId);
            if (Object.keys(ofDay).length > 0) expected[new Date(day).toISOString().slice(0, 10)] = ofDay;
          }
          assert.deepEqual(await sumByDay(start, end, tenantId), expected);
        },
      )
      .beforeEach(clear),
    { runs: 60 },
  );
});

test('concurrent rounds of adding up count each entry once', async () => {
  const at = new Date('2026-01-31T23:59:59.999Z');
  await meter(...Array.from({ length: 500 }, (_, n) => segments(`${n}`, new Date(at.getTime() + (n % 3)))));
  const rounds = Array.from({ length: 6 }, async () => {
    while ((await rollUpUsage(database.db, 37)) > 0);
  });
  await Promise.all(rounds);
  const ofJanuary = await sum(new Date('2026-01-01T00:00:00Z'), new Date('2026-02-01T00:00:00Z'));
  const ofFebruary = await sum(new Date('2026-02-01T00:00:00Z'), new Date('2026-03-01T00:00:00Z'));
  assert.deepEqual([ofJanuary, ofFebruary], [{ sms_segment_outbound: 167 }, { sms_segment_outbound: 333 }]);
});

test('concurrent rounds that add other hours of the same days do not deadlock', async () => {
  const [days, rounds] = [40, 12];
  // The entries of one round are in the same hour of 40 different days. A round of the roll-up takes them in this
  // order.
  for (let round = 0; round < rounds; round++) {
    const from = Date.parse('2026-01-01T00:30:00Z') + round * HOUR_MS;
    await meter(...Array.from({ length: days }, (_, n) => segments(`${round}-${n}`, new Date(from + n * DAY_MS))));
  }
  const deadlocks = async () =>
    (await sql(database.db, 'select deadlocks from pg_stat_database where datname = current_database()'))[0];
  const before = await deadlocks();
  await Promise.all(Array.from({ length: rounds }, () => rollUpUsage(database.db, days)));
  await sql(database.db, 'select pg_stat_force_next_flush()');
  assert.deepEqual(await deadlocks(), before);
  assert.deepEqual(await sum(new Date('2026-01-01'), null), { sms_segment_outbound: days * rounds });
});

test('the migration that makes sums by day adds up the hours that were summed before', async () => {
  const before = [
    segments('a', new Date('2026-01-01T00:00:00Z')),
    segments('b', new Date('2026-01-01T23:59:00Z'), 2),
    segments('c', new Date('2026-01-02T00:00:00Z'), 4, null),
  ];
  await meter(...before);
  await rollUpUsage(database.db, 10);
  await sql(database.db, 'drop table usage_days');
  await sql(database.db, 'drop function add_to_usage_days cascade');
  await sql(database.db, `delete from schema_migrations where name = '0057_usage_days'`);
  assert.deepEqual(await migrate(database.url), ['0057_usage_days']);
  await meter(segments('d', new Date('2026-01-02T12:00:00Z'), 8));
  await rollUpUsage(database.db, 10);
  const [start, end] = [new Date('2026-01-01'), new Date('2026-01-03')];
  assert.deepEqual(await sum(start, end), { sms_segment_outbound: 15 });
  assert.deepEqual(await sum(start, new Date('2026-01-02')), { sms_segment_outbound: 3 });
  assert.deepEqual(await sumByTenant(start, end), { tnt_1: { sms_segment_outbound: 11 }, tnt_2: {} });
});

test('usage that commits after its hour was added up is not lost', async () => {
  const at = new Date('2026-01-31T23:30:00Z');
  const { opened, open } = gate();
  const metered = gate();
  const late = database.db.transaction(async (tx) => {
    await meterUsage(tx, database.ledgerId, [segments('late', at)]);
    metered.open();
    await opened;
  });
  await metered.opened;
  await meter(segments('early', at));
  await rollUpUsage(database.db, 100);
  open();
  await late;
  assert.deepEqual(await sum(new Date('2026-01-01'), new Date('2026-02-01')), { sms_segment_outbound: 2 });
  await rollUpUsage(database.db, 100);
  assert.deepEqual(await sum(new Date('2026-01-01'), new Date('2026-02-01')), { sms_segment_outbound: 2 });
});

test('two transactions that count the same usage count it once', async () => {
  const at = new Date('2026-01-31T23:30:00Z');
  const many = Array.from({ length: 20 }, (_, n) => segments(`${n}`, at));
  await Promise.all([meter(...many), meter(...many.toReversed()), meter(...many)]);
  assert.deepEqual(await sum(new Date('2026-01-01'), null), { sms_segment_outbound: 20 });
});

test('a summary without an end includes the present usage', async () => {
  const { at: _, ...use } = segments('now', today());
  await meter(use);
  assert.deepEqual(await sum(new Date(now() - HOUR_MS), null), { sms_segment_outbound: 1 });
  await until('it is added up', async () => (await rollUpUsage(database.db, 10)) === 1);
  assert.deepEqual(await sum(new Date(now() - HOUR_MS), null), { sms_segment_outbound: 1 });
});

test('old entries are deleted, their sums stay, and adjacent ranges still add up', async () => {
  const old = Array.from({ length: 60 }, (_, minute) => new Date(Date.parse('2026-01-31T23:00:00Z') + minute * 60_000));
  const fresh = new Date(now() - HOUR_MS);
  await meter(...old.map((at, n) => segments(`${n}`, at)), segments('fresh', fresh));
  await rollUpUsage(database.db, 100);
  const sweep = () => database.db.transaction((tx) => sweepUsageArchive(tx, { days: 30, entriesMax: 25 }));
  assert.deepEqual([await sweep(), await sweep(), await sweep(), await sweep()], [25, 25, 10, 0]);
  const [start, cut, end] = ['2026-01-01', '2026-01-31T23:30:00Z', '2026-02-01'].map((text) => new Date(text)) as [
    Date,
    Date,
    Date,
  ];
  assert.deepEqual(await sum(start, end), { sms_segment_outbound: 60 });
  assert.deepEqual([await sum(start, cut), await sum(cut, end)], [{ sms_segment_outbound: 60 }, {}]);
  assert.deepEqual(await sum(new Date(fresh.getTime() - 1), new Date(fresh.getTime() + 1)), {
    sms_segment_outbound: 1,
  });
  assert.equal((await sql(database.db, 'select 1 from usage_archive')).length, 1);
});

test('a quantity of 0 counts nothing, and an invalid quantity is refused', async () => {
  await meter(segments('nothing', new Date('2026-01-31'), 0));
  assert.deepEqual(await sum(new Date('2026-01-01'), null), {});
  for (const quantity of [-1, 0.5, Number.NaN]) {
    await assert.rejects(meter(segments('wrong', new Date('2026-01-31'), quantity)), RangeError);
  }
});
