/** Calls over the simulated network. Parties answer, talk and hang up by scheduled actions. */
import { durationMsOf, mute, type Pcm } from '../../../audio/pcm.ts';
import { encodeWav } from '../../../audio/wav.ts';
import type { Database } from '../../../db/database.ts';
import { createSingleFlight } from '../../../lib/concurrency/single-flight.ts';
import { sleep } from '../../../lib/time/time.ts';
import { plainSummary } from '../../../speech/plain-summary.ts';
import type { SpeechToText, Summarizer } from '../../../speech/port.ts';
import type { FoundLeg, VoicePort } from '../../ports/voice.ts';
import { endOf, hasVoice, isHeardIn, type Leg, type Recording, type Sound, type Span } from './call.ts';
import type { CallParts } from './call-parts.ts';
import { KEPT_WITHIN_MS } from './live-recorder.ts';
import { type CallName, findRecordedCall, listLiveAudio, readCall, type StoredCall } from './queries.ts';
import { alwaysHeard, type LiveAudio, renderLegs, renderSound, type SoundMakers, voicesOf } from './sounds.ts';

type SimulatedVoiceOptions = Pick<CallParts, 'db' | 'executor' | 'speechMs'> & { readonly makers: SoundMakers };

/** Simulated calls are short. */
const LIMITS = { ringMsMax: 5_000, callMsMax: 600_000 } as const;
/** The longest time that a command waits for the earlier commands of its call. */
const TURN_MS_MAX = 5_000;

export function createSimulatedVoice({ db, executor, makers, speechMs }: SimulatedVoiceOptions): VoicePort {
  // Each command locks the row of its call. Commands for several legs arrive together, so they wait here for each
  // other, where a waiting command holds no database connection.
  const turns = createSingleFlight();
  const lengthOf = async ({ text, audioRef }: { readonly text: string; readonly audioRef?: string }) =>
    audioRef === undefined
      ? await speechMs(text)
      : durationMsOf(await renderSound(makers, { kind: 'audio', content: audioRef, duration_ms: 0 }));
  return {
    limits: LIMITS,
    dispatch: async (ledger, { callRef, commandRef, instruction }) => {
      // Outside the transaction, because speaking may start a program.
      const spokenMs = instruction.do === 'speak' ? await lengthOf(instruction) : 0;
      const input = { type: 'command', instruction, spokenMs } as const;
      const execute = () => db.transaction((tx) => executor.execute(tx, { ledger, callRef, commandRef, input }));
      const turn = await turns.run(callRef, TURN_MS_MAX, execute);
      if (turn.late) return { outcome: 'unavailable' };
      const refusal = turn.result;
      if (refusal === undefined) return { outcome: 'accepted' };
      if (refusal === 'too_many_sounds') return { outcome: 'rejected', reason: 'not_supported' };
      if (refusal !== 'not_active') return { outcome: 'rejected', reason: refusal };
      return instruction.do === 'stop_stream' ? { outcome: 'accepted' } : { outcome: 'rejected', reason: 'leg_gone' };
    },
    findCommand: async ({ ledgerId }, { callRef, commandRef }) => {
      const stored = await readCall(db, { ledgerId, callRef }, commandRef);
      return { found: stored?.isKnownCommand === true ? 'accepted' : 'absent' };
    },
    findLegs: async ({ ledgerId }, callRef) => {
      const stored = await readCall(db, { ledgerId, callRef });
      if (stored === undefined) return { found: 'absent' };
      return { found: 'accepted', legs: stored.call.legs.map(toFoundLeg) };
    },
    findRecording: async ({ ledgerId }, { callRef, recordingRef }) => {
      const stored = await readCall(db, { ledgerId, callRef });
      const recording = stored?.call.recordings.find(({ recording_ref }) => recording_ref === recordingRef);
      if (recording === undefined) return { found: 'absent' };
      const { starts_at, ended_at } = recording;
      if (ended_at === null) return { found: 'undecided' };
      return { found: 'accepted', durationMs: ended_at.getTime() - starts_at.getTime() };
    },
    fetchRecording: async ({ ledgerId }, ref) => {
      const recorded = await readRecorded(db, ledgerId, ref);
      if (recorded === undefined) return undefined;
      const { call, legRefs, span } = recorded;
      const legs = call.legs.filter((leg) => legRefs.includes(leg.leg_ref));
      const live = await readLiveAudio(db, ledgerId, recorded);
      const voices = voicesOf(call.legs, legRefs);
      const audio = await renderLegs(makers, { legs, voices, sounds: call.sounds, live }, span);
      return encodeWav(silencePauses(audio, recorded));
    },
    fetchUtterance: async ({ ledgerId }, { callRef, utteranceRef }) => {
      const { legs = [], sounds = [] } = (await readCall(db, { ledgerId, callRef }))?.call ?? {};
      const sound = sounds.find((candidate) => candidate.ref === utteranceRef);
      const speaker = legs.find((leg) => leg.leg_ref === sound?.said_by);
      if (sound === undefined || speaker === undefined) return undefined;
      const span = { startsAt: sound.starts_at, endsAt: new Date(endOf(sound)) };
      return encodeWav(await renderLegs(makers, { legs: [], voices: [alwaysHeard(speaker)], sounds: [sound] }, span));
    },
  };
}

