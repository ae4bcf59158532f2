-- Port-ins at Telnyx: written before the first request about them, so that no answer is lost for good.
create table telnyx_port_ins (
  ledger_id integer not null,
  connection_id text collate "C" not null references carrier_connections (id),
  -- Our id of the port-in. Telnyx's orders have it as their customer reference.
  ref text collate "C" not null,
  -- The latest submission.
  attempt integer not null,
  phone_numbers text[] not null check (cardinality(phone_numbers) between 1 and 100),
  -- True once Telnyx has taken the whole submission.
  is_submitted boolean not null default false,
  primary key (ledger_id, connection_id, ref)
);
-- Reports name our id without a ledger.
create unique index telnyx_port_ins_ref on telnyx_port_ins (connection_id, ref);

-- Documents of open port-ins that were uploaded to Telnyx: at most those that a port-in may have.
create table telnyx_documents (
  ledger_id integer not null,
  connection_id text collate "C" not null references carrier_connections (id),
  port_in_ref text collate "C" not null,
  -- Our id of the document.
  ref text collate "C" not null,
  -- Telnyx's id; null until it is known, also if the answer to the upload is lost.
  document_id text collate "C",
  primary key (ledger_id, connection_id, port_in_ref, ref)
);

-- Reports about brands and campaigns name Telnyx's id alone.
create index telnyx_registrations_carrier_ref on telnyx_registrations (connection_id, carrier_ref);
