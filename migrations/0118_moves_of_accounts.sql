-- Moves of accounts between the databases of an installation. A ledger keeps its id when it moves.
alter table ledgers
  -- moving: writes are refused, and no work is claimed. arriving: a copy that is not in use yet. moved: `moved_to` has
  -- the ledger now.
  add column state text not null default 'active' check (state in ('active', 'moving', 'arriving', 'moved')),
  -- The name of the cell; empty for the database of DATABASE_URL.
  add column moved_to text collate "C",
  add check ((state = 'moved') = (moved_to is not null));
create index ledgers_moved on ledgers (id) where state = 'moved';

-- The moves out of this database that have not ended.
create table account_moves (
  account_id text collate "C" primary key references accounts (id),
  -- The name of the cell; empty for the database of DATABASE_URL.
  moves_to text collate "C" not null,
  -- Wall time. The account is that of the other database from `switched_at` on.
  began_at timestamptz not null default now(),
  switched_at timestamptz
);

-- Rows of accounts that have moved, kept for a day.
create table moved_rows (
  account_id text collate "C" not null,
  table_name text collate "C" not null,
  content json not null,
  -- Wall time.
  moved_at timestamptz not null default now()
);
create index moved_rows_moved_at on moved_rows (moved_at);

-- Refuses a write to an account that moves. Triggers that call it exist only during a move. The class of the error is
-- that of a server without resources, so the API replies 503.
create function refuse_while_moving() returns trigger language plpgsql as $$
begin
  raise exception 'the account is being moved to another database' using errcode = '53M01';
end $$;

-- A move copies the days with the archive.
drop trigger usage_days_of_archived on usage_archive;
create trigger usage_days_of_archived after insert on usage_archive
  referencing new table as archived for each statement
  when (current_setting('dialplane.moves', true) is distinct from 'on') execute function add_to_usage_days();
