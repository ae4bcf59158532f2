/** The inputs that reach a call without a request: its arrival, events of its carrier, and its timers. */
import type { CarrierEvent } from '../../../carriers/ports/carrier.ts';
import { isVoiceEvent, type VoiceEvent } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ledgerNow } from '../../../db/ledgers.ts';
import { allThenThrow } from '../../../lib/all-then-throw.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { LeaseLostError } from '../../../queue/worker/lease.ts';
import { touchConversation } from '../../messaging/index.ts';
import {
  DEFAULT_VOICEMAIL,
  type DestinationRules,
  decideBehavior,
  findOwnedNumber,
  findRouting,
  isReachable,
  type OwnedNumber,
  readDestinationRules,
  targetsOfBehavior,
} from '../../numbers/index.ts';
import { lockTenantShared } from '../../tenants/index.ts';
import { CALL_PREVIEW } from '../conversation-previews.ts';
import { storableText } from '../post-call/model-attempt.ts';
import { keepUtterance } from '../transcripts/queries.ts';
import { transcribeUtterances } from '../transcripts/transcribe.ts';
import type { RefusedTarget, TimerName } from './call.ts';
import type { CallInput } from './call-step.ts';
import { openCall, stepCall, stepCallWith } from './executor.ts';
import { listUndispatched } from './lane-queries.ts';
import { type Arrival, beginInbound } from './machine/inbound.ts';
import { CALL_TIMER, hasCall, refuseCall } from './write-queries.ts';

