/**
 * Recordings at Telnyx: WAV files with one channel. A report has the address of the audio, which is valid for ten
 * minutes. Later a new address is requested.
 */
import { convertRecording } from '../../../audio/files/convert-file.ts';
import { SAMPLE_RATE_HZ } from '../../../audio/pcm.ts';
import { encodeWav, pcmFromBytes, readWav, WAV_FORMAT } from '../../../audio/wav.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { listAt, textAt, valueAt } from '../../../lib/json-object.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { now } from '../../../lib/time/time.ts';
import { ACCEPTED, endingOutcome, type Instruction, recordedLeg, type VoiceOutcome } from '../../call-control/verbs.ts';
import type { Found } from '../../ports/outcome.ts';
import { isMissing, LONGEST_PAGE } from '../client/client.ts';
import type { NoFile } from '../client/media.ts';
import { CALL_MS_MAX } from './dial.ts';
import { labelLeg, listLegs } from './leg-queries.ts';
import { silencePauses } from './recording-pauses.ts';
import {
  endRecording,
  findRecordingRow,
  notePause,
  openRecording,
  type RecordingName,
  type TelnyxRecording,
} from './recording-queries.ts';
import {
  act,
  actOnceReady,
  isGone,
  isLive,
  type LiveLeg,
  labelOf,
  nameOf,
  type VoiceLine,
  voiceOutcome,
  type Work,
} from './voice-line.ts';

/** How long an address is used. Telnyx accepts it for two minutes more. */
const LINK_MS = 8 * 60_000;
/** The size of the longest recording: 16-bit samples at 8 kHz. */
const AUDIO_BYTES_MAX = CALL_MS_MAX * 16 + 1_000;
/**
 * Telnyx needs some seconds to prepare a recording. If a recording is missing after this time, Telnyx never made it.
 */
const PREPARED_MS = 5 * 60_000;
/** The largest difference between the begin of a recording in its report and in its description. */
const SAME_START_MS = 1_000;

/**
 * Begins a recording of a leg, with both directions of its audio. Of several legs it records the customer's leg,
 * because that leg stays when agents transfer the call.
 */
export async function startRecording(
  work: Work,
  legs: readonly [LiveLeg, ...LiveLeg[]],
  { recordingRef, beep }: Instruction<'start_recording'>,
): Promise<VoiceOutcome> {
  const leg = recordedLeg(legs);
  const { line, callRef } = work;
  const name = nameOf(work, leg);
  const { legRef, callLegId } = leg;
  await openRecording(line.db, { ...name, recordingRef }, { callRef, legRef, callLegId });
  const labelled = (await labelLeg(line.db, name, { recordingRef })) ?? leg;
  const body = { format: 'wav', channels: 'single', play_beep: beep, client_state: labelOf(labelled) };
  return voiceOutcome(await actOnceReady(work, leg, { action: 'record_start', body }));
}

/** Ends a recording. If the recording or its leg is over, the outcome is `accepted`. */
export async function stopRecording(work: Work, recordingRef: string): Promise<VoiceOutcome> {
  const { line, ledger } = work;
  const name = { ledgerId: ledger.ledgerId, connectionId: line.connectionId, recordingRef };
  const recording = await findRecordingRow(line.db, name);
  if (recording === undefined || recording.durationMs !== null) return ACCEPTED;
  const [leg] = await listLegs(line.db, name, [recording.legRef]);
  if (!isLive(leg)) return ACCEPTED;
  const stopped = await act(work, leg, { action: 'record_stop' });
  return endingOutcome(voiceOutcome(stopped));
}

/** Begins or ends a pause of a recording. If the recording or its leg is over, the outcome is `accepted`. */
export async function setRecordingPaused(work: Work, recordingRef: string, paused: boolean): Promise<VoiceOutcome> {
  const { line, ledger } = work;
  const name = nameOfRecording(line, ledger, recordingRef);
  const recording = await findRecordingRow(line.db, name);
  if (recording === undefined || recording.durationMs !== null) return ACCEPTED;
  const [leg] = await listLegs(line.db, name, [recording.legRef]);
  if (!isLive(leg)) return ACCEPTED;
  const done = await act(work, leg, { action: paused ? 'record_pause' : 'record_resume' });
  if (isGone(done)) return ACCEPTED;
  const outcome = voiceOutcome(done);
  if (outcome.outcome === 'accepted') await notePause(line.db, name, { paused, at: new Date(now()) });
  return outcome;
}

const nameOfRecording = ({ connectionId }: VoiceLine, { ledgerId }: Ledger, recordingRef: string): RecordingName => ({
  ledgerId,
  connectionId,
  recordingRef,
});

export async function findRecording(
  line: VoiceLine,
  ledger: Ledger,
  recordingRef: string,
): Promise<Found<{ readonly durationMs: number }>> {
  const name = nameOfRecording(line, ledger, recordingRef);
  const recording = await findRecordingRow(line.db, name);
  if (recording === undefined) return { found: 'absent' };
  if (recording.durationMs !== null) return { found: 'accepted', durationMs: recording.durationMs };
  const described = await describe(line, recording);
  if (described === 'unclear') return { found: 'undecided' };
  if (described !== undefined) return { found: 'accepted', durationMs: await endRecording(line.db, name, described) };
  const [leg] = await listLegs(line.db, name, [recording.legRef]);
  const isOver = leg?.state === 'ended' && (leg.endedAt?.getTime() ?? 0) < now() - PREPARED_MS;
  return { found: isOver ? 'absent' : 'undecided' };
}

