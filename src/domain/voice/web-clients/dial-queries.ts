/** Calls that web clients have placed recently, by the names that the web clients gave them. Times are wall time. */
import { createHash } from 'node:crypto';
import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { WebClientName } from './web-client-signal.ts';

/** Within this time, the same name is the same call. */
const SAME_FOR_S = 300;

// For an emergency call, a name still means the earlier call only if that call is to the same emergency number and has
// not ended.
const FIND = statement(
  'web_client_dials_find',
  `select d.call_id as "callId", d.leg_id as "legId",
     d.dialled_at > clock_timestamp() - make_interval(secs => ${SAME_FOR_S})
       and ($4::text is null or (c.ended_at is null and c."to" = $4)) as "isMeant"
   from web_client_dials d join calls c on c.ledger_id = d.ledger_id and c.id = d.call_id
   where d.ledger_id = $1 and d.web_client_id = $2 and d.ref_hash = $3`,
);

/** The name that a web client gives to a call that it places. */
export type DialName = WebClientName & {
  readonly ref: string;
  /** The dialled number of an emergency call; null for any other call. */
  readonly emergency: string | null;
};

export type PlacedCall = { readonly callId: string; readonly legId: string };

/** Returns the call with this name, and whether the name still means it; undefined if no call has the name. */
export async function findPlacedCall(
  tx: Tx,
  name: DialName,
): Promise<(PlacedCall & { readonly isMeant: boolean }) | undefined> {
  const { ledgerId, webClientId, ref, emergency } = name;
  const [found] = await tx.query<PlacedCall & { isMeant: boolean }>(FIND, [
    ledgerId,
    webClientId,
    hashOf(ref),
    emergency,
  ]);
  return found;
}

// If another call takes the name concurrently, the statement's snapshot does not show its row, but the conflict finds
// it. So the update requires the former call. The statement also deletes expired names. It skips locked rows, so it
// never waits.
const NAME = statement(
  'web_client_dials_name',
  `with old as (
     select web_client_id, ref_hash from web_client_dials
     where ledger_id = $1 and web_client_id = $2 and ref_hash <> $3
       and dialled_at <= clock_timestamp() - make_interval(secs => ${SAME_FOR_S})
     for update skip locked
   ), gone as (
     delete from web_client_dials d using old
     where d.ledger_id = $1 and d.web_client_id = old.web_client_id and d.ref_hash = old.ref_hash
   )
   insert into web_client_dials as d (ledger_id, web_client_id, ref_hash, call_id, leg_id, dialled_at)
   values ($1, $2, $3, $4, $5, clock_timestamp())
   on conflict (ledger_id, web_client_id, ref_hash) do update
     set call_id = excluded.call_id, leg_id = excluded.leg_id, dialled_at = excluded.dialled_at
     where d.call_id = $6
   returning 1 as named`,
);

/**
 * Gives a call its name. `formerCallId` is the call that had the name before; null if there is none. Returns false if
 * another call took the name concurrently.
 */
export async function namePlacedCall(
  tx: Tx,
  { ledgerId, webClientId, ref }: DialName,
  { callId, legId }: PlacedCall,
  formerCallId: string | null,
): Promise<boolean> {
  const values = [ledgerId, webClientId, hashOf(ref), callId, legId, formerCallId];
  return (await tx.query(NAME, values)).length > 0;
}

function hashOf(ref: string): Buffer {
  return createHash('sha256').update(ref).digest();
}
