/**
 * Speeches to web clients. A carrier speaks to the customer. The gateway node with the audio of a web client's leg
 * speaks to the web client. A speech is in the database until it is over. The message over the bus only makes it start
 * earlier: the node also reads the speeches when the audio of a leg begins, and with each heartbeat.
 */
import type { Context } from '../../../context.ts';
import type { Database } from '../../../db/database.ts';
import { stepCall } from '../calls/execution/executor.ts';
import type { InLedger } from '../calls/queries.ts';
import { lockCall } from '../calls/queries.ts';
import { type AgentSpeech, addSpeech, endSpeech, type NewSpeech } from './speech-queries.ts';

const CHANNEL = 'web-client-speech';

/** A change of the speeches to these legs: a new or a stopped speech. */
export type SpeechChange = { readonly legIds: readonly string[]; readonly stopped: string | null };

type SpeechContext = Pick<Context, 'db' | 'bus'>;

/** Requests a speech from the gateways of web clients' legs. A repeat changes nothing. */
export async function askForSpeech({ db, bus }: SpeechContext, ledger: InLedger, speech: NewSpeech): Promise<void> {
  await addSpeech(db, ledger, speech);
  publish(bus, { legIds: speech.legIds, stopped: null });
}

type SpeechOfCall = { readonly callId: string; readonly legIds: readonly string[]; readonly speechRef: string };

/** Stops a speech to legs of web clients. Resolves with true if the speech was to web clients alone. */
export async function stopSpeech({ db, bus }: SpeechContext, ledger: InLedger, speech: SpeechOfCall): Promise<boolean> {
  const isAlone = await finishSpeech(db, ledger, speech, false);
  publish(bus, { legIds: speech.legIds, stopped: speech.speechRef });
  return isAlone;
}

/** Handles the end of a speech to one leg. If the speech was to web clients alone, its end is an input of the call. */
export async function endAgentSpeech(
  db: Database,
  { ledgerId, callId, legId, speechRef }: AgentSpeech,
  completed: boolean,
): Promise<void> {
  await finishSpeech(db, { ledgerId }, { callId, legIds: [legId], speechRef }, completed);
}

function finishSpeech(
  db: Database,
  ledger: InLedger,
  { callId, legIds, speechRef }: SpeechOfCall,
  completed: boolean,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockCall(tx, ledger, callId);
    const isAlone = (await endSpeech(tx, ledger, { legIds, speechRef })) ?? false;
    if (isAlone) await stepCall(tx, ledger, callId, [{ type: 'speech_ended', speechRef, completed }]);
    return isAlone;
  });
}

function publish(bus: Context['bus'], change: SpeechChange): void {
  bus.publish(CHANNEL, JSON.stringify(change));
}

/** Calls the listener with every change of speeches to web clients. */
export function onAgentSpeech(bus: Context['bus'], listener: (change: SpeechChange) => void): void {
  bus.subscribe(CHANNEL, (payload) => listener(JSON.parse(payload) as SpeechChange));
}
