/** Handles Telnyx's reports about calls. Reports may be late, repeated and in any order. */

import { findLedger } from '../../../db/ledgers.ts';
import { newId } from '../../../lib/ids.ts';
import { listAt, parseObject, textAt, valueAt } from '../../../lib/json-object.ts';
import { ownValue } from '../../../lib/own-value.ts';
import { ATTESTATIONS, type Attestation } from '../../../lib/phone/attestation.ts';
import { ANONYMOUS, asksForPrivacy, readNumber, readParty } from '../../../lib/phone/party.ts';
import { now } from '../../../lib/time/time.ts';
import type { Notice, Translation } from '../../adapter.ts';
import type { LegName } from '../../call-control/leg-queries.ts';
import { findNumberOwner } from '../../connections/owner-queries.ts';
import type { AnswerKind, LegEndCause, VoiceEvent } from '../../ports/voice.ts';
import { hangUpAtTelnyx } from './dial.ts';
import { advanceLeg, arriveLeg, endLeg, findLegByCarrier, nameLeg, type TelnyxLeg } from './leg-queries.ts';
import { soundIdOf } from './playback.ts';
import { endPlayback } from './playback-queries.ts';
import { endRecording, findReportedRecording } from './recording-queries.ts';
import type { VoiceLine } from './voice-line.ts';

const IGNORED: Translation = { is: 'ignored' };
const WAIT: Translation = { is: 'wait' };
const FOREIGN: Translation = { is: 'foreign' };

/** A report about a known leg. */
type Report = {
  readonly line: VoiceLine;
  readonly leg: TelnyxLeg;
  readonly name: LegName;
  readonly notice: Notice;
  readonly payload: unknown;
  /** When the event happened, by Telnyx's clock. */
  readonly at: Date;
};

type Meaning = VoiceEvent[] | 'wait';

/** The type of the report that a call begins. */
export const ARRIVAL = 'call.initiated';

const READERS: Readonly<Record<string, (report: Report) => Promise<Meaning> | Meaning>> = {
  [ARRIVAL]: async ({ line, leg, name }) => {
    if (leg.isHungUp) return await endLate(line, leg);
    await advanceLeg(line.db, name, 'ringing');
    return [{ type: 'leg.ringing', ...refsOf(leg) }];
  },
  'call.answered': async ({ line, leg, name }) => {
    if (leg.isHungUp) return await endLate(line, leg);
    await advanceLeg(line.db, name, 'up');
    return [{ type: 'leg.answered', ...refsOf(leg) }];
  },
  'call.bridged': ({ leg: { callRef, legRef, joinedRef } }) =>
    joinedRef === null ? [] : [{ type: 'legs.bridged', callRef, legRefs: [legRef, joinedRef] }],
  'call.hangup': async ({ line, leg, name, payload, at }) => {
    const cause = causeOf(leg, textAt(payload, 'hangup_cause') ?? '');
    await endLeg(line.db, name, { cause, endedAt: at });
    return [{ type: 'leg.ended', ...refsOf(leg), cause, endedAt: at }];
  },
  'call.dtmf.received': ({ leg, payload, notice }) => {
    const digit = textAt(payload, 'digit') ?? '';
    return DIGIT.test(digit) ? [{ type: 'leg.digit', ...refsOf(leg), digit, keyRef: notice.id }] : [];
  },
  'call.machine.premium.detection.ended': ({ leg, payload }) => {
    const kind = ownValue(ANSWERS, textAt(payload, 'result') ?? '') ?? 'unknown';
    return [{ type: 'leg.classified', ...refsOf(leg), kind }];
  },
  'call.machine.premium.greeting.ended': ({ leg, payload }) => {
    const beep = textAt(payload, 'result') === 'beep_detected';
    return [{ type: 'leg.greeting_ended', ...refsOf(leg), beep }];
  },
  'call.playback.ended': readPlaybackEnd,
  'call.recording.saved': ({ line, leg, payload }) => {
    const [startedAt, endedAt] = ['recording_started_at', 'recording_ended_at'].map(
      (field) => new Date(textAt(payload, field) ?? ''),
    );
    const lengthMs = (endedAt?.getTime() ?? 0) - (startedAt?.getTime() ?? 0);
    const durationMs = Number.isFinite(lengthMs) ? Math.max(lengthMs, 0) : 0;
    const link = textAt(payload, 'recording_urls', 'wav') ?? null;
    const carrierId = textAt(payload, 'recording_id') ?? null;
    return readRecordingEnd(line, { leg, payload }, { carrierId, durationMs, startedAt: startedAt ?? null, link });
  },
  'call.recording.error': ({ line, leg, payload }) =>
    readRecordingEnd(line, { leg, payload }, { carrierId: null, durationMs: 0, startedAt: null, link: null }),
  'streaming.started': (report) => readStream(report, 'stream.started'),
  'streaming.stopped': (report) => readStream(report, 'stream.ended'),
  'streaming.failed': (report) => readStream(report, 'stream.failed'),
  'call.transcription': readTranscription,
};

