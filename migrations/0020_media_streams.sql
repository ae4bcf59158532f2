-- Media streams, and the gateways that hold their audio.

-- Gateways that are up. Each renews `seen_at` (wall time) every few seconds; one that has not for ten is lost.
create table gateway_nodes (
  node_id text collate "C" primary key,
  -- Where the other gateways reach it: ws:// or wss://.
  url text not null,
  seen_at timestamptz not null,
  -- It goes on with the streams that it has, and gets no more.
  draining boolean not null default false
) with (fillfactor = 70);

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
  url text not null,
  -- The gateway that holds the audio.
  node_id text collate "C" not null,
  token_hash bytea not null,
  -- Wall time at which somebody connected with the token; it is good once.
  token_used_at timestamptz,
  -- The same for the carrier, where it brings the audio.
  ingest_used_at timestamptz,
  -- What is billed, in milliseconds; null while it goes on.
  billed_ms bigint,
  created_at timestamptz not null,
  started_at timestamptz,
  stopped_at timestamptz,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
) with (fillfactor = 80);

create index media_streams_call on media_streams (ledger_id, call_id, id);
create unique index media_streams_live on media_streams (ledger_id, call_id) where status in ('starting', 'active');
-- A gateway knows a stream by its id alone.
create index media_streams_id on media_streams (id);
create index media_streams_node on media_streams (node_id) where status in ('starting', 'active');

-- The stream of a simulated call: while there is one the customer stays on the line.
alter table simulated_calls add column stream_ref text collate "C";

-- What was heard live on a simulated call and is in no other book: playback of a stream, the voice of a seat. Kept while
-- the call is recorded, as mu-law.
create table simulated_audio (
  ledger_id integer not null,
  call_ref text collate "C" not null,
  starts_at timestamptz not null,
  audio bytea not null,
  primary key (ledger_id, call_ref, starts_at),
  foreign key (ledger_id, call_ref) references simulated_calls (ledger_id, call_ref)
);
