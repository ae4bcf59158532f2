/**
 * The state of a call's machine. call-step.ts has its inputs and effects. The machine (`step` in
 * machine/call-machine.ts) is a pure function over them. The executor (execution/executor.ts) loads the state, steps
 * it, and writes the state and the effects.
 */
import type { Party } from '../../../../carriers/ports/voice.ts';
import type {
  CallBehavior,
  MenuBehavior,
  RelayBehavior,
  RelaySettings,
  VoicemailBehavior,
} from '../../../numbers/index.ts';
import type { CallListener } from './call-listener.ts';
import type { RecordingState } from './call-recording.ts';
import type { RelayEnding, RelayEndReason } from './call-relay.ts';
import type { Route } from './call-route.ts';
import type { FailedTransfer, Transfer } from './call-transfer.ts';
import type { Detection } from './detection.ts';
import type { QueuedStage, RefusedTarget } from './queue-stage.ts';

export const CALL_STATUSES = ['dialing', 'ringing', 'in_progress', 'completed', 'failed', 'missed'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export const CALL_OUTCOMES = [
  'answered',
  'voicemail',
  'missed',
  'no_answer',
  'busy',
  'canceled',
  'failed',
  'no_application',
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** One party of the call. Its id contains the id of the call: `leg_{the call's 26 characters}_{n}`. */
export type Leg = {
  readonly id: string;
  readonly party: Party;
  readonly direction: 'inbound' | 'outbound';
  /** E.164, a web client's id, a short code or "anonymous". */
  readonly address: string;
  /**
   * `answering`: the product has commanded the answer of a caller, and the carrier has not reported it yet. `ending`:
   * the product has hung it up, and the carrier has not reported its end yet. `confirming`: a target that has answered,
   * and must press a key to get the call.
   */
  readonly state: 'dialing' | 'ringing' | 'answering' | 'confirming' | 'up' | 'ending' | 'ended';
  /** True for an agent's telephone whose audio was requested from the carrier. */
  readonly isStreamed?: boolean;
};

type Confirming = { readonly legId: string; readonly speechRef: string; readonly untilMs: number };

/** How the targets of a number are rung. */
export type RingPlan = {
  readonly strategy: 'simultaneous' | 'sequential';
  /**
   * The ring time within the carrier's limits: for each target in a sequential strategy, otherwise for all targets
   * together.
   */
  readonly ringMs: number;
  /** Targets that have not been dialled yet. `application` is one of them until it answers. */
  readonly waiting: readonly string[];
  readonly noAnswer: VoicemailBehavior | null;
  /** Whether targets that may have a voicemail box must press a key. */
  readonly confirm?: boolean;
};

/** The next step after the answer of the caller's leg. */
export type OnAnswer =
  /**
   * A target has answered and is joined with the caller. If the target hangs up before the join, the plan continues.
   */
  | { readonly do: 'join'; readonly legId: string; readonly plan: RingPlan }
  /** The application answers. If it does nothing, the plan continues. */
  | { readonly do: 'serve'; readonly plan: RingPlan }
  | { readonly do: 'greet'; readonly voicemail: VoicemailBehavior }
  | { readonly do: 'offer'; readonly menu: MenuBehavior; readonly path: string }
  /** An agent of text answers. */
  | { readonly do: 'relay'; readonly relay: RelayBehavior; readonly path: string }
  | { readonly do: 'queue'; readonly queueId: string; readonly sinceMs: number };

/** The stage of the call. */
type Stage =
  /** Click-to-call: the agent is dialled, then the customer. */
  | { readonly name: 'dialing_agent' | 'dialing_customer' }
  /** Inbound: targets ring. */
  | { readonly name: 'ringing_targets'; readonly plan: RingPlan }
  /** Inbound: the carrier has not reported yet that the caller's leg is answered. */
  | { readonly name: 'answering'; readonly next: OnAnswer }
  | QueuedStage
  /** The caller hears the last words of the call. */
  | { readonly name: 'goodbye'; readonly speechRef: string }
  /** The parties are joined, or the application talks to the customer. */
  | { readonly name: 'talking' }
  /** The customer hears a menu, or has time for a key after its prompt. */
  | {
      readonly name: 'menu';
      readonly menu: MenuBehavior;
      /** The keys that have led to it. */
      readonly path: string;
      /** How many times its prompt was spoken. */
      readonly tries: number;
      readonly speechRef: string;
    }
  /** With `over` the greeting has ended, and the next step waits for the end of an announcement. */
  | {
      readonly name: 'greeting';
      readonly voicemail: VoicemailBehavior;
      readonly speechRef: string;
      readonly over?: boolean;
    }
  | { readonly name: 'taking_message'; readonly voicemail: VoicemailBehavior }
  /** Outbound: a machine has answered. `speechRef`: the message that it records; null during its greeting. */
  | { readonly name: 'leaving_message'; readonly speechRef: string | null }
  | { readonly name: 'ended' };

/** The open gather: DTMF digits that are collected from the customer. */
type Gather = {
  /** Its prompt; null until the prompt is spoken. */
  readonly speechRef: string | null;
  readonly digits: string;
  readonly maxDigits: number;
  readonly terminator: string | null;
  readonly timeoutMs: number;
  /** True until the prompt is over or the customer has sent a digit. */
  readonly prompting: boolean;
  /** The prompt, while it waits for the end of an announcement. */
  readonly waiting?: string | undefined;
};

/** The platform's software as the party that talks to the customer. It has no leg. */
type Application = {
  /** False until it has connected a stream, spoken, gathered or transferred. */
  readonly isActive: boolean;
  /** The ring plan that follows if the application does nothing. Null for an outbound call, which then fails. */
  readonly plan: RingPlan | null;
  /**
   * The behavior that follows if a relay of the routing config has answered, in place of a ring. `path` are the keys
   * before it.
   */
  readonly fallback?: { readonly behavior: CallBehavior; readonly path: string };
  /** Why its latest relay has ended; absent before the first end, and while another relay is connected. */
  readonly relayEnd?: RelayEndReason | undefined;
};

export const SPEECH_HEARERS = ['customer', 'agent', 'both'] as const;

/** A speech that the API has requested. */
export type QueuedSpeech = {
  readonly id: string;
  readonly text: string;
  readonly to: (typeof SPEECH_HEARERS)[number];
};

export const STREAM_DIRECTIONS = ['fork', 'bidirectional'] as const;
/** The forms of a stream's messages: the form in docs/media-streams.md, or the form of Twilio's Media Streams. */
export const STREAM_DIALECTS = ['native', 'twilio'] as const;
export const STREAM_TRACKS = ['inbound', 'outbound', 'both'] as const;
export const STREAM_STOP_REASONS = [
  'api_request',
  'call_ended',
  'client_closed',
  'carrier_error',
  'no_client',
] as const;
export type StreamStopReason = (typeof STREAM_STOP_REASONS)[number];

/** The media stream of a call while it is not over. */
export type CallStream = {
  readonly id: string;
  readonly direction: (typeof STREAM_DIRECTIONS)[number];
  readonly track: (typeof STREAM_TRACKS)[number];
  /** True once the audio has been requested from the carrier. */
  readonly requested: boolean;
  /** True while the client is connected. */
  readonly connected: boolean;
  /**
   * Present if the client connected during a required announcement. It is connected to the call after that
   * announcement.
   */
  readonly isClientWaiting?: true;
  /** Present if the client is the agent of a relay. */
  readonly isRelay?: true;
};

/** Why a stream ended. Delay in reporting the end (`lateMs`) is not billed. */
export type StreamEnding = {
  readonly reason: StreamStopReason;
  readonly lateMs?: number;
  readonly relay?: RelayEnding | undefined;
};

export const TIMERS = [
  'ring',
  'answer',
  'speech',
  'gather',
  'message',
  'longest',
  'application',
  'queued_speech',
  'menu',
  'transfer',
  'announcement',
  'machine',
  'confirm',
  'queue_wait',
  'queue_position',
] as const;
/**
 * ring: the ring time of targets or dialled parties is over · answer: the answer of the caller's leg was not reported ·
 * speech: the end of a greeting was not reported · announcement: the end of an announcement was not reported ·
 * gather: the customer sent no digit in time · message: a message has its maximum length · longest: the call has its
 * maximum length · application: the application has done nothing · queued_speech: the end of a speech of the queue was
 * not reported · menu: the customer pressed no key in time · transfer: the new agent did not answer, or the end of the
 * announcement to it was not reported · machine: a greeting has its maximum length, or the end of the message to the
 * machine was not reported · confirm: a target has not pressed the key in time · queue_wait: the caller has
 * waited in a queue for its longest time · queue_position: the caller's position is due to be announced, or the end of
 * the announcement was not reported.
 */
export type TimerName = (typeof TIMERS)[number];

/** The state of a call, stored as JSON. Times are milliseconds of ledger time since the epoch. */
export type Call = {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  /** The tenant's number. */
  readonly number: string;
  readonly customer: string;
  /** The name of a caller; absent without one. */
  readonly customerName?: string;
  /** The name of the tenant's contact with the caller's number; absent without one. */
  readonly contactName?: string;
  readonly status: CallStatus;
  readonly outcome: CallOutcome | null;
  readonly answeredBy: string | null;
  readonly stage: Stage;
  /** Absent for an outbound call. */
  readonly route?: Route;
  readonly legs: readonly Leg[];
  /** How many legs the call has had; absent if all of them are in `legs`. */
  readonly legCount?: number;
  readonly recording: RecordingState;
  /**
   * The latest pauses of its recording; a current pause has no end. Words that are said during a pause are left out of
   * transcripts.
   */
  readonly pauses?: readonly { readonly fromMs: number; readonly toMs: number | null }[];
  /**
   * The announcement that the customer must hear before any recording or agent starts; absent if none is required, or
   * after it was spoken.
   */
  readonly listening?: { readonly text: string; readonly speechRef: string | null } | undefined;
  /** Ids of the recording and of the message's audio, if they will exist. */
  readonly recordingId: string;
  readonly voicemailRecordingId: string;
  /** Whether the message will be transcribed. */
  readonly transcribesMessage: boolean;
  /** True once the job that fetches the message's audio is planned, or the audio is too short to be kept. */
  readonly voicemailKept: boolean;
  /** True once the carrier has reported that the parties are connected. */
  readonly bridged: boolean;
  readonly gather: Gather | null;
  /** Absent unless the application is the party. */
  readonly application?: Application | undefined;
  /** The agent of text that talks to the customer of an outbound call once the customer answers. */
  readonly relay?: RelaySettings;
  /** Speeches that are not over, the current one first; absent if there are none. */
  readonly speeches?: readonly QueuedSpeech[] | undefined;
  readonly transfer?: Transfer | undefined;
  /** The latest transfer, if it has failed. */
  readonly failedTransfer?: FailedTransfer | undefined;
  readonly listeners?: readonly CallListener[];
  /** The latest consultations; a current one has no end. The agents' words in them are left out of transcripts. */
  readonly consults?: readonly { readonly fromMs: number; readonly toMs: number | null }[];
  /** Absent unless the API has requested the kind of party that answers. */
  readonly detection?: Detection;
  /** Targets that must press a key, each with its time limit. */
  readonly confirming?: readonly Confirming[] | undefined;
  /** `asked`: the API has put the customer on hold. `playing`: the carrier has the command to play hold audio. */
  readonly hold?: { readonly asked: boolean; readonly playing: boolean } | undefined;
  /** Absent if every target of the routing config may be dialled. */
  readonly refused?: readonly RefusedTarget[];
  /** The hold audio of the routing config; absent for the built-in pattern. */
  readonly holdAudioRef?: string;
  readonly stream: CallStream | null;
  /** `wanted`: starts when the parties are joined. */
  readonly transcription: 'off' | 'wanted' | 'on';
  readonly transcribedFromMs: number | null;
  /** Start of the caller's message. */
  readonly messageFromMs: number | null;
  /** Start of the connected time. */
  readonly connectedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** The generation of each timer that is set. A timer of another generation has been replaced. */
  readonly timers: Partial<Readonly<Record<TimerName, number>>>;
  /** Generation of a ring timer that was restarted because a dial was sent late. It is not restarted again. */
  readonly lateRing?: number;
  /** A counter for the names of speeches and timers. */
  readonly count: number;
  /** References of the reported digits, the latest last. Their number is bounded. */
  readonly digitRefs: readonly string[];
  /** The number of reported digits; absent before the first. */
  readonly digitCount?: number;
  /** The carrier's limits at the start of the call. */
  readonly limits: { readonly ringMsMax: number; readonly callMsMax: number };
};
