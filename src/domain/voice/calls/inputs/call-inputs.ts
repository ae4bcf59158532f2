/** The inputs of a call that no request makes: its arrival, events of its carrier, and its timers. */
import type { CarrierEvent, Carriers, ConnectionId } from '../../../../carriers/ports/carrier.ts';
import { isVoiceEvent, type VoiceEvent } from '../../../../carriers/ports/voice.ts';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../db/database.ts';
import { ledgerNow } from '../../../../db/ledgers.ts';
import { newId } from '../../../../lib/ids.ts';
import { cleanName } from '../../../../lib/phone/display-name.ts';
import { ANONYMOUS, readNumber } from '../../../../lib/phone/party.ts';
import type { Ledger } from '../../../../lib/scope.ts';
import { findContactName } from '../../../contacts/index.ts';
import { answersCalls } from '../../../messaging/index.ts';
import {
  DEFAULT_VOICEMAIL,
  decideBehavior,
  findOwnedNumber,
  findRouting,
  type OwnedNumber,
  targetsOfBehavior,
} from '../../../numbers/index.ts';
import { lockTenantShared } from '../../../tenants/index.ts';
import { storableText } from '../../post-call/model-attempt.ts';
import { keepUtterance } from '../../transcripts/queries.ts';
import { transcribeUtterances } from '../../transcripts/transcribe.ts';
import { refuseCall } from '../commands/lane-queries.ts';
import { openCall, stepCall } from '../execution/executor.ts';
import type { Arrival } from '../machine/arrival.ts';
import { isInConsult } from '../machine/consult.ts';
import { beginInbound } from '../machine/inbound.ts';
import { isInPause } from '../machine/recording.ts';
import { placeTelephoneCall } from '../place/place-own-call.ts';
import { findRefused } from '../place/refused-targets.ts';
import { hasCall } from '../queries.ts';
import type { CallInput } from '../state/call-step.ts';

/** Returns the function that applies carrier events of calls, in the order of the events of each call. */
export function applyVoiceEvents(
  context: Pick<Context, 'carriers'>,
): (tx: Tx, ledger: Ledger, events: readonly CarrierEvent[]) => Promise<void> {
  return async (tx, ledger, events) => {
    const byCall = Map.groupBy(events.filter(isVoiceEvent), ({ callRef }) => callRef);
    // Each call stays locked until the transaction ends, so calls are always locked in the order of their ids.
    const sorted = [...byCall].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [callId, ofCall] of sorted) await applyToCall(context, tx, ledger, { callId, events: ofCall });
  };
}

/** Returns the lengths (ms) of the recordings whose ends are among the events, by recording id. */
export function recordedIn(events: readonly VoiceEvent[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    events.flatMap((event) => (event.type === 'recording.ended' ? [[event.recordingRef, event.durationMs]] : [])),
  );
}

async function applyToCall(
  context: Pick<Context, 'carriers'>,
  tx: Tx,
  ledger: Ledger,
  { callId, events }: { callId: string; events: readonly VoiceEvent[] },
): Promise<void> {
  let inputs: CallInput[] = [];
  const recordedMs = recordedIn(events);
  for (const event of events) {
    if (event.type === 'call.arrived') {
      await receiveCall(tx, ledger, context, event);
    } else if (event.type === 'telephone.dialled') {
      await receiveTelephoneCall(tx, ledger, context, event);
    } else if (event.type === 'leg.utterance') {
      await applyUtterance(tx, ledger, event, inputs);
      inputs = [];
    } else if (event.type !== 'stream.started') {
      inputs.push(toInput(event, recordedMs));
    }
  }
  if (inputs.length > 0) await stepCall(tx, ledger, callId, inputs);
}

/**
 * Applies the inputs of `before`, which were reported earlier, and then keeps the utterance. Drops the utterance if the
 * call is not transcribed, or if it was said during a pause of the recording or a consultation.
 */
