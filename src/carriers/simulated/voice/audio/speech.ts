import type { Database } from '../../../../db/database.ts';
import { plainSummary } from '../../../../speech/plain-summary.ts';
import type { SpeechToText, Summarizer } from '../../../../speech/port.ts';
import { isHeardIn } from '../machine/listening.ts';
import { findRecording, listSounds } from '../queries.ts';

/** Transcribes without listening: the text of everything that was said on a simulated call is stored. */
export function createSimulatedSpeechToText(db: Database): SpeechToText {
  return {
    transcribe: async ({ ledgerId }, { source: { kind, ref, callRef } }) => {
      const said =
        kind === 'utterance' ? await readUtterance(db, ledgerId, callRef, ref) : await readRecording(db, ledgerId, ref);
      return said.length === 0 ? null : said.join(' ');
    },
  };
}

async function readUtterance(db: Database, ledgerId: number, callRef: string, utteranceRef: string): Promise<string[]> {
  const sounds = await listSounds(db, ledgerId, callRef);
  return sounds.flatMap(({ ref, kind, content }) => (ref === utteranceRef && kind === 'speech' ? [content] : []));
}

/** Returns what the recorded parties said of which at least a part is in the recording, as in its audio. */
async function readRecording(db: Database, ledgerId: number, recordingRef: string): Promise<string[]> {
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
