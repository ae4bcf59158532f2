/** Takes utterances whose text the carrier reports: the transcript, the event and a rider are one statement. */
import type { TakeReport } from '../../../carriers/ports/carrier.ts';
import type { VoiceEvent } from '../../../carriers/ports/voice.ts';
import type { Database } from '../../../db/database.ts';
import type { Rider } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { lockCallState } from '../calls/queries.ts';
import { storableText } from '../post-call/model-attempt.ts';
import { writeUtterance } from './said-queries.ts';
import { transcribeUtterances } from './transcribe.ts';

type Utterance = Extract<VoiceEvent, { type: 'leg.utterance' }>;

/** Declines an utterance without text: a job transcribes it. */
export async function takeUtterance(
  db: Database,
  ledger: Ledger,
  { callRef: callId, legRef, utteranceRef: ref, text, endedAt }: Utterance,
  rider: Rider,
): ReturnType<TakeReport> {
  return await db.transaction(async (tx) => {
    const call = await lockCallState(tx, ledger, callId);
    if (call === undefined) return 'unknown';
    const leg = call.state.legs.find(({ id }) => id === legRef);
    if (call.state.transcription !== 'on' || leg === undefined) return 'needless';
    if (text === null) return 'declined';
    const said = { ref, speaker: leg.party, text: storableText(text), endedAt };
    const written = await writeUtterance(tx, ledger, call, { said, rider });
    if (written === undefined) return 'declined';
    // Others wait for their text: it may have its turn before them.
    if (written.waits) await transcribeUtterances(tx, ledger, callId);
    return { rider: written.rider };
  });
}
