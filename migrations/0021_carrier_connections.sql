-- Connections to the carriers of live ledgers, and which connection each thing uses.

-- One row per connection: an account of the operator at a carrier, or a trunk. Operators make them; callers never see
-- them.
create table carrier_connections (
  id text collate "C" primary key,
  -- The adapter, such as telnyx.
  kind text collate "C" not null,
  name text collate "C" not null unique,
  -- The only account that may use it; null for all accounts.
  account_id text collate "C" references accounts (id),
  -- Object of texts by name.
  settings json not null,
  -- Encrypted object of texts by name.
  credentials bytea not null,
  -- draining: finishes what it has, and takes nothing new. disabled: takes nothing at all.
  status text not null default 'active' check (status in ('active', 'draining', 'disabled')),
  -- Wall time.
  created_at timestamptz not null default now()
);

-- One row per capability and account: the connection for what is new. The row without an account is the default of the
-- installation, for accounts that have none of their own.
create table carrier_defaults (
  capability text not null
    check (capability in ('numbers', 'messaging', 'registry', 'e911', 'porting', 'voice')),
  account_id text collate "C" references accounts (id),
  connection_id text collate "C" not null references carrier_connections (id),
  unique nulls not distinct (capability, account_id)
);

-- Returns the connection for what is new of a live ledger; null if it has none, and for a test ledger.
create function carrier_default(ledger integer, wanted text) returns text
  language sql stable parallel safe
  as $$
    select d.connection_id
    from ledgers l
    join carrier_defaults d on d.capability = wanted and (d.account_id = l.account_id or d.account_id is null)
    join carrier_connections c on c.id = d.connection_id and c.status = 'active'
    where l.id = ledger and l.mode = 'live'
    order by d.account_id nulls last limit 1
  $$;

-- The connection that a thing began with and keeps. Null in a test ledger, whose network is simulated, and until the
-- carrier is first asked.
-- Of a number: where it was ordered and is released, where its texts go, and where its calls go.
alter table phone_numbers
  add column connection_id text collate "C" references carrier_connections (id),
  add column messaging_connection_id text collate "C" references carrier_connections (id),
  add column voice_connection_id text collate "C" references carrier_connections (id),
  -- Where the number is registered at its emergency address; 911 and 933 go there.
  add column e911_connection_id text collate "C" references carrier_connections (id);
-- A campaign uses the connection of its brand.
alter table brands add column connection_id text collate "C" references carrier_connections (id);
alter table e911_addresses add column connection_id text collate "C" references carrier_connections (id);
alter table port_ins add column connection_id text collate "C" references carrier_connections (id);
-- No foreign keys here: connections are never deleted, and a key would lock the row of the connection at every text.
alter table messages add column connection_id text collate "C";
alter table calls add column connection_id text collate "C";
