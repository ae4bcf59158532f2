/**
 * Recordings. The engine records a snoop of one leg. The recording contains the voice of the party and the audio for
 * the party, and ends with the leg. While the leg sends and receives nothing, the snoop sends silence, so that the
 * length is right.
 */

import { durationMsOf, SAMPLE_RATE_HZ } from '../../../audio/pcm.ts';
import { beep as makeBeep } from '../../../audio/tones.ts';
import { encodeWav, pcmFromBytes, readWav } from '../../../audio/wav.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { now } from '../../../lib/time/time.ts';
import {
  ACCEPTED,
  endingOutcome,
  type Instruction,
  LEG_GONE,
  NOT_SUPPORTED,
  recordedLeg,
  type VoiceOutcome,
} from '../../call-control/verbs.ts';
import type { Found } from '../../ports/outcome.ts';
import { type AriAnswer, type EngineClient, isMissing } from '../ari-client.ts';
import { CALL_MS_MAX } from '../dial.ts';
import { listLegs } from '../leg-queries.ts';
import { DONE_BEFORE, engineOf, type LiveLeg, type SipLine, voiceOutcome, type Work } from '../sip-line.ts';
import { helperName, makeSnoop, takesHelpers, UNHEARD } from './helpers.ts';
import { mixStreamsInto } from './mixing.ts';
import { playToLegs } from './playbacks.ts';
import {
  endRecording,
  findRecordingRow,
  noteFetched,
  noteMuted,
  openRecording,
  type RecordingName,
  type SipRecording,
} from './recording-queries.ts';

/** Bytes before the first sample in the engine's files. */
const HEADER_BYTES = 44;
const BYTES_PER_MS = (SAMPLE_RATE_HZ * 2) / 1_000;
/** The longest file. */
const FILE_BYTES_MAX = CALL_MS_MAX * BYTES_PER_MS + 1_000;
/** If the leg ended this long ago and no end of the recording was found, the recording is lost. */
const LOST_MS = 10 * 60_000;

/**
 * Begins a recording. With several legs it records the customer's leg, which stays while agents transfer the call. The
 * recording contains the beep.
 */
export async function startRecording(
  work: Work,
  legs: readonly [LiveLeg, ...LiveLeg[]],
  { recordingRef, beep }: Instruction<'start_recording'>,
): Promise<VoiceOutcome> {
  const leg = recordedLeg(legs);
  const { line, ledger, callRef } = work;
  const { legRef, engine } = leg;
  const name = { ledgerId: ledger.ledgerId, connectionId: line.connectionId, recordingRef };
  if (!(await takesHelpers(line, engineOf(line, leg)))) return UNHEARD;
  const helperId = helperName(legRef, `r-${recordingRef}`);
  const opened = { callRef, legRef, engine, helperId, durationMs: null, muted: false };
  const recording = await openRecording(line.db, { ...name, ...opened });
  if (recording === undefined) return NOT_SUPPORTED;
  if (recording.durationMs !== null) return ACCEPTED;
  const outcome = voiceOutcome(await makeRecordedSnoop(engineOf(line, leg), leg, recording));
  if (outcome === LEG_GONE) await endRecording(line.db, name, 0);
  if (outcome.outcome !== 'accepted' || !beep) return outcome;
  const sound = { kind: 'beep' as const, spoken: null, audioRef: null, speechRef: null };
  return await playToLegs(work, legs, { ...sound, durationMs: durationMsOf(makeBeep()) });
}

/** Makes the snoop of a recording. `recordSnoop` runs when the snoop starts to take commands. */
export async function makeRecordedSnoop(
  engine: EngineClient,
  { channelId }: LiveLeg,
  { recordingRef, helperId }: SipRecording,
): Promise<AriAnswer> {
  const task = { do: 'record', recordingRef } as const;
  return await makeSnoop(engine, { of: channelId, id: helperId, spy: 'both', task });
}

/** Makes the engine record a snoop that has started to take commands. A repeat changes nothing. */
export async function recordSnoop(line: SipLine, engine: EngineClient, recording: SipRecording): Promise<AriAnswer> {
  const answer = await engine.ask({
    method: 'POST',
    path: `/channels/${recording.helperId}/record`,
    query: {
      ...{ name: recording.recordingRef, format: 'wav', ifExists: 'fail' },
      maxDurationSeconds: String(Math.ceil(CALL_MS_MAX / 1_000)),
    },
  });
  const runs = answer.is === 'answered' || (answer.is === 'refused' && answer.status === DONE_BEFORE);
  if (runs) await mixStreamsInto(line, engine, recording);
  return answer;
}

