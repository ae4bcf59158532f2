-- The rows of an account that were written since its move began to copy it. So the pause of a move reads these rows,
-- and not all rows of the account. A crash of the server empties the table, and ends the session of the move, which
-- then begins again.
create unlogged table moving_changes (
  account_id text collate "C" not null,
  table_name text collate "C" not null,
  -- The values of the columns of the row's key, in the order of the columns.
  key jsonb not null
);
create index moving_changes_table on moving_changes (account_id, table_name);

-- Notes the key of a written row. Its arguments are the account and the SQL of the key, with the row as $1. It reads
-- only the key, because the json of another column may not be storable as jsonb. Triggers that call it exist only
-- during a move.
create function note_moving_change() returns trigger language plpgsql as $$
declare
  note text := 'insert into moving_changes (account_id, table_name, key) values ($2, $3, ' || tg_argv[1] || ')';
begin
  if tg_op = 'DELETE' then execute note using old, tg_argv[0], tg_table_name::text;
  else execute note using new, tg_argv[0], tg_table_name::text;
  end if;
  return null;
end $$;

-- References that change, such as the routing of a number. A move deletes rows before it writes the changed rows, so it
-- checks these references at its end. Nothing else defers them.
do $$
declare
  reference record;
begin
  for reference in
    select c.conname, c.conrelid::regclass as from_table from pg_constraint c
    where c.contype = 'f' and c.confdeltype = 'a'
      and c.conrelid in ('phone_numbers'::regclass, 'routing_configs'::regclass, 'campaigns'::regclass,
        'opt_in_forms'::regclass, 'calls'::regclass)
      and c.confrelid not in ('ledgers'::regclass, 'tenants'::regclass)
    order by c.conrelid, c.conname
  loop
    execute format('alter table %s alter constraint %I deferrable', reference.from_table, reference.conname);
  end loop;
end $$;
