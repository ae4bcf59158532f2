/**
 * What a call is made of: its state between two inputs, what may happen to it, and what then is to be done. The machine
 * (`step` in call-machine.ts) is a pure function over these; the executor loads, steps, writes and enqueues.
 */
import type { LegEndCause, Party, VoiceInstruction, VoiceRefusal } from '../../../carriers/ports/voice.ts';
import type { VoicemailBehavior } from '../../numbers/index.ts';

export const CALL_STATUSES = ['dialing', 'ringing', 'in_progress', 'completed', 'failed', 'missed'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export const CALL_OUTCOMES = ['answered', 'voicemail', 'missed', 'no_answer', 'busy', 'canceled', 'failed'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** One party of the call. Its id is made from the call's: `leg_{the call's 26 characters}_{n}`. */
export type Leg = {
  readonly id: string;
  readonly party: Party;
  readonly direction: 'inbound' | 'outbound';
  /** E.164, a web client's id, a short code or "anonymous". */
  readonly address: string;
  /** `ending`: we have hung it up, and its end is not reported yet. */
  readonly state: 'dialing' | 'ringing' | 'up' | 'ending' | 'ended';
};

/** How the targets of a number are rung. */
export type RingPlan = {
  readonly strategy: 'simultaneous' | 'sequential';
  /** Per target where they ring one after another, otherwise for all; already within the carrier's bounds. */
  readonly ringMs: number;
  /** Those that are still to be rung. */
  readonly waiting: readonly string[];
  readonly noAnswer: VoicemailBehavior | null;
};

/** Where the call stands. */
export type Stage =
  /** Click-to-call: the agent is dialled, then the customer. */
  | { readonly name: 'dialing_agent' | 'dialing_customer' }
  /** Inbound: targets ring. */
  | { readonly name: 'ringing_targets'; readonly plan: RingPlan }
  /** The parties are joined. */
  | { readonly name: 'talking' }
  | { readonly name: 'greeting'; readonly voicemail: VoicemailBehavior; readonly speechRef: string }
  | { readonly name: 'taking_message'; readonly voicemail: VoicemailBehavior }
  | { readonly name: 'ended' };

/** The keypresses that are being collected from the customer. */
export type Gather = {
  readonly speechRef: string;
  readonly digits: string;
  readonly maxDigits: number;
  readonly terminator: string | null;
  readonly timeoutMs: number;
  /** True while the prompt is still to be heard out. */
  readonly prompting: boolean;
};

/** The recording of the conversation: what was asked for, and how far it has come. */
export type RecordingState =
  | { readonly name: 'off' }
  /** To begin once the parties are joined. */
  | { readonly name: 'wanted'; readonly announce: boolean }
  | { readonly name: 'announcing'; readonly speechRef: string }
  | { readonly name: 'on'; readonly announced: boolean }
  | { readonly name: 'stopped'; readonly announced: boolean }
  /** Its audio has been asked for. */
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
  /** Where a carrier brings its audio. */
  readonly url: string;
  /** The carrier has been asked for the audio. */
  readonly told: boolean;
  /** Its client is there. */
  readonly connected: boolean;
};

/** Why a stream ended, and how long ago that was where it is told late: this much is not billed. */
export type StreamEnding = { readonly reason: StreamStopReason; readonly lateMs?: number };

export const TIMERS = ['ring', 'speech', 'gather', 'message', 'longest'] as const;
/**
 * ring: targets or dialled parties ring out · speech: a speech whose end nobody reported · gather: no key was pressed ·
 * message: a voicemail has its full length · longest: the call has, and ends whatever happens.
 */
export type TimerName = (typeof TIMERS)[number];

/** The state of a call that its machine reads and writes. Times are milliseconds of ledger time since the epoch. */
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
  /** Ids given out beforehand, for what may come of the call. */
  readonly recordingId: string;
  readonly voicemailRecordingId: string;
  /** Whether a message is to be written down. */
  readonly transcribesMessage: boolean;
  /** True once the audio of a message has been asked for. */
  readonly voicemailKept: boolean;
  /** True once the carrier has reported that the parties hear each other. */
  readonly bridged: boolean;
  readonly gather: Gather | null;
  readonly stream: CallStream | null;
  /** `wanted`: to begin once the parties are joined. */
  readonly transcription: 'off' | 'wanted' | 'on';
  readonly transcribedFromMs: number | null;
  /** The caller's message begins here. */
  readonly messageFromMs: number | null;
  /** Connected time begins here. */
  readonly connectedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** Timers that are set; one that rings with another generation was set anew since. */
  readonly timers: Partial<Readonly<Record<TimerName, number>>>;
  /** The timer `ring` that was set anew because a dial had not gone out; it is not set anew again. */
  readonly lateRing?: number;
  /** Counts speeches and timers, so that each has a name of its own. */
  readonly count: number;
  /** Reports of keys that have been taken, the latest last (bounded). */
  readonly keyRefs: readonly string[];
  /** The carrier's bounds, taken when the call began. */
  readonly limits: { readonly ringMsMax: number; readonly callMsMax: number };
};

/** Everything that can happen to a call. */
export type CallInput =
  | { readonly type: 'leg_ringing' | 'leg_answered'; readonly legId: string }
  | { readonly type: 'leg_ended'; readonly legId: string; readonly cause: LegEndCause }
  | { readonly type: 'digit'; readonly legId: string; readonly digit: string; readonly keyRef: string }
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
      /** For `ring`: legs whose dial the carrier has not taken yet. */
      readonly undialled?: readonly string[];
    }
  | { readonly type: 'stream_connected'; readonly streamId: string }
  | ({ readonly type: 'stream_over'; readonly streamId: string } & StreamEnding)
  /** Nobody has connected in time. */
  | { readonly type: 'stream_unused'; readonly streamId: string }
  /** From the API; each may be refused. */
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
      readonly stream: Pick<CallStream, 'id' | 'direction' | 'track' | 'url'>;
    };

/**
 * The log that callers see as `events` of a call, in the order in which things happened: its types, and the fields that
 * `detail` may have.
 */
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

/** What is told of an entry of one type. */
export type CallLogDetail<T extends CallLogType = CallLogType> = {
  readonly [Field in (typeof CALL_LOG_FIELDS)[T][number]]?: unknown;
};

/** What is to be done, in the transaction of the step or (commands) after it. */
export type CallEffect =
  | { readonly do: 'command'; readonly command: VoiceInstruction }
  /** The event with the call as it is after the step. */
  | { readonly do: 'emit'; readonly event: 'call.started' | 'call.missed' | 'call.completed' }
  | { readonly do: 'emit_key'; readonly digit: string; readonly pressedBy: Party }
  | {
      readonly do: 'emit_gather';
      readonly digits: string;
      readonly reason: 'completed' | 'timeout' | 'hangup';
    }
  | { readonly do: 'log'; readonly type: CallLogType; readonly detail: Readonly<Record<string, unknown>> }
  | { readonly do: 'set_timer'; readonly name: TimerName; readonly generation: number; readonly inMs: number }
  | { readonly do: 'clear_timer'; readonly name: TimerName }
  /** Connected time, per started minute. */
  | {
      readonly do: 'meter';
      readonly kind: 'call_minute_outbound' | 'call_minute_inbound' | 'recording_minute' | 'transcription_minute';
      readonly durationMs: number;
    }
  /** The stream's status, its event and what it costs. */
  | { readonly do: 'activate_stream'; readonly streamId: string }
  | ({ readonly do: 'end_stream'; readonly streamId: string } & StreamEnding)
  /** Audio that has ended at the carrier and is to be fetched and kept. */
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
  /** The call is over and was transcribed: once its last utterance has its text, a summary is made of them. */
  | { readonly do: 'summarize' };

/** Why the API may not do that now. */
export type CallRefusal = 'call_not_active' | 'gather_in_progress' | 'stream_already_active';

export type Step = {
  readonly call: Call;
  readonly effects: readonly CallEffect[];
  /** The input changed nothing, because it is not allowed now. */
  readonly refusal?: CallRefusal;
};
