/** SQL for the present state of agents of queues. Statements of other files include it. */
import { liveSessionSql } from '../web-clients/session-queries.ts';
import { REST_SECONDS } from './rules.ts';

/**
 * Joins the agent's legs to rows `a` of `queue_agents`, with their queue `q` and the ledger's time `now.at`.
 * `legs.is_up` and `legs.is_rung` describe legs that have not ended. `legs.wrapped_at` and `legs.rested_at` are the
 * ends of the agent's pauses after ended legs.
 */
export const AGENT_LEGS = `cross join lateral (
     select coalesce(bool_or(l.state = 'up'), false) as is_up, coalesce(bool_or(l.state = 'ringing'), false) as is_rung,
       max(l.ended_at) filter (where l.state = 'talked') + make_interval(secs => q.wrap_up_seconds) as wrapped_at,
       max(l.ended_at) filter (where l.state = 'declined') + make_interval(secs => ${REST_SECONDS}) as rested_at,
       max(l.ended_at) as ended_at
     from queue_agent_legs l where l.ledger_id = a.ledger_id and l.agent = a.agent) legs`;

/** The state of the agent of row `a`. Needs the rows that `AGENT_LEGS` needs, and the join `AGENT_LEGS`. */
export const AGENT_STATE = `case
     when legs.is_up then 'busy'
     when legs.is_rung then 'ringing'
     when a.is_away then 'away'
     when legs.wrapped_at > now.at then 'wrap_up'
     when legs.rested_at > now.at then 'away'
     when a.agent like 'wcl\\_%' and not exists (${liveSessionSql('a.ledger_id', 'a.agent')}) then 'away'
     else 'available' end`;