/** Returns the function that applies carrier events of calls, in the order of the events of each call. */
export function applyVoiceEvents(
  context: Pick<Context, 'carriers'>,
): (tx: Tx, ledger: Ledger, events: readonly CarrierEvent[]) => Promise<void> {
  return async (tx, ledger, events) => {
    const byCall = Map.groupBy(events.filter(isVoiceEvent), ({ callRef }) => callRef);
    // Each call stays locked until the transaction ends, so calls are always locked in the order of their ids.
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
  const recordedMs = Object.fromEntries(
    events.flatMap((event) => (event.type === 'recording.ended' ? [[event.recordingRef, event.durationMs]] : [])),
  );
  for (const event of events) {
    if (event.type === 'call.arrived') {
      await receiveCall(tx, ledger, context, event);
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
 * Keeps an utterance of a call that is transcribed, and drops any other. `before` are the inputs reported before it.
 */
async function applyUtterance(
  tx: Tx,
  ledger: Ledger,
  { callRef, legRef, utteranceRef: ref, text, endedAt }: Extract<VoiceEvent, { type: 'leg.utterance' }>,
  before: readonly CallInput[],
): Promise<void> {
  const stepped = await stepCall(tx, ledger, callRef, before);
  const leg = stepped?.call.legs.find(({ id }) => id === legRef);
  if (stepped?.call.transcription !== 'on' || leg === undefined) return;
  const said = text === null ? null : storableText(text);
  await keepUtterance(tx, ledger, callRef, { ref, speaker: leg.party, text: said, endedAt });
  if (text !== null) await transcribeUtterances(tx, ledger, callRef);
}

type Report = Exclude<VoiceEvent, { type: 'call.arrived' | 'leg.utterance' | 'stream.started' }>;

function toInput(event: Report, recordedMs: Readonly<Record<string, number>>): CallInput {
  switch (event.type) {
    case 'leg.ringing':
      return { type: 'leg_ringing', legId: event.legRef };
    case 'leg.answered':
      return { type: 'leg_answered', legId: event.legRef };
    case 'leg.ended': {
      const { legRef: legId, cause, endedAt } = event;
      return { type: 'leg_ended', legId, cause, recordedMs, ...(endedAt && { endedAtMs: endedAt.getTime() }) };
    }
    case 'leg.digit':
      return { type: 'digit', legId: event.legRef, digit: event.digit, digitRef: event.keyRef };
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

type TimerPayload = { readonly callId: string; readonly name: TimerName; readonly generation: number };

/** Timers that one run of the handler takes concurrently, each in its own transaction. */
const TIMER_BATCH_MAX = 4;

/** Timers of legs that are dialled or answered. */
const DIALLING: ReadonlySet<TimerName> = new Set(['ring', 'answer', 'transfer']);

/** Returns the handler of calls' timers. */
export function createTimerHandler({ db }: Pick<Context, 'db'>): JobHandler {
  const expire = async (job: Job<TimerPayload>): Promise<void> => {
    const { callId, name, generation } = job.payload;
    await db.transaction(async (tx) => {
      // A command that is dispatched after this read restarts the timer once more, which is harmless.
      const undispatched = DIALLING.has(name) ? await listUndispatched(tx, job, callId) : [];
      const input = { type: 'timer', name, generation, undispatched } as const;
      // The job is completed after the call is locked, and before the step, which may set the same timer again.
      const complete = () => completeJobs(tx, [job]);
      const stepped = await stepCallWith(tx, job, callId, { inputs: [input], onLocked: complete });
      if (stepped === undefined) await complete();
    });
  };
  const handler: JobHandler<TimerPayload> = {
    kind: CALL_TIMER,
    queue: 'voice',
    batchMax: TIMER_BATCH_MAX,
    run: (jobs) =>
      allThenThrow(
        jobs.map((job) =>
          expire(job).catch((error: unknown) => {
            // A step has set the timer again or cleared it since the claim. The other timers of the batch go on.
            if (!(error instanceof LeaseLostError)) throw error;
          }),
        ),
      ),
  };
  return handler as JobHandler;
}

type ArrivedCall = Extract<VoiceEvent, { type: 'call.arrived' }>;

/** The `from` of a caller who hides the number. */
const ANONYMOUS = 'anonymous';

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
  // The lock keeps the tenant, and with it the number, from being deleted until the transaction ends.
  if (number === undefined || !(await lockTenantShared(tx, ledger, number.tenant_id))) {
    const connectionId = arrived.connectionId ?? number?.voice_connection_id ?? null;
    await refuseCall(tx, ledger, { callId: id, legId, connectionId });
    return;
  }
  const connectionId = arrived.connectionId ?? number.voice_connection_id;
  const at = await ledgerNow(tx, ledger.ledgerId);
  const routed = await route(tx, ledger, number, at);
  const { recording } = routed;
  const begun = beginInbound(
    {
      id,
      legId,
      number: to,
      customer: from,
      ...routed,
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
    conversationId: await openConversation(tx, ledger, number, from),
    direction: 'inbound' as const,
    from,
    to,
    connectTo: null,
    record: recording.enabled,
    connectionId,
  };
  await openCall(tx, ledger, call, { begun, at });
}

type Routed = Pick<Arrival, 'behavior' | 'recording'> & Required<Pick<Arrival, 'refused' | 'holdAudioRef'>>;

async function route(tx: Tx, ledger: Ledger, number: OwnedNumber, at: Date): Promise<Routed> {
  const routing = await findRouting(tx, ledger, number.id);
  const config = routing?.config ?? null;
  if (routing === undefined || config === null) {
    return { behavior: DEFAULT_VOICEMAIL, recording: NO_RECORDING, refused: [], holdAudioRef: null };
  }
  const { behavior } = decideBehavior(config, routing.timezone, at);
  const targets = targetsOfBehavior(behavior);
  const rules = targets.length > 0 ? await readDestinationRules(tx, ledger) : undefined;
  const refused = targets.flatMap((target): RefusedTarget[] => {
    // A call to the number itself would be routed here again, without end.
    if (target === number.phone_number) return [{ target, reason: 'own_number' }];
    return rules === undefined || mayDial(target, rules) ? [] : [{ target, reason: 'destination_not_supported' }];
  });
  return { behavior, recording: config.recording, refused, holdAudioRef: routing.holdAudioRef };
}

/** Returns true for web clients and for numbers that the destination rules allow. */
function mayDial(target: string, rules: DestinationRules): boolean {
  return !target.startsWith('+') || isReachable(target, rules);
}

/** Returns the conversation with the caller; null for a caller who hides the number. */
async function openConversation(tx: Tx, ledger: Ledger, number: OwnedNumber, from: string): Promise<string | null> {
  if (from === ANONYMOUS) return null;
  return await touchConversation(tx, ledger, {
    id: newId('conversation'),
    tenantId: number.tenant_id,
    phoneNumberId: number.id,
    externalNumber: from,
    preview: CALL_PREVIEW,
  });
}
