import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { insertJobsSql } from '../../../queue/jobs/job-sql.ts';
import { wake } from '../../../queue/worker/wake.ts';
import { DECIDE_QUEUE } from './plan-decision.ts';

/** Legs are hung up when their call ends. If the carrier is unavailable, a hang-up may be retried for this long. */
const LOST_AFTER_S = 30;

const END = statement<{ rows: number }, { ended: number; decides: boolean }>(
  'queue_agent_legs_end_lost',
  `with lost as materialized (
     select l.ledger_id, l.leg_id, c.ended_at
     from queue_agent_legs l join calls c on c.ledger_id = l.ledger_id and c.id = l.call_id
     where l.ended_at is null and c.ended_at <= ledger_now(l.ledger_id) - make_interval(secs => ${LOST_AFTER_S})
     limit :rows for update of l skip locked
   ), ended as (
     update queue_agent_legs l set ended_at = lost.ended_at, state = case l.state when 'up' then 'talked' else 'missed' end
     from lost where l.ledger_id = lost.ledger_id and l.leg_id = lost.leg_id
     returning l.ledger_id, l.leg_id, l.agent
   ), decided as (
     ${insertJobsSql({
       ledgerId: 'e.ledger_id',
       id: `'${DECIDE_QUEUE}:' || a.queue_id || ':' || e.leg_id`,
       queue: 'voice',
       kind: `'${DECIDE_QUEUE}'`,
       payload: `json_build_object('queueId', a.queue_id)`,
       from: 'from ended e join queue_agents a on a.ledger_id = e.ledger_id and a.agent = e.agent',
       onConflict: 'skip',
     })}
     returning 1
   )
   select (select count(*)::int from ended) as ended, exists (select 1 from decided) as decides`,
);

/**
 * Ends legs of agents whose call ended a while ago, and whose end was never reported. They count as ended with their
 * call, and the queues of the agents decide again. Returns how many.
 */
export async function endLostLegs(db: Db, rows: number): Promise<number> {
  const [done] = await db.query(END, { rows });
  if (done?.decides === true) wake(db, 'jobs', 'voice');
  return done?.ended ?? 0;
}
