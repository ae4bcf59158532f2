-- Which gateway holds the audio of a call: its stream and the seats on it meet there.
create table call_audio_nodes (
  ledger_id integer not null,
  call_id text collate "C" not null,
  node_id text collate "C" not null,
  primary key (ledger_id, call_id),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
);

-- Wall time at which a look first found the node not seen for long; null again once it is. A database that was away keeps
-- every node from being seen, so a node counts as lost only if it is still missing at a later look.
alter table gateway_nodes add column missed_at timestamptz;
