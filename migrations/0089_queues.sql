-- Queues of callers who wait for an agent.
create table queues (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  name text not null,
  strategy text not null check (strategy in ('longest_idle', 'round_robin', 'ring_all')),
  ring_seconds integer not null,
  -- How long an agent is left alone after a call.
  wrap_up_seconds integer not null,
  max_waiting integer not null,
  max_wait_seconds integer not null,
  -- Null: callers are not told their position.
  announce_position_seconds integer,
  callback_digit text,
  -- A behavior: what follows for a caller who is not answered.
  overflow json not null,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);
create index queues_tenant on queues (ledger_id, tenant_id, id);

-- The agents of a queue.
create table queue_agents (
  ledger_id integer not null,
  queue_id text collate "C" not null,
  -- A web client's id, E.164 or "sip_phone:" and a name.
  agent text collate "C" not null,
  -- Where the agent stands in the queue's list.
  position integer not null,
  is_away boolean not null default false,
  -- When the agent was added, or became available by its own decision.
  since timestamptz not null,
  primary key (ledger_id, queue_id, agent),
  foreign key (ledger_id, queue_id) references queues (ledger_id, id) on delete cascade
);
-- The queues of an agent.
create index queue_agents_agent on queue_agents (ledger_id, agent, queue_id);

-- One row per agent that was offered a caller, in whichever queue. A decision locks it, so an agent gets one caller.
create table queue_agent_turns (
  ledger_id integer not null,
  agent text collate "C" not null,
  offered_at timestamptz,
  primary key (ledger_id, agent)
);

-- What leads to a queue: routing configs, and queues by their overflow.
create table queue_uses (
  ledger_id integer not null,
  user_id text collate "C" not null,
  queue_id text collate "C" not null,
  primary key (ledger_id, user_id, queue_id),
  constraint queue_uses_queue foreign key (ledger_id, queue_id) references queues (ledger_id, id)
);
create index queue_uses_used on queue_uses (ledger_id, queue_id);

-- The callers who wait: a part of the state of their calls, written with it. A queue may be deleted under them.
create table queue_entries (
  ledger_id integer not null,
  call_id text collate "C" not null,
  queue_id text collate "C" not null,
  -- Callers are served in this order.
  since timestamptz not null,
  -- Whether the queue has counted the caller in.
  admitted boolean not null,
  -- Whether agents ring for the caller.
  offered boolean not null,
  primary key (ledger_id, call_id),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index queue_entries_order on queue_entries (ledger_id, queue_id, since, call_id);

-- The legs of agents on calls of any kind: those that have not ended, and the latest that have.
create table queue_agent_legs (
  ledger_id integer not null,
  leg_id text collate "C" not null,
  call_id text collate "C" not null,
  agent text collate "C" not null,
  -- declined: the agent was rung, and did not take the call for a reason of its own. missed: it did not come to that.
  state text not null check (state in ('ringing', 'up', 'talked', 'declined', 'missed')),
  -- Null while the leg rings or is up.
  ended_at timestamptz,
  primary key (ledger_id, leg_id),
  foreign key (ledger_id, call_id) references calls (ledger_id, id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index queue_agent_legs_agent on queue_agent_legs (ledger_id, agent, ended_at);
