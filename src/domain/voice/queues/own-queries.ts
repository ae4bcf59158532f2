/** The queues of one web client. */
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { InLedger } from '../calls/queries.ts';
import type { WebClientName } from '../web-clients/web-client-signal.ts';
import type { SetAvailability } from './schema.ts';

/** The most queues that the page of a web client shows. */
const QUEUES_MAX = 100;

/** A queue, as a web client that is one of its agents shows it. */
export type OwnQueue = SetAvailability & { readonly queue_id: string; readonly name: string };

const LIST = statement<{ ledger_id: number; agent: string }, OwnQueue>(
  'queues_list_own',
  `select q.id as queue_id, q.name, case when a.is_away then 'away' else 'available' end as availability
   from queue_agents a join queues q on q.ledger_id = a.ledger_id and q.id = a.queue_id
   where a.ledger_id = :ledger_id and a.agent = :agent order by a.queue_id limit ${QUEUES_MAX}`,
);

/** Returns the queues that have the web client as an agent, with its availability in each. */
export function readOwnQueues(db: Db, { ledgerId, webClientId }: WebClientName): Promise<OwnQueue[]> {
  return db.query(LIST, { ledger_id: ledgerId, agent: webClientId });
}

/** A queue that a call came from. */
export type QueueOfCall = { readonly queue_id: string; readonly name: string };

const OF_CALL = statement<{ ledger_id: number; call_id: string }, { queue: QueueOfCall | null }>(
  'queues_of_call',
  `select case when exists (
     select from call_events d where d.ledger_id = e.ledger_id and d.call_id = e.call_id and d.position > e.position
       and d.type = 'dequeued' and d.detail ->> 'reason' <> 'answered') then null
     else jsonb_build_object('queue_id', q.id, 'name', q.name) end as queue
   from call_events e join queues q on q.ledger_id = e.ledger_id and q.id = e.detail ->> 'queue_id'
   where e.ledger_id = :ledger_id and e.call_id = :call_id and e.type = 'queued'
   order by e.position desc limit 1`,
);

/** Returns the queue whose caller a call has. Null after an overflow that leads to no other queue. */
export async function readQueueOfCall(db: Db, { ledgerId }: InLedger, callId: string): Promise<QueueOfCall | null> {
  const [row] = await db.query(OF_CALL, { ledger_id: ledgerId, call_id: callId });
  return row?.queue ?? null;
}

type Away = { ledger_id: number; agent: string; queue_id: string | null; is_away: boolean };

const SET = statement<Away, { queue_id: string }>(
  'queue_agents_set_own',
  `with own as materialized (
     select ledger_id, queue_id, agent from queue_agents
     where ledger_id = :ledger_id and agent = :agent and (:queue_id::text is null or queue_id = :queue_id)
     order by queue_id for no key update)
   update queue_agents a set is_away = :is_away,
     since = case when a.is_away = :is_away then a.since else ledger_now(:ledger_id) end
   from own where a.ledger_id = own.ledger_id and a.queue_id = own.queue_id and a.agent = own.agent
   returning a.queue_id`,
);

/** Sets whether a web client takes callers of one of its queues, or of all. Returns the ids of the queues. */
export async function setOwnAway(
  tx: Tx,
  { ledgerId, webClientId }: WebClientName,
  { queueId, isAway }: { readonly queueId: string | null; readonly isAway: boolean },
): Promise<string[]> {
  const values = { ledger_id: ledgerId, agent: webClientId, queue_id: queueId, is_away: isAway };
  return (await tx.query(SET, values)).map(({ queue_id }) => queue_id);
}
