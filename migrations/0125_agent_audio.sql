-- The audio of agents' telephones that a carrier sends to a gateway, while agents consult and while listeners speak to
-- them: one row a leg, asked for once. Times are wall time. A row is deleted some seconds after its leg.
create table agent_audio_legs (
  ledger_id integer not null,
  leg_id text collate "C" not null,
  call_id text collate "C" not null,
  -- The command that asked for it; null if it does not come.
  asked_ref text collate "C",
  -- The gateway that it was asked for.
  asked_node text collate "C" not null,
  asked_at timestamptz not null,
  -- When the carrier connected; null until then.
  connected_at timestamptz,
  primary key (ledger_id, leg_id),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
) with (fillfactor = 70);

-- The audio that was asked for longest ago, first.
create index agent_audio_legs_asked on agent_audio_legs (asked_at);
-- Calls that are deleted with their ledger.
create index agent_audio_legs_call on agent_audio_legs (ledger_id, call_id);
