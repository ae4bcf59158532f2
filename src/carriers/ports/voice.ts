/**
 * Calls, in the terms that the domain and a carrier share. A call is a set of legs, and each leg is one party. The
 * domain owns every leg from its arrival or dialling to its end, and joins legs by `bridge`. A carrier's API for call
 * control works in this way, and so do an engine's channels and bridges.
 *
 * Every name here is Dialplane's own: `callRef` is the id of a call, `legRef` the id of a leg. For a call that arrives
 * the adapter makes both, and stores them with the carrier's ids.
 */
import type { Attestation } from '../../lib/phone/attestation.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { AudioPort } from './audio.ts';
import type { Found, Outcome } from './outcome.ts';

/** The kinds of parties that answer a call. `unknown`: the detection had no result. */
export const ANSWER_KINDS = ['person', 'machine', 'fax', 'unknown'] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** The two sides of a business call: the tenant's people, and the people they talk to. */
export const PARTIES = ['agent', 'customer'] as const;
export type Party = (typeof PARTIES)[number];

/** Why a leg ended. `hangup`: its party hung up. `canceled`: the product hung it up. */
export const LEG_END_CAUSES = ['hangup', 'canceled', 'busy', 'no_answer', 'rejected', 'unreachable', 'failed'] as const;
export type LegEndCause = (typeof LEG_END_CAUSES)[number];

/** The network's refusal of a leg, in the fields of the API. `reason` is given if it is more exact than the cause. */
export type LegRefusal = {
  /** SIP's status (RFC 3261, section 21). */
  readonly sip_status: number;
  /**
   * - carrier_refused: the carrier refuses all calls of the operator, whatever number is dialled.
   * - unwanted: the party does not want calls from this caller (RFC 8197).
   * - rejected_by_network: a service of the network, and not the party, blocked the call (RFC 8688, ATIS-1000099).
   */
  readonly reason?: 'carrier_refused' | 'unwanted' | 'rejected_by_network';
};

/** Why the product hangs a leg up. A telephone that dialled shows `busy` and `failed` to its user. */
export type HangUpReason = 'ended' | 'answered_elsewhere' | 'no_answer' | 'busy' | 'failed';

/** The purpose of a speech. `gather`: the party may press digits from the beginning of the speech. */
export type SpeechPurpose = 'greeting' | 'announcement' | 'gather';

