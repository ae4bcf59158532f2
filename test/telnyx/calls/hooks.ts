/**
 * The interface of call control and call audio. Call control owns the legs. Call audio follows them by `CallHooks` and
 * acts on them through `Calls`. A reset of the account calls no hook: each part clears its own state.
 */
import type { Route } from '../routes.ts';

/**
 * - parked: an incoming call that is not answered yet.
 * - dialing, ringing: an outgoing call that is not answered yet.
 */
type LegState = 'parked' | 'dialing' | 'ringing' | 'answered' | 'ended';

/** One leg: the line between Telnyx and one person. */
export type Leg = {
  readonly call_control_id: string;
  readonly call_leg_id: string;
  readonly call_session_id: string;
  readonly connection_id: string;
  readonly direction: 'incoming' | 'outgoing';
  readonly from: string;
  readonly to: string;
  /** The phone number or SIP address of the person at the other end. */
  readonly person: string;
  readonly start_time: string;
  answered_at: string | null;
  end_time: string | null;
  /** Base64: the value of the newest command that had a `client_state`. */
  client_state: string | null;
  state: LegState;
  /** The leg that this one is bridged with. */
  partner: Leg | null;
  /** The addresses of the leg's webhooks: the first, then the ones to try if it fails. Empty: none are posted. */
  urls: readonly string[];
  /** True: the leg stays when its bridge ends. */
  parksAfterUnbridge: boolean;
  /** Null until the end. */
  hangup_cause: string | null;
};

/** A text or file that is played to persons, from its start. */
export type Speech = {
  /** Unique; the same in `onSpeechEnd`. */
  readonly playRef: string;
  /** The legs whose persons hear it. Other legs, also bridged ones, do not. */
  readonly heardBy: readonly Leg[];
  /** Text to speak, or the bytes of a WAV or MP3 file. */
  readonly content: { readonly text: string } | { readonly audio: Buffer };
  /** How long one run takes. */
  readonly runMs: number;
  /** How often the sound is played without a pause; Infinity until it is stopped. */
  readonly runs: number;
};

/** Called when something happens on a leg, at that moment. A hook must not throw. */
export type CallHooks = {
  /** The leg is answered: audio flows from now on. */
  onLegUp(leg: Leg): void;
  /** The leg has ended; it may never have been up. `partner` is null already, and speeches to it have ended. */
  onLegEnded(leg: Leg): void;
  /** The two persons hear each other from now on. */
  onBridged(one: Leg, other: Leg): void;
  /** The two persons do not hear each other any more. One or both of the legs may end next. */
  onUnbridged(one: Leg, other: Leg): void;
  onSpeechStart(speech: Speech): void;
  /** The speech is over, or was stopped before its end. */
  onSpeechEnd(playRef: string, isComplete: boolean): void;
  /** The account sends digits to the person of a leg; `w` and `W` are pauses of 0.5 and 1 s. */
  onDigitsSent(leg: Leg, digits: string): void;
  /** The person of a leg presses one digit. */
  onPersonPresses(leg: Leg, digit: string): void;
  /** The person of a leg starts to talk, for `ms`. */
  onPersonSays(leg: Leg, ms: number): void;
};

/** The work of a command. Returns more fields of its `data`, next to `result`. */
export type Command = (
  leg: Leg,
  body: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>> | undefined;

/** The lines as other parts of the emulator use them. */
export type Calls = {
  /** Add yours once; they stay for the life of the emulator. */
  readonly hooks: Set<Partial<CallHooks>>;
  /** Returns a leg, also one that has ended in the last 10 minutes. */
  find(callControlId: string): Leg | undefined;
  /** Posts a webhook about a leg, with its ids and its client state. `more` has more fields of the payload. */
  report(leg: Leg, type: string, more?: Readonly<Record<string, unknown>>): void;
  /**
   * Returns the route of `POST /calls/{id}/actions/{action}`. The command needs an answered leg; with `isEarly` the leg
   * may also ring. Refusals: 90034 before the answer, 90018 after the end, 10005 for an unknown leg, 90015 for a
   * malformed id. The command takes a `client_state`. A repeated `command_id` is ignored within 60 s.
   */
  command(action: string, act: Command, isEarly?: boolean): Route;
};
