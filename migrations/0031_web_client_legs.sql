-- One row per leg to or from a web client on a call whose carrier does not ring web clients itself. Ended ones stay.
create table web_client_legs (
  ledger_id integer not null,
  leg_id text collate "C" not null,
  call_id text collate "C" not null,
  web_client_id text collate "C" not null,
  -- False for a call that the web client makes.
  was_rung boolean not null,
  -- dialing: the web client was logged in until recently, and is looked for again.
  state text not null check (state in ('dialing', 'ringing', 'up', 'ended')),
  -- Why it ended, as the web client shows it.
  end_reason text,
  primary key (ledger_id, leg_id),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
) with (fillfactor = 80);

-- The legs of a call.
create index web_client_legs_call on web_client_legs (ledger_id, call_id);
-- The legs of a web client that have not ended.
create index web_client_legs_current on web_client_legs (ledger_id, web_client_id) where state <> 'ended';
