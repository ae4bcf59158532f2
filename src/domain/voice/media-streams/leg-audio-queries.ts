/**
 * The requests for the audio of calls: the requested carrier, and the node that receives the audio. A carrier sends the
 * audio of a leg only once, so a call has one request for all receivers. Times are wall time.
 */
import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { type InLedger, STATE_KEY } from '../calls/queries.ts';
import { ALIVE } from './node-queries.ts';

/** The carrier has this time to connect. After that, the request is repeated. */
const CONNECTS_WITHIN = `interval '10 s'`;

const ASK = statement(
  'call_audio_nodes_ask',
  `update call_audio_nodes set asked_ref = $3, asked_node = node_id, asked_at = clock_timestamp(),
     connected_at = case when asked_ref = $3 and asked_node = node_id then connected_at end
   where ledger_id = $1 and call_id = $2 and (asked_ref is null or asked_ref = $3 or asked_node <> node_id
     or (connected_at is null and asked_at < clock_timestamp() - ${CONNECTS_WITHIN}))
   returning node_id`,
);

/**
 * Stores that the command requests the audio of its call. Returns the node that will receive the audio. Undefined if
 * the request of another command still holds: its audio arrives, or the carrier still has time to connect. The carrier
 * may have connected although its reply was lost, so a retry of the command keeps the stored state.
 */
export async function askForAudio(
  db: Db,
  { ledgerId }: InLedger,
  { callRef, commandRef }: { callRef: string; commandRef: string },
): Promise<string | undefined> {
  const [row] = await db.query<{ node_id: string }>(ASK, [ledgerId, callRef, commandRef]);
  return row?.node_id;
}

const CONNECT = statement(
  'call_audio_nodes_connect',
  `update call_audio_nodes a set connected_at = clock_timestamp()
   from calls c
   where a.ledger_id = $1 and a.call_id = $2 and a.asked_node = $3
     and c.ledger_id = a.ledger_id and c.id = a.call_id and c.ended_at is null
     and exists (select 1 from jsonb_array_elements(c.state -> 'legs') as leg
       where leg ->> 'id' = $4 and leg ->> 'state' <> 'ended')
   returning c.connection_id, coalesce((c.state #>> '{detection,hearing,isShared}')::boolean, false) as is_shared`,
);

/** The connection of a call whose audio a node wants. */
export type WantedAudio = {
  readonly connection_id: ConnectionId;
  /** True if the gateway's detector of answering machines shares the audio. */
  readonly is_shared?: boolean;
};

/**
 * Stores that the carrier has connected to the node. Returns undefined if the carrier has no such request, or the leg
 * is over.
 */
export async function connectAudio(
  db: Db,
  { ledgerId }: InLedger,
  { callId, legId, nodeId }: { callId: string; legId: string; nodeId: string },
): Promise<WantedAudio | undefined> {
  const [row] = await db.query<WantedAudio>(CONNECT, [ledgerId, callId, nodeId, legId]);
  return row;
}

const FIND_NODE = statement(
  'call_audio_nodes_find',
  'select asked_node as "nodeId" from call_audio_nodes where ledger_id = $1 and call_id = $2',
);

/** Returns the node in the request for a call's audio; undefined if there is no request. */
export async function findAskedNode(db: Db, { ledgerId }: InLedger, callId: string): Promise<string | undefined> {
  const [row] = await db.query<{ nodeId: string | null }>(FIND_NODE, [ledgerId, callId]);
  return row?.nodeId ?? undefined;
}

const FORGET = statement(
  'call_audio_nodes_forget',
  `update call_audio_nodes a set asked_ref = null, asked_node = null, connected_at = null
   where ledger_id = $1 and call_id = $2 and (asked_ref = $3 or asked_node = $4)
   returning node_id, (select c.state #>> '{detection,hearing,streamRef}' from calls c
     where c.ledger_id = a.ledger_id and c.id = a.call_id
       and (c.state #>> '{detection,hearing,isShared}')::boolean) as hearing`,
);

/** The present node of a call, and the open request of the detector of answering machines if it shares the audio. */
export type ForgottenAudio = { readonly nodeId: string; readonly hearing: string | undefined };

/**
 * Stores that the audio of a call does not arrive: the command was refused, or the node has lost the audio. Returns
 * undefined if there was no such request.
 */
export async function forgetAudio(
  db: Db,
  { ledgerId }: InLedger,
  callId: string,
  { commandRef = null, nodeId = null }: { commandRef?: string | null; nodeId?: string | null },
): Promise<ForgottenAudio | undefined> {
  const [row] = await db.query<{ node_id: string; hearing: string | null }>(FORGET, [
    ledgerId,
    callId,
    commandRef,
    nodeId,
  ]);
  return row && { nodeId: row.node_id, hearing: row.hearing ?? undefined };
}

const FIND_STREAM = statement(
  'media_streams_find_open',
  `select id from media_streams where ledger_id = $1 and call_id = $2 and node_id = $3
     and status in ('starting', 'active')`,
);

/** Returns the id of the call's open stream on a node. The call may by now have a stream on another node. */
export async function findOpenStream(
  db: Db,
  { ledgerId }: InLedger,
  { callId, nodeId }: { callId: string; nodeId: string },
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(FIND_STREAM, [ledgerId, callId, nodeId]);
  return row?.id;
}

// One range of calls_joined_state for each live ledger and direction. The look-ups are scalar subqueries, so that each
// reads one key: with `not exists` the planner may hash the whole table.
const UNHEARD = statement(
  'calls_list_unheard',
  `select c.ledger_id, l.account_id, c.id, c.connection_id, w.has_web_client
   from ledgers l
   cross join unnest('{inbound,outbound}'::text[]) as d (direction)
   cross join lateral (
     select ledger_id, id, connection_id, state from calls
     where ledger_id = l.id and ${STATE_KEY} = d.direction || '/in_progress/'
     order by started_at limit $1) c
   cross join lateral (
     select (c.state -> 'bridged')::boolean and exists (
       select 1 from web_client_legs where ledger_id = c.ledger_id and call_id = c.id and state = 'up')
       as has_web_client) w
   where l.mode = 'live' and (c.state ->> 'transcription' = 'on' or w.has_web_client)
     and (
       select true from call_audio_nodes a join gateway_nodes n on n.node_id = a.asked_node
       where a.ledger_id = c.ledger_id and a.call_id = c.id and a.asked_ref is not null and ${ALIVE}
         and (a.connected_at is not null or a.asked_at > clock_timestamp() - ${CONNECTS_WITHIN}) limit 1) is null
     and (
       select true from call_commands m
       where m.ledger_id = c.ledger_id and m.call_id = c.id
         and m.command ->> 'do' in ('start_transcription', 'bridge') limit 1) is null`,
);

/** A running call that is transcribed or has a web client, and whose audio is on no node. */
export type UnheardCall = {
  readonly ledger_id: number;
  readonly account_id: string;
  readonly id: string;
  readonly connection_id: ConnectionId;
  readonly has_web_client: boolean;
};

/** Returns calls of live ledgers that lack their audio, from the `rows` oldest of each ledger and direction. */
export function listUnheardCalls(db: Db, rows: number): Promise<UnheardCall[]> {
  return db.query<UnheardCall>(UNHEARD, [rows]);
}
