-- Sessions of browsers: a page of the platform uses the API for one tenant, with the abilities that its server has
-- chosen. All times are wall time.

-- One row per session until the sweep deletes it after its expiry.
create table browser_sessions (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  -- SHA-256 of the whole token. The token is long and random, so a slow hash would add nothing.
  token_hash bytea not null,
  -- The API key that minted the session and ends it; null for a session that was minted in the console.
  key_id text collate "C",
  abilities text[] not null,
  -- The origins whose pages may use the token; null for any.
  allowed_origins text[],
  -- The only web client that the session may log in; null for any of the tenant.
  web_client_id text collate "C",
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id),
  foreign key (ledger_id, web_client_id) references web_clients (ledger_id, id)
);

-- Authentication: the session of a request by the hash of its token.
create unique index browser_sessions_hash on browser_sessions (token_hash);

-- The list of a ledger, and of one tenant.
create index browser_sessions_valid on browser_sessions (ledger_id, id) where revoked_at is null;
create index browser_sessions_tenant_valid on browser_sessions (ledger_id, tenant_id, id) where revoked_at is null;

-- The sweep of expired sessions.
create index browser_sessions_expires on browser_sessions (expires_at);
