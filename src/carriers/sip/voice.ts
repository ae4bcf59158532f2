/** Calls on engines of one's own: channels and bridges by commands, and events about them. */
import type { Ledger } from '../../lib/scope.ts';
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
import { listLegs, type SipLeg } from './leg-queries.ts';
import { hold, resume } from './media/hold.ts';
import { speak, stopSpeech } from './media/playbacks.ts';
import { fetchRecording, findRecording, setRecordingMuted, startRecording, stopRecording } from './media/recordings.ts';
import { startStream, stopStream } from './media/streams.ts';
import { engineOf, isLive, LEG_GONE, type SipLine, type VoiceOutcome, voiceOutcome, type Work } from './sip-line.ts';

/** The book's name of a command to a call. */
const COMMAND = 'call command';

export function createVoice(line: SipLine): VoicePort {
  return {
    limits: { ringMsMax: RING_MS_MAX, callMsMax: CALL_MS_MAX },
    audio: { dialect: engineDialect },
    dispatch: (ledger, command) => dispatch(line, ledger, command),
    findCommand: (ledger, command) => findCommand(line, ledger, command),
    findLegs: (ledger, callRef) => findLegs(line, ledger, callRef),
    findRecording: (ledger, { recordingRef }) => findRecording(line, ledger, recordingRef),
    fetchRecording: (ledger, recordingRef) => fetchRecording(line, ledger, recordingRef),
  };
}

/** Commands whose repeat changes nothing at the engine: the book does not have them. */
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
  const known = await listLegs(line.db, ofConnection, legRefsOf(instruction));
  if (REPEATABLE.has(instruction.do)) return await carryOut(work, instruction, known);
  const request = { ledger, operation: COMMAND, ref: commandRef };
  return await line.book.ask<object, VoiceRefusal>(request, () => carryOut(work, instruction, known));
}

type ToLegs = Exclude<VoiceInstruction, { do: 'dial' | 'hang_up' }>;

async function carryOut(work: Work, instruction: ToLegs, known: readonly SipLeg[]): Promise<VoiceOutcome> {
  switch (instruction.do) {
    case 'stop_speech':
    case 'stop_gather':
      return await stopSpeech(work, instruction.speechRef);
    case 'stop_recording':
      return await stopRecording(work, instruction.recordingRef);
    case 'pause_recording':
    case 'resume_recording':
      return await setRecordingMuted(work, instruction.recordingRef, instruction.do === 'pause_recording');
    case 'stop_stream':
      return await stopStream(work, instruction.streamRef);
  }
  const live = legRefsOf(instruction).flatMap((ref) => known.filter((leg) => leg.legRef === ref).filter(isLive));
  const [first, second] = live;
  if (first === undefined) return LEG_GONE;
  switch (instruction.do) {
    case 'answer':
      return await answer(work, first);
    case 'bridge':
      return second === undefined ? LEG_GONE : await bridge(work, [first, second]);
    case 'send_digits': {
      const path = `/channels/${first.channelId}/dtmf`;
      const query = { dtmf: instruction.digits };
      return voiceOutcome(await engineOf(work.line, first).ask({ method: 'POST', path, query }));
    }
    case 'speak':
      return await speak(work, live, instruction);
    case 'hold':
      return await hold(work, first, instruction);
    case 'resume':
      return await resume(work, first);
    case 'start_recording':
      return await startRecording(work, live, instruction);
    case 'start_stream':
      return await startStream(work, first, instruction);
    case 'start_transcription':
      return { outcome: 'rejected', reason: 'not_supported' };
  }
}
