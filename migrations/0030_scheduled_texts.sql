-- Texts that wait for their time, quiet hours of tenants, and message templates.

alter table tenants add column quiet_hours json;

alter table messages
  -- The time for which a text was scheduled, in ledger time; null for a text that was sent at once.
  add column send_at timestamptz,
  drop constraint messages_status_check,
  add constraint messages_status_check
    check (status in ('scheduled', 'queued', 'sent', 'delivered', 'failed', 'canceled', 'received'));

-- One row per text that waits for its time. The row is deleted when the text is released or canceled. Texts of one
-- moment are released in the order of their ids, which is that of their acceptance.
create table scheduled_messages (
  ledger_id integer not null,
  send_at timestamptz not null,
  message_id text collate "C" not null,
  primary key (ledger_id, send_at, message_id)
) with (autovacuum_vacuum_scale_factor = 0.02);

-- One row per template of a text.
create table message_templates (
  ledger_id integer not null,
  id text collate "C" not null,
  -- Null for a template of all tenants.
  tenant_id text collate "C",
  name text not null,
  -- Text with variables in double braces.
  body text not null,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

-- Lists of one tenant's templates, or of those for all (the empty text), newest first.
create index message_templates_owner on message_templates (ledger_id, (coalesce(tenant_id, '')), id);
