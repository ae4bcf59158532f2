-- The engines of connections to SIP trunks. One process at a time hears the events of an engine.
create table sip_engines (
  connection_id text collate "C" not null references carrier_connections (id),
  name text collate "C" not null,
  -- The process that hears the engine, and until when it may (wall time).
  owner text collate "C",
  owned_until timestamptz,
  -- Since when the owner's socket is open; null while it is not. Only then the engine gets new calls.
  ready_at timestamptz,
  -- When the engine was last known to work.
  seen_at timestamptz,
  primary key (connection_id, name)
) with (fillfactor = 70);

-- The legs of calls at SIP engines: which channel of which engine is which leg of ours.
create table sip_legs (
  ledger_id integer not null,
  connection_id text collate "C" not null references carrier_connections (id),
  leg_ref text collate "C" not null,
  call_ref text collate "C" not null,
  -- customer or agent; null for a leg that was hung up before it was dialled.
  party text,
  -- The engine, and its channel; null for a leg that was hung up before it was dialled.
  engine text collate "C",
  channel_id text collate "C",
  -- What was dialled, for the trunks that follow: to, from, shownAs, ringMs. Null for a caller.
  dialled json,
  -- The command that dialled it.
  command_ref text collate "C",
  -- How many trunks were tried before this one.
  attempt integer not null default 0,
  hung_up_at timestamptz,
  -- The bridge of the engine that the leg is in, or will be in again when it is held no more.
  bridge_id text collate "C",
  is_held boolean not null default false,
  cause text,
  ended_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (ledger_id, connection_id, leg_ref)
);
create unique index sip_legs_channel on sip_legs (connection_id, channel_id);
create index sip_legs_call on sip_legs (ledger_id, connection_id, call_ref);
-- The legs that an engine has, to compare after its events were not heard.
create index sip_legs_live on sip_legs (connection_id, engine, leg_ref) where ended_at is null and channel_id is not null;
create index sip_legs_age on sip_legs (created_at);
