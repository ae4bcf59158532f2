-- The time by which jobs are found, apart from the time that a claim moves: a claim then changes no index.

-- Not after run_at, which a claim moves to the end of its lease. The index by it therefore finds every job that may be
-- claimed, and the few that are claimed. The default is for versions that do not know the column.
alter table jobs add column due_at timestamptz;
alter table jobs alter column due_at set default clock_timestamp();
update jobs set due_at = run_at;
alter table jobs alter column due_at set not null;

-- Half of a page stays free, because claims take jobs in the order of their storage: the new row of every job of the
-- page then fits into it.
alter table jobs set (fillfactor = 50);

drop index jobs_due;
create index jobs_due on jobs (queue, due_at);

-- A job that is moved ahead is found at its new time. Claims, and all later times, move run_at alone.
create function keep_jobs_findable() returns trigger language plpgsql as $$
begin
  new.due_at = new.run_at;
  return new;
end $$;
create trigger jobs_due_at before update of run_at on jobs
  for each row when (new.run_at < new.due_at) execute function keep_jobs_findable();
