-- Requests to erase everything about a person from a tenant.
create table person_erasures (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  -- Whom it concerns; null once it is completed, so that what stays does not name the person.
  external_number text collate "C",
  status text not null check (status in ('pending', 'completed')),
  counts json not null default '{}',
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id),
  check ((status = 'completed') = (external_number is null))
);

create index person_erasures_tenant on person_erasures (ledger_id, tenant_id, id);
-- The next ones of a tenant.
create index person_erasures_state on person_erasures (ledger_id, (tenant_id || '/' || status), id);

-- When the content of a call was erased. Audio that its carrier hands over later is not kept.
alter table calls add column erased_at timestamptz;

-- Group texts, which name people besides their sender.
create index messages_group on messages (ledger_id, tenant_id, id) where other_recipients <> '{}';

-- What carriers' adapters have spoken in a call.
create index telnyx_playbacks_spoken on telnyx_playbacks (ledger_id, connection_id, call_ref) where spoken is not null;
create index sip_playbacks_spoken on sip_playbacks (ledger_id, connection_id, call_ref) where spoken is not null;
