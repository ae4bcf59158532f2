import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { gate, openJobsDatabase, sql, until } from '../../../../test/support/jobs.ts';
import { checkProperty } from '../../../../test/support/property.ts';
import { now, today } from '../../../lib/time/time.ts';
import type { UsageKind } from '../kinds.ts';
import { meterUsage } from './meter-usage.ts';
import { readUsageTimes, rollUpUsage, sumUsage, sweepUsageArchive, type Usage } from './queries.ts';
import { splitRange } from './rules.ts';

let database: Awaited<ReturnType<typeof openJobsDatabase>>;
before(async () => {
  database = await openJobsDatabase();
});
after(() => database.close());
beforeEach(async () => {
  for (const table of ['usage_entries', 'usage_archive', 'usage_hours', 'usage_horizons']) {
    await sql(database.db, `delete from ${table}`);
  }
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

const HOUR_MS = 3_600_000;
const FROM_MS = Date.parse('2026-01-31T22:00:00Z');
const SPAN_MS = 5 * HOUR_MS;
// Half of the moments are on the hour, where the parts of a range meet.
const moment = fc
  .oneof(
    fc.integer({ min: 0, max: SPAN_MS / 60_000 }),
    fc.integer({ min: 0, max: SPAN_MS / HOUR_MS }).map((hours) => hours * 60),
  )
  .map((minutes) => new Date(FROM_MS + minutes * 60_000));
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
  { weight: 2, arbitrary: fc.record({ from: moment, to: moment, tenantId: fc.constantFrom('tnt_1', 'tnt_2', null) }) },
);

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
            const [start, end] = each.from < each.to ? [each.from, each.to] : [each.to, each.from];
            if (start.getTime() === end.getTime()) continue;
            const expected: Record<string, number> = {};
            for (const { kind, tenantId, quantity, at } of known.values()) {
              if ((at as Date) < start || (at as Date) >= end) continue;
              if (each.tenantId !== null && tenantId !== each.tenantId) continue;
              expected[kind] = (expected[kind] ?? 0) + quantity;
            }
            assert.deepEqual(await sum(start, end, each.tenantId), expected);
          }
        }
      })
      .beforeEach(async () => {
        await sql(database.db, 'delete from usage_entries');
        await sql(database.db, 'delete from usage_archive');
        await sql(database.db, 'delete from usage_hours');
      }),
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

test('old entries are deleted, their hourly sums stay, and adjacent ranges still add up', async () => {
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
