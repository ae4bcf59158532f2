-- Browser seats: one credential for each, and where those that are logged in can be reached.

create table web_clients (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  name text,
  -- The seat's own name towards a SIP engine. It is made at random and is nobody's number.
  sip_username text collate "C" not null,
  status text not null check (status in ('active', 'revoked')),
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

create index web_clients_tenant on web_clients (ledger_id, tenant_id, id);

-- The one session of a seat that is logged in. Its node renews `seen_at` (wall time) every few seconds; a row that was
-- not renewed is of a node that is gone.
create table softphone_sessions (
  ledger_id integer not null,
  web_client_id text collate "C" not null,
  session_id text collate "C" not null,
  node_id text collate "C" not null,
  seen_at timestamptz not null,
  primary key (ledger_id, web_client_id),
  foreign key (ledger_id, web_client_id) references web_clients (ledger_id, id)
) with (fillfactor = 70);

create index softphone_sessions_node on softphone_sessions (node_id);

-- Why a simulated leg ended, for the seat that it reached.
alter table simulated_legs add column end_reason text;
create index simulated_legs_seat on simulated_legs (ledger_id, address) where address like 'wcl\_%' and state <> 'ended';