async function applyUtterance(
  tx: Tx,
  ledger: Ledger,
  event: Extract<VoiceEvent, { type: 'leg.utterance' }>,
  before: readonly CallInput[],
): Promise<void> {
  const { callRef, legRef, utteranceRef: ref, text, endedAt } = event;
  const stepped = await stepCall(tx, ledger, callRef, before);
  const leg = stepped?.call.legs.find(({ id }) => id === legRef);
  if (stepped?.call.transcription !== 'on' || leg === undefined || isInPause(stepped.call, event)) return;
  if (isInConsult(stepped.call, leg, event)) return;
  const said = text === null ? null : storableText(text);
  await keepUtterance(tx, ledger, callRef, { ref, speaker: leg.party, text: said, endedAt });
  if (text !== null) await transcribeUtterances(tx, ledger, callRef);
}

/** An event that begins a call. */
type Beginning = Extract<VoiceEvent, { type: 'call.arrived' | 'telephone.dialled' }>;

export function isBeginning(event: VoiceEvent): event is Beginning {
  return event.type === 'call.arrived' || event.type === 'telephone.dialled';
}

export type Report = Exclude<VoiceEvent, Beginning | { type: 'leg.utterance' | 'stream.started' }>;

/** Converts a report to an input of the call's machine. */
export function toInput(event: Report, recordedMs: Readonly<Record<string, number>>): CallInput {
  switch (event.type) {
    case 'leg.ringing':
      return { type: 'leg_ringing', legId: event.legRef };
    case 'leg.answered':
      return { type: 'leg_answered', legId: event.legRef };
    case 'leg.ended': {
      const { legRef: legId, cause, endedAt, refusal } = event;
      const more = { ...(endedAt && { endedAtMs: endedAt.getTime() }), ...(refusal && { refusal }) };
      return { type: 'leg_ended', legId, cause, recordedMs, ...more };
    }
    case 'leg.digit':
      return { type: 'digit', legId: event.legRef, digit: event.digit, digitRef: event.keyRef };
    case 'legs.bridged':
      return { type: 'bridged' };
    case 'leg.classified':
      return { type: 'classified', legId: event.legRef, kind: event.kind };
    case 'leg.greeting_ended':
      return { type: 'greeting_ended', legId: event.legRef, beep: event.beep };
    case 'speech.ended':
      return { type: 'speech_ended', speechRef: event.speechRef, completed: event.completed };
    case 'recording.ended':
      return { type: 'recording_ended', recordingRef: event.recordingRef, durationMs: event.durationMs };
    case 'stream.failed':
    case 'stream.ended':
      return { type: 'stream_over', streamId: event.streamRef, reason: 'carrier_error' };
  }
}

type ArrivedCall = Extract<VoiceEvent, { type: 'call.arrived' }>;

const NO_RECORDING = { enabled: false, consent_announcement: true };

/**
 * Starts a call that has arrived: evaluates the number's hours, checks every target again, and adds the call to its
 * conversation. A call that was received before changes nothing. A call to a number that the ledger does not own is
 * hung up.
 */
async function receiveCall(
  tx: Tx,
  ledger: Ledger,
  { carriers }: Pick<Context, 'carriers'>,
  arrived: ArrivedCall,
): Promise<void> {
  const { callRef: id, legRef: legId, from, to } = arrived;
  if (await hasCall(tx, ledger, id)) return;
  const number = await findOwnedNumber(tx, ledger, to);
  // Until the transaction ends, the lock prevents the deletion of the tenant and its number.
  if (number === undefined || !(await lockTenantShared(tx, ledger, number.tenant_id))) {
    const connectionId = arrived.connectionId ?? number?.voice_connection_id ?? null;
    await refuseCall(tx, ledger, { callId: id, legId, connectionId });
    return;
  }
  const connectionId = arrived.connectionId ?? number.voice_connection_id;
  const at = await ledgerNow(tx, ledger.ledgerId);
  const routed = await route(tx, ledger, { number, connectionId, at }, carriers);
  const { recording } = routed;
  const callerName = nameOf(arrived);
  const contactName = await contactNameOf(tx, ledger, number.tenant_id, from);
  const begun = beginInbound(
    {
      id,
      legId,
      number: to,
      customer: from,
      ...{ customerName: callerName, contactName },
      ...routed,
      route: { ...routed.route, ...(answersCalls(number.auto_replies, from) && { repliesFrom: to }) },
      ...(arrived.caller && { caller: arrived.caller }),
      recordingId: newId('recording'),
      voicemailRecordingId: newId('recording'),
      limits: carriers.voice(ledger, connectionId).limits,
    },
    at.getTime(),
  );
  const call = {
    id,
    tenantId: number.tenant_id,
    phoneNumberId: number.id,
    // A caller who hides the number has no conversation.
    conversationId: from === ANONYMOUS ? null : newId('conversation'),
    direction: 'inbound' as const,
    from,
    to,
    connectTo: null,
    callerName,
    attestation: arrived.attestation ?? null,
    record: recording.enabled,
    connectionId,
    routingConfigId: routed.route.configId,
  };
  await openCall(tx, ledger, call, { begun, at });
}