export type VoiceInstruction =
  /** The outcome is `accepted` if the leg was dialled before, by any command. */
  | {
      readonly do: 'dial';
      readonly legRef: string;
      readonly party: Party;
      /** E.164, a web client's id (wcl_…), or a telephone at an engine (sip_phone:front). */
      readonly to: string;
      /** Our number that the call is made from. */
      readonly from: string;
      /** The caller that the party sees: `from`, or the original caller of a forwarded call (E.164 or "anonymous"). */
      readonly shownAs: string;
      /**
       * The name that the party sees with `shownAs`; absent if that caller has none. Telephones of a tenant get the
       * name of its contact. Networks outside get no name.
       */
      readonly shownName?: string;
      /** How long the leg may ring. The domain measures this time too, and hangs up. */
      readonly ringMs: number;
      /**
       * The carrier reports who has answered (`leg.classified`). For a machine it also reports the end of the greeting
       * (`leg.greeting_ended`). Only for a carrier that declares `machine_detection` and has a detector.
       */
      readonly detectsMachine?: true;
    }
  /** Answers the leg of a caller. The leg gets no other command before `leg.answered`. */
  | { readonly do: 'answer'; readonly legRef: string }
  /** Ends a leg in any state. If the leg's dial comes later, the carrier must not carry it out. */
  | { readonly do: 'hang_up'; readonly legRef: string; readonly reason: HangUpReason }
  /**
   * Joins two answered legs until one of them ends. A leg that was bridged before leaves that bridge, and its hold
   * ends.
   */
  | { readonly do: 'bridge'; readonly legRefs: readonly [string, string] }
  /**
   * Plays hold audio to a leg until `resume`, or until the leg is bridged. Null means the built-in audio. Until then
   * the leg and its partner do not hear each other. A repeat changes nothing.
   */
  | { readonly do: 'hold'; readonly legRef: string; readonly audioRef: string | null }
  /** Ends hold audio. The leg and its partner hear each other again. */
  | { readonly do: 'resume'; readonly legRef: string }
  /**
   * Speaks a text into legs, mixed with their other audio. Several legs hear it at the same time. With an `audioRef`
   * the carrier plays that audio once, and the text is empty.
   */
  | {
      readonly do: 'speak';
      readonly speechRef: string;
      readonly legRefs: readonly string[];
      readonly text: string;
      readonly audioRef?: string;
      readonly purpose: SpeechPurpose;
      /** With purpose gather: how long to wait for each digit when the speech has ended. */
      readonly listenMs?: number;
    }
  /**
   * Stops a speech. With purpose gather the wait for digits continues. The outcome is `accepted` if the speech is over.
   */
  | { readonly do: 'stop_speech'; readonly speechRef: string }
  /** Ends a speech with purpose gather: the rest of the prompt and the wait for digits. */
  | { readonly do: 'stop_gather'; readonly speechRef: string }
  /** Plays digits to the party of a leg: 0-9 A-D * #. `w` pauses 0.5 s and `W` 1 s. */
  | { readonly do: 'send_digits'; readonly legRef: string; readonly digits: string }
  /**
   * Records the audio from and to the legs, mixed. With `beep` the parties hear a tone first. The recording ends by
   * stop_recording or when the last leg ends.
   */
  | {
      readonly do: 'start_recording';
      readonly recordingRef: string;
      readonly legRefs: readonly string[];
      readonly beep: boolean;
    }
  | { readonly do: 'stop_recording'; readonly recordingRef: string }
  /**
   * The recording has silence from now until `resume_recording`. The outcome is `accepted` if the recording is over or
   * already paused.
   */
  | { readonly do: 'pause_recording'; readonly recordingRef: string }
  /** The recording has the legs' audio again. The outcome is `accepted` if the recording is over or not paused. */
  | { readonly do: 'resume_recording'; readonly recordingRef: string }
  /** Reports each utterance of these legs from now until the legs end. All other utterances are dropped. */
  | { readonly do: 'start_transcription'; readonly legRefs: readonly string[] }
  /**
   * Connects the media gateway to the audio of a leg (the customer's). `inbound` is the party's voice; `outbound` is
   * the audio that is sent to the party.
   *
   * A carrier with sockets (`AudioPort`) connects to `url`. It plays the returned audio to the party if
   * `bidirectional`, and sends until the leg ends. It may connect one socket for both tracks. Or it connects one for
   * each track and changes `track` in the address.
   *
   * If the gateway itself makes the carrier's audio, there is no address, and stop_stream also ends the audio.
   */
  | {
      readonly do: 'start_stream';
      readonly streamRef: string;
      readonly legRef: string;
      readonly direction: 'fork' | 'bidirectional';
      readonly track: 'inbound' | 'outbound' | 'both';
      readonly url?: string;
    }
  /** The outcome is `accepted` if the stream is over or never existed. */
  | { readonly do: 'stop_stream'; readonly streamRef: string };

/** Returns the legs that an instruction names. */
export function legRefsOf(instruction: VoiceInstruction): readonly string[] {
  if ('legRefs' in instruction) return instruction.legRefs;
  return 'legRef' in instruction ? [instruction.legRef] : [];
}

/** A command with its name. A second command with the same name is a repeat and has no effect. */
export type VoiceCommand = {
  readonly callRef: string;
  readonly commandRef: string;
  readonly instruction: VoiceInstruction;
};

