-- What carriers have reported.

-- One row per notice of a carrier, stored before the carrier gets its reply and kept for 7 days.
create table carrier_inbox (
  connection_id text collate "C" not null references carrier_connections (id),
  -- The carrier's id. A second notice with the same id is a repeat.
  notice_id text collate "C" not null,
  -- What it is about, such as a call: the key of its lane.
  lane_key text collate "C" not null,
  -- The order of arrival.
  position bigint generated always as identity,
  -- The carrier's name of it.
  type text not null,
  body json not null,
  -- waiting: not handed over. ignored: means nothing here. dropped: was about something that never became known.
  state text not null default 'waiting' check (state in ('waiting', 'done', 'ignored', 'dropped')),
  -- Wall time.
  received_at timestamptz not null default clock_timestamp(),
  primary key (connection_id, notice_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

create index carrier_inbox_waiting on carrier_inbox (connection_id, lane_key, position) where state = 'waiting';
-- The sweep, and the operator's list.
create index carrier_inbox_received on carrier_inbox (received_at);
