import type { Db, Tx } from '../../../db/database.ts';
import { inputOf } from '../../../db/input.ts';
import { statement } from '../../../db/statement.ts';
import { RATED_KINDS, type UsageKind } from '../kinds.ts';

/**
 * Columns for a statement that counts usage in a CTE, together with its cause:
 * `insert into usage_entries ${USAGE_COLUMNS} select … order by 1, 2, 3 on conflict do nothing`. `quantity` is above 0,
 * `at` is ledger time, and `reference` names the cause, unique in its kind. The order prevents deadlocks between
 * statements that count the same usage.
 */
export const USAGE_COLUMNS = '(ledger_id, kind, reference, tenant_id, quantity, at)';

/** A quantity of usage to count. */
export type Usage = {
  readonly kind: UsageKind;
  /** Null for usage of the account itself. */
  readonly tenantId: string | null;
  readonly quantity: number;
  /** Names the cause; unique in its kind. */
  readonly reference: string;
  /** Ledger time; now by default. */
  readonly at?: Date;
};

const USAGE = inputOf<Usage>('counted_usage', {
  kind: ['text', ({ kind }) => kind],
  reference: ['text', ({ reference }) => reference],
  tenant_id: ['text', ({ tenantId }) => tenantId],
  quantity: ['int', ({ quantity }) => quantity],
  at: ['timestamptz', ({ at = null }) => at],
});

const INSERT = statement<{ readonly ledger_id: number; readonly counted_usage: readonly Usage[] }>(
  'usage_entries_insert',
  `insert into usage_entries ${USAGE_COLUMNS}
   select :ledger_id::int, kind, reference, tenant_id, quantity, coalesce(at, ledger_now(:ledger_id::int))
   from ${USAGE.rows('u')}
   order by kind, reference
   on conflict do nothing`,
);

export async function insertUsage(tx: Tx, ledgerId: number, usages: readonly Usage[]): Promise<void> {
  await tx.query(INSERT, { ledger_id: ledgerId, counted_usage: usages });
}

// An entry that is already in the archive is a repeat and is deleted. The others are added to the sums by hour here.
// The archive's trigger adds them to the sums by day at the end of the statement (migration 0057). Locked rows are left
// for the next round. Sums are locked in one order, so that concurrent rounds do not deadlock.
const ROLL_UP = statement(
  'usage_roll_up',
  `with taken as (
     delete from usage_entries where ctid = any(array(
       select ctid from usage_entries limit $1::integer for update skip locked))
     returning *
   ), archived as (
     insert into usage_archive ${USAGE_COLUMNS}
     select ledger_id, kind, reference, tenant_id, quantity, at from taken order by 1, 2, 3
     on conflict do nothing
     returning ledger_id, kind, tenant_id, quantity, date_trunc('hour', at, 'UTC') as hour
   ), sums as (
     select ledger_id, tenant_id as scope, hour, kind, sum(quantity) as quantity
     from archived where tenant_id is not null group by 1, 2, 3, 4
     union all
     select ledger_id, '', hour, kind, sum(quantity) from archived group by 1, 2, 3, 4
   ), summed as (
     insert into usage_hours as h (ledger_id, scope, hour, kind, quantity, uncharged)
     select s.ledger_id, s.scope, s.hour, s.kind, s.quantity,
       case when s.scope = '' and l.mode = 'live' and s.kind = any('{${RATED_KINDS.join(',')}}') then s.quantity
       else 0 end
     from sums s left join ledgers l on l.id = s.ledger_id
     order by 1, 2, 3, 4
     on conflict (ledger_id, scope, hour, kind) do update
       set quantity = h.quantity + excluded.quantity, uncharged = h.uncharged + excluded.uncharged
   )
   select count(*)::integer as entries from taken`,
);

/**
 * Adds up and archives usage entries, at most `entriesMax` of all ledgers, in one statement.
 * @returns how many entries it processed
 */
export async function rollUpUsage(db: Db, entriesMax: number): Promise<number> {
  const [row] = await db.query<{ entries: number }>(ROLL_UP, [entriesMax]);
  return row?.entries ?? 0;
}

const TIMES = statement(
  'usage_times',
  `select ledger_now($1) as now, (select archived_from from usage_horizons where ledger_id = $1) as archived_from`,
);

/** The ledger's present time, and the start time of its complete archive (null: always complete). */
export type UsageTimes = { readonly now: Date; readonly archivedFrom: Date | null };

