import type { Db } from '../../../../db/database.ts';
import { statement } from '../../../../db/statement.ts';
import type { InLedger } from '../queries.ts';
import type { CallListener } from '../state/call-listener.ts';

const LIST = statement(
  'calls_audio_states',
  `select id, coalesce((state -> 'hold' ->> 'playing')::boolean, false) as "isHeld",
     coalesce((state -> 'transfer' ->> 'isConsulting')::boolean, false) as "isConsulting",
     coalesce(state -> 'listeners', '[]') as listeners,
     jsonb_path_query_array(state, '$.legs[*] ? (@.state == "ending" || @.state == "ended").id') as "leavingIds"
   from calls where ledger_id = $1 and id = any($2::text[])`,
);

/** Which parties of a call are connected by audio. Mutes and holds at web clients are not part of it. */
export type CallAudioState = {
  /** True while the customer hears hold audio. */
  readonly isHeld: boolean;
  /** True while two agents talk to each other before a transfer. */
  readonly isConsulting: boolean;
  readonly listeners: readonly CallListener[];
  /** The ids of legs that the product has hung up. Some may not have ended yet. */
  readonly leavingIds: readonly string[];
};

/** Returns the audio states of calls (ids), by id. */
export async function listAudioStates(
  db: Db,
  { ledgerId }: InLedger,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CallAudioState>> {
  const rows = await db.query<CallAudioState & { id: string }>(LIST, [ledgerId, ids]);
  return new Map(rows.map(({ id, ...state }) => [id, state]));
}
