/**
 * The data of a step of a call's machine: inputs, effects, and the entries of the call's log. A step writes its effects
 * in its transaction. Commands are dispatched to the carrier after it.
 */
import type {
  AnswerKind,
  LegEndCause,
  LegRefusal,
  VoiceInstruction,
  VoiceRefusal,
} from '../../../../carriers/ports/voice.ts';
import { type CallEventFields, type CallEventType, callEventData, type PlannedEvent } from '../../../events/index.ts';
import type { ExistingActivity } from '../../../messaging/index.ts';
import type { RelaySettings, VoicemailBehavior } from '../../../numbers/index.ts';
import type { AgentLeg } from './agent-legs.ts';
import type { Call, CallOutcome, CallStatus, CallStream, QueuedSpeech, StreamEnding, TimerName } from './call.ts';
import type { CallListener } from './call-listener.ts';
import type { RecordingControl } from './call-recording.ts';
import type { Route, RouteReason } from './call-route.ts';
import type { WantedTransfer } from './call-transfer.ts';
import type { QueueInput } from './queue-stage.ts';

/**
 * The reason why the carrier does not carry out a command: its refusal, or `unavailable` if the request failed. A dial
 * may also be refused until its time is over:
 * - carrier_unavailable: the state of the operator's account at the carrier allows no call.
 * - carrier_limit: the account already has its maximum of calls.
 */
export type CommandFailure = VoiceRefusal | 'unavailable' | WaitReason;
export type WaitReason = 'carrier_unavailable' | 'carrier_limit';

type NewRelay = { readonly relayId: string; readonly settings: RelaySettings };

/** The inputs of the machine: reports of the carrier, timers, stream events and requests of the API. */
export type CallInput =
  | { readonly type: 'leg_ringing' | 'leg_answered'; readonly legId: string }
  | {
      readonly type: 'leg_ended';
      readonly legId: string;
      readonly cause: LegEndCause;
      /** How the network refused the leg, if the carrier reports it. */
      readonly refusal?: LegRefusal;
      /** When the leg ended, if the carrier reports it. */
      readonly endedAtMs?: number;
      /** The lengths (ms) of recordings whose ends were reported with the end of the leg, by recording id. */
      readonly recordedMs?: Readonly<Record<string, number>>;
    }
  | { readonly type: 'digit'; readonly legId: string; readonly digit: string; readonly digitRef: string }
  | { readonly type: 'bridged' }
  | { readonly type: 'classified'; readonly legId: string; readonly kind: AnswerKind }
  | { readonly type: 'greeting_ended'; readonly legId: string; readonly beep: boolean }
  | { readonly type: 'speech_ended'; readonly speechRef: string; readonly completed: boolean }
  | { readonly type: 'recording_ended'; readonly recordingRef: string; readonly durationMs: number }
  | {
      readonly type: 'command_failed';
      readonly command: VoiceInstruction;
      readonly reason: CommandFailure;
    }
  | {
      readonly type: 'timer';
      readonly name: TimerName;
      readonly generation: number;
      /** For `ring` and `answer`: legs whose dial or answer has not been dispatched. */
      readonly undispatched?: readonly string[];
      /** For `queue_position`: the caller's position, from 1; null if it does not wait. */
      readonly position?: number | null;
    }
  | { readonly type: 'stream_connected'; readonly streamId: string }
  | ({ readonly type: 'stream_over'; readonly streamId: string } & StreamEnding)
  | QueueInput
  /** The audio of a call no longer arrives: the customer's audio, or with `legId` the audio of an agent's telephone. */
  | { readonly type: 'audio_lost'; readonly legId?: string }
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
  | { readonly type: 'speak'; readonly speech: QueuedSpeech }
  | { readonly type: 'stop_speaking' }
  /** `transfer`: null for a transfer to the voicemail. */
  | {
      readonly type: 'transfer';
      readonly transfer: WantedTransfer | null;
      readonly voicemail: VoicemailBehavior;
      readonly audioRef: string | null;
    }
  | { readonly type: 'add_listener'; readonly listener: Omit<CallListener, 'isActive'> }
  | { readonly type: 'remove_listener'; readonly listenerId: string }
  | { readonly type: 'complete_consult' }
  | { readonly type: 'cancel_consult' }
  | { readonly type: 'hold'; readonly audioRef: string | null }
  | { readonly type: 'resume' }
  | ({ readonly type: 'control_recording' } & RecordingControl)
  | {
      readonly type: 'start_stream';
      readonly stream: Pick<CallStream, 'id' | 'direction' | 'track'>;
    }
  | { readonly type: 'start_relay'; readonly relay: NewRelay };