/**
 * Starts the call of a telephone at an engine, with the checks of a web client's call. A repeated report changes
 * nothing. Errors: the errors of `placeTelephoneCall`.
 */
async function receiveTelephoneCall(
  tx: Tx,
  ledger: Ledger,
  context: Pick<Context, 'carriers'>,
  {
    callRef: callId,
    legRef: legId,
    telephone,
    tenantId,
    ...dialled
  }: Extract<Beginning, { type: 'telephone.dialled' }>,
): Promise<void> {
  if (await hasCall(tx, ledger, callId)) return;
  const { from, to, connectionId, connectedLegRef: connectedLegId } = dialled;
  const agent = { address: telephone, tenantId };
  await placeTelephoneCall(context, tx, ledger, { agent, callId, legId, from, to, connectionId, connectedLegId });
}

/** Returns the caller's name; null if the caller has no number, or if the name only repeats the number. */
function nameOf({ from, callerName = '' }: ArrivedCall): string | null {
  const isNamed = from !== ANONYMOUS && readNumber(callerName) !== from;
  return isNamed ? (cleanName(callerName) ?? null) : null;
}

/** Returns the name of the tenant's contact with the caller's number, in the form of callers' names. */
async function contactNameOf(tx: Tx, { ledgerId }: Ledger, tenantId: string, number: string): Promise<string | null> {
  if (number === ANONYMOUS) return null;
  return cleanName((await findContactName(tx, { ledgerId, tenantId, number })) ?? '') ?? null;
}

type Routed = Pick<Arrival, 'behavior' | 'recording' | 'route'> &
  Required<Pick<Arrival, 'refused' | 'holdAudioRef' | 'listeningAnnouncement'>>;

type Arriving = { readonly number: OwnedNumber; readonly connectionId: ConnectionId; readonly at: Date };

async function route(
  tx: Tx,
  ledger: Ledger,
  { number, connectionId, at }: Arriving,
  carriers: Pick<Carriers, 'hasTelephone'>,
): Promise<Routed> {
  const routing = await findRouting(tx, ledger, number.id);
  const config = routing?.config ?? null;
  if (routing === undefined || config === null) {
    const none = { refused: [], holdAudioRef: null, listeningAnnouncement: null };
    const route = { configId: null, branch: 'none' } as const;
    return { behavior: DEFAULT_VOICEMAIL, recording: NO_RECORDING, route, ...none };
  }
  const { open, behavior } = decideBehavior(config, routing.timezone, at);
  const call = { tenantId: number.tenant_id, number: number.phone_number, connectionId };
  const refused = await findRefused(tx, ledger, carriers, { ...call, targets: targetsOfBehavior(behavior) });
  const { recording, listening_announcement: listeningAnnouncement } = config;
  const decided = { configId: config.id, branch: open ? ('open' as const) : ('closed' as const) };
  return { behavior, recording, route: decided, listeningAnnouncement, refused, holdAudioRef: routing.holdAudioRef };
}
