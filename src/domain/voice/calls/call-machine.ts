/**
 * The life of a call, as a pure function: no clock, no database, no carrier.
 *
 *   click-to-call   dialing ──agent rings──▶ ringing ──customer answers──▶ in_progress ──▶ completed
 *                      └──────────────┴── either never answers, or hangs up ──▶ failed
 *   from a seat     the same, from where the customer is dialled: the agent is there already
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
  beginSeatCall,
  type ClickToCall,
  type SeatCall,
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
  type Turn,
} from './machine/transition.ts';
import { nameOfAnswerer } from './rules.ts';

/** Takes one input into the call. */
export function step(call: Call, input: CallInput, nowMs: number): Step {
  const refusal = refusalOf(call, input);
  if (refusal !== undefined) return { call, effects: [], refusal };
  const turn: Turn = { call, effects: [], nowMs };
  take(turn, input);
  return { call: turn.call, effects: turn.effects };
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

function take(turn: Turn, input: CallInput): void {
  switch (input.type) {
    case 'leg_ringing':
    case 'leg_answered':
    case 'leg_ended':
    case 'digit': {
      const leg = findLeg(turn.call, input.legId);
      if (leg !== undefined) takeLegReport(turn, leg, input);
      return;
    }
    case 'bridged':
      if (turn.call.stage.name !== 'talking' || turn.call.bridged) return;
      change(turn, { bridged: true });
      log(turn, 'bridged');
      return;
    case 'speech_ended':
      endSpeech(turn, input.speechRef, input.completed);
      return;
    case 'recording_ended':
      if (input.recordingRef === turn.call.recordingId) keepRecording(turn, input.durationMs);
      if (input.recordingRef === turn.call.voicemailRecordingId) keepMessage(turn, input.durationMs);
      return;
    case 'command_failed':
      takeFailure(turn, input);
      return;
    case 'stream_connected':
      connectStream(turn, input.streamId);
      return;
    case 'stream_over':
      closeStream(turn, input.streamId, input);
      return;
    case 'stream_unused':
      if (turn.call.stream?.connected === false) closeStream(turn, input.streamId, { reason: 'no_client' });
      return;
    case 'timer':
      takeTimer(turn, input);
      return;
    default:
      takeRequest(turn, input);
      return;
  }
}

type LegReport = Extract<CallInput, { legId: string }>;

function takeLegReport(turn: Turn, leg: Leg, report: LegReport): void {
  switch (report.type) {
    case 'leg_ringing':
      if (leg.state === 'dialing') hearRinging(turn, leg);
      return;
    case 'leg_answered':
      if (leg.state === 'dialing' || leg.state === 'ringing') hearAnswer(turn, leg);
      return;
    case 'leg_ended':
      if (leg.state !== 'ended') loseLeg(turn, leg, report);
      return;
    case 'digit':
      if (leg.state === 'up') takeKey(turn, leg, report);
  }
}

function hearRinging(turn: Turn, leg: Leg): void {
  moveLeg(turn, leg.id, 'ringing');
  if (turn.call.direction === 'inbound') {
    log(turn, 'target_ringing', { target: leg.address });
    return;
  }
  if (turn.call.status === 'dialing') change(turn, { status: 'ringing' });
  log(turn, 'ringing', { party: leg.party });
}

/** A dialled party has answered. Legs that nobody waits for any more are `ending` and do not come here. */
function hearAnswer(turn: Turn, leg: Leg): void {
  // A caller who arrived is answered by us alone.
  if (leg.direction === 'inbound') return;
  const { stage } = turn.call;
  if (stage.name === 'ringing_targets') {
    takeAnswer(turn, leg);
    return;
  }
  if (turn.call.status === 'dialing') change(turn, { status: 'ringing' });
  moveLeg(turn, leg.id, 'up');
  log(turn, 'answered', { party: leg.party, answered_by: nameOfAnswerer(leg.address) });
  if (stage.name === 'dialing_customer') {
    join(turn, leg.address);
    return;
  }
  change(turn, { stage: { name: 'dialing_customer' } });
  dialParty(turn, 'customer', turn.call.customer);
  tellStream(turn);
}

type Loss = { readonly cause: LegEndCause; readonly reason?: string };

function loseLeg(turn: Turn, leg: Leg, { cause, reason }: Loss): void {
  moveLeg(turn, leg.id, 'ended');
  const { stage, direction } = turn.call;
  if (stage.name === 'ended' || leg.state === 'ending') return;
  if (stage.name === 'ringing_targets' && leg.party === 'agent') {
    loseTarget(turn, leg, reason ?? cause);
    return;
  }
  const detail = { party: leg.party, cause, ...(reason !== undefined && { reason }) };
  if (direction === 'outbound' && leg.state !== 'up') {
    finish(turn, { status: 'failed', outcome: outcomeOfCause(cause), detail });
    return;
  }
  finish(turn, { ...endingOf(turn), detail });
}

function endSpeech(turn: Turn, speechRef: string, completed: boolean): void {
  const { stage, recording, gather } = turn.call;
  if (stage.name === 'greeting' && stage.speechRef === speechRef) takeMessage(turn, stage.voicemail);
  if (recording.name === 'announcing' && recording.speechRef === speechRef) endAnnouncement(turn, completed);
  if (gather?.speechRef === speechRef) awaitKeys(turn);
}

function takeTimer(turn: Turn, { name, generation, undialled }: Extract<CallInput, { type: 'timer' }>): void {
  const { call } = turn;
  if (call.timers[name] !== generation) return;
  if (name === 'ring' && ringOn(turn, undialled)) return;
  clearTimer(turn, name);
  const { stage, recording } = call;
  switch (name) {
    case 'ring':
      if (stage.name === 'ringing_targets') {
        endRinging(turn, stage.plan);
        return;
      }
      finish(turn, { status: 'failed', outcome: 'no_answer', detail: { reason: 'no_answer' } });
      return;
    case 'speech':
      if (stage.name === 'greeting') {
        takeMessage(turn, stage.voicemail);
        return;
      }
      if (recording.name === 'announcing') endAnnouncement(turn, false);
      return;
    case 'gather':
      closeGather(turn, 'timeout');
      return;
    case 'message':
    case 'longest':
      finish(turn, { ...endingOf(turn), detail: { reason: `${name}_time` } });
      return;
  }
}

function takeRequest(
  turn: Turn,
  input: Extract<CallInput, { type: 'hang_up' | 'send_digits' | 'gather' | 'transcribe' | 'start_stream' }>,
) {
  switch (input.type) {
    case 'hang_up':
      finish(turn, { ...endingOf(turn), detail: { reason: 'api_request' } });
      return;
    case 'send_digits': {
      const customer = legUp(turn.call, 'customer') as Leg;
      command(turn, { do: 'send_digits', legRef: customer.id, digits: input.digits });
      log(turn, 'dtmf', { digits: input.digits, sent: true });
      return;
    }
    case 'gather':
      openGather(turn, input);
      return;
    case 'transcribe':
      startTranscription(turn);
      return;
    case 'start_stream':
      openStream(turn, input.stream);
      return;
  }
}

/** The carrier did not do what it was told, and will not. */
function takeFailure(turn: Turn, { command: failed, reason }: Extract<CallInput, { type: 'command_failed' }>): void {
  switch (failed.do) {
    case 'dial':
    case 'hang_up': {
      const leg = findLeg(turn.call, failed.legRef);
      if (leg === undefined || leg.state === 'ended') return;
      loseLeg(turn, leg, { cause: 'failed', ...(reason === 'destination_refused' && { reason }) });
      return;
    }
    case 'answer':
    case 'bridge': {
      if (turn.call.stage.name === 'ended') return;
      const { status, outcome } = endingOf(turn);
      finish(turn, {
        status,
        outcome: outcome === 'answered' ? 'failed' : outcome,
        detail: { reason, failed: failed.do },
      });
      return;
    }
    case 'speak':
      endSpeech(turn, failed.speechRef, false);
      return;
    case 'start_recording':
      failRecording(turn, failed.recordingRef, reason);
      return;
    case 'start_stream':
      closeStream(turn, failed.streamRef, { reason: 'carrier_error' });
      return;
    case 'start_transcription':
      if (turn.call.transcription !== 'on' || turn.call.stage.name === 'ended') return;
      change(turn, { transcription: 'off', transcribedFromMs: null });
      log(turn, 'failed', { failed: 'transcription', reason });
      return;
    default:
      return;
  }
}

function failRecording(turn: Turn, recordingRef: string, reason: string): void {
  const { recording, recordingId, voicemailRecordingId, stage } = turn.call;
  if (recordingRef === recordingId && recording.name === 'on') {
    cancelRecording(turn, reason);
    return;
  }
  if (recordingRef === voicemailRecordingId && stage.name === 'taking_message') {
    finish(turn, { status: 'completed', outcome: 'missed', detail: { reason, failed: 'voicemail' } });
  }
}
