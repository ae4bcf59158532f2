/** The agents of queues. */
import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { type InLedger, STATE_KEY } from '../calls/queries.ts';

type AgentValues = { ledger_id: number; queue_id: string; agents: readonly string[] };

const DROP = statement<AgentValues>(
  'queue_agents_drop',
  `delete from queue_agents
   where ledger_id = :ledger_id and queue_id = :queue_id and agent <> all(:agents::text[])`,
);

const WRITE = statement<AgentValues>(
  'queue_agents_write',
  `insert into queue_agents (ledger_id, queue_id, agent, position, since)
   select :ledger_id, :queue_id, i.agent, i.position, ledger_now(:ledger_id)
   from unnest(:agents::text[]) with ordinality as i (agent, position)
   on conflict (ledger_id, queue_id, agent) do update set position = excluded.position`,
);

// Deletes the state of an agent that is in no queue. If the agent joins a queue again, a decision creates its row of
// `queue_agent_turns` again.
const FORGET = statement<Omit<AgentValues, 'queue_id'>>(
  'queue_agents_forget',
  `with strangers as (
     select i.agent from unnest(:agents::text[]) as i (agent)
     where not exists (select 1 from queue_agents a where a.ledger_id = :ledger_id and a.agent = i.agent)
   ), turns as (
     delete from queue_agent_turns t using strangers s where t.ledger_id = :ledger_id and t.agent = s.agent
   )
   delete from queue_agent_legs l using strangers s where l.ledger_id = :ledger_id and l.agent = s.agent`,
);

// The query finds running calls by the index of their states.
const SEED = statement<AgentValues>(
  'queue_agents_seed',
  `insert into queue_agent_legs (ledger_id, leg_id, call_id, agent, state)
   select c.ledger_id, l.id, c.id, l.address, case when l.state in ('up', 'ending') then 'up' else 'ringing' end
   from queues q
   join calls c on c.ledger_id = q.ledger_id and c.tenant_id = q.tenant_id and c.ended_at is null
     and ${STATE_KEY} = any(array['inbound/ringing/', 'inbound/in_progress/', 'outbound/dialing/',
       'outbound/ringing/', 'outbound/in_progress/'])
   cross join lateral jsonb_to_recordset(c.state -> 'legs') as l (id text, address text, state text)
   where q.ledger_id = :ledger_id and q.id = :queue_id and l.state <> 'ended' and l.address = any(:agents::text[])
   on conflict (ledger_id, leg_id) do nothing`,
);

/** Replaces the agents of a queue. Agents that stay keep their availability. */
export async function writeAgents(
  tx: Tx,
  { ledgerId: ledger_id }: InLedger,
  { queueId: queue_id, before, agents }: { queueId: string; before: readonly string[]; agents: readonly string[] },
): Promise<void> {
  const added = agents.filter((agent) => !before.includes(agent));
  const removed = before.filter((agent) => !agents.includes(agent));
  if (removed.length > 0) await tx.query(DROP, { ledger_id, queue_id, agents });
  await tx.query(WRITE, { ledger_id, queue_id, agents });
  if (removed.length > 0) await tx.query(FORGET, { ledger_id, agents: removed });
  if (added.length > 0) await tx.query(SEED, { ledger_id, queue_id, agents: added });
}

/** Deletes the state of agents that are no longer in a queue. */
export async function forgetAgents(
  tx: Tx,
  { ledgerId: ledger_id }: InLedger,
  agents: readonly string[],
): Promise<void> {
  await tx.query(FORGET, { ledger_id, agents });
}

const SET = statement<{ ledger_id: number; queue_id: string; agent: string; is_away: boolean }, { found: number }>(
  'queue_agents_set_availability',
  `update queue_agents set is_away = :is_away, since = case when is_away = :is_away then since else ledger_now(:ledger_id) end
   where ledger_id = :ledger_id and queue_id = :queue_id and agent = :agent returning 1 as found`,
);

/** Sets whether an agent takes callers of a queue. Returns false if the queue does not have this agent. */
export async function setAgentAway(
  tx: Tx,
  { ledgerId }: InLedger,
  { queueId, agent, isAway }: { readonly queueId: string; readonly agent: string; readonly isAway: boolean },
): Promise<boolean> {
  const values = { ledger_id: ledgerId, queue_id: queueId, agent, is_away: isAway };
  return (await tx.query(SET, values)).length > 0;
}
