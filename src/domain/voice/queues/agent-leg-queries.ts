/** The part of the statements of a call's step that records changes of agents' legs. */
import { insertJobsSql } from '../../../queue/jobs/job-sql.ts';
import { AGENT_LEGS_INPUT } from '../calls/state/agent-legs.ts';
import { DECIDE_QUEUE } from './plan-decision.ts';
import { WRAP_UP_SECONDS } from './rules.ts';

/** The most old legs of an agent that the end of a leg deletes. */
const OLD_LEGS = 10;

/**
 * CTEs of a statement that has written a call as `stepped`. `agent_legs_decided` has a row for each queue that decides
 * again, because an agent is free. The CTEs do not wait for rows that the step of another call has written.
 */
export const AGENT_LEGS_CTES = `agent_legs_written as (
     insert into queue_agent_legs as k (ledger_id, leg_id, call_id, agent, state, ended_at)
     select :ledger_id::int, l.leg_id, :call_id::text, l.agent, l.state,
       case when l.state in ('ringing', 'up') then null else :at::timestamptz end
     from ${AGENT_LEGS_INPUT.rows('l')}
     where exists (select 1 from stepped)
       and exists (select 1 from queue_agents a where a.ledger_id = :ledger_id::int and a.agent = l.agent)
     on conflict (ledger_id, leg_id) do update set ended_at = excluded.ended_at,
       state = case when k.state = 'up' and excluded.state = 'missed' then 'talked' else excluded.state end
     where k.ended_at is null
     returning agent, leg_id, ended_at
   ), agent_legs_dropped as (
     delete from queue_agent_legs where ledger_id = :ledger_id::int and leg_id = any(array(
       select o.leg_id from agent_legs_written w
       join queue_agent_legs o on o.ledger_id = :ledger_id::int and o.agent = w.agent
         and o.ended_at < w.ended_at - make_interval(secs => ${WRAP_UP_SECONDS.max})
       limit ${OLD_LEGS} for update of o skip locked))
   ), agent_legs_decided as (
     ${insertJobsSql({
       ledgerId: ':ledger_id::int',
       id: `'${DECIDE_QUEUE}:' || a.queue_id || ':' || w.leg_id`,
       queue: 'voice',
       kind: `'${DECIDE_QUEUE}'`,
       payload: `json_build_object('queueId', a.queue_id)`,
       from: `from agent_legs_written w join queue_agents a on a.ledger_id = :ledger_id::int and a.agent = w.agent
         where w.ended_at is not null`,
       onConflict: 'skip',
     })}
     returning 1
   )`;
