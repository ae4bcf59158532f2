-- Notices that an operator has settled, for all operators. A new failure of the same subject has another state.
create table settled_notices (
  kind text collate "C" not null check (kind in ('emergency_call', 'port_out', 'failing_endpoint', 'connection')),
  -- The call, the number, the webhook endpoint or the connection.
  subject_id text collate "C" not null,
  -- The call, request or series of failures that was settled.
  state text collate "C" not null,
  -- The e-mail address of the user, or 'operator' for a session without a user.
  settled_by text not null,
  settled_at timestamptz not null default clock_timestamp(),
  primary key (kind, subject_id, state)
);
create index settled_notices_age on settled_notices (settled_at);
