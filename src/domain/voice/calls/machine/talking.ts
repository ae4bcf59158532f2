/** Parties that are joined: the conversation, its recording and its transcription. */
import type { Leg, RecordingState } from '../call.ts';
import { change, clearTimer, command, legUp, liveLegs, log, setTimer, speak, speechMsMax, type Turn } from './transition.ts';

const ANNOUNCEMENT = 'This call is being recorded.';

/** Joins the two answered legs: connected time begins. */
export function join(turn: Turn, answeredBy: string): void {
  const agent = legUp(turn.call, 'agent') as Leg;
  const customer = legUp(turn.call, 'customer') as Leg;
  clearTimer(turn, 'ring');
  change(turn, { status: 'in_progress', answeredBy, stage: { name: 'talking' }, connectedAtMs: turn.nowMs });
  command(turn, { do: 'bridge', legRefs: [agent.id, customer.id] });
  if (turn.call.transcription === 'wanted') startTranscription(turn);
  const { recording } = turn.call;
  if (recording.name !== 'wanted') return;
  if (recording.announce) announceRecording(turn);
  else startRecording(turn, { announced: false });
}

function announceRecording(turn: Turn): void {
  const legRefs = legsUp(turn);
  const speechRef = speak(turn, { legRefs, text: ANNOUNCEMENT, purpose: 'announcement' });
  change(turn, { recording: { name: 'announcing', speechRef } });
  setTimer(turn, 'speech', speechMsMax(ANNOUNCEMENT));
}

/** Both sides have heard the announcement, or not all of it: then nothing is recorded. */
export function endAnnouncement(turn: Turn, completed: boolean): void {
  clearTimer(turn, 'speech');
  if (!completed) {
    cancelRecording(turn, 'announcement_failed');
    return;
  }
  log(turn, 'announcement_played');
  startRecording(turn, { announced: true });
}

function startRecording(turn: Turn, { announced }: { announced: boolean }): void {
  const { recordingId } = turn.call;
  command(turn, { do: 'start_recording', recordingRef: recordingId, legRefs: legsUp(turn), beep: false });
  change(turn, { recording: { name: 'on', announced } });
  log(turn, 'recording_started', { recording_id: recordingId });
}

/** Gives a recording up from which no audio will come. */
export function cancelRecording(turn: Turn, reason: string): void {
  change(turn, { recording: { name: 'off' } });
  log(turn, 'recording_stopped', { reason });
}

/** The audio of the conversation has ended at the carrier. */
export function keepRecording(turn: Turn, durationMs: number): void {
  const { recording, recordingId } = turn.call;
  if (recording.name !== 'on' && recording.name !== 'stopped') return;
  if (recording.name === 'on') log(turn, 'recording_stopped', { recording_id: recordingId });
  const { announced } = recording as Extract<RecordingState, { announced: boolean }>;
  change(turn, { recording: { name: 'kept' } });
  if (durationMs <= 0) return;
  turn.effects.push({ do: 'meter', kind: 'recording_minute', durationMs });
  turn.effects.push({ do: 'keep_recording', recordingId, durationMs, announced });
}

/** From now on what the parties say is written down; a second time changes nothing. */
export function startTranscription(turn: Turn): void {
  if (turn.call.transcription === 'on') return;
  command(turn, { do: 'start_transcription', legRefs: legsUp(turn) });
  change(turn, { transcription: 'on', transcribedFromMs: turn.nowMs });
  log(turn, 'transcription_started');
}

function legsUp(turn: Turn): string[] {
  return liveLegs(turn.call)
    .filter((leg) => leg.state === 'up')
    .map((leg) => leg.id);
}
