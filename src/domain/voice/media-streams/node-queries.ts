/** Gateway nodes, and the calls whose audio they have. Nodes belong to no ledger; their times are wall time. */
import type { Database, Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { InLedger } from '../calls/queries.ts';
import { NODE_LOST_AFTER_MS, NODE_MISSED_MS } from './rules.ts';
import { signalAudioLeft } from './stream-signal.ts';

/** The condition that a node (`n`) is up. */
export const ALIVE = `n.seen_at > clock_timestamp() - make_interval(secs => ${NODE_MISSED_MS / 1000})`;

const SEE = statement(
  'gateway_nodes_see',
  `insert into gateway_nodes (node_id, url, seen_at, draining) values ($1, $2, clock_timestamp(), $3)
   on conflict (node_id) do update
     set url = excluded.url, seen_at = excluded.seen_at, draining = excluded.draining, missed_at = null`,
);

/** Stores the heartbeat of a node: its address, and whether it is draining. */
export async function seeNode(
  db: Db,
  { nodeId, url, isDraining }: { nodeId: string; url: string; isDraining: boolean },
): Promise<void> {
  await db.query(SEE, [nodeId, url, isDraining]);
}

const REMOVE = statement('gateway_nodes_remove', 'delete from gateway_nodes where node_id = $1');

/** Removes a node that has closed. Calls whose audio it had get another node at once. */
export async function removeNode(db: Db, nodeId: string): Promise<void> {
  await db.query(REMOVE, [nodeId]);
}

const FIND = statement('gateway_nodes_find', `select n.url from gateway_nodes n where n.node_id = $1 and ${ALIVE}`);

/** Returns the address of a node that is up. */
export async function findNodeUrl(db: Db, nodeId: string): Promise<string | undefined> {
  const [row] = await db.query<{ url: string }>(FIND, [nodeId]);
  return row?.url;
}

/** The condition that a call has an open stream on a node. An open stream cannot move to another node. */
const hasStreamSql = (call: string, node: string) => `exists (select 1 from media_streams m
  where m.ledger_id = ${call}.ledger_id and m.call_id = ${call}.call_id and m.node_id = ${node}
    and m.status in ('starting', 'active'))`;

const LOCK = statement('gateway_nodes_lock_call', 'select from calls where ledger_id = $1 and id = $2 for update');

// A node keeps the call's audio while it is up. While it drains it keeps the audio only if it has a stream of the call,
// or if there is no other node.
const CHOOSE = statement(
  'gateway_nodes_choose',
  `with held as (
     select h.ledger_id, h.call_id, h.node_id, n.draining from call_audio_nodes h
     join gateway_nodes n on n.node_id = h.node_id
     where h.ledger_id = $1 and h.call_id = $2 and ${ALIVE})
   insert into call_audio_nodes as a (ledger_id, call_id, node_id)
   select ledger_id, id, node_id from (
     select c.ledger_id, c.id, coalesce(
       (select h.node_id from held h where not h.draining or ${hasStreamSql('h', 'h.node_id')}),
       (select n.node_id from gateway_nodes n where ${ALIVE} and not n.draining
        order by (select count(*) from media_streams m
          where m.node_id = n.node_id and m.status in ('starting', 'active')), n.node_id
        limit 1),
       (select h.node_id from held h)) as node_id
     from calls c where c.ledger_id = $1 and c.id = $2) chosen
   where node_id is not null
   on conflict (ledger_id, call_id) do update set node_id = excluded.node_id
   returning (select n.node_id from gateway_nodes n where n.node_id = a.node_id and not n.draining) as node_id,
     (select h.node_id from held h where h.node_id <> a.node_id) as left_id`,
);

/**
 * Returns the node of a call's audio, and stores it. The choice holds while the node is up. A call without a node gets
 * the node with the fewest streams. A call leaves a node that drains, unless it has an open stream there: the node
 * closes the call's audio, and everyone connects to the new node. Returns undefined if no node that is up and not
 * draining can take the call, or if there is no such call.
 */
export async function chooseNode(
  tx: Tx,
  { ledgerId }: InLedger,
  { callId }: { callId: string },
): Promise<string | undefined> {
  // A statement reads rows that were committed before it began. The lock waits for a stream that is being opened, so
  // the statement after the lock reads that stream.
  await tx.query(LOCK, [ledgerId, callId]);
  const [row] = await tx.query<{ node_id: string | null; left_id: string | null }>(CHOOSE, [ledgerId, callId]);
  if (row === undefined) return undefined;
  if (row.left_id !== null) signalAudioLeft(tx, { nodeId: row.left_id, ledgerId, callId });
  return row.node_id ?? undefined;
}

/** Does the same as `chooseNode`, in a separate transaction. */
export async function chooseNodeNow(
  db: Database,
  ledger: InLedger,
  call: { callId: string },
): Promise<string | undefined> {
  return await db.transaction((tx) => chooseNode(tx, ledger, call));
}

const LEFT = statement(
  'call_audio_nodes_left',
  `select h.call_id from call_audio_nodes h
   where h.ledger_id = $1 and h.call_id = any($2) and h.node_id <> $3 and not ${hasStreamSql('h', '$3')}`,
);

/**
 * Returns which of the calls now have their audio on another node. Leaves out a call with an open stream here: it got
 * another node while this node counted as missing, and its stream cannot move.
 */
export async function findLeftCalls(
  db: Db,
  { ledgerId }: InLedger,
  { nodeId, callIds }: { readonly nodeId: string; readonly callIds: readonly string[] },
): Promise<string[]> {
  const rows = await db.query<{ call_id: string }>(LEFT, [ledgerId, callIds, nodeId]);
  return rows.map(({ call_id }) => call_id);
}

const LOST = statement(
  'media_streams_lost',
  `select m.ledger_id, m.id, m.call_id,
     coalesce(extract(epoch from clock_timestamp() - n.seen_at) * 1000, ${NODE_MISSED_MS})::float8 as late_ms
   from media_streams m left join gateway_nodes n on n.node_id = m.node_id
   where m.status in ('starting', 'active') and (n.node_id is null or (not (${ALIVE})
     and n.missed_at < clock_timestamp() - make_interval(secs => ${NODE_LOST_AFTER_MS / 1000})))
   order by m.ledger_id, m.id limit $1`,
);

export type LostStream = {
  readonly ledger_id: number;
  readonly id: string;
  readonly call_id: string;
  /** Time since the last heartbeat of its node. */
  readonly late_ms: number;
};

/** Returns streams whose gateway is lost. */
export function listLostStreams(db: Db, rows: number): Promise<LostStream[]> {
  return db.query<LostStream>(LOST, [rows]);
}

const MARK_MISSING = statement(
  'gateway_nodes_mark_missing',
  `update gateway_nodes n set missed_at = clock_timestamp() where missed_at is null and not (${ALIVE})`,
);

/** Marks the nodes without a recent heartbeat. */
export async function markMissingNodes(db: Db): Promise<void> {
  await db.query(MARK_MISSING, []);
}

const DELETE_OLD = statement(
  'gateway_nodes_delete_old',
  `delete from gateway_nodes where seen_at < clock_timestamp() - interval '1 day'`,
);

/** Deletes nodes without a heartbeat for a day. */
export async function deleteOldNodes(db: Db): Promise<void> {
  await db.query(DELETE_OLD, []);
}