/**
 * - leg_gone: the leg (or each of them) has ended, or never existed. For a dial: the leg was hung up before.
 * - destination_refused: the carrier does not connect to that number.
 * - not_supported: this carrier cannot do it.
 * - speech_unavailable: no engine could speak the text.
 */
export type VoiceRefusal = 'leg_gone' | 'destination_refused' | 'not_supported' | 'speech_unavailable';

/** A leg in the carrier's records. `cause` and `endedAt` say why and when it ended, if the carrier still knows. */
export type FoundLeg = {
  readonly legRef: string;
  readonly state: 'dialing' | 'ringing' | 'up' | 'ended';
  readonly cause?: LegEndCause;
  readonly endedAt?: Date;
};

export type VoicePort = {
  /** The maximum time that this carrier lets a leg ring and a call last, in milliseconds. */
  readonly limits: { readonly ringMsMax: number; readonly callMsMax: number };
  /** How the gateway gets the audio of calls. Absent for a carrier that gives no access to audio. */
  readonly audio?: AudioPort;
  /**
   * `gateway` if the gateway detects answering machines from the customer's voice. Absent if the carrier detects them.
   */
  readonly detector?: 'gateway';
  /**
   * Carries out a command. Commands to one leg are dispatched in order, one at a time. Commands to different legs of a
   * call are dispatched concurrently. A command to several legs waits for the earlier commands to all of them. The next
   * command to a leg is dispatched after the reply, or after an event that shows that the leg rings or is answered.
   */
  dispatch(ledger: Ledger, command: VoiceCommand): Promise<Outcome<object, VoiceRefusal>>;
  /** Finds the outcome of a command whose answer was lost. */
  findCommand(ledger: Ledger, command: VoiceCommand): Promise<Found<object>>;
  /** Returns the legs of a call that the carrier knows. A call that it has forgotten is `absent`. */
  findLegs(ledger: Ledger, callRef: string): Promise<Found<{ readonly legs: readonly FoundLeg[] }>>;
  /**
   * Returns the length of an ended recording; 0 if it has no audio. `undecided` while it runs or is being prepared;
   * `absent` if the carrier never made it.
   */
  findRecording(
    ledger: Ledger,
    recording: { readonly callRef: string; readonly recordingRef: string },
  ): Promise<Found<{ readonly durationMs: number }>>;
  /**
   * Returns the audio of an ended recording (WAV, 8 kHz, 16 bit, mono); undefined if there is none. Throws
   * carrier_unavailable (ApiError) if another attempt may succeed.
   */
  fetchRecording(ledger: Ledger, recordingRef: string): Promise<Uint8Array | undefined>;
  /**
   * Returns the audio of one utterance, as `fetchRecording` does. Absent if the carrier does not cut utterances. In
   * that case the gateway cuts them from the audio of the call, and the carrier gets no start_transcription.
   */
  fetchUtterance?(
    ledger: Ledger,
    utterance: { readonly callRef: string; readonly utteranceRef: string },
  ): Promise<Uint8Array | undefined>;
};

/** Unchanged SIP headers about the caller; at most `CALLER_PROOF_CHARS_MAX` characters each. */
export type CallerProof = {
  /** The signed tokens of STIR/SHAKEN (RFC 8224, RFC 8946), separated by commas. */
  readonly identity?: string;
  /** The provider's statement about the caller (RFC 3325), often with its verdict on the token. */
  readonly asserted_identity?: string;
};

export const CALLER_PROOF_CHARS_MAX = 4_000;

type OfLeg = { readonly callRef: string; readonly legRef: string };

