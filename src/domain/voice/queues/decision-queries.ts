/** The facts for the decisions of a queue. */
import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Tx } from '../../../db/database.ts';
import { nowOf } from '../../../db/ledgers.ts';
import { statement } from '../../../db/statement.ts';
import type { CallBehavior } from '../../numbers/index.ts';
import type { InLedger } from '../calls/queries.ts';
import { AGENT_LEGS, AGENT_STATE } from './agent-state-queries.ts';
import type { Queue, QueueAgent } from './schema.ts';

/** A queue that decides. */
export type DecidingQueue = Pick<
  Queue,
  | 'name'
  | 'strategy'
  | 'ring_seconds'
  | 'max_waiting'
  | 'max_wait_seconds'
  | 'announce_position_seconds'
  | 'callback_digit'
> & { readonly overflow: CallBehavior };

const LOCK = statement(
  'queues_lock_to_decide',
  `select name, strategy, ring_seconds, max_waiting, max_wait_seconds, announce_position_seconds, callback_digit, overflow
   from queues where ledger_id = $1 and id = $2 for no key update`,
);

/** Locks a queue, so that it makes one decision at a time. Undefined if it was deleted. */
export async function lockToDecide(tx: Tx, { ledgerId }: InLedger, id: string): Promise<DecidingQueue | undefined> {
  const [row] = await tx.query<DecidingQueue>(LOCK, [ledgerId, id]);
  return row;
}

/** A waiting caller, with facts of its call. */
export type WaitingCaller = {
  readonly call_id: string;
  readonly from: string;
  readonly to: string;
  readonly tenant_id: string;
  readonly connection_id: ConnectionId;
};

const CALLER = 'e.call_id, c."from", c."to", c.tenant_id, c.connection_id';

const NEXT = statement(
  'queue_entries_next',
  `select ${CALLER}, (
     select count(*)::int from queue_entries o where o.ledger_id = $1 and o.queue_id = $2 and o.admitted) as before
   from queue_entries e join calls c on c.ledger_id = e.ledger_id and c.id = e.call_id
   where e.ledger_id = $1 and e.queue_id = $2 and not e.admitted
   order by e.since, e.call_id limit 1`,
);

/** Returns the first caller that the queue has not counted in, and how many callers it has counted in. */
export async function findNewcomer(
  tx: Tx,
  { ledgerId }: InLedger,
  queueId: string,
): Promise<(WaitingCaller & { readonly before: number }) | undefined> {
  const [row] = await tx.query<WaitingCaller & { before: number }>(NEXT, [ledgerId, queueId]);
  return row;
}

const WAITING = statement(
  'queue_entries_waiting',
  `select ${CALLER}
   from queue_entries e join calls c on c.ledger_id = e.ledger_id and c.id = e.call_id
   where e.ledger_id = $1 and e.queue_id = $2 and e.admitted and not e.offered
   order by e.since, e.call_id limit $3`,
);

/** Returns the first callers without a ringing agent, in their order. */
export function listWaiting(
  tx: Tx,
  { ledgerId }: InLedger,
  { queueId, rows }: { readonly queueId: string; readonly rows: number },
): Promise<WaitingCaller[]> {
  return tx.query<WaitingCaller>(WAITING, [ledgerId, queueId, rows]);
}

export type AgentNow = QueueAgent & {
  /** Milliseconds until the agent becomes free without an event; null if only an event makes it free. */
  readonly free_in_ms: number | null;
};

// The agents in the order of their turns. A turn counts even if it led to no call.
const AGENTS = statement(
  'queue_agents_now',
  `select a.agent, ${AGENT_STATE} as state,
     case when legs.is_up or legs.is_rung or a.is_away then null
       else nullif(greatest(extract(epoch from greatest(legs.wrapped_at, legs.rested_at) - now.at), 0), 0)::float8 * 1000
     end as free_in_ms
   from ${nowOf('$1')} now
   join queues q on q.ledger_id = $1 and q.id = $2
   join queue_agents a on a.ledger_id = q.ledger_id and a.queue_id = q.id
   ${AGENT_LEGS}
   left join queue_agent_turns t on t.ledger_id = a.ledger_id and t.agent = a.agent
   order by case q.strategy when 'round_robin' then t.offered_at else greatest(legs.ended_at, a.since, t.offered_at) end
     nulls first, a.position`,
);

/** Returns the agents of a queue, in the order of their turns. */
export function listAgentsNow(tx: Tx, { ledgerId }: InLedger, queueId: string): Promise<AgentNow[]> {
  return tx.query<AgentNow>(AGENTS, [ledgerId, queueId]);
}

type Turns = { ledger_id: number; agents: readonly string[] };

const MAKE_TURNS = statement<Turns>(
  'queue_agent_turns_make',
  `insert into queue_agent_turns (ledger_id, agent)
   select :ledger_id, agent from unnest(:agents::text[]) as i (agent)
   where not exists (select 1 from queue_agent_turns t where t.ledger_id = :ledger_id and t.agent = i.agent)
   order by agent on conflict do nothing`,
);
const LOCK_TURNS = statement<Turns, { agent: string }>(
  'queue_agent_turns_lock',
  `select agent from queue_agent_turns where ledger_id = :ledger_id and agent = any(:agents::text[])
   order by agent for update skip locked`,
);

/** Locks agents until the transaction ends. Returns the locked agents; skips agents that another queue has locked. */
export async function lockAgents(tx: Tx, { ledgerId }: InLedger, agents: readonly string[]): Promise<string[]> {
  const values = { ledger_id: ledgerId, agents };
  await tx.query(MAKE_TURNS, values);
  return (await tx.query(LOCK_TURNS, values)).map(({ agent }) => agent);
}

const TAKE_TURNS = statement<Turns>(
  'queue_agent_turns_take',
  `update queue_agent_turns set offered_at = ledger_now(:ledger_id)
   where ledger_id = :ledger_id and agent = any(:agents::text[])`,
);

/** Records that locked agents ring for a caller: their turns are over. */
export async function takeTurns(tx: Tx, { ledgerId }: InLedger, agents: readonly string[]): Promise<void> {
  await tx.query(TAKE_TURNS, { ledger_id: ledgerId, agents });
}

const DROP_STALE = statement(
  'queue_entries_drop_stale',
  'delete from queue_entries where ledger_id = $1 and call_id = $2 and queue_id = $3',
);

/** Drops the place of a locked call that no longer waits in the queue. */
export async function dropStaleEntry(
  tx: Tx,
  { ledgerId }: InLedger,
  { callId, queueId }: { readonly callId: string; readonly queueId: string },
): Promise<void> {
  await tx.query(DROP_STALE, [ledgerId, callId, queueId]);
}

const FIRST = statement(
  'queue_entries_first',
  'select call_id from queue_entries where ledger_id = $1 and queue_id = $2 order by since, call_id limit 1',
);

/** Returns a call that waits in the queue. */
export async function findFirst(tx: Tx, { ledgerId }: InLedger, queueId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ call_id: string }>(FIRST, [ledgerId, queueId]);
  return row?.call_id;
}
