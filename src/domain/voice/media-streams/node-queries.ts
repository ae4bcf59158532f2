/** Gateways that are up. Their table belongs to no ledger, and its times are wall time. */
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { InLedger } from '../calls/queries.ts';
import { NODE_LOST_MS } from './rules.ts';

const ALIVE = `n.seen_at > clock_timestamp() - make_interval(secs => ${NODE_LOST_MS / 1000})`;

const SEE = statement(
  'gateway_nodes_see',
  `insert into gateway_nodes (node_id, url, seen_at, draining) values ($1, $2, clock_timestamp(), $3)
   on conflict (node_id) do update
     set url = excluded.url, seen_at = excluded.seen_at, draining = excluded.draining`,
);

/** Says that a node is up, where the others reach it, and whether it still takes streams. */
export async function seeNode(
  db: Db,
  { nodeId, url, isDraining }: { nodeId: string; url: string; isDraining: boolean },
): Promise<void> {
  await db.query(SEE, [nodeId, url, isDraining]);
}

const FIND = statement('gateway_nodes_find', `select n.url from gateway_nodes n where n.node_id = $1 and ${ALIVE}`);

/** Where a node that is up is reached, or undefined. */
export async function findNodeUrl(db: Db, nodeId: string): Promise<string | undefined> {
  const [row] = await db.query<{ url: string }>(FIND, [nodeId]);
  return row?.url;
}

// The audio of a call is in one place: with the seat that talks on it, if one does.
const CHOOSE = statement(
  'gateway_nodes_choose',
  `select n.node_id
   from gateway_nodes n
   where ${ALIVE} and not n.draining
   order by
     not exists (
       select 1 from calls c, jsonb_array_elements(c.state -> 'legs') leg, softphone_sessions s
       where c.ledger_id = $1 and c.id = $2 and leg ->> 'state' in ('ringing', 'up')
         and s.ledger_id = $1 and s.web_client_id = leg ->> 'address' and s.node_id = n.node_id),
     (select count(*) from media_streams m where m.node_id = n.node_id and m.status in ('starting', 'active')),
     n.node_id
   limit 1`,
);

/** The node for a new stream of a call; undefined if none is up. */
export async function chooseNode(
  db: Db,
  { ledgerId }: InLedger,
  { callId }: { callId: string },
): Promise<string | undefined> {
  const [row] = await db.query<{ node_id: string }>(CHOOSE, [ledgerId, callId]);
  return row?.node_id;
}

const LOST = statement(
  'media_streams_lost',
  `select m.ledger_id, m.id, m.call_id,
     greatest(0, extract(epoch from ledger_now(m.ledger_id) - m.started_at
       - (clock_timestamp() - coalesce(n.seen_at, clock_timestamp() - make_interval(secs => ${NODE_LOST_MS / 1000}))))
       * 1000)::float8 as connected_ms
   from media_streams m left join gateway_nodes n on n.node_id = m.node_id
   where m.status in ('starting', 'active') and (n.node_id is null or not (${ALIVE}))
   order by m.ledger_id, m.id limit $1`,
);

export type LostStream = {
  readonly ledger_id: number;
  readonly id: string;
  readonly call_id: string;
  /** Up to when its node was last seen; null for one that was never connected. */
  readonly connected_ms: number | null;
};

/** Streams whose gateway is lost. */
export async function listLostStreams(db: Db, rows: number): Promise<LostStream[]> {
  return db.query<LostStream>(LOST, [rows]);
}

const SWEEP = statement(
  'gateway_nodes_sweep',
  `delete from gateway_nodes where seen_at < clock_timestamp() - interval '1 day'`,
);

/** Forgets nodes that have long been gone. */
export async function sweepNodes(db: Db): Promise<void> {
  await db.query(SWEEP, []);
}
