-- The pause of a restored backup, and the installation that last used the database.
alter table installation
  -- Wall time at which the operator paused the installation; null while it works. Read by every claim on work.
  add column paused_at timestamptz,
  -- Identity and readable name of the installation that started last, and its wall time.
  add column used_by text,
  add column used_by_name text,
  add column used_at timestamptz;
