/** What the audio of calls has to know of the calls, and what it may do with them. */

/** A leg of a call as other parts see it. */
export type CallLeg = {
  readonly call_control_id: string;
  readonly call_leg_id: string;
  readonly call_session_id: string;
  readonly connection_id: string;
  readonly direction: 'incoming' | 'outgoing';
  readonly from: string;
  readonly to: string;
  /** The number of the person at the other end. */
  readonly person: string;
  readonly state: 'ringing' | 'up' | 'ended';
  /** Set by every command that has one; the reports from then on repeat it. */
  client_state: string | undefined;
  /** The leg that it is bridged with. */
  readonly peer: CallLeg | undefined;
};

/** What is played to legs. */
type PlayedSound = {
  readonly ref: string;
  /** The legs that hear it. */
  readonly legs: readonly CallLeg[];
  /** 16-bit samples at 8 kHz. */
  readonly pcm: Int16Array<ArrayBuffer>;
  /** True: it begins again at its end, until it is stopped. */
  readonly loops: boolean;
};

/** Called when something happens on calls. Each is optional in a listener. */
export type CallHooks = {
  onUp?(leg: CallLeg): void;
  /** After the report of the end. */
  onEnded?(leg: CallLeg): void;
  onBridged?(leg: CallLeg, other: CallLeg): void;
  onParted?(leg: CallLeg, other: CallLeg): void;
  onPlay?(sound: PlayedSound): void;
  onPlayEnd?(ref: string): void;
  /** Keys that the account plays to a leg's person. */
  onDigitsSent?(leg: CallLeg, digits: string): void;
  /** The person of a leg begins to speak. */
  onSays?(leg: CallLeg, durationMs: number): void;
  /** The person of a leg presses a key. */
  onPressed?(leg: CallLeg, digit: string): void;
};

/** The calls, for the routes of recordings, streams and transcriptions. */
export type CallDesk = {
  readonly hooks: Set<CallHooks>;
  /** Returns a leg. Refuses, as Telnyx does, one that is unknown, has ended, or (`up`) is not answered yet. */
  find(ccid: string | undefined, wanted: 'alive' | 'up'): CallLeg;
  /** Posts a report about a leg: what all have, and `more`. */
  report(leg: CallLeg, type: string, more?: object): void;
  /** Returns what the command answers; it is carried out unless one of its name was within 60 s. */
  once<Answer>(command: { readonly command_id?: string }, carryOut: () => Answer): Answer;
  /** Lets the person of a leg speak. */
  say(leg: CallLeg, durationMs: number): void;
  /** Does something after a pause, unless the account is emptied; the calls are not quiet until then. */
  plan(ms: number, act: () => void): void;
  /** The calls are not quiet until the returned function is called. */
  begin(): () => void;
};
