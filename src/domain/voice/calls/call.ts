/**
 * The types of a call's machine: the state, the inputs and the effects. The machine (`step` in call-machine.ts) is a
 * pure function over them. The executor (executor.ts) loads the state, steps it, and writes the state and the effects.
 */
import type { LegEndCause, Party, VoiceInstruction, VoiceRefusal } from '../../../carriers/ports/voice.ts';
import type { VoicemailBehavior } from '../../numbers/index.ts';

export const CALL_STATUSES = ['dialing', 'ringing', 'in_progress', 'completed', 'failed', 'missed'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export const CALL_OUTCOMES = ['answered', 'voicemail', 'missed', 'no_answer', 'busy', 'canceled', 'failed'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** One party of the call. Its id contains that of the call: `leg_{the call's 26 characters}_{n}`. */
export type Leg = {
  readonly id: string;
  readonly party: Party;
  readonly direction: 'inbound' | 'outbound';
  /** E.164, a web client's id, a short code or "anonymous". */
  readonly address: string;
  /**
   * `answering`: the product has commanded the answer of a caller; the carrier has not reported it yet. `ending`: hung
   * up by the product; the carrier has not reported its end yet.
   */
  readonly state: 'dialing' | 'ringing' | 'answering' | 'up' | 'ending' | 'ended';
};

/** How the targets of a number are rung. */
export type RingPlan = {
  readonly strategy: 'simultaneous' | 'sequential';
  /** For each target in a sequential strategy, otherwise for all at once; within the carrier's limits. */
  readonly ringMs: number;
  /** Targets that have not been dialled yet. */
  readonly waiting: readonly string[];
  readonly noAnswer: VoicemailBehavior | null;
};

/** What follows the answer of the caller's leg. */
export type OnAnswer =
  /** A target has answered and is joined with the caller. If it hangs up before that, the plan goes on. */
  | { readonly do: 'join'; readonly legId: string; readonly plan: RingPlan }
  | { readonly do: 'greet'; readonly voicemail: VoicemailBehavior };

/** The stage of the call. */
type Stage =
  /** Click-to-call: the agent is dialled, then the customer. */
  | { readonly name: 'dialing_agent' | 'dialing_customer' }
  /** Inbound: targets ring. */
  | { readonly name: 'ringing_targets'; readonly plan: RingPlan }
  /** Inbound: the carrier has yet to report that the caller's leg is answered. */
  | { readonly name: 'answering'; readonly next: OnAnswer }
  /** The parties are joined. */
  | { readonly name: 'talking' }
  | { readonly name: 'greeting'; readonly voicemail: VoicemailBehavior; readonly speechRef: string }
  | { readonly name: 'taking_message'; readonly voicemail: VoicemailBehavior }
  | { readonly name: 'ended' };

/** The open gather: DTMF digits that are collected from the customer. */
type Gather = {
  readonly speechRef: string;
  readonly digits: string;
  readonly maxDigits: number;
  readonly terminator: string | null;
  readonly timeoutMs: number;
  /** True until the prompt is over or the customer has sent a digit. */
  readonly prompting: boolean;
};

/** The recording of the joined parties. */
export type RecordingState =
  | { readonly name: 'off' }
  /** Starts when the parties are joined. */
  | { readonly name: 'wanted'; readonly announce: boolean }
  | { readonly name: 'announcing'; readonly speechRef: string }
  | { readonly name: 'on'; readonly announced: boolean }
  | { readonly name: 'stopped'; readonly announced: boolean }
  /** The job that fetches its audio is planned. */
  | { readonly name: 'kept' };

export const STREAM_DIRECTIONS = ['fork', 'bidirectional'] as const;
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
  /** The audio has been requested from the carrier. */
  readonly requested: boolean;
  /** The client is connected. */
  readonly connected: boolean;
};

/** Why a stream ended. Delay in reporting the end (`lateMs`) is not billed. */
export type StreamEnding = { readonly reason: StreamStopReason; readonly lateMs?: number };

export const TIMERS = ['ring', 'answer', 'speech', 'gather', 'message', 'longest'] as const;
/**
 * ring: the ring time of targets or dialled parties is over · answer: the answer of the caller's leg was not reported ·
 * speech: the end of a speech was not reported · gather: the customer sent no digit in time · message: a message has
 * its maximum length · longest: the call has its maximum length.
 */
export type TimerName = (typeof TIMERS)[number];

/** The state of a call, stored as JSON. Times are milliseconds of ledger time since the epoch. */
export type Call = {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  /** The tenant's number. */
  readonly number: string;
  readonly customer: string;
  readonly status: CallStatus;
  readonly outcome: CallOutcome | null;
  readonly answeredBy: string | null;
  readonly stage: Stage;
  readonly legs: readonly Leg[];
  readonly recording: RecordingState;
  /** Ids of the recording and of the message's audio, if there will be any. */
  readonly recordingId: string;
  readonly voicemailRecordingId: string;
  /** Whether the message is to be transcribed. */
  readonly transcribesMessage: boolean;
  /** True once the job that fetches the message's audio is planned, or there is too little of it. */
  readonly voicemailKept: boolean;
  /** True once the carrier has reported that the parties hear each other. */
  readonly bridged: boolean;
  readonly gather: Gather | null;
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
  /** Counts speeches and timers, so that each has its own name. */
  readonly count: number;
  /** References of the digits that were reported, the latest last; bounded. */
  readonly digitRefs: readonly string[];
  /** Digits that were reported; absent before the first. */
  readonly digitCount?: number;
  /** The carrier's limits at the start of the call. */
  readonly limits: { readonly ringMsMax: number; readonly callMsMax: number };
};

/** The inputs of the machine: reports of the carrier, timers, stream events and requests of the API. */
export type CallInput =
  | { readonly type: 'leg_ringing' | 'leg_answered'; readonly legId: string }
  | {
      readonly type: 'leg_ended';
      readonly legId: string;
      readonly cause: LegEndCause;
      /** When it ended, if the carrier says so. */
      readonly endedAtMs?: number;
      /** Milliseconds of the recordings, by id, whose ends were reported with the end of the leg. */
      readonly recordedMs?: Readonly<Record<string, number>>;
    }
  | { readonly type: 'digit'; readonly legId: string; readonly digit: string; readonly digitRef: string }
  | { readonly type: 'bridged' }
  | { readonly type: 'speech_ended'; readonly speechRef: string; readonly completed: boolean }
  | { readonly type: 'recording_ended'; readonly recordingRef: string; readonly durationMs: number }
  | {
      readonly type: 'command_failed';
      readonly command: VoiceInstruction;
      readonly reason: VoiceRefusal | 'unavailable';
    }
  | {
      readonly type: 'timer';
      readonly name: TimerName;
      readonly generation: number;
      /** For `ring` and `answer`: legs whose dial or answer has not been dispatched. */
      readonly undispatched?: readonly string[];
    }
  | { readonly type: 'stream_connected'; readonly streamId: string }
  | ({ readonly type: 'stream_over'; readonly streamId: string } & StreamEnding)
  /** The audio of a call that is transcribed does not come any more. */
  | { readonly type: 'audio_lost' }
  /** No client has connected in time. */
  | { readonly type: 'stream_unused'; readonly streamId: string }
  /** Requests of the API. Each may be refused. */
  | { readonly type: 'hang_up' }
  | { readonly type: 'send_digits'; readonly digits: string }
  | {
      readonly type: 'gather';
      readonly prompt: string;
      readonly maxDigits: number;
      readonly terminator: string | null;
      readonly timeoutMs: number;
    }
  | { readonly type: 'transcribe' }
  | {
      readonly type: 'start_stream';
      readonly stream: Pick<CallStream, 'id' | 'direction' | 'track'>;
    };

/** The types of the call's log (`events` of a call in the API), and the fields that `detail` may have. */
export const CALL_LOG_FIELDS = {
  initiated: ['from', 'to', 'connect_to'],
  ringing: ['party'],
  target_ringing: ['target'],
  target_cancelled: ['target', 'reason'],
  answered: ['party', 'answered_by'],
  bridged: [],
  announcement_played: [],
  recording_started: ['recording_id'],
  recording_stopped: ['recording_id', 'reason'],
  dtmf: ['digit', 'pressed_by', 'digits', 'sent'],
  gather_started: ['max_digits', 'terminator', 'timeout_ms'],
  gather_finished: ['digits', 'reason'],
  transcription_started: [],
  stream_started: ['stream_id', 'direction', 'track'],
  stream_stopped: ['stream_id', 'reason'],
  voicemail_started: [],
  voicemail_saved: ['voicemail_id', 'recording_id'],
  hangup: ['outcome', 'party', 'cause', 'reason', 'failed'],
  failed: ['outcome', 'party', 'cause', 'reason', 'failed', 'recording_id'],
} as const;
export type CallLogType = keyof typeof CALL_LOG_FIELDS;
export const CALL_LOG_TYPES = Object.keys(CALL_LOG_FIELDS) as CallLogType[];

/** The detail of a log entry of one type. */
export type CallLogDetail<T extends CallLogType = CallLogType> = {
  readonly [Field in (typeof CALL_LOG_FIELDS)[T][number]]?: unknown;
};

/** Events whose data is the call. Each is emitted at most once. */
type CallEventType = 'call.started' | 'call.placed' | 'call.answered' | 'call.missed' | 'call.completed';

/** Why a gather ends. */
export const GATHER_REASONS = ['completed', 'timeout', 'hangup'] as const;

/** An effect of a step: written in its transaction. Commands are dispatched to the carrier after it. */
export type CallEffect =
  | { readonly do: 'command'; readonly command: VoiceInstruction }
  /** An event that shows the call as it is after the step. */
  | { readonly do: 'emit'; readonly event: CallEventType }
  | { readonly do: 'emit_digit'; readonly digit: string; readonly pressedBy: Party }
  | {
      readonly do: 'emit_gather';
      readonly digits: string;
      readonly reason: (typeof GATHER_REASONS)[number];
    }
  | { readonly do: 'log'; readonly type: CallLogType; readonly detail: Readonly<Record<string, unknown>> }
  | { readonly do: 'set_timer'; readonly name: TimerName; readonly generation: number; readonly inMs: number }
  | { readonly do: 'clear_timer'; readonly name: TimerName }
  /** Usage, per started minute. */
  | {
      readonly do: 'meter';
      readonly kind: 'call_minute_outbound' | 'call_minute_inbound' | 'recording_minute' | 'transcription_minute';
      readonly durationMs: number;
    }
  /** Updates the stream, emits its event and meters its usage. */
  | { readonly do: 'activate_stream'; readonly streamId: string }
  | ({ readonly do: 'end_stream'; readonly streamId: string } & StreamEnding)
  /** Plans the job that fetches and keeps audio that has ended at the carrier. */
  | {
      readonly do: 'keep_recording';
      readonly recordingId: string;
      readonly durationMs: number;
      readonly announced: boolean;
    }
  | {
      readonly do: 'keep_voicemail';
      readonly recordingId: string;
      readonly durationMs: number;
      readonly transcribe: boolean;
    }
  /** Plans the job that summarizes a transcribed call. */
  | { readonly do: 'summarize' };

/** Why a request of the API is refused. */
export type CallRefusal = 'call_not_active' | 'gather_in_progress' | 'stream_already_active';

export type Step = {
  readonly call: Call;
  readonly effects: readonly CallEffect[];
  /** Why the input changed nothing. */
  readonly refusal?: CallRefusal;
};

/** Returns the minutes that are billed: every started minute counts. */
export function startedMinutes(durationMs: number): number {
  return Math.ceil(durationMs / 60_000);
}
