/**
 * Takes utterances that the carrier reports with their text. The transcript, the event and a joined write are one
 * statement.
 */
import type { VoiceEvent } from '../../../carriers/ports/voice.ts';
import type { Db } from '../../../db/database.ts';
import type { JoinedWrite } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { isSpokenStop } from '../../messaging/index.ts';
import { isInConsult } from '../calls/machine/consult.ts';
import { isInPause } from '../calls/machine/recording.ts';
import type { ReadCall } from '../calls/queries.ts';
import { storableText } from '../post-call/model-attempt.ts';
import { writeUtterance } from './said-queries.ts';

export type Utterance = Extract<VoiceEvent, { type: 'leg.utterance' }>;

/**
 * Adds an utterance to the transcript of a call that was read and not locked.
 * - written: returns the result of the joined write, and the call, which did not change.
 * - needless: the call is not transcribed.
 * - declined: nothing is written. Either the utterance has no text, so a job transcribes it; or it waits for such an
 *   utterance; or the customer asks in it for no more calls, which is an opt-out.
 */
export async function takeUtterance(
  db: Db,
  ledger: Ledger,
  call: ReadCall,
  { event, joined }: { readonly event: Utterance; readonly joined: JoinedWrite },
): Promise<'needless' | 'declined' | { readonly joined: unknown; readonly call: ReadCall }> {
  const { legRef, utteranceRef: ref, text, endedAt } = event;
  const leg = call.state.legs.find(({ id }) => id === legRef);
  if (call.state.transcription !== 'on' || leg === undefined || isInPause(call.state, event)) return 'needless';
  if (isInConsult(call.state, leg, event)) return 'needless';
  // An opt-out is written in a transaction with the utterance.
  if (text === null || (leg.party === 'customer' && isSpokenStop(text))) return 'declined';
  const said = { ref, speaker: leg.party, text: storableText(text), endedAt };
  const written = await writeUtterance(db, ledger, call, { said, joined });
  return written === undefined ? 'declined' : { joined: written.joined, call };
}