function toFoundLeg({ leg_ref: legRef, state, ended_at }: Leg): FoundLeg {
  return { legRef, state, ...(ended_at !== null && { endedAt: ended_at }) };
}

type Recorded = StoredCall & { readonly legRefs: readonly string[]; readonly span: Span } & Pick<Recording, 'pauses'>;

/** Reads the call of an ended recording, and the recorded part of the call. */
async function readRecorded(db: Database, ledgerId: number, recordingRef: string): Promise<Recorded | undefined> {
  const callRef = await findRecordedCall(db, ledgerId, recordingRef);
  const stored = callRef === undefined ? undefined : await readCall(db, { ledgerId, callRef });
  const recording = stored?.call.recordings.find(({ recording_ref }) => recording_ref === recordingRef);
  if (stored === undefined || recording === undefined || recording.ended_at === null) return undefined;
  const span = { startsAt: recording.starts_at, endsAt: recording.ended_at };
  return { ...stored, legRefs: recording.leg_refs, span, pauses: recording.pauses };
}

/** Replaces the pauses of a recording with silence, in place. */
function silencePauses(audio: Pcm, { span, pauses }: Pick<Recorded, 'span' | 'pauses'>): Pcm {
  const at = (moment: Date) => moment.getTime() - span.startsAt.getTime();
  for (const { from, until } of pauses) mute(audio, { fromMs: at(from), untilMs: at(until ?? span.endsAt) });
  return audio;
}

/** Reads the audio that was played live. The last row may be stored a moment after the end of the recording. */
async function readLiveAudio(db: Database, ledgerId: number, { call, now, span }: Recorded): Promise<LiveAudio[]> {
  const name: CallName = { ledgerId, callRef: call.call_ref };
  const heard = await listLiveAudio(db, name);
  if (heard.length === 0 && !call.legs.some(hasVoice)) return [];
  const waitMs = span.endsAt.getTime() + KEPT_WITHIN_MS - now.getTime();
  if (waitMs <= 0) return heard;
  await sleep(waitMs);
  return listLiveAudio(db, name);
}

/**
 * Transcribes without speech recognition, because every text on a simulated call is stored. Partial results arrive word
 * by word.
 */
export function createSimulatedSpeechToText(db: Database): SpeechToText {
  return {
    transcribe: async ({ ledgerId }, { source: { kind, ref, callRef, span }, onPartial }) => {
      const name = { ledgerId, callRef };
      const isCut = kind === 'utterance' && span !== undefined;
      const read = () => (kind === 'utterance' ? readUtterance(db, name, ref) : readRecording(db, ledgerId, ref));
      const said = isCut ? await readSpan(db, name, span) : await read();
      if (said.length === 0) return null;
      const words = said.map(({ content }) => content).join(' ');
      for (const { index } of words.matchAll(/(?<=\S)\s+(?=\S)/g)) onPartial?.(words.slice(0, index));
      return words;
    },
  };
}

async function readUtterance(db: Database, name: CallName, utteranceRef: string): Promise<Sound[]> {
  const stored = await readCall(db, name);
  return stored?.call.sounds.filter(({ ref, kind }) => ref === utteranceRef && kind === 'speech') ?? [];
}

/** Returns the customer's words in a span. A sound belongs to the span that contains its middle. */
async function readSpan(
  db: Database,
  name: CallName,
  { after, until }: { after: Date; until: Date },
): Promise<Sound[]> {
  const { legs = [], sounds = [] } = (await readCall(db, name))?.call ?? {};
  const customers = legs.filter(({ party }) => party === 'customer').map(({ leg_ref }) => leg_ref);
  return sounds.filter(({ kind, said_by, starts_at, duration_ms }) => {
    const middleMs = starts_at.getTime() + duration_ms / 2;
    const isInSpan = middleMs > after.getTime() && middleMs <= until.getTime();
    return kind === 'speech' && said_by !== null && customers.includes(said_by) && isInSpan;
  });
}

/** Returns the utterances that are at least partly in the audio of a recording. */
async function readRecording(db: Database, ledgerId: number, recordingRef: string): Promise<Sound[]> {
  const recorded = await readRecorded(db, ledgerId, recordingRef);
  if (recorded === undefined) return [];
  const { call, legRefs, span } = recorded;
  const voices = voicesOf(call.legs, legRefs);
  return call.sounds.filter((sound) => {
    if (sound.kind !== 'speech' || sound.content === '' || !isHeardIn(sound, span)) return false;
    const voice = voices.find(({ leg }) => leg.leg_ref === sound.said_by);
    return voice?.spans.some((spoken) => isHeardIn(sound, spoken)) === true;
  });
}

export const simulatedSummarizer: Summarizer = {
  summarize: async (_ledger, { segments, call }) => plainSummary(segments, call),
};
