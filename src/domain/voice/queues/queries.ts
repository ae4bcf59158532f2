import type { Db, Tx } from '../../../db/database.ts';
import { nowOf } from '../../../db/ledgers.ts';
import { tenantReader } from '../../../db/list.ts';
import { statement, type Which, whichStatement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { InLedger } from '../calls/queries.ts';
import { AGENT_LEGS, AGENT_STATE } from './agent-state-queries.ts';
import type { Queue } from './schema.ts';

const WAITING = 'queue_entries e where e.ledger_id = q.ledger_id and e.queue_id = q.id';

const COLUMNS = `q.id, 'queue' as object, q.tenant_id, q.name, q.strategy,
  (select coalesce(json_agg(json_build_object('agent', a.agent, 'state', ${AGENT_STATE}) order by a.position), '[]')
   from ${nowOf('q.ledger_id')} now
   join queue_agents a on a.ledger_id = q.ledger_id and a.queue_id = q.id
   ${AGENT_LEGS}) as agents,
  q.ring_seconds, q.wrap_up_seconds, q.max_waiting, q.max_wait_seconds, q.announce_position_seconds, q.callback_digit,
  q.overflow, (select count(*)::int from ${WAITING}) as waiting,
  (select coalesce(floor(extract(epoch from ledger_now(q.ledger_id) - min(e.since))), 0)::int from ${WAITING})
    as longest_wait_seconds,
  q.created_at`;

/** The stored fields of a queue. */
export type QueueRow = Omit<
  Queue,
  'object' | 'agents' | 'waiting' | 'longest_wait_seconds' | 'overflow' | 'created_at'
> & {
  readonly ledger_id: number;
  /** JSON. */
  readonly overflow: string;
};

const INSERT = statement<QueueRow>(
  'queues_insert',
  `insert into queues (ledger_id, id, tenant_id, name, strategy, ring_seconds, wrap_up_seconds, max_waiting,
     max_wait_seconds, announce_position_seconds, callback_digit, overflow, created_at)
   values (:ledger_id, :id, :tenant_id, :name, :strategy, :ring_seconds, :wrap_up_seconds, :max_waiting,
     :max_wait_seconds, :announce_position_seconds, :callback_digit, :overflow, ledger_now(:ledger_id))`,
);

export async function insertQueue(tx: Tx, queue: QueueRow): Promise<void> {
  await tx.query(INSERT, queue);
}

const UPDATE = statement<Omit<QueueRow, 'tenant_id'>>(
  'queues_update',
  `update queues set name = :name, strategy = :strategy, ring_seconds = :ring_seconds,
     wrap_up_seconds = :wrap_up_seconds, max_waiting = :max_waiting, max_wait_seconds = :max_wait_seconds,
     announce_position_seconds = :announce_position_seconds, callback_digit = :callback_digit, overflow = :overflow
   where ledger_id = :ledger_id and id = :id`,
);

export async function updateQueueRow(tx: Tx, { tenant_id: _, ...queue }: QueueRow): Promise<void> {
  await tx.query(UPDATE, queue);
}

const FIND = statement('queues_find', `select ${COLUMNS} from queues q where q.ledger_id = $1 and q.id = $2`);

export async function findQueue(db: Db, { ledgerId }: InLedger, id: string): Promise<Queue | undefined> {
  const [row] = await db.query<Queue>(FIND, [ledgerId, id]);
  return row;
}

const LOCK = statement('queues_lock', 'select 1 from queues where ledger_id = $1 and id = $2 for update');

/** Locks a queue until the transaction ends, and returns it as it is then. */
export async function lockQueue(tx: Tx, ledger: InLedger, id: string): Promise<Queue | undefined> {
  await tx.query(LOCK, [ledger.ledgerId, id]);
  return findQueue(tx, ledger, id);
}

const readList = tenantReader<Queue>({ name: 'queues_list', from: ['queues', 'q'], columns: COLUMNS });

export function listQueues(
  db: Db,
  { ledgerId }: Ledger,
  page: { tenantId: string | null; before: string | null; rows: number },
): Promise<Queue[]> {
  return readList(db, ledgerId, page);
}

const TENANTS = statement<{ ledger_id: number; ids: readonly string[] }, { id: string; tenant_id: string }>(
  'queues_tenants',
  'select id, tenant_id from queues where ledger_id = :ledger_id and id = any(:ids::text[]) order by id for key share',
);

/** Returns the given queues that exist, by their ids. They are not deleted until the transaction ends. */
export async function findQueueTenants(
  db: Db,
  { ledgerId }: InLedger,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly tenant_id: string }>> {
  const rows = await db.query(TENANTS, { ledger_id: ledgerId, ids });
  return new Map(rows.map((row) => [row.id, row]));
}

const LEADS_TO = statement<{ ledger_id: number; from: readonly string[]; to: string }, { found: number }>(
  'queues_leads_to',
  `with recursive reached as (
     select unnest(:from::text[]) collate "C" as id
     union
     select u.queue_id from reached r join queue_uses u on u.ledger_id = :ledger_id and u.user_id = r.id
   )
   select 1 as found from reached where id = :to`,
);

/** Returns true if one of the queues is `to`, or its overflow leads to `to`, directly or through other queues. */
export async function leadsTo(
  tx: Tx,
  { ledgerId }: InLedger,
  { from, to }: { readonly from: readonly string[]; readonly to: string },
): Promise<boolean> {
  return (await tx.query(LEADS_TO, { ledger_id: ledgerId, from, to })).length > 0;
}

const HAS_WAITING = statement(
  'queues_has_waiting',
  'select 1 as found from queue_entries where ledger_id = $1 and queue_id = $2 limit 1',
);

export async function hasWaiting(tx: Tx, { ledgerId }: InLedger, id: string): Promise<boolean> {
  return (await tx.query(HAS_WAITING, [ledgerId, id])).length > 0;
}

const TENANT_AGENTS = statement<{ ledger_id: number; tenant_id: string }, { agent: string }>(
  'queues_tenant_agents',
  `select distinct a.agent from queues q join queue_agents a on a.ledger_id = q.ledger_id and a.queue_id = q.id
   where q.ledger_id = :ledger_id and q.tenant_id = :tenant_id`,
);

/** Returns the agents of a tenant's queues. */
export async function listTenantAgents(tx: Tx, { ledgerId }: InLedger, tenantId: string): Promise<string[]> {
  const rows = await tx.query(TENANT_AGENTS, { ledger_id: ledgerId, tenant_id: tenantId });
  return rows.map(({ agent }) => agent);
}

const deletion = whichStatement(
  'queues_delete',
  (which) => `with deleted as (delete from queues where ledger_id = $1 and ${which} returning id),
   uses as (delete from queue_uses where ledger_id = $1 and user_id in (select id from deleted))
   select id from deleted`,
);

/**
 * Deletes one queue, or all of a tenant. Returns their ids. Error: queue_in_use, if a behavior leads to one of them.
 */
export async function deleteQueueRows(tx: Tx, { ledgerId }: InLedger, which: Which): Promise<string[]> {
  const [statement, value] = deletion(which);
  return (await tx.query<{ id: string }>(statement, [ledgerId, value])).map(({ id }) => id);
}
