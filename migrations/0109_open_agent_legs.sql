-- The legs of agents that have not ended: as many as agents ring and talk.
create index queue_agent_legs_open on queue_agent_legs (ledger_id, leg_id) where ended_at is null;
