/** The part of the account that the audio of calls uses. */
import type { Line } from './lines.ts';

/** A recording as the API shows it, and its file. */
export type Recording = {
  readonly id: string;
  readonly call_control_id: string;
  readonly call_leg_id: string;
  readonly call_session_id: string;
  readonly connection_id: string;
  readonly channels: 'single' | 'dual';
  readonly created_at: string;
  readonly duration_millis: number;
  readonly from: string;
  readonly to: string;
  readonly recording_started_at: string;
  readonly recording_ended_at: string;
  readonly file: Buffer;
};

export type AudioState = {
  /** By `call_control_id`; the newest ones, also of legs that have ended. */
  readonly lines: Map<string, Line>;
  readonly recordings: Map<string, Recording>;
  /** The next words of people, by phone number. */
  readonly words: Map<string, string[]>;
  /** Called when the account is emptied. */
  readonly enders: Set<() => void>;
};

export function createAudioState(): AudioState {
  return { lines: new Map(), recordings: new Map(), words: new Map(), enders: new Set() };
}

/** Ends recordings, streams and transcriptions without a report, and forgets all audio. */
export function clearAudio({ lines, recordings, words, enders }: AudioState): void {
  for (const end of enders) end();
  for (const part of [lines, recordings, words]) part.clear();
}