export async function readUsageTimes(db: Db, ledgerId: number): Promise<UsageTimes> {
  const [row] = await db.query<{ now: Date; archived_from: Date | null }>(TIMES, [ledgerId]);
  if (row === undefined) throw new Error(`ledger ${ledgerId} has no time`);
  return { now: row.now, archivedFrom: row.archived_from };
}

/**
 * A range in five parts, in order of time: archive, hours, days, hours, archive. The sums have the whole hours and the
 * whole days. An end that is null is open: no part follows it.
 */
export type UsageRange = {
  readonly start: Date;
  readonly hoursFrom: Date;
  readonly daysFrom: Date;
  readonly daysTo: Date | null;
  readonly hoursTo: Date | null;
  readonly end: Date | null;
};

/** The values of a range in the statements below: $2 to $7. */
function valuesOf({ start, hoursFrom, daysFrom, daysTo, hoursTo, end }: UsageRange): (Date | null)[] {
  return [start, hoursFrom, daysFrom, daysTo, hoursTo, end];
}

// The columns of the parts of a range. With the day, each part has the day (UTC) of its sums and entries.
type Columns = { readonly days: string; readonly hours: string; readonly entries: string };
const KIND_COLUMNS: Columns = { days: 'kind, quantity', hours: 'kind, quantity', entries: 'kind, quantity' };
const dayOf = (moment: string) => `date_trunc('day', ${moment}, 'UTC') as day, kind, quantity`;
const DAY_COLUMNS: Columns = { days: 'day, kind, quantity', hours: dayOf('hour'), entries: dayOf('at') };

// The parts of a range that are sums, of one scope.
const sumsSql = (scope: string, { days, hours }: Columns) => `
     select ${days} from usage_days
     where ledger_id = $1 and scope = ${scope}
       and day >= $4::timestamptz and day < coalesce($5::timestamptz, 'infinity')
     union all
     select ${hours} from usage_hours
     where ledger_id = $1 and scope = ${scope} and hour >= $3::timestamptz and hour < $4
     union all
     select ${hours} from usage_hours
     where ledger_id = $1 and scope = ${scope} and hour >= $5 and hour < $6::timestamptz`;

// The parts of a range that are single entries. One statement has one snapshot: an entry is either in the sums and the
// archive, or in neither. An entry that is in the archive and still waits to be added up is a repeat.
const entriesSql = (columns: string, ofTenant: string) => `
     select ${columns} from usage_archive
     where ledger_id = $1${ofTenant} and at >= $2::timestamptz and at < $3
     union all
     select ${columns} from usage_archive
     where ledger_id = $1${ofTenant} and at >= $6 and at < $7::timestamptz
     union all
     select ${columns} from usage_entries e
     where ledger_id = $1${ofTenant} and at >= $2 and at < coalesce($7, 'infinity')
       and not exists (select 1 from usage_archive a
                       where a.ledger_id = e.ledger_id and a.kind = e.kind and a.reference = e.reference)`;

const partsSql = (scope: string, ofTenant: string, columns: Columns) => `(${sumsSql(scope, columns)}
     union all${entriesSql(columns.entries, ofTenant)}
   ) parts`;
const OF_LEDGER = ["''", ''] as const;
const OF_TENANT = ['$8::text', ' and tenant_id = $8'] as const;

const summarySql = (scope: string, ofTenant: string) => `
   select kind, sum(quantity)::text as quantity from ${partsSql(scope, ofTenant, KIND_COLUMNS)} group by kind`;
const SUMMARY = statement('usage_summary', summarySql(...OF_LEDGER));
const SUMMARY_OF_TENANT = statement('usage_summary_of_tenant', summarySql(...OF_TENANT));

type SumRow = { kind: UsageKind; quantity: string };
export type UsageSum = { readonly kind: UsageKind; readonly quantity: bigint };

/** Sums usage by kind over the range, for one tenant or (null) the whole ledger, in no order. */
export async function sumUsage(
  db: Db,
  ledgerId: number,
  { tenantId, range }: { tenantId: string | null; range: UsageRange },
): Promise<UsageSum[]> {
  const values = [ledgerId, ...valuesOf(range)];
  const rows = await (tenantId === null
    ? db.query<SumRow>(SUMMARY, values)
    : db.query<SumRow>(SUMMARY_OF_TENANT, [...values, tenantId]));
  return rows.map((row) => ({ kind: row.kind, quantity: BigInt(row.quantity) }));
}

