-- Sums of usage by day. A summary over a year reads 24 times fewer rows than from the sums by hour.

-- One row per scope, day (UTC) and kind: the sum of the hours of the day.
create table usage_days (
  ledger_id integer not null,
  -- A tenant, or '' for the whole ledger, as in usage_hours.
  scope text collate "C" not null,
  -- Start of the day.
  day timestamptz not null,
  kind text collate "C" not null,
  quantity bigint not null,
  primary key (ledger_id, scope, day, kind)
) with (fillfactor = 80);

-- The statement that adds uses to usage_hours archives them. This trigger makes it add them to usage_days too, also
-- where a process of the version before runs it. Sums are locked in one order, so that concurrent statements do not
-- deadlock: all hours of a statement come before its days.
create function add_to_usage_days() returns trigger language plpgsql as $$
begin
  insert into usage_days as d (ledger_id, scope, day, kind, quantity)
  select ledger_id, scope, day, kind, sum(quantity) from (
    select ledger_id, tenant_id as scope, date_trunc('day', at, 'UTC') as day, kind, quantity
    from archived where tenant_id is not null
    union all
    select ledger_id, '', date_trunc('day', at, 'UTC'), kind, quantity from archived
  ) parts group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (ledger_id, scope, day, kind) do update set quantity = d.quantity + excluded.quantity;
  return null;
end $$;

-- Waits until statements that add up have committed, and makes others wait until this migration has. The next statement
-- therefore reads all hours that the trigger does not see.
create trigger usage_days_of_archived after insert on usage_archive
  referencing new table as archived for each statement execute function add_to_usage_days();

insert into usage_days (ledger_id, scope, day, kind, quantity)
select ledger_id, scope, date_trunc('day', hour, 'UTC'), kind, sum(quantity) from usage_hours group by 1, 2, 3, 4;
