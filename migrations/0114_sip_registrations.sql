-- Which telephones are registered at which engine, as the process that is connected to the engine saw it last. Rows
-- are true only while a process is connected (sip_engines.ready_at). A connection has at most 50 telephones and 16
-- engines.
create table sip_registrations (
  connection_id text collate "C" not null references carrier_connections (id),
  engine text collate "C" not null,
  -- The engine's name of the telephone: phone-front.
  endpoint text collate "C" not null,
  is_registered boolean not null,
  -- When a process first saw this state (wall time).
  changed_at timestamptz not null,
  primary key (connection_id, engine, endpoint)
);
