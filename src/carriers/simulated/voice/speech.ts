import type { Database } from '../../../db/database.ts';
import { plainSummary } from '../../../speech/plain-summary.ts';
import type { SpeechToText, Summarizer } from '../../../speech/port.ts';
import { isHeardIn } from './listening.ts';
import { findRecording, findSound, listSounds } from './sound-queries.ts';

/** Hears nothing: what was said on a simulated call stands in the carrier's books, word for word. */
export function createSimulatedSpeechToText(db: Database): SpeechToText {
  return {
    transcribe: async ({ ledgerId }, { source: { kind, ref, callRef } }) => {
      const words = kind === 'utterance' ? await wordsOf(db, ledgerId, callRef, ref) : await wordsIn(db, ledgerId, ref);
      return words.length === 0 ? null : words.join(' ');
    },
  };
}

async function wordsOf(db: Database, ledgerId: number, callRef: string, ref: string): Promise<string[]> {
  const sound = await findSound(db, ledgerId, callRef, ref);
  return sound?.kind === 'speech' ? [sound.content] : [];
}

/** What those who were recorded have said of which the recording has at least a part: it has the audio of no other. */
async function wordsIn(db: Database, ledgerId: number, recordingRef: string): Promise<string[]> {
  const recording = await findRecording(db, ledgerId, recordingRef);
  if (recording === undefined) return [];
  const { starts_at: startsAt, ended_at: endsAt, leg_refs } = recording;
  if (endsAt === null) return [];
  const sounds = await listSounds(db, ledgerId, recording.call_ref);
  return sounds
    .filter((sound) => sound.kind === 'speech' && sound.said_by !== null && leg_refs.includes(sound.said_by))
    .filter((sound) => sound.content !== '' && isHeardIn(sound, { startsAt, endsAt }))
    .map((sound) => sound.content);
}

export const simulatedSummarizer: Summarizer = {
  summarize: async (_ledger, { segments, call }) => plainSummary(segments, call),
};