/** Who has answered, by Telnyx's words. */
const ANSWERS: Readonly<Record<string, AnswerKind>> = {
  human_residence: 'person',
  human_business: 'person',
  machine: 'machine',
  fax_detected: 'fax',
};

const DIGIT = /^[0-9A-D*#]$/;

/** True if a type of report is about calls. */
export function isAboutCalls(type: string): boolean {
  return Object.hasOwn(READERS, type);
}

export async function translateCallNotice(line: VoiceLine, notice: Notice): Promise<Translation> {
  const { type, body } = notice;
  const payload = valueAt(body, 'payload');
  if (type === ARRIVAL && textAt(payload, 'direction') === 'incoming') return await arrive(line, payload);
  const leg = await findLeg(line, payload);
  // A leg without a label may be a caller's leg whose arrival is reported later. If a leg has a label and is not stored
  // here, it belongs to another installation.
  if (leg === undefined) return labelIn(payload) === undefined ? WAIT : FOREIGN;
  const ledger = await findLedger(line.db, leg.ledgerId);
  const read = ownValue(READERS, type);
  if (ledger === undefined || read === undefined) return IGNORED;
  const name = { ledgerId: leg.ledgerId, connectionId: line.connectionId, legRef: leg.legRef };
  const at = new Date(textAt(body, 'occurred_at') ?? now());
  const meaning = await read({ line, leg, name, notice, payload, at });
  return meaning === 'wait' ? WAIT : { is: 'events', ledger, events: meaning };
}

/** Handles a call to one of our numbers. */
async function arrive(line: VoiceLine, payload: unknown): Promise<Translation> {
  const [callControlId, callLegId] = [textAt(payload, 'call_control_id'), textAt(payload, 'call_leg_id')];
  const [from, to] = [callerIn(payload), readNumber(textAt(payload, 'to') ?? '')];
  if (callControlId === undefined || callLegId === undefined) return IGNORED;
  const { connectionId } = line;
  const ledger = to === undefined ? undefined : await findNumberOwner(line.db, connectionId, to);
  if (ledger === undefined || to === undefined) return FOREIGN;
  const leg = await arriveLeg(line.db, {
    ...{ ledgerId: ledger.ledgerId, connectionId, legRef: newId('call_leg'), callRef: newId('call') },
    ...{ callControlId, callLegId },
  });
  const callerName = from === ANONYMOUS ? undefined : textAt(payload, 'caller_id_name');
  const attestation = attestationIn(payload);
  const known = { ...(callerName !== undefined && { callerName }), ...(attestation !== undefined && { attestation }) };
  return { is: 'events', ledger, events: [{ type: 'call.arrived', ...refsOf(leg), from, to, ...known, connectionId }] };
}

/** Returns Telnyx's verdict on the caller's right to use the number. */
function attestationIn(payload: unknown): Attestation | undefined {
  const level = textAt(payload, 'shaken_stir_attestation')?.toUpperCase();
  const attestation = ATTESTATIONS.find((known) => known === level);
  return attestation === undefined || valueAt(payload, 'shaken_stir_validated') === true ? attestation : 'failed';
}

/** Returns the caller; "anonymous" if a header says that the number is withheld. */
function callerIn(payload: unknown): string {
  const headers = ['custom_headers', 'sip_headers'].flatMap((field) => listAt(payload, field));
  const privacy = headers.find((header) => textAt(header, 'name')?.toLowerCase() === 'privacy');
  return asksForPrivacy(textAt(privacy, 'value') ?? '') ? ANONYMOUS : readParty(textAt(payload, 'from') ?? '');
}

const refsOf = ({ callRef, legRef }: TelnyxLeg) => ({ callRef, legRef });

/** Returns the label that we gave to the leg. */
function labelIn(payload: unknown): Record<string, unknown> | undefined {
  const state = textAt(payload, 'client_state');
  return state === undefined ? undefined : parseObject(Buffer.from(state, 'base64').toString());
}

/** Returns the ledger in our label of a leg. */
export function labelledLedger(payload: unknown): number | undefined {
  const ledgerId = Number(labelIn(payload)?.['g']);
  return Number.isInteger(ledgerId) ? ledgerId : undefined;
}

/** Telnyx's names of a leg. */
export function namesIn(payload: unknown) {
  const [callControlId = null, callLegId = null] = ['call_control_id', 'call_leg_id'].map((name) =>
    textAt(payload, name),
  );
  return { callControlId, callLegId };
}

/** Finds the leg of a report by the label that the report repeats, or by Telnyx's names. */
function findLeg({ db, connectionId }: VoiceLine, payload: unknown): Promise<TelnyxLeg | undefined> {
  const names = namesIn(payload);
  const [ledgerId, legRef] = [labelledLedger(payload), labelIn(payload)?.['l']];
  if (ledgerId === undefined || typeof legRef !== 'string') return findLegByCarrier(db, connectionId, names);
  return nameLeg(db, { ledgerId, connectionId, legRef }, names);
}

/**
 * Hangs up a leg that appears after its hang-up, because the answer to its dial was lost. The report waits and this is
 * repeated until the hang-up succeeds.
 */
async function endLate(line: VoiceLine, leg: TelnyxLeg): Promise<Meaning> {
  const { outcome } = await hangUpAtTelnyx(line, leg);
  return outcome === 'accepted' ? [] : 'wait';
}

/** Why a leg has ended that we did not end, by Telnyx's words. */
const CAUSES: Readonly<Record<string, LegEndCause>> = {
  normal_clearing: 'hangup',
  originator_cancel: 'hangup',
  time_limit: 'hangup',
  user_busy: 'busy',
  timeout: 'no_answer',
  no_answer: 'no_answer',
  call_rejected: 'rejected',
  not_found: 'unreachable',
};

function causeOf(leg: TelnyxLeg, cause: string): LegEndCause {
  return leg.isHungUp ? 'canceled' : (ownValue(CAUSES, cause) ?? 'failed');
}

async function readPlaybackEnd({ line, payload }: Report): Promise<Meaning> {
  const id = soundIdOf(textAt(payload, 'media_url') ?? '');
  const ended = id === undefined ? undefined : await endPlayback(line.db, line.connectionId, id);
  if (ended === undefined || ended.speechRef === null || !ended.isLast) return [];
  const { callRef, speechRef } = ended;
  return [{ type: 'speech.ended', callRef, speechRef, completed: textAt(payload, 'status') === 'completed' }];
}

type RecordingEnd = Parameters<typeof endRecording>[2];

/** The label names the latest recording. A late report may be about the one before it. */
async function readRecordingEnd(
  line: VoiceLine,
  { leg, payload }: { readonly leg: TelnyxLeg; readonly payload: unknown },
  end: RecordingEnd,
): Promise<Meaning> {
  const { ledgerId, callRef, callLegId } = leg;
  const labelled = labelIn(payload)?.['r'];
  const reported = await findReportedRecording(line.db, line.connectionId, { callLegId, carrierId: end.carrierId });
  const recordingRef = reported ?? (typeof labelled === 'string' ? labelled : leg.recordingRef);
  if (recordingRef === null) return [];
  const name = { ledgerId, connectionId: line.connectionId, recordingRef };
  const durationMs = await endRecording(line.db, name, end);
  return [{ type: 'recording.ended', callRef, recordingRef, durationMs }];
}

function readStream({ leg, payload }: Report, type: 'stream.started' | 'stream.ended' | 'stream.failed'): Meaning {
  const labelled = labelIn(payload)?.['s'];
  const streamRef = typeof labelled === 'string' ? labelled : leg.streamRef;
  return streamRef === null ? [] : [{ type, callRef: leg.callRef, streamRef }];
}

/** The estimated speaking time of one character. Telnyx reports only the end of an utterance, not its beginning. */
const CHARACTER_MS = 65;

/** The inbound track of a transcribed leg is the speech of its party. */
function readTranscription({ line, leg, payload, notice, at }: Report): Meaning {
  const data = valueAt(payload, 'transcription_data');
  const text = textAt(data, 'transcript')?.trim() ?? '';
  const isOwn = textAt(data, 'transcription_track') !== 'outbound';
  if (!line.transcribes || valueAt(data, 'is_final') !== true || !isOwn || text === '') return [];
  const startedAt = new Date(at.getTime() - text.length * CHARACTER_MS);
  return [{ type: 'leg.utterance', ...refsOf(leg), utteranceRef: notice.id, text, startedAt, endedAt: at }];
}
