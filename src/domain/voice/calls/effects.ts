/**
 * Work that a call leaves behind, as jobs: audio to fetch and keep, speech to write down, a summary to make. They have a
 * queue of their own, because fetching and transcribing take seconds and the timers of calls must not wait for them.
 */

/** The queue of all jobs here. */
export const AUDIO_QUEUE = 'audio';

/** Fetches the audio of a recording that has ended, and keeps it: as the call's recording, or as a voicemail. */
export const KEEP_AUDIO = 'keep-audio';
export type KeepAudio =
  | {
      readonly purpose: 'call';
      readonly callId: string;
      /** Its name at the carrier, too. */
      readonly recordingId: string;
      readonly durationMs: number;
      /** Both parties heard the announcement to its end. */
      readonly announced: boolean;
    }
  | {
      readonly purpose: 'voicemail';
      readonly callId: string;
      readonly recordingId: string;
      readonly durationMs: number;
      readonly transcribe: boolean;
    };

/** Writes down one utterance, a row of `call_utterances`. */
export const TRANSCRIBE_UTTERANCE = 'transcribe-utterance';
export type TranscribeUtterance = { readonly callId: string; readonly ref: string };

/** Sums up a call that has ended, once none of its utterances waits any more. */
export const SUMMARIZE_CALL = 'summarize-call';
export type SummarizeCall = { readonly callId: string };

/** A timer of a call that rings; see `TimerName`. In the queue `voice`. */
export const CALL_TIMER = 'call-timer';

/** The lanes of what carriers are told; the group is the ledger, the key the call. */
export const CALL_LANES = 'call';
