-- How long a tenant's content is kept: {message_days, recording_days, voicemail_days, transcript_days}, each a number
-- of days or null for content that is kept. Null where no limit was ever set.
alter table tenants add column retention json;

create index tenants_retention on tenants (ledger_id, id) where retention is not null;

-- How far a sweep has come that passes rows which stay: each of its rounds begins after this row. One row for each
-- tenant and kind of content.
create table retention_progress (
  ledger_id integer not null,
  tenant_id text collate "C" not null,
  kind text collate "C" not null,
  row_at timestamptz not null,
  row_id text collate "C" not null,
  primary key (ledger_id, tenant_id, kind),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);
