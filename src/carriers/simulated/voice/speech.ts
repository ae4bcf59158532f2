import type { Database } from '../../../db/database.ts';
import { plainSummary } from '../../../speech/plain-summary.ts';
import type { SpeechToText, Summarizer } from '../../../speech/port.ts';
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

/** What was said by those who were recorded, from the beginning of the recording to its end. */
async function wordsIn(db: Database, ledgerId: number, recordingRef: string): Promise<string[]> {
  const recording = await findRecording(db, ledgerId, recordingRef);
  if (recording === undefined) return [];
  const { starts_at, ended_at, leg_refs } = recording;
  const sounds = await listSounds(db, ledgerId, recording.call_ref);
  return sounds
    .filter((sound) => sound.kind === 'speech' && sound.said_by !== null && leg_refs.includes(sound.said_by))
    .filter((sound) => sound.starts_at >= starts_at && (ended_at === null || sound.starts_at < ended_at))
    .map((sound) => sound.content);
}

export const simulatedSummarizer: Summarizer = {
  summarize: async (_ledger, { segments, call }) => plainSummary(segments, call),
};
