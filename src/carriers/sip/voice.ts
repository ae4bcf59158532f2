/** Calls on the operator's own engines: commands make channels and bridges, and the engines send events about them. */
import type { Ledger } from '../../lib/scope.ts';
import { ACCEPTED, carryOut, NOT_SUPPORTED, type Verbs, type VoiceOutcome } from '../call-control/verbs.ts';
import { engineDialect } from '../connections/media-dialects.ts';
import type { Found } from '../ports/outcome.ts';
import {
  legRefsOf,
  type VoiceCommand,
  type VoiceInstruction,
  type VoicePort,
  type VoiceRefusal,
} from '../ports/voice.ts';
import { bridge } from './bridges.ts';
import { answer, CALL_MS_MAX, dial, hangUp, RING_MS_MAX } from './dial.ts';
import { findLeg, findLegs } from './find-legs.ts';
import { listLegs } from './leg-queries.ts';
import { hold, resume } from './media/hold.ts';
import { speak, stopSpeech } from './media/playbacks.ts';
import { fetchRecording, findRecording, setRecordingMuted, startRecording, stopRecording } from './media/recordings.ts';
import { startStream, stopStream } from './media/streams.ts';
import { report } from './reports.ts';
import { engineOf, isLive, type LiveLeg, type SipLine, voiceOutcome, type Work } from './sip-line.ts';

/** The name of a call's commands in the book. */
const COMMAND = 'call command';

export function createVoice(line: SipLine): VoicePort {
  return {
    limits: { ringMsMax: RING_MS_MAX, callMsMax: CALL_MS_MAX },
    audio: { dialect: engineDialect },
    detector: 'gateway',
    dispatch: (ledger, command) => dispatch(line, ledger, command),
    findCommand: (ledger, command) => findCommand(line, ledger, command),
    findLegs: (ledger, callRef) => findLegs(line, ledger, callRef),
    findRecording: (ledger, { recordingRef }) => findRecording(line, ledger, recordingRef),
    fetchRecording: (ledger, recordingRef) => fetchRecording(line, ledger, recordingRef),
  };
}

/** Commands whose repeat changes nothing at the engine. The book does not store them. */
const REPEATABLE: ReadonlySet<VoiceInstruction['do']> = new Set([
  ...(['dial', 'hang_up', 'answer', 'bridge', 'hold', 'resume', 'speak', 'stop_speech', 'stop_gather'] as const),
  ...(['start_recording', 'stop_recording', 'start_stream', 'stop_stream'] as const),
]);

async function findCommand(line: SipLine, { ledgerId }: Ledger, command: VoiceCommand): Promise<Found<object>> {
  const { commandRef: ref, instruction } = command;
  if (instruction.do === 'dial' || instruction.do === 'hang_up') {
    const [leg] = await listLegs(line.db, { ledgerId, connectionId: line.connectionId }, [instruction.legRef]);
    const isKnown = instruction.do === 'hang_up' ? leg?.isHungUp === true : leg?.commandRef === ref;
    if (leg === undefined || !isKnown) return { found: 'absent' };
    const found = await findLeg(line, leg);
    const isDone = instruction.do === 'dial' ? found?.state !== 'dialing' : found?.state === 'ended';
    return found === undefined ? { found: 'undecided' } : { found: isDone ? 'accepted' : 'absent' };
  }
  return REPEATABLE.has(instruction.do) ? { found: 'absent' } : await line.book.find({ operation: COMMAND, ref });
}

/** Carries out a command, once under its name. */
async function dispatch(line: SipLine, ledger: Ledger, command: VoiceCommand): Promise<VoiceOutcome> {
  const { callRef, commandRef, instruction } = command;
  const work: Work = { line, ledger, callRef, commandRef };
  if (instruction.do === 'hang_up') return await hangUp(line, { ledger, callRef }, instruction);
  if (instruction.do === 'dial') return await dial(work, instruction);
  const ofConnection = { ledgerId: ledger.ledgerId, connectionId: line.connectionId };
  const live = (await listLegs(line.db, ofConnection, legRefsOf(instruction))).filter(isLive);
  if (live.some(({ isOfEngine }) => isOfEngine)) return await answerForEngine(line, ledger, command);
  const send = () => carryOut(VERBS, work, { instruction, live });
  if (REPEATABLE.has(instruction.do)) return await send();
  return await line.book.ask<object, VoiceRefusal>({ ledger, operation: COMMAND, ref: commandRef }, send);
}

/**
 * Answers a command to a call that the engine itself connects. The engine has already joined the parties, and such a
 * call takes no commands.
 */
async function answerForEngine(
  line: SipLine,
  { ledgerId }: Ledger,
  { callRef, instruction }: VoiceCommand,
): Promise<VoiceOutcome> {
  if (instruction.do !== 'bridge') return NOT_SUPPORTED;
  await report(line, ledgerId, [{ type: 'legs.bridged', callRef, legRefs: instruction.legRefs }]);
  return ACCEPTED;
}

/** The requests to the engine for each command. */
const VERBS: Verbs<Work, LiveLeg> = {
  answer: (work, [leg]) => answer(work, leg),
  bridge,
  hold: (work, [leg], instruction) => hold(work, leg, instruction),
  resume: (work, [leg]) => resume(work, leg),
  speak,
  stop_speech: (work, _none, { speechRef }) => stopSpeech(work, speechRef),
  stop_gather: (work, _none, { speechRef }) => stopSpeech(work, speechRef),
  send_digits: async ({ line }, [leg], { digits }) => {
    const path = `/channels/${leg.channelId}/dtmf`;
    return voiceOutcome(await engineOf(line, leg).ask({ method: 'POST', path, query: { dtmf: digits } }));
  },
  start_recording: startRecording,
  stop_recording: (work, _none, { recordingRef }) => stopRecording(work, recordingRef),
  pause_recording: (work, _none, { recordingRef }) => setRecordingMuted(work, recordingRef, true),
  resume_recording: (work, _none, { recordingRef }) => setRecordingMuted(work, recordingRef, false),
  start_transcription: () => Promise.resolve(NOT_SUPPORTED),
  start_stream: (work, [leg], instruction) => startStream(work, leg, instruction),
  stop_stream: (work, _none, { streamRef }) => stopStream(work, streamRef),
};
