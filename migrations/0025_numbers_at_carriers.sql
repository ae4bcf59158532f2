-- Documents of port-ins, and what a carrier reports about a number and its registrations.

-- One row per document of a port-in; the file is a blob.
create table port_in_documents (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  port_in_id text collate "C" not null,
  kind text not null check (kind in ('letter_of_authorization', 'invoice')),
  -- As recognised in the first bytes of the file.
  content_type text not null,
  size_bytes integer not null,
  blob_key text not null,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, port_in_id) references port_ins (ledger_id, id)
);

create index port_in_documents_port_in on port_in_documents (ledger_id, port_in_id, id);
create index port_in_documents_tenant on port_in_documents (ledger_id, tenant_id);

-- When the carrier's last report of the number's status happened; an older report is ignored.
alter table phone_numbers add column status_reported_at timestamptz;
-- True while the carrier has accepted the number for its campaign, or for its emergency address, and has not confirmed
-- it.
alter table phone_numbers add column campaign_pending boolean not null default false;
alter table phone_numbers add column e911_pending boolean not null default false;
