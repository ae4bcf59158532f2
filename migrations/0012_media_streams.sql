-- Media streams, and the gateways that hold their audio.

-- One row per gateway that is up or was up in the last day. It belongs to no ledger. All times are wall time.
create table gateway_nodes (
  node_id text collate "C" primary key,
  -- Where the other gateways reach it: ws:// or wss://.
  url text not null,
  -- Renewed by the gateway every few seconds. A gateway that has not renewed it for 10 s gets no streams.
  seen_at timestamptz not null,
  -- True for a gateway that keeps its streams and gets no new ones.
  draining boolean not null default false,
  -- When a check first found the gateway not seen for 10 s; null again once it is seen. A database outage keeps every
  -- gateway from being seen, so a gateway counts as lost only if a later check still misses it.
  missed_at timestamptz
) with (fillfactor = 70);

-- One row per call that has or had live audio: the gateway that holds it, where the call's stream and web clients meet.
create table call_audio_nodes (
  ledger_id integer not null,
  call_id text collate "C" not null,
  node_id text collate "C" not null,
  primary key (ledger_id, call_id),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
);

-- One row per media stream.
create table media_streams (
  ledger_id integer not null,
  id text collate "C" not null,
  call_id text collate "C" not null,
  tenant_id text collate "C" not null,
  direction text not null check (direction in ('fork', 'bidirectional')),
  track text not null check (track in ('inbound', 'outbound', 'both')),
  status text not null check (status in ('starting', 'active', 'stopped', 'failed')),
  stop_reason text
    check (stop_reason in ('api_request', 'call_ended', 'client_closed', 'carrier_error', 'no_client')),
  -- WebSocket address for the client.
  url text not null,
  -- The gateway that holds the audio.
  node_id text collate "C" not null,
  token_hash bytea not null,
  -- When the client connected with the token (wall time). A token opens the stream once.
  token_used_at timestamptz,
  -- When the carrier connected (wall time), if the carrier connects to the gateway; once as well.
  ingest_used_at timestamptz,
  -- Billed time in milliseconds; null until the stream has ended.
  billed_ms bigint,
  created_at timestamptz not null,
  started_at timestamptz,
  stopped_at timestamptz,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
) with (fillfactor = 80);

-- Lists of one call, newest first.
create index media_streams_call on media_streams (ledger_id, call_id, id);
-- A call has at most one stream at a time.
create unique index media_streams_live on media_streams (ledger_id, call_id) where status in ('starting', 'active');
-- A gateway knows a stream by its id only.
create index media_streams_id on media_streams (id);
-- How many streams a gateway has, and the streams of lost gateways.
create index media_streams_node on media_streams (node_id) where status in ('starting', 'active');