/** The types of the call's log (`events` of a call in the API), and the fields that `detail` may have. */
export const CALL_LOG_FIELDS = {
  initiated: ['from', 'to', 'connect_to', 'identity', 'asserted_identity'],
  ringing: ['party'],
  target_ringing: ['target'],
  target_prompted: ['target'],
  target_cancelled: ['target', 'reason', 'sip_status'],
  answered: ['party', 'answered_by'],
  bridged: [],
  answer_classified: ['kind'],
  greeting_ended: ['beep'],
  message_left: ['completed'],
  announcement_played: ['which'],
  recording_started: ['recording_id'],
  recording_paused: ['recording_id'],
  recording_resumed: ['recording_id'],
  recording_stopped: ['recording_id', 'reason'],
  speech_started: ['speech_id', 'to'],
  speech_ended: ['speech_id', 'completed'],
  held: [],
  resumed: [],
  listener_started: ['listener_id', 'web_client_id', 'speaks_to'],
  listener_ended: ['listener_id', 'reason'],
  transfer_started: ['to', 'mode'],
  transfer_answered: ['to'],
  transfer_completed: ['to'],
  transfer_failed: ['to', 'reason', 'sip_status'],
  menu_choice: ['digit', 'path'],
  queued: ['queue_id', 'position'],
  dequeued: ['queue_id', 'reason', 'wait_seconds', 'agent', 'queue_name'],
  dtmf: ['digit', 'pressed_by', 'digits', 'sent'],
  gather_started: ['max_digits', 'terminator', 'timeout_ms'],
  gather_finished: ['digits', 'reason'],
  transcription_started: [],
  stream_started: ['stream_id', 'direction', 'track'],
  stream_stopped: ['stream_id', 'reason'],
  relay_started: ['relay_id'],
  relay_ended: ['relay_id', 'reason'],
  voicemail_started: [],
  voicemail_saved: ['voicemail_id', 'recording_id'],
  hangup: ['outcome', 'party', 'cause', 'reason', 'failed'],
  failed: ['outcome', 'party', 'cause', 'reason', 'sip_status', 'failed', 'recording_id'],
} as const;
export type CallLogType = keyof typeof CALL_LOG_FIELDS;
export const CALL_LOG_TYPES = Object.keys(CALL_LOG_FIELDS) as CallLogType[];

/** The detail of a log entry of one type. */
export type CallLogDetail<T extends CallLogType = CallLogType> = {
  readonly [Field in (typeof CALL_LOG_FIELDS)[T][number]]?: unknown;
};

/** An event, with the fields of its data; null for an event that shows the call as it is after the step. */
type Emit = {
  [Type in CallEventType]: { readonly do: 'emit'; readonly type: Type; readonly data: CallEventFields[Type] };
}[CallEventType];

/** An effect of a step: written in its transaction. Commands are dispatched to the carrier after it. */
export type CallEffect =
  | { readonly do: 'command'; readonly command: VoiceInstruction }
  | Emit
  /** Adds the application's words to the transcript. */
  | { readonly do: 'keep_said'; readonly speechId: string; readonly text: string }
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
  /** Adds a relay, which the gateway connects later. */
  | ({ readonly do: 'open_relay' } & NewRelay)
  /** Has the gateway connect a relay. */
  | { readonly do: 'dial_relay'; readonly relayId: string }
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
  | { readonly do: 'summarize' }
  /** Plans the job that texts the caller after a missed call. */
  | { readonly do: 'reply'; readonly number: string; readonly person: string; readonly isClosed: boolean };

/** Why a request of the API is refused. */
export type CallRefusal =
  | 'call_not_active'
  | 'gather_in_progress'
  | 'stream_already_active'
  | 'relay_active'
  | 'speech_queue_full'
  | 'transfer_in_progress'
  | 'no_consult_in_progress'
  | 'listener_not_found'
  /** The call already has LISTENERS_MAX listeners, or this web client is one of them. */
  | 'listener_not_possible'
  /** The call has no agent, so nobody hears the speech. */
  | 'no_agent'
  /** The call has no recording to pause, resume or stop. */
  | 'recording_not_active'
  /** The party of a transfer is already on this call. */
  | 'on_this_call';

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

/** Returns the events that effects emit, in order. An event without data shows the call as it is after the step. */
export function planEvents(
  { id: callId, tenant_id: tenantId }: { readonly id: string; readonly tenant_id: string },
  effects: readonly CallEffect[],
): PlannedEvent[] {
  return effects.flatMap((effect) => {
    if (effect.do !== 'emit') return [];
    const data = callEventData(effect.type, callId, effect.data);
    return [{ type: effect.type, data, tenantId, resourceId: callId }];
  });
}

export type NewTimer = { readonly name: TimerName; readonly generation: number; readonly inMs: number };
export type NewPostCallJob = {
  readonly id: string;
  readonly kind: string;
  readonly payload: object;
  readonly inMs?: number;
};

/** The columns of a call that show its state in the API. */
export type CallColumns = {
  readonly status: CallStatus;
  readonly outcome: CallOutcome | null;
  readonly answeredBy: string | null;
  readonly answeredByKind: AnswerKind | null;
  readonly routeBranch: Route['branch'] | null;
  readonly routeReason: RouteReason | null;
  readonly durationSeconds: number | null;
  readonly endedAt: Date | null;
};

/** The rows that steps of a call write. */
export type Writes = {
  readonly at: Date;
  readonly state: Call;
  readonly columns: CallColumns;
  readonly log: readonly { readonly type: CallLogType; readonly detail: object }[];
  readonly commands: readonly VoiceInstruction[];
  readonly setTimers: readonly NewTimer[];
  readonly clearedTimers: readonly TimerName[];
  readonly jobs: readonly NewPostCallJob[];
  /** Legs that may belong to agents of queues. */
  readonly agentLegs: readonly AgentLeg[];
  readonly usage: readonly { readonly kind: string; readonly minutes: number }[];
  /** Events to emit with the step. An event without data shows the call as it is after the step. */
  readonly events: readonly PlannedEvent[];
  /** The activity of the call's conversation. `reopens`: it is a missed call. */
  readonly activity: ExistingActivity | null;
};
