-- Web clients: browsers that make and take calls.

-- One row per web client: the credential of one browser user, revoked ones included.
create table web_clients (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  name text,
  -- The web client's name towards a SIP engine: random, and not a phone number.
  sip_username text collate "C" not null,
  status text not null check (status in ('active', 'revoked')),
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

create index web_clients_tenant on web_clients (ledger_id, tenant_id, id);

-- One row per web client that is logged in: its only session.
create table web_client_sessions (
  ledger_id integer not null,
  web_client_id text collate "C" not null,
  session_id text collate "C" not null,
  -- The process that has the session's socket.
  node_id text collate "C" not null,
  -- Wall time, renewed by the node every few seconds. If it is not, the node is gone.
  seen_at timestamptz not null,
  primary key (ledger_id, web_client_id),
  foreign key (ledger_id, web_client_id) references web_clients (ledger_id, id)
) with (fillfactor = 70);

-- A node renewing its sessions.
create index web_client_sessions_node on web_client_sessions (node_id);

-- One row per call that a web client has dialled lately, by the client's own `ref` of it. If the answer is lost with
-- the connection and the client repeats the request, the ref finds the same call.
create table web_client_dials (
  ledger_id integer not null,
  web_client_id text collate "C" not null,
  -- SHA-256 of the ref, which may have any length.
  ref_hash bytea not null,
  call_id text collate "C" not null,
  -- The web client's leg.
  leg_id text collate "C" not null,
  -- Wall time.
  dialled_at timestamptz not null,
  primary key (ledger_id, web_client_id, ref_hash),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
);

-- The foreign key's check when calls are deleted.
create index web_client_dials_call on web_client_dials (ledger_id, call_id);
