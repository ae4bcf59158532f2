-- One row per inbound text that may be meant as an opt-out, for a person to decide within 30 days. A decision, and the
-- deletion of the text, deletes the row.
create table opt_out_candidates (
  ledger_id integer not null,
  message_id text collate "C" not null,
  tenant_id text collate "C" not null,
  external_number text collate "C" not null,
  -- When the text was received.
  created_at timestamptz not null,
  primary key (ledger_id, message_id),
  foreign key (ledger_id, message_id) references messages (ledger_id, id) on delete cascade
);

-- The list of a tenant.
create index opt_out_candidates_tenant on opt_out_candidates (ledger_id, tenant_id, message_id);

-- Those of a person, which an opt-out decides.
create index opt_out_candidates_person on opt_out_candidates (ledger_id, external_number, tenant_id);

-- Those that are over 30 days old.
create index opt_out_candidates_age on opt_out_candidates (ledger_id, created_at);