type Described = Pick<TelnyxRecording, 'carrierId' | 'link'> & {
  readonly durationMs: number;
  readonly startedAt: Date;
};

/**
 * Asks Telnyx for a recording, by its id or among the recordings of its leg. Returns undefined if Telnyx does not have
 * it.
 */
async function describe(line: VoiceLine, recording: TelnyxRecording): Promise<Described | undefined | 'unclear'> {
  const { carrierId, callLegId, startedAt, createdAt } = recording;
  if (carrierId !== null) {
    const answer = await line.client.ask({ method: 'GET', path: '/recordings/{id}', params: { id: carrierId } });
    if (isMissing(answer)) return undefined;
    return answer.is === 'answered' ? readDescription(valueAt(answer.body, 'data'))[0] : 'unclear';
  }
  if (callLegId === null) return undefined;
  const query = [['filter[call_leg_id]', callLegId], LONGEST_PAGE] as const;
  const answer = await line.client.ask({ method: 'GET', path: '/recordings', query });
  if (answer.is !== 'answered') return 'unclear';
  // Without a report, the first recording that began after its command is taken. Telnyx's clock and ours may differ a
  // little.
  const wantedMs = (startedAt ?? createdAt).getTime();
  const all = listAt(answer.body, 'data').flatMap(readDescription);
  return all
    .filter((recording) => recording.startedAt.getTime() >= wantedMs - SAME_START_MS)
    .sort((recording, other) => recording.startedAt.getTime() - other.startedAt.getTime())[0];
}

function readDescription(entry: unknown): Described[] {
  const startedAt = new Date(textAt(entry, 'recording_started_at') ?? '');
  const endedAtMs = Date.parse(textAt(entry, 'recording_ended_at') ?? '');
  const audioMs = Number(valueAt(entry, 'duration_millis'));
  // The pauses may be missing in the audio, so the audio may be shorter than the recording's time.
  const durationMs = Number.isNaN(endedAtMs) ? audioMs : Math.max(audioMs, endedAtMs - startedAt.getTime());
  if (Number.isNaN(startedAt.getTime()) || !Number.isFinite(durationMs)) return [];
  const [carrierId, link] = [textAt(entry, 'id') ?? null, textAt(entry, 'download_urls', 'wav') ?? null];
  return [{ carrierId, startedAt, durationMs: Math.round(durationMs), link }];
}

/**
 * Returns the audio of a recording as a file: 8 kHz, 16 bits, one channel; undefined if there is none. Throws
 * carrier_unavailable (ApiError) if another attempt may succeed.
 */
export async function fetchRecording(
  line: VoiceLine,
  ledger: Ledger,
  recordingRef: string,
): Promise<Uint8Array | undefined> {
  const name = nameOfRecording(line, ledger, recordingRef);
  const recording = await findRecordingRow(line.db, name);
  if (recording === undefined || recording.durationMs === 0) return undefined;
  const reported = await fetchReported(line, recording);
  const file = reported === 'gone' ? await fetchAnew(line, name, recording) : reported;
  return typeof file === 'string' ? undefined : withPauses(await toOwnForm(file), recording);
}

/**
 * Fetches the audio from the last known address, unless that address is too old. The address in a late report may have
 * expired.
 */
async function fetchReported(
  line: VoiceLine,
  { link, linkedAt }: Pick<TelnyxRecording, 'link' | 'linkedAt'>,
): Promise<Uint8Array | NoFile> {
  if (link === null || (linkedAt?.getTime() ?? 0) <= now() - LINK_MS) return 'gone';
  return await fetchFile(line, link);
}

/** Fetches the audio from a new address. */
async function fetchAnew(line: VoiceLine, name: RecordingName, recording: TelnyxRecording) {
  const described = await describe(line, recording);
  if (described === 'unclear') throw new ApiError('carrier_unavailable', { retryAfterS: 1 });
  if (described === undefined) return 'gone';
  await endRecording(line.db, name, described);
  if (described.link === null) return 'gone';
  const file = await fetchFile(line, described.link);
  // The address is new, so the recording exists.
  if (file === 'gone') throw new ApiError('carrier_unavailable', { retryAfterS: 1 });
  return file;
}

async function fetchFile(line: VoiceLine, link: string): Promise<Uint8Array | NoFile> {
  try {
    return await line.fetchFile(link, AUDIO_BYTES_MAX);
  } catch (cause) {
    throw new ApiError('carrier_unavailable', { retryAfterS: 1, cause });
  }
}

/**
 * Returns the file with silence in the pauses of the recording. Telnyx does not say whether its files contain the audio
 * of pauses. A file without it is shorter than the time of the recording.
 */
function withPauses(file: Uint8Array, { pauses, startedAt, durationMs }: TelnyxRecording): Uint8Array {
  if (pauses.length === 0 || startedAt === null || durationMs === null) return file;
  const spans = pauses.map(({ from, until }) => ({
    fromMs: from.getTime() - startedAt.getTime(),
    untilMs: until === null ? durationMs : until.getTime() - startedAt.getTime(),
  }));
  return encodeWav(silencePauses(pcmFromBytes(readWav(file).content), { spans, durationMs }));
}

/**
 * Converts a WAV file to 8 kHz with one channel. Files of HD calls have 16 kHz; other files already have the right
 * form.
 */
async function toOwnForm(file: Uint8Array): Promise<Uint8Array> {
  const { format, channels, bits, sampleRateHz } = readWav(file);
  const isOwn = format === WAV_FORMAT.pcm && channels === 1 && bits === 16 && sampleRateHz === SAMPLE_RATE_HZ;
  return isOwn ? file : await convertRecording(file);
}
