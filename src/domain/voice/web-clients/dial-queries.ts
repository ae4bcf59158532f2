/** Which calls a web client has lately placed, by the names that it gave them. Times are of the wall. */
import { createHash } from 'node:crypto';
import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { WebClientName } from './web-client-signal.ts';

/** For so long the same name is the same call. */
const SAME_FOR_S = 300;

// A call for help that is over is not what a second one means, nor one to anybody else, whatever its name.
const FIND = statement(
  'web_client_dials_find',
  `select d.call_id as "callId", d.leg_id as "legId",
     d.dialled_at > clock_timestamp() - make_interval(secs => ${SAME_FOR_S})
       and ($4::text is null or (c.ended_at is null and c."to" = $4)) as "isMeant"
   from web_client_dials d join calls c on c.ledger_id = d.ledger_id and c.id = d.call_id
   where d.ledger_id = $1 and d.web_client_id = $2 and d.ref_hash = $3`,
);

/** The web client's own name for a call that it places. */
export type PlaceName = WebClientName & {
  readonly ref: string;
  /** The number of a call for help, null of another. */
  readonly help: string | null;
};

export type PlacedCall = { readonly callId: string; readonly legId: string };

/** The call that has this name, and whether it is still what the name means; undefined where none has it. */
export async function findPlacedCall(
  tx: Tx,
  name: PlaceName,
): Promise<(PlacedCall & { readonly isMeant: boolean }) | undefined> {
  const { ledgerId, webClientId, ref, help } = name;
  const [found] = await tx.query<PlacedCall & { isMeant: boolean }>(FIND, [ledgerId, webClientId, hashOf(ref), help]);
  return found;
}

// A call that got the name meanwhile is not seen by the statement's snapshot, but its row here is: hence "whose it was".
// What is too old goes with it; rows that somebody else is at are left to him, so that nobody waits.
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
 * Gives a new call its name, in place of the call that was found to have it and is not meant any more (null: none had).
 * False if another call has got it meanwhile.
 */
export async function namePlacedCall(
  tx: Tx,
  { ledgerId, webClientId, ref }: PlaceName,
  { callId, legId }: PlacedCall,
  formerCallId: string | null,
): Promise<boolean> {
  const values = [ledgerId, webClientId, hashOf(ref), callId, legId, formerCallId];
  return (await tx.query(NAME, values)).length > 0;
}

function hashOf(ref: string): Buffer {
  return createHash('sha256').update(ref).digest();
}
