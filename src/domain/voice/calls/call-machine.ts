/**
 * The life of a call, as a pure function: no clock, no database, no carrier.
 *
 *   click-to-call   dialing ──agent rings──▶ ringing ──customer answers──▶ in_progress ──▶ completed
 *                      └──────────────┴── either never answers, or hangs up ──▶ failed
 *   from a web client     the same, from where the customer is dialled: the agent is there already
 *   inbound         ringing ──target or voicemail answers──▶ in_progress ──▶ completed
 *                      └── the caller gives up, or nobody answers ──▶ missed
 *
 * Reports may come late, twice and out of order, and legs end at any instant: what does not fit the stage of the call
 * changes nothing but its leg. Whatever happens, the call ends once, and then no leg is left up.
 */
import type { LegEndCause } from '../../../carriers/ports/voice.ts';
import type { Call, CallInput, CallRefusal, Leg, Step } from './call.ts';

export {
  type Arrival,
  beginClickToCall,
  beginInbound,
  beginWebClientCall,
  type ClickToCall,
  type WebClientCall,
} from './machine/begin.ts';

import { endingOf, finish, outcomeOfCause } from './machine/ending.ts';
import { endRinging, keepMessage, loseTarget, takeAnswer, takeMessage } from './machine/inbound.ts';
import { awaitKeys, closeGather, openGather, takeKey } from './machine/keys.ts';
import { closeStream, connectStream, openStream, tellStream } from './machine/streaming.ts';
import { cancelRecording, endAnnouncement, join, keepRecording, startTranscription } from './machine/talking.ts';
import {
  change,
  clearTimer,
  command,
  dialParty,
  findLeg,
  legUp,
  log,
  moveLeg,
  ringOn,
  type Transition,
} from './machine/transition.ts';
import { nameOfAnswerer } from './rules.ts';

/** Takes one input into the call. */
export function step(call: Call, input: CallInput, nowMs: number): Step {
  const refusal = refusalOf(call, input);
  if (refusal !== undefined) return { call, effects: [], refusal };
  const transition: Transition = { call, effects: [], nowMs };
  take(transition, input);
  return { call: transition.call, effects: transition.effects };
}

/** Why the API may not do that now; carriers and timers are never refused. */
function refusalOf(call: Call, input: CallInput): CallRefusal | undefined {
  switch (input.type) {
    case 'hang_up':
      return call.stage.name === 'ended' ? 'call_not_active' : undefined;
    case 'send_digits':
    case 'transcribe':
      return call.status === 'in_progress' ? undefined : 'call_not_active';
    case 'gather':
      if (call.stage.name !== 'talking') return 'call_not_active';
      return call.gather === null ? undefined : 'gather_in_progress';
    case 'start_stream':
      if (call.status !== 'ringing' && call.status !== 'in_progress') return 'call_not_active';
      return call.stream === null ? undefined : 'stream_already_active';
    default:
      return undefined;
  }
}

function take(transition: Transition, input: CallInput): void {
  switch (input.type) {
    case 'leg_ringing':
    case 'leg_answered':
    case 'leg_ended':
    case 'digit': {
      const leg = findLeg(transition.call, input.legId);
      if (leg !== undefined) takeLegReport(transition, leg, input);
      return;
    }
    case 'bridged':
      if (transition.call.stage.name !== 'talking' || transition.call.bridged) return;
      change(transition, { bridged: true });
      log(transition, 'bridged');
      return;
    case 'speech_ended':
      endSpeech(transition, input.speechRef, input.completed);
      return;
    case 'recording_ended':
      if (input.recordingRef === transition.call.recordingId) keepRecording(transition, input.durationMs);
      if (input.recordingRef === transition.call.voicemailRecordingId) keepMessage(transition, input.durationMs);
      return;
    case 'command_failed':
      takeFailure(transition, input);
      return;
    case 'stream_connected':
      connectStream(transition, input.streamId);
      return;
    case 'stream_over':
      closeStream(transition, input.streamId, input);
      return;
    case 'stream_unused':
      if (transition.call.stream?.connected === false) closeStream(transition, input.streamId, { reason: 'no_client' });
      return;
    case 'timer':
      takeTimer(transition, input);
      return;
    default:
      takeRequest(transition, input);
      return;
  }
}

type LegReport = Extract<CallInput, { legId: string }>;

function takeLegReport(transition: Transition, leg: Leg, report: LegReport): void {
  switch (report.type) {
    case 'leg_ringing':
      if (leg.state === 'dialing') hearRinging(transition, leg);
      return;
    case 'leg_answered':
      if (leg.state === 'dialing' || leg.state === 'ringing') hearAnswer(transition, leg);
      return;
    case 'leg_ended':
      if (leg.state !== 'ended') loseLeg(transition, leg, report);
      return;
    case 'digit':
      if (leg.state === 'up') takeKey(transition, leg, report);
  }
}

function hearRinging(transition: Transition, leg: Leg): void {
  moveLeg(transition, leg.id, 'ringing');
  if (transition.call.direction === 'inbound') {
    log(transition, 'target_ringing', { target: leg.address });
    return;
  }
  if (transition.call.status === 'dialing') change(transition, { status: 'ringing' });
  log(transition, 'ringing', { party: leg.party });
}