/** Ends a recording. If it is already over, the outcome is `accepted`. */
export async function stopRecording({ line, ledger }: Work, recordingRef: string): Promise<VoiceOutcome> {
  const name = { ledgerId: ledger.ledgerId, connectionId: line.connectionId, recordingRef };
  const recording = await findRecordingRow(line.db, name);
  if (recording === undefined || recording.durationMs !== null) return ACCEPTED;
  // The recording ends with its snoop.
  const stopped = voiceOutcome(
    await engineOf(line, recording).ask({ method: 'DELETE', path: `/channels/${recording.helperId}` }),
  );
  return endingOutcome(stopped);
}

/**
 * Begins or ends a pause: a muted recording contains silence. If the recording is already over, the outcome is
 * `accepted`. A recording that the engine has not begun yet cannot be muted. The engine gets one request for each
 * change, because a second request for the same state makes Asterisk 22 change the state again.
 */
export async function setRecordingMuted(
  { line, ledger }: Work,
  recordingRef: string,
  muted: boolean,
): Promise<VoiceOutcome> {
  const name = { ledgerId: ledger.ledgerId, connectionId: line.connectionId, recordingRef };
  const recording = await findRecordingRow(line.db, name);
  if (recording === undefined || recording.durationMs !== null || recording.muted === muted) return ACCEPTED;
  const method = muted ? 'POST' : 'DELETE';
  const answer = await engineOf(line, recording).ask({ method, path: `/recordings/live/${recordingRef}/mute` });
  if (isMissing(answer)) return { outcome: 'unavailable' };
  const outcome = voiceOutcome(answer);
  if (outcome.outcome === 'accepted') await noteMuted(line.db, name, muted);
  return outcome;
}

const filePath = ({ recordingRef }: RecordingName) => `/recordings/stored/${recordingRef}/file`;

/** Returns the length of an ended recording in milliseconds. Throws if the engine does not answer. */
export async function measureRecording(engine: EngineClient, recording: SipRecording): Promise<number> {
  const bytes = (await engine.readLength(filePath(recording))) ?? 0;
  return Math.round(Math.max(0, bytes - HEADER_BYTES) / BYTES_PER_MS);
}

export async function findRecording(
  line: SipLine,
  { ledgerId }: Ledger,
  recordingRef: string,
): Promise<Found<{ readonly durationMs: number }>> {
  const name = { ledgerId, connectionId: line.connectionId, recordingRef };
  const recording = await findRecordingRow(line.db, name);
  if (recording === undefined) return { found: 'absent' };
  if (recording.durationMs !== null) return { found: 'accepted', durationMs: recording.durationMs };
  // The process that is connected to the engine records the end. If the leg ended long ago, the recording is lost.
  const [leg] = await listLegs(line.db, name, [recording.legRef]);
  const isLost = leg !== undefined && leg.endedAt !== null && leg.endedAt.getTime() < now() - LOST_MS;
  return { found: isLost ? 'absent' : 'undecided' };
}

/**
 * Returns the audio of a recording as a file; undefined if there is no file. The file at the engine is deleted some
 * minutes later. Throws carrier_unavailable (ApiError) if the engine does not answer.
 */
export async function fetchRecording(
  line: SipLine,
  { ledgerId }: Ledger,
  recordingRef: string,
): Promise<Uint8Array | undefined> {
  const name = { ledgerId, connectionId: line.connectionId, recordingRef };
  const recording = await findRecordingRow(line.db, name);
  if (recording === undefined || recording.durationMs === 0) return undefined;
  try {
    const file = await engineOf(line, recording).readFile(filePath(recording), FILE_BYTES_MAX);
    if (file !== undefined) await noteFetched(line.db, name);
    return file && repairHeader(file);
  } catch (cause) {
    throw new ApiError('carrier_unavailable', { retryAfterS: 1, cause });
  }
}

/** Returns the file with the right length in its header. An engine that was killed did not write it. */
export function repairHeader(file: Uint8Array): Uint8Array {
  const audioBytes = file.length - HEADER_BYTES;
  if (audioBytes < 2 || readWav(file).content.length > 0) return file;
  return encodeWav(pcmFromBytes(file.subarray(HEADER_BYTES)));
}
