-- The audio of a call that its carrier sends over a socket: asked for once, whoever needs it. Times are wall time.
alter table call_audio_nodes
  -- The command that asked for it; null if it does not come.
  add column asked_ref text collate "C",
  -- The node that it was asked for; another than node_id once that node is lost.
  add column asked_node text collate "C",
  add column asked_at timestamptz,
  -- When the carrier connected; null until then.
  add column connected_at timestamptz;

-- A carrier's socket belongs to the leg, no longer to a stream.
alter table media_streams drop column ingest_used_at;
