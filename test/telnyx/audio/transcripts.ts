/** Live transcripts of calls, and what people say when a test gives them no words. */
import type { Calls, Leg } from '../calls/hooks.ts';
import { speechMs } from './voices.ts';

export type TranscriptionStart = {
  readonly client_state?: string;
  readonly transcription_engine?: string;
  readonly transcription_tracks?: string;
};

export type Transcripts = {
  /** Transcribes a leg from now on. Returns false if it is transcribed already. */
  start(leg: Leg, asked: TranscriptionStart): boolean;
  stop(leg: Leg): void;
  has(leg: Leg): boolean;
  /** Reports words that the party of a leg has just said to the webhook of the transcript. */
  said(leg: Leg, words: string): void;
  /** Reports words that have just been played to the party of a leg. */
  played(leg: Leg, words: string): void;
  reset(): void;
};

/** The engines that name the track: Telnyx's own, by its two names. */
const ENGINES_WITH_TRACK: readonly string[] = ['B', 'Telnyx'];
const CONFIDENCE = 0.93;

export function createTranscripts(calls: Calls): Transcripts {
  const running = new Map<string, TranscriptionStart>();
  const report = (leg: Leg, track: 'inbound' | 'outbound', words: string) => {
    const asked = running.get(leg.call_control_id);
    const { transcription_tracks: tracks = 'inbound', transcription_engine: engine = 'A', client_state } = asked ?? {};
    if (asked === undefined || (tracks !== 'both' && tracks !== track)) return;
    const post = (transcript: string, is_final: boolean) => {
      const transcription_data = {
        transcript,
        is_final,
        confidence: is_final ? CONFIDENCE : null,
        ...(ENGINES_WITH_TRACK.includes(engine) && { transcription_track: track }),
      };
      calls.report(leg, 'call.transcription', { transcription_data, ...(client_state && { client_state }) });
    };
    const [first = ''] = words.split(' ');
    if (first !== words) post(first, false);
    post(words, true);
  };
  return {
    start: (leg, asked) => {
      if (running.has(leg.call_control_id)) return false;
      running.set(leg.call_control_id, asked);
      return true;
    },
    stop: (leg) => {
      running.delete(leg.call_control_id);
    },
    has: (leg) => running.has(leg.call_control_id),
    said: (leg, words) => {
      report(leg, 'inbound', words);
      if (leg.partner !== null) report(leg.partner, 'outbound', words);
    },
    played: (leg, words) => report(leg, 'outbound', words),
    reset: () => running.clear(),
  };
}

const SENTENCES = ['Yes, please.', 'That works for me.', 'I would like to book a visit.', 'My dog needs a check-up.'];

/** Returns words that take about this long to say. */
export function wordsFor(ms: number): string {
  const fitting = SENTENCES.filter((sentence) => speechMs(sentence) <= ms);
  return fitting.at(-1) ?? 'Yes.';
}
