-- A key that may only read is refused every change.
alter table api_keys add column permissions text collate "C" not null default 'write'
  check (permissions in ('write', 'read'));
