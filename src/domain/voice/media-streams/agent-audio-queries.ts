/**
 * The requests for the audio of agents' telephones, one for each leg. The audio goes to the node that has the audio of
 * the call. Times are wall time.
 */
import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { InLedger } from '../calls/queries.ts';
import { ALIVE } from './node-queries.ts';

/** The carrier has this time to connect. After that, the request is repeated. */
const CONNECTS_WITHIN = `interval '10 s'`;

const ASK = statement(
  'agent_audio_legs_ask',
  `insert into agent_audio_legs as a (ledger_id, leg_id, call_id, asked_ref, asked_node, asked_at)
   select c.ledger_id, $3, c.id, case when n.node_id is not null then $4 end, coalesce(n.node_id, ''), clock_timestamp()
   from calls c left join call_audio_nodes n on n.ledger_id = c.ledger_id and n.call_id = c.id
   where c.ledger_id = $1 and c.id = $2
   on conflict (ledger_id, leg_id) do update
     set asked_ref = excluded.asked_ref, asked_node = excluded.asked_node, asked_at = excluded.asked_at,
       connected_at = case when a.asked_ref = excluded.asked_ref and a.asked_node = excluded.asked_node
         then a.connected_at end
     where a.asked_ref is null or a.asked_ref = excluded.asked_ref or a.asked_node <> excluded.asked_node
       or (a.connected_at is null and a.asked_at < clock_timestamp() - ${CONNECTS_WITHIN})
   returning nullif(asked_node, '') as asked_node`,
);

type Asking = { readonly callId: string; readonly legId: string; readonly commandRef: string };

/**
 * Stores that the command requests the audio of a leg. Returns the node that will receive the audio. Undefined if
 * another command has requested it, or the call has no node. The carrier may have connected although its reply was
 * lost, so a retry of the command keeps the stored state. Without a node the request is stored as lost, so that the
 * sweep repeats it once a gateway is up.
 */
export async function askForAgentAudio(
  db: Db,
  { ledgerId }: InLedger,
  { callId, legId, commandRef }: Asking,
): Promise<string | undefined> {
  const [row] = await db.query<{ asked_node: string | null }>(ASK, [ledgerId, callId, legId, commandRef]);
  return row?.asked_node ?? undefined;
}

/**
 * The condition that the call (`c`) of a leg is running, and that the leg (named by the SQL) has not ended. `also` is
 * one more condition on the leg.
 */
const isLiveSql = (legId: string, also = '') => `c.ended_at is null and exists (
  select 1 from jsonb_array_elements(c.state -> 'legs') as leg
  where leg ->> 'id' = ${legId} and leg ->> 'state' not in ('ending', 'ended') ${also})`;

const CONNECT = statement(
  'agent_audio_legs_connect',
  `update agent_audio_legs a set connected_at = clock_timestamp()
   from calls c
   where a.ledger_id = $1 and a.leg_id = $2 and a.asked_node = $3
     and c.ledger_id = a.ledger_id and c.id = a.call_id and c.id = $4 and ${isLiveSql('a.leg_id')}
   returning c.connection_id`,
);

type Connecting = { readonly callId: string; readonly legId: string; readonly nodeId: string };

/**
 * Stores that the carrier has connected to the node. Returns undefined if the carrier has no such request, or the leg
 * is over.
 */
export async function connectAgentAudio(
  db: Db,
  { ledgerId }: InLedger,
  { callId, legId, nodeId }: Connecting,
): Promise<{ readonly connection_id: ConnectionId } | undefined> {
  const [row] = await db.query<{ connection_id: ConnectionId }>(CONNECT, [ledgerId, legId, nodeId, callId]);
  return row;
}

const FORGET = statement(
  'agent_audio_legs_forget',
  `update agent_audio_legs set asked_ref = null, connected_at = null
   where ledger_id = $1 and leg_id = $2 and (asked_ref = $3 or asked_node = $4)`,
);

/** Stores that the audio of a leg does not arrive: the command was refused, or the node has lost it. */
export async function forgetAgentAudio(
  db: Db,
  { ledgerId }: InLedger,
  legId: string,
  { commandRef = null, nodeId = null }: { commandRef?: string | null; nodeId?: string | null },
): Promise<void> {
  await db.query(FORGET, [ledgerId, legId, commandRef, nodeId]);
}

const LOST = statement(
  'agent_audio_legs_lost',
  `select a.ledger_id, a.call_id, a.leg_id, ${isLiveSql('a.leg_id')} as is_live
   from agent_audio_legs a join calls c on c.ledger_id = a.ledger_id and c.id = a.call_id
   where (a.asked_ref is null
       or not exists (select 1 from gateway_nodes n where n.node_id = a.asked_node and ${ALIVE})
       or (a.connected_at is null and a.asked_at < clock_timestamp() - ${CONNECTS_WITHIN}))
     and not exists (select 1 from call_commands m
       where m.ledger_id = a.ledger_id and m.call_id = a.call_id and m.command ->> 'streamRef' = a.leg_id)
     and not (${isLiveSql('a.leg_id', `and leg ->> 'isStreamed' is distinct from 'true'`)})
   order by a.asked_at limit $1`,
);

/** A leg whose requested audio does not arrive. `is_live`: the leg has not ended. */
export type LostAgentAudio = {
  readonly ledger_id: number;
  readonly call_id: string;
  readonly leg_id: string;
  readonly is_live: boolean;
};

/**
 * Returns legs whose requested audio does not arrive, the oldest request first. Leaves out live legs whose audio the
 * call no longer needs.
 */
export function listLostAgentAudio(db: Db, rows: number): Promise<LostAgentAudio[]> {
  return db.query<LostAgentAudio>(LOST, [rows]);
}

const DELETE = statement(
  'agent_audio_legs_delete',
  `delete from agent_audio_legs where (ledger_id, leg_id) in (select * from unnest($1::int[], $2::text[]))`,
);

type AgentLeg = Pick<LostAgentAudio, 'ledger_id' | 'leg_id'>;

/** Deletes the requests for the audio of legs, so that the sweep does not repeat them. */
export async function deleteAgentAudio(db: Db, legs: readonly AgentLeg[]): Promise<void> {
  await db.query(DELETE, [legs.map(({ ledger_id }) => ledger_id), legs.map(({ leg_id }) => leg_id)]);
}
