-- What people are answered by themselves: {missed_call, after_hours, once_every_hours}. Null where nothing was set.
alter table tenants add column auto_replies json;

-- The latest automatic reply to each person, so that a period has one at most. `source` is the text or the call that
-- was answered: its job may run twice. Rows that are older than the longest period are deleted.
create table auto_replies (
  ledger_id integer not null,
  tenant_id text collate "C" not null,
  external_number text collate "C" not null,
  source text collate "C" not null,
  replied_at timestamptz not null,
  primary key (ledger_id, tenant_id, external_number),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

create index auto_replies_age on auto_replies (ledger_id, replied_at);
