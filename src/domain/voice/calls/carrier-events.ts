import type { CarrierEvent } from '../../../carriers/ports/carrier.ts';
import { isVoiceEvent, type VoiceEvent } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { writeDown } from '../transcripts/transcribe.ts';
import type { CallInput, Leg } from './call.ts';
import { stepCall } from './executor.ts';
import { receiveCall } from './receive-call.ts';
import { keepUtterance } from './utterance-queries.ts';

type Utterance = Extract<VoiceEvent, { type: 'leg.utterance' }>;

/** Takes what happened to calls at the carrier into the domain; of one call, in the order given. */
export function applyVoiceEvents(
  context: Pick<Context, 'carriers'>,
): (tx: Tx, ledger: Ledger, events: readonly CarrierEvent[]) => Promise<void> {
  return async (tx, ledger, events) => {
    const byCall = Map.groupBy(events.filter(isVoiceEvent), ({ callRef }) => callRef);
    // Each call stays locked to the end of the transaction, so everybody takes several in the same order.
    const sorted = [...byCall].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [callId, own] of sorted) await applyToCall(context, tx, ledger, { callId, events: own });
  };
}

async function applyToCall(
  context: Pick<Context, 'carriers'>,
  tx: Tx,
  ledger: Ledger,
  { callId, events }: { callId: string; events: readonly VoiceEvent[] },
): Promise<void> {
  let inputs: CallInput[] = [];
  for (const event of events) {
    if (event.type === 'call.arrived') {
      await receiveCall(tx, ledger, context, event);
    } else if (event.type === 'leg.utterance') {
      await takeUtterance(tx, ledger, event, inputs);
      inputs = [];
    } else if (event.type !== 'stream.started') {
      inputs.push(toInput(event));
    }
  }
  if (inputs.length > 0) await stepCall(tx, ledger, callId, inputs);
}

/** What was said while nobody writes down is not kept. `before` are the inputs that came before it. */
async function takeUtterance(
  tx: Tx,
  ledger: Ledger,
  { callRef, legRef, utteranceRef: ref, text, endedAt }: Utterance,
  before: readonly CallInput[],
): Promise<void> {
  const stepped = await stepCall(tx, ledger, callRef, before);
  const leg = stepped?.call.legs.find(({ id }: Leg) => id === legRef);
  if (stepped?.call.transcription !== 'on' || leg === undefined) return;
  await keepUtterance(tx, ledger, callRef, { ref, speaker: leg.party, text, endedAt });
  if (text !== null) await writeDown(tx, ledger, callRef);
}

type Report = Exclude<VoiceEvent, { type: 'call.arrived' | 'leg.utterance' | 'stream.started' }>;

function toInput(event: Report): CallInput {
  switch (event.type) {
    case 'leg.ringing':
      return { type: 'leg_ringing', legId: event.legRef };
    case 'leg.answered':
      return { type: 'leg_answered', legId: event.legRef };
    case 'leg.ended':
      return { type: 'leg_ended', legId: event.legRef, cause: event.cause };
    case 'leg.digit':
      return { type: 'digit', legId: event.legRef, digit: event.digit, keyRef: event.keyRef };
    case 'legs.bridged':
      return { type: 'bridged' };
    case 'speech.ended':
      return { type: 'speech_ended', speechRef: event.speechRef, completed: event.completed };
    case 'recording.ended':
      return { type: 'recording_ended', recordingRef: event.recordingRef, durationMs: event.durationMs };
    case 'stream.failed':
    case 'stream.ended':
      return { type: 'stream_over', streamId: event.streamRef, reason: 'carrier_error' };
  }
}