export type VoiceEvent =
  /**
   * A call has arrived and rings. `from` is E.164, a short code or "anonymous". A repeated report has the same refs.
   */
  | ({
      readonly type: 'call.arrived';
      readonly from: string;
      readonly to: string;
      /** The caller's name in the carrier's records; absent without a name, or if the number is withheld. */
      readonly callerName?: string;
      /** The carrier's statement about the caller's right to use the number; absent if there is none. */
      readonly attestation?: Attestation;
      /** The proof of the caller's number, for the log of the call. */
      readonly caller?: CallerProof;
      /** The connection that the call arrived over. Absent if the number's calls use that connection anyway. */
      readonly connectionId?: string;
    } & OfLeg)
  /**
   * A telephone of a tenant at an engine dials. Its leg counts as up from the start. The adapter answers it when it is
   * bridged. With `connectedLegRef` the engine connects the call without a command, and the adapter reports the other
   * party's leg under that name. The event sink throws an ApiError if the call is refused.
   */
  | ({
      readonly type: 'telephone.dialled';
      readonly tenantId: string;
      /** The address of the telephone (sip_phone:front). */
      readonly telephone: string;
      /** The caller's number. */
      readonly from: string;
      readonly to: string;
      readonly connectionId: string;
      readonly connectedLegRef?: string;
    } & OfLeg)
  | ({ readonly type: 'leg.ringing' } & OfLeg)
  | ({ readonly type: 'leg.answered' } & OfLeg)
  /**
   * `endedAt` is the time of the end at the carrier, if the carrier reports it. So a late report does not lengthen the
   * billed time.
   */
  | ({
      readonly type: 'leg.ended';
      readonly cause: LegEndCause;
      readonly endedAt?: Date;
      readonly refusal?: LegRefusal;
    } & OfLeg)
  /**
   * The party of the leg pressed a digit. A repeated report has the same `keyRef`; a second press has another `keyRef`.
   */
  | ({ readonly type: 'leg.digit'; readonly digit: string; readonly keyRef: string } & OfLeg)
  | { readonly type: 'legs.bridged'; readonly callRef: string; readonly legRefs: readonly [string, string] }
  /** The kind of party that answered a leg. Only for a leg dialled with `detectsMachine`. */
  | ({ readonly type: 'leg.classified'; readonly kind: AnswerKind } & OfLeg)
  /** The machine that answered has ended its greeting, with a beep or by silence. A message may start now. */
  | ({ readonly type: 'leg.greeting_ended'; readonly beep: boolean } & OfLeg)
  /** A speech has ended. `completed` is false if it was stopped or has failed. */
  | {
      readonly type: 'speech.ended';
      readonly callRef: string;
      readonly speechRef: string;
      readonly completed: boolean;
    }
  /** The audio of a recording can be fetched. There is none if `durationMs` is 0. */
  | {
      readonly type: 'recording.ended';
      readonly callRef: string;
      readonly recordingRef: string;
      readonly durationMs: number;
    }
  /** The gateway receives the audio, or can receive it now. */
  | { readonly type: 'stream.started'; readonly callRef: string; readonly streamRef: string }
  /** The audio is not available. */
  | { readonly type: 'stream.failed'; readonly callRef: string; readonly streamRef: string }
  /** The audio has ended, by `stop_stream` or without a command. */
  | { readonly type: 'stream.ended'; readonly callRef: string; readonly streamRef: string }
  /**
   * A party has said something. `text` is null if the carrier does not transcribe. In that case the audio is fetched.
   */
  | ({
      readonly type: 'leg.utterance';
      readonly utteranceRef: string;
      readonly text: string | null;
      readonly startedAt: Date;
      readonly endedAt: Date;
    } & OfLeg);

export function isVoiceEvent(event: { readonly type: string }): event is VoiceEvent {
  return VOICE_EVENT_TYPES.has(event.type);
}

const VOICE_EVENT_TYPES: ReadonlySet<string> = new Set<VoiceEvent['type']>([
  'call.arrived',
  'telephone.dialled',
  'leg.ringing',
  'leg.answered',
  'leg.ended',
  'leg.digit',
  'legs.bridged',
  'leg.classified',
  'leg.greeting_ended',
  'speech.ended',
  'recording.ended',
  'stream.started',
  'stream.failed',
  'stream.ended',
  'leg.utterance',
]);
