/** How a call ends, whatever ends it. */
import type { LegEndCause } from '../../../../carriers/ports/voice.ts';
import { type Call, type CallOutcome, type CallStatus, TIMERS } from '../call.ts';
import { closeGather } from './keys.ts';
import { closeStream } from './streaming.ts';
import { change, clearTimer, command, hangUp, log, type Turn } from './transition.ts';

/** A message shorter than this is none: the caller hung up at the tone. */
const MESSAGE_MS_MIN = 500;

export type Ending = {
  readonly status: Extract<CallStatus, 'completed' | 'failed' | 'missed'>;
  readonly outcome: CallOutcome;
  /** Goes into the log. */
  readonly detail: Readonly<Record<string, unknown>>;
};

/** Ends the call: once. Every leg is hung up, whatever is under way is closed, and what it used is counted. */
export function finish(turn: Turn, { status, outcome, detail }: Ending): void {
  if (turn.call.stage.name === 'ended') return;
  if (turn.call.gather !== null) closeGather(turn, 'hangup');
  closeStream(turn, turn.call.stream?.id, { reason: 'call_ended' });
  stopRecording(turn);
  if (turn.call.stage.name === 'taking_message') {
    command(turn, { do: 'stop_recording', recordingRef: turn.call.voicemailRecordingId });
  }
  for (const leg of turn.call.legs) hangUp(turn, leg, outcome === 'no_answer' ? 'no_answer' : 'ended');
  for (const name of TIMERS) clearTimer(turn, name);
  change(turn, { status, outcome, stage: { name: 'ended' }, endedAtMs: turn.nowMs });
  log(turn, status === 'failed' ? 'failed' : 'hangup', { ...detail, outcome });
  countUsage(turn);
  if (turn.call.direction === 'inbound' && outcome === 'missed')
    turn.effects.push({ do: 'emit', event: 'call.missed' });
  turn.effects.push({ do: 'emit', event: 'call.completed' });
  if (turn.call.transcription === 'on') turn.effects.push({ do: 'summarize' });
}

function countUsage({ call, effects, nowMs }: Turn): void {
  if (call.connectedAtMs === null) return;
  const kind = call.direction === 'outbound' ? 'call_minute_outbound' : 'call_minute_inbound';
  effects.push({ do: 'meter', kind, durationMs: nowMs - call.connectedAtMs });
  if (call.transcribedFromMs !== null) {
    effects.push({ do: 'meter', kind: 'transcription_minute', durationMs: nowMs - call.transcribedFromMs });
  }
}

function stopRecording(turn: Turn): void {
  const { recording, recordingId } = turn.call;
  if (recording.name === 'on') {
    command(turn, { do: 'stop_recording', recordingRef: recordingId });
    log(turn, 'recording_stopped', { recording_id: recordingId });
    change(turn, { recording: { name: 'stopped', announced: recording.announced } });
  } else if (recording.name === 'wanted' || recording.name === 'announcing') {
    change(turn, { recording: { name: 'off' } });
  }
}

/** What becomes of the call when it is ended where it stands, by a party, the API or the clock. */
export function endingOf({ call, nowMs }: Pick<Turn, 'call' | 'nowMs'>): Pick<Ending, 'status' | 'outcome'> {
  switch (call.stage.name) {
    case 'dialing_agent':
    case 'dialing_customer':
      return { status: 'failed', outcome: 'canceled' };
    case 'ringing_targets':
      return { status: 'missed', outcome: 'missed' };
    case 'greeting':
      return { status: 'completed', outcome: 'missed' };
    case 'taking_message':
      return { status: 'completed', outcome: isMessage(call, nowMs) ? 'voicemail' : 'missed' };
    default:
      return { status: 'completed', outcome: 'answered' };
  }
}

function isMessage(call: Call, nowMs: number): boolean {
  return call.messageFromMs !== null && nowMs - call.messageFromMs >= MESSAGE_MS_MIN;
}

/** What an unanswered dial of a click-to-call comes to. */
export function outcomeOfCause(cause: LegEndCause): CallOutcome {
  switch (cause) {
    case 'hangup':
    case 'canceled':
      return 'canceled';
    case 'busy':
    case 'rejected':
      return 'busy';
    case 'no_answer':
      return 'no_answer';
    default:
      return 'failed';
  }
}
