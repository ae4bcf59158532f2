/** The speeches to web clients of calls, and the gateway node of each. Times are wall time. */
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { InLedger } from '../calls/queries.ts';
import { ALIVE } from '../media-streams/node-queries.ts';

/** A speech to the legs of web clients. */
export type NewSpeech = {
  readonly callId: string;
  readonly speechRef: string;
  readonly legIds: readonly string[];
  readonly text: string;
  /** True for a speech to web clients alone. */
  readonly isAlone: boolean;
};

const ADD = statement(
  'web_client_speeches_add',
  `insert into web_client_speeches (ledger_id, leg_id, speech_ref, call_id, text, is_alone, asked_at)
   select $1, leg_id, $3, $4, $5, $6, clock_timestamp() from unnest($2::text[]) as leg_id
   on conflict do nothing`,
);

/** Stores a speech for each of its legs. A repeat changes nothing. */
export async function addSpeech(
  db: Db,
  { ledgerId }: InLedger,
  { callId, speechRef, legIds, text, isAlone }: NewSpeech,
): Promise<void> {
  await db.query(ADD, [ledgerId, legIds, speechRef, callId, text, isAlone]);
}

// If two nodes claim a speech, the second waits for the row, and then reads that the first has the speech.
const CLAIM = statement(
  'web_client_speeches_claim',
  `with claimed as (
     update web_client_speeches s set node_id = $3
     where s.ledger_id = $1 and s.leg_id = any($2::text[]) and s.ended_at is null
       and (s.node_id is null or s.node_id = $3
         or not exists (select 1 from gateway_nodes n where n.node_id = s.node_id and ${ALIVE}))
     returning s.ledger_id, s.leg_id, s.speech_ref, s.call_id, s.text, s.asked_at
   )
   select ledger_id as "ledgerId", leg_id as "legId", speech_ref as "speechRef", call_id as "callId", text
   from claimed order by asked_at, speech_ref`,
);

/** A speech to one leg of a web client. */
export type AgentSpeech = {
  readonly ledgerId: number;
  readonly callId: string;
  readonly legId: string;
  readonly speechRef: string;
  readonly text: string;
};

/**
 * Returns the speeches to these legs that are not over, oldest first, and assigns them to the node. Leaves out speeches
 * of another live node.
 */
export function claimSpeeches(
  db: Db,
  { ledgerId }: InLedger,
  { legIds, nodeId }: { legIds: readonly string[]; nodeId: string },
): Promise<AgentSpeech[]> {
  return db.query<AgentSpeech>(CLAIM, [ledgerId, legIds, nodeId]);
}

const RELEASE = statement(
  'web_client_speeches_release',
  `update web_client_speeches set node_id = null
   where ledger_id = $1 and leg_id = $2 and speech_ref = $3 and node_id = $4 and ended_at is null`,
);

/** Stores that the node no longer speaks the speech. The next node that can speak it starts it from the beginning. */
export async function releaseSpeech(
  db: Db,
  { ledgerId, legId, speechRef }: AgentSpeech,
  nodeId: string,
): Promise<void> {
  await db.query(RELEASE, [ledgerId, legId, speechRef, nodeId]);
}

const END = statement(
  'web_client_speeches_end',
  `update web_client_speeches set ended_at = clock_timestamp()
   where ledger_id = $1 and leg_id = any($2::text[]) and speech_ref = $3 and ended_at is null
   returning is_alone as "isAlone"`,
);

/**
 * Stores that a speech to these legs is over. The call is locked before.
 * @returns true if the speech was to web clients alone; undefined if it is already over, or does not exist
 */
export async function endSpeech(
  tx: Tx,
  { ledgerId }: InLedger,
  { legIds, speechRef }: { legIds: readonly string[]; speechRef: string },
): Promise<boolean | undefined> {
  const [row] = await tx.query<{ isAlone: boolean }>(END, [ledgerId, legIds, speechRef]);
  return row?.isAlone;
}