/** A dialled party has answered. Legs that nobody waits for any more are `ending` and do not come here. */
function hearAnswer(transition: Transition, leg: Leg): void {
  // A caller who arrived is answered by us alone.
  if (leg.direction === 'inbound') return;
  const { stage } = transition.call;
  if (stage.name === 'ringing_targets') {
    takeAnswer(transition, leg);
    return;
  }
  if (transition.call.status === 'dialing') change(transition, { status: 'ringing' });
  moveLeg(transition, leg.id, 'up');
  log(transition, 'answered', { party: leg.party, answered_by: nameOfAnswerer(leg.address) });
  if (stage.name === 'dialing_customer') {
    join(transition, leg.address);
    return;
  }
  change(transition, { stage: { name: 'dialing_customer' } });
  dialParty(transition, 'customer', transition.call.customer);
  tellStream(transition);
}

type Loss = { readonly cause: LegEndCause; readonly reason?: string };

function loseLeg(transition: Transition, leg: Leg, { cause, reason }: Loss): void {
  moveLeg(transition, leg.id, 'ended');
  const { stage, direction } = transition.call;
  if (stage.name === 'ended' || leg.state === 'ending') return;
  if (stage.name === 'ringing_targets' && leg.party === 'agent') {
    loseTarget(transition, leg, reason ?? cause);
    return;
  }
  const detail = { party: leg.party, cause, ...(reason !== undefined && { reason }) };
  if (direction === 'outbound' && leg.state !== 'up') {
    finish(transition, { status: 'failed', outcome: outcomeOfCause(cause), detail });
    return;
  }
  finish(transition, { ...endingOf(transition), detail });
}

function endSpeech(transition: Transition, speechRef: string, completed: boolean): void {
  const { stage, recording, gather } = transition.call;
  if (stage.name === 'greeting' && stage.speechRef === speechRef) takeMessage(transition, stage.voicemail);
  if (recording.name === 'announcing' && recording.speechRef === speechRef) endAnnouncement(transition, completed);
  if (gather?.speechRef === speechRef) awaitKeys(transition);
}

function takeTimer(
  transition: Transition,
  { name, generation, undialled }: Extract<CallInput, { type: 'timer' }>,
): void {
  const { call } = transition;
  if (call.timers[name] !== generation) return;
  if (name === 'ring' && ringOn(transition, undialled)) return;
  clearTimer(transition, name);
  const { stage, recording } = call;
  switch (name) {
    case 'ring':
      if (stage.name === 'ringing_targets') {
        endRinging(transition, stage.plan);
        return;
      }
      finish(transition, { status: 'failed', outcome: 'no_answer', detail: { reason: 'no_answer' } });
      return;
    case 'speech':
      if (stage.name === 'greeting') {
        takeMessage(transition, stage.voicemail);
        return;
      }
      if (recording.name === 'announcing') endAnnouncement(transition, false);
      return;
    case 'gather':
      closeGather(transition, 'timeout');
      return;
    case 'message':
    case 'longest':
      finish(transition, { ...endingOf(transition), detail: { reason: `${name}_time` } });
      return;
  }
}

function takeRequest(
  transition: Transition,
  input: Extract<CallInput, { type: 'hang_up' | 'send_digits' | 'gather' | 'transcribe' | 'start_stream' }>,
) {
  switch (input.type) {
    case 'hang_up':
      finish(transition, { ...endingOf(transition), detail: { reason: 'api_request' } });
      return;
    case 'send_digits': {
      const customer = legUp(transition.call, 'customer') as Leg;
      command(transition, { do: 'send_digits', legRef: customer.id, digits: input.digits });
      log(transition, 'dtmf', { digits: input.digits, sent: true });
      return;
    }
    case 'gather':
      openGather(transition, input);
      return;
    case 'transcribe':
      startTranscription(transition);
      return;
    case 'start_stream':
      openStream(transition, input.stream);
      return;
  }
}

/** The carrier did not do what it was told, and will not. */
function takeFailure(
  transition: Transition,
  { command: failed, reason }: Extract<CallInput, { type: 'command_failed' }>,
): void {
  switch (failed.do) {
    case 'dial':
    case 'hang_up': {
      const leg = findLeg(transition.call, failed.legRef);
      if (leg === undefined || leg.state === 'ended') return;
      loseLeg(transition, leg, { cause: 'failed', ...(reason === 'destination_refused' && { reason }) });
      return;
    }
    case 'answer':
    case 'bridge': {
      if (transition.call.stage.name === 'ended') return;
      const { status, outcome } = endingOf(transition);
      finish(transition, {
        status,
        outcome: outcome === 'answered' ? 'failed' : outcome,
        detail: { reason, failed: failed.do },
      });
      return;
    }
    case 'speak':
      endSpeech(transition, failed.speechRef, false);
      return;
    case 'start_recording':
      failRecording(transition, failed.recordingRef, reason);
      return;
    case 'start_stream':
      closeStream(transition, failed.streamRef, { reason: 'carrier_error' });
      return;
    case 'start_transcription':
      if (transition.call.transcription !== 'on' || transition.call.stage.name === 'ended') return;
      change(transition, { transcription: 'off', transcribedFromMs: null });
      log(transition, 'failed', { failed: 'transcription', reason });
      return;
    default:
      return;
  }
}

function failRecording(transition: Transition, recordingRef: string, reason: string): void {
  const { recording, recordingId, voicemailRecordingId, stage } = transition.call;
  if (recordingRef === recordingId && recording.name === 'on') {
    cancelRecording(transition, reason);
    return;
  }
  if (recordingRef === voicemailRecordingId && stage.name === 'taking_message') {
    finish(transition, { status: 'completed', outcome: 'missed', detail: { reason, failed: 'voicemail' } });
  }
}