const byDaySql = (scope: string, ofTenant: string) => `
   select to_char(day at time zone 'UTC', 'YYYY-MM-DD') as day, kind, sum(quantity)::text as quantity
   from ${partsSql(scope, ofTenant, DAY_COLUMNS)} group by parts.day, kind`;
const BY_DAY = statement('usage_by_day', byDaySql(...OF_LEDGER));
const BY_DAY_OF_TENANT = statement('usage_by_day_of_tenant', byDaySql(...OF_TENANT));

export type DaySum = UsageSum & {
  /** The day (UTC) as YYYY-MM-DD. */
  readonly day: string;
};

/** Sums usage by day and kind over the range, for one tenant or (null) the whole ledger, in no order. */
export async function sumUsageByDay(
  db: Db,
  ledgerId: number,
  { tenantId, range }: { tenantId: string | null; range: UsageRange },
): Promise<DaySum[]> {
  const values = [ledgerId, ...valuesOf(range)];
  const rows = await (tenantId === null
    ? db.query<SumRow & { day: string }>(BY_DAY, values)
    : db.query<SumRow & { day: string }>(BY_DAY_OF_TENANT, [...values, tenantId]));
  return rows.map(({ day, kind, quantity }) => ({ day, kind, quantity: BigInt(quantity) }));
}

// Sums usage by kind for a page of tenants. The single entries are read once for all tenants of the page. Each tenant's
// sums are added in a separate subquery: a plan that expects few rows would sort all of them together.
const BY_TENANT = statement(
  'usage_by_tenant',
  `with page as materialized (
     select id from tenants where ledger_id = $1 and id < coalesce($8::text, 'u') order by id desc limit $9
   ), parts as (
     select page.id as tenant_id, held.* from page cross join lateral (
       select kind, sum(quantity) as quantity from (${sumsSql('page.id', KIND_COLUMNS)}
       ) sums group by kind) held
     union all${entriesSql('tenant_id, kind, quantity', '')}
   )
   select page.id as tenant_id, p.kind, sum(p.quantity)::text as quantity
   from page left join parts p on p.tenant_id = page.id group by 1, 2 order by 1 desc`,
);

type GroupRow = { tenant_id: string } & ({ kind: UsageKind; quantity: string } | { kind: null });

/** Sums usage by kind for a page of tenants, the newest first; also for deleted tenants and tenants without usage. */
export async function sumUsageByTenant(
  db: Db,
  ledgerId: number,
  { range, before, rows }: { range: UsageRange; before: string | null; rows: number },
): Promise<{ tenantId: string; sums: UsageSum[] }[]> {
  const values = [ledgerId, ...valuesOf(range), before, rows];
  const groups = Map.groupBy(await db.query<GroupRow>(BY_TENANT, values), (row) => row.tenant_id);
  return [...groups].map(([tenantId, found]) => ({
    tenantId,
    sums: found.flatMap((row) => (row.kind === null ? [] : [{ kind: row.kind, quantity: BigInt(row.quantity) }])),
  }));
}

// The horizon moves before anything is deleted, in the same transaction. Readers use the archive only for times after
// the horizon, where it is complete.
const MOVE_HORIZONS = statement(
  'usage_horizons_move',
  `insert into usage_horizons (ledger_id, archived_from)
   select l.id, date_trunc('hour', ledger_now(l.id) - make_interval(days => $1::integer), 'UTC') from ledgers l
   where exists (select 1 from usage_archive a where a.ledger_id = l.id
                 and a.at < date_trunc('hour', ledger_now(l.id) - make_interval(days => $1::integer), 'UTC'))
   order by 1
   on conflict (ledger_id) do update set archived_from = greatest(usage_horizons.archived_from, excluded.archived_from)`,
);

const DELETE_ARCHIVED = statement(
  'usage_archive_delete_old',
  `with old as (
     select a.place from usage_horizons h, lateral (
       select ctid as place from usage_archive where ledger_id = h.ledger_id and at < h.archived_from limit $1::integer
     ) a limit $1::integer
   )
   delete from usage_archive where ctid = any(array(select place from old)) returning 1 as gone`,
);

/** Deletes archived entries older than `days`, at most `entriesMax`; their sums stay. Returns how many. */
export async function sweepUsageArchive(
  tx: Tx,
  { days, entriesMax }: { days: number; entriesMax: number },
): Promise<number> {
  await tx.query(MOVE_HORIZONS, [days]);
  return (await tx.query(DELETE_ARCHIVED, [entriesMax])).length;
}
