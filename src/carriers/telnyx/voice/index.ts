/** Calls at Telnyx. Call control sends commands to legs and receives reports about them. */
import type { Ledger } from '../../../lib/scope.ts';
import { carryOut, LEG_GONE, type Verbs, type VoiceOutcome } from '../../call-control/verbs.ts';
import { telnyxDialect } from '../../connections/media-dialects.ts';
import type { Found } from '../../ports/outcome.ts';
import { legRefsOf, type VoiceCommand, type VoicePort, type VoiceRefusal } from '../../ports/voice.ts';
import { answer, CALL_MS_MAX, dial, hangUp, RING_MS_MAX } from './dial.ts';
import { findLegs } from './find-legs.ts';
import { bridge, hold, resume } from './hold.ts';
import { joinLegs, listLegs } from './leg-queries.ts';
import { speak, stopSpeech } from './playback.ts';
import { fetchRecording, findRecording, setRecordingPaused, startRecording, stopRecording } from './recordings.ts';
import { startStream, startTranscription, stopStream } from './streams.ts';
import { act, isLive, type LiveLeg, type VoiceLine, voiceOutcome, type Work } from './voice-line.ts';

/** The operation of a command to a call, in the book of requests. */
const COMMAND = 'call command';
/**
 * Telnyx ignores a second command with the same name for 60 s. Within that time a command whose answer was lost is sent
 * again.
 */
const REPEAT_RULE = { resendMs: 55_000 };

type Dispatch = { readonly line: VoiceLine; readonly ledger: Ledger; readonly command: VoiceCommand };

export function createVoice(line: VoiceLine): VoicePort {
  return {
    limits: { ringMsMax: RING_MS_MAX, callMsMax: CALL_MS_MAX },
    // Telnyx refuses a second stream for a leg (90045).
    audio: { dialect: telnyxDialect, hasOneStream: true },
    ...(!line.detects && { detector: 'gateway' }),
    dispatch: (ledger, command) => dispatch({ line, ledger, command }),
    findCommand: (ledger, command) => findCommand({ line, ledger, command }),
    findLegs: (ledger, callRef) => findLegs(line, ledger, callRef),
    findRecording: (ledger, { recordingRef }) => findRecording(line, ledger, recordingRef),
    fetchRecording: (ledger, recordingRef) => fetchRecording(line, ledger, recordingRef),
    // Telnyx's transcription returns the text of an utterance, and no audio.
    ...(line.transcribes && { fetchUtterance: async () => undefined }),
  };
}

const scopeOf = ({ connectionId }: VoiceLine, { ledgerId }: Ledger) => ({ ledgerId, connectionId });

async function findCommand({ line, ledger, command }: Dispatch): Promise<Found<object>> {
  const { callRef, commandRef: ref, instruction } = command;
  if (instruction.do === 'hang_up') {
    const [leg] = await listLegs(line.db, scopeOf(line, ledger), [instruction.legRef]);
    return { found: leg?.callRef === callRef && leg.isHungUp && leg.state === 'ended' ? 'accepted' : 'absent' };
  }
  const booked = await line.book.find<object>({ operation: COMMAND, ref }, REPEAT_RULE);
  const isLost = instruction.do === 'dial' && booked.found !== 'accepted';
  if (!isLost || (await line.book.findLedger({ operation: COMMAND, ref })) === undefined) return booked;
  // A report may have named the leg since the command began.
  const [leg] = await listLegs(line.db, scopeOf(line, ledger), [instruction.legRef]);
  if (leg === undefined || leg.callControlId === null) return booked;
  await line.book.settle({ operation: COMMAND, ref }, { found: 'accepted' });
  return { found: 'accepted' };
}

/** Carries out a command, at most once for each name. */
async function dispatch({ line, ledger, command }: Dispatch): Promise<VoiceOutcome> {
  const { callRef, commandRef: ref, instruction } = command;
  // A hang-up may be repeated at any time, so the book does not store it.
  if (instruction.do === 'hang_up') return await hangUp(line, ledger, { callRef, legRef: instruction.legRef });
  const order = (send: (id: string) => Promise<VoiceOutcome>) =>
    line.book.ask<object, VoiceRefusal>({ ledger, operation: COMMAND, ref }, send, REPEAT_RULE);
  if (instruction.do === 'dial') return await dial(line, { ledger, callRef }, { instruction, order });
  const live = (await listLegs(line.db, scopeOf(line, ledger), legRefsOf(instruction))).filter(isLive);
  return await order((id) => carryOut(VERBS, { line, ledger, callRef, id }, { instruction, live }));
}

/** The requests to Telnyx for each command. */
const VERBS: Verbs<Work, LiveLeg> = {
  answer: (work, [leg]) => answer(work, leg),
  bridge: bridgeLegs,
  hold: (work, [leg], instruction) => hold(work, leg, instruction),
  resume: (work, [leg]) => resumeLeg(work, leg),
  speak,
  stop_speech: (work, _none, { speechRef }) => stopSpeech(work, speechRef),
  stop_gather: (work, _none, { speechRef }) => stopSpeech(work, speechRef),
  send_digits: async (work, [leg], { digits }) =>
    voiceOutcome(await act(work, leg, { action: 'send_dtmf', body: { digits } })),
  start_recording: startRecording,
  stop_recording: (work, _none, { recordingRef }) => stopRecording(work, recordingRef),
  pause_recording: (work, _none, { recordingRef }) => setRecordingPaused(work, recordingRef, true),
  resume_recording: (work, _none, { recordingRef }) => setRecordingPaused(work, recordingRef, false),
  start_transcription: startTranscription,
  start_stream: (work, [leg], instruction) => startStream(work, leg, instruction),
  stop_stream: (work, _none, { streamRef }) => stopStream(work, streamRef),
};

/** The bridge is stored before it is requested, because its report may arrive before its answer. */
async function bridgeLegs(work: Work, legs: readonly [LiveLeg, LiveLeg]): Promise<VoiceOutcome> {
  const { line, ledger, callRef } = work;
  const [first, second] = legs;
  if (first.state !== 'up' || second.state !== 'up') return LEG_GONE;
  await joinLegs(line.db, scopeOf(line, ledger), { callRef, legRefs: [first.legRef, second.legRef] });
  return await bridge(work, legs);
}

async function resumeLeg(work: Work, leg: LiveLeg): Promise<VoiceOutcome> {
  const { line, ledger } = work;
  const [partner] = leg.joinedRef === null ? [] : await listLegs(line.db, scopeOf(line, ledger), [leg.joinedRef]);
  return await resume(work, leg, partner);
}
