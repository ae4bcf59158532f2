-- Cells: further databases of this installation. Only the database of DATABASE_URL has rows.
create table cells (
  -- The ledgers of cell n have ids from n * 2^24 on; those of the first database are below 2^24. So a ledger id is of
  -- one cell. A number is not given twice.
  number integer primary key check (number between 1 and 127),
  name text collate "C" not null unique,
  -- The address of the cell's database, encrypted.
  url bytea not null,
  -- added: its database is being prepared; open: processes serve it.
  state text not null default 'added' check (state in ('added', 'open')),
  -- Wall time.
  created_at timestamptz not null default now()
);

-- The cell that this database is; null in the database of DATABASE_URL.
alter table installation
  add column cell_number integer check (cell_number between 1 and 127),
  add column cell_name text collate "C",
  add check ((cell_number is null) = (cell_name is null));
