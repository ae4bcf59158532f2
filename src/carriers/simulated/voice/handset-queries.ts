import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Party } from '../../ports/voice.ts';

const SET_TOKEN = statement(
  'simulated_legs_set_token',
  'update simulated_legs set audio_token = $3 where ledger_id = $1 and leg_ref = $2',
);

type LegName = { readonly ledgerId: number; readonly legRef: string };

/** Stores the hash of the token for the audio of a leg, in place of an older one. */
export async function setAudioToken(db: Db, { ledgerId, legRef }: LegName, tokenHash: Buffer): Promise<void> {
  await db.query(SET_TOKEN, [ledgerId, legRef, tokenHash]);
}

const USE_TOKEN = statement(
  'simulated_legs_use_token',
  `update simulated_legs set audio_token = null, voice_from = coalesce(voice_from, ledger_now(ledger_id))
   where ledger_id = $1 and leg_ref = $2 and audio_token = $3 and state <> 'ended'
   returning call_ref as "callRef", party`,
);

export type ConnectedLeg = { readonly callRef: string; readonly party: Party };

/**
 * Uses up the token of a leg. From now on the leg has the audio of its handset. Returns undefined if the token is
 * invalid.
 */
export async function useAudioToken(
  db: Db,
  { ledgerId, legRef }: LegName,
  tokenHash: Buffer,
): Promise<ConnectedLeg | undefined> {
  const [leg] = await db.query<ConnectedLeg>(USE_TOKEN, [ledgerId, legRef, tokenHash]);
  return leg;
}
