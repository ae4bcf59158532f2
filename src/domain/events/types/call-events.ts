/** The events of calls, media streams, recordings and voicemails. */

import { PARTIES } from '../../../carriers/ports/voice.ts';
import { Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, type TObject, type TProperties, Type } from '../../../lib/type.ts';
import {
  AGENT,
  CALL_ID,
  call,
  MISSED,
  NOT_ENDED,
  OUTBOUND,
  ofCall,
  recording,
  routeOf,
  stream,
  voicemail,
} from './call-samples.ts';
import { type EventEntry, NUMBER, NUMBER_ID, type SampleData, TENANT_ID } from './entry.ts';

type AboutCall<Fields extends TProperties> = Pick<EventEntry, 'when' | 'docs'> & {
  /** The fields of the data after `object` and `call_id`. */
  readonly fields: Fields;
  readonly sample: (at: string) => { readonly [Name in keyof Fields]: unknown };
};

/** An event about an incident of a call: its data is the incident, not the call. */
function aboutCall<Fields extends TProperties>(object: string, { fields, sample, ...entry }: AboutCall<Fields>) {
  const data = Type.Object({ object: Type.Literal(object), call_id: Type.String(), ...fields }) as TObject;
  return {
    ...entry,
    object,
    fields,
    data,
    sample: (at: string) => ofCall({ object, call_id: CALL_ID, ...sample(at) }),
  };
}

/** Why a transfer failed. */
const TRANSFER_FAILURES = ['no_answer', 'busy', 'rejected', 'failed', 'canceled'] as const;

const TRANSFER_FIELDS = {
  to: Type.String({ description: 'E.164, the id of a web client, or "voicemail"' }),
  reason: Type.Union([Type.Enum([...TRANSFER_FAILURES]), Type.Null()], { description: 'Why it failed' }),
};

const aboutTransfer = (reason: string | null, texts: Pick<EventEntry, 'when' | 'docs'>) =>
  aboutCall('call_transfer', { ...texts, fields: TRANSFER_FIELDS, sample: () => ({ to: AGENT, reason }) });

/** Why a caller leaves a queue. */
const DEQUEUE_REASONS = ['answered', 'abandoned', 'overflow', 'callback'] as const;

const STREAM_DATA = { data: 'with `reason` and `billed_seconds`' };

export const CALL_EVENTS = {
  'call.started': {
    when: 'An inbound call started to ring.',
    data: 'call',
    sample: (at) => call(at, { status: 'ringing', route: routeOf(at, null), ...NOT_ENDED }),
  },
  'call.placed': {
    when: 'An outbound call started, by the API or by a web client.',
    data: 'call',
    sample: (at) => call(at, { ...OUTBOUND, status: 'dialing', ...NOT_ENDED }),
  },
  'call.answered': {
    when: 'The customer of an outbound call, or a target of an inbound one, answered; never for a voicemail.',
    data: 'call',
    sample: (at) => call(at, { ...NOT_ENDED, status: 'in_progress', answered_by: AGENT }),
  },
  'call.completed': {
    when: 'A call ended; its status, outcome and duration are final.',
    docs: { when: 'once for each call' },
    data: 'call',
    sample: (at) => call(at, {}),
  },
  'call.missed': {
    when: 'An inbound call ended unanswered, and no message was left.',
    docs: { when: 'right before `call.completed`' },
    data: 'call',
    sample: (at) => call(at, { ...MISSED, route: routeOf(at, 'no_answer') }),
  },
  'call.transcript': {
    when: 'A party of a transcribed call finished an utterance.',
    data: 'call_transcript_segment',
    sample: (at) =>
      ofCall({
        object: 'call_transcript_segment',
        call_id: CALL_ID,
        speaker: 'customer',
        text: 'I would like to move my appointment to Monday.',
        occurred_at: at,
      }),
  },
  'call.summary': {
    when: 'The summary of a transcribed call is ready.',
    data: 'call',
    sample: (at) => call(at, { summary: 'The customer moved the appointment to Monday at 4 pm.' }),
  },
  'call.dtmf': aboutCall('call_dtmf', {
    when: 'A party of a call pressed a key.',
    fields: {
      digit: Type.String({ pattern: '^[0-9A-D*#]$' }),
      pressed_by: Type.Enum([...PARTIES]),
      occurred_at: Timestamp,
    },
    sample: (at) => ({ digit: '1', pressed_by: 'customer', occurred_at: at }),
  }),
  'call.gather': aboutCall('call_gather', {
    when: 'A gather ended.',
    fields: { digits: Type.String(), reason: Type.Enum(['completed', 'timeout', 'hangup']) },
    sample: () => ({ digits: '1', reason: 'completed' }),
  }),
  'call.speech.ended': aboutCall('call_speech', {
    when: 'A speech that the API requested is over, or was broken off.',
    docs: { data: 'with `completed`' },
    fields: {
      speech_id: Type.String(),
      completed: Type.Boolean({ description: 'False for one that was stopped, or could not be spoken' }),
    },
    sample: () => ({ speech_id: 'spc_01jd5h0s4mp1e0000000000000', completed: true }),
  }),
  'call.menu': aboutCall('call_menu', {
    when: 'The caller chose an option of a menu.',
    docs: { data: 'with the `digit`, and the `path` of all keys so far' },
    fields: {
      digit: Type.String({ pattern: '^[0-9*#]$' }),
      path: Type.String({ description: 'The keys that have led here, this one last; evaluate takes them as digits' }),
    },
    sample: () => ({ digit: '1', path: '21' }),
  }),
  'call.transfer.started': aboutTransfer(null, {
    when: 'A transfer started: the new agent rings, and the customer hears hold audio.',
  }),
  'call.transfer.completed': aboutTransfer(null, {
    when: 'The customer is connected with the new agent, or with the voicemail.',
  }),
  'call.transfer.failed': aboutTransfer('no_answer', {
    when: 'The new agent did not take the call; reason says why.',
  }),
  'emergency_call.placed': aboutCall('emergency_call', {
    when: 'A web client, or a telephone at a SIP engine, called 911.',
    docs: { data: 'with the number and its address' },
    fields: {
      tenant_id: Type.String(),
      phone_number_id: Type.String(),
      from: Type.String({ description: 'E.164' }),
      to: Type.String(),
      web_client_id: Type.Union([Type.String(), Type.Null()], { description: 'Null for a telephone' }),
      telephone: Type.Union([Type.String(), Type.Null()], {
        description: 'The telephone at a SIP engine (sip_phone:front); null for a web client',
      }),
      e911_address_id: Type.Union([Type.String(), Type.Null()]),
      address_confirmed: Type.Boolean({ description: 'True if the carrier has confirmed the address for the number' }),
      placed_at: Timestamp,
    },
    sample: (at) => ({
      tenant_id: TENANT_ID,
      phone_number_id: NUMBER_ID,
      from: NUMBER,
      to: '911',
      web_client_id: 'wcl_01jd5h0s4mp1e0000000000000',
      telephone: null,
      e911_address_id: 'e911_01jd5h0s4mp1e0000000000000',
      address_confirmed: true,
      placed_at: at,
    }),
  }),
  'call.stream.started': {
    when: 'The client of a media stream is connected.',
    docs: STREAM_DATA,
    data: 'media_stream',
    sample: (at) => stream(at, {}),
  },
  'call.stream.stopped': {
    when: 'A media stream ended; billed_seconds is its billed duration.',
    docs: STREAM_DATA,
    data: 'media_stream',
    sample: (at) =>
      stream(at, {
        status: 'stopped',
        stop_reason: 'call_ended',
        stopped_at: at,
        reason: 'call_ended',
        billed_seconds: 84,
      }),
  },
  'call.stream.failed': {
    when: 'A media stream could not start, or its audio was lost.',
    docs: STREAM_DATA,
    data: 'media_stream',
    sample: (at) =>
      stream(at, {
        status: 'failed',
        stop_reason: 'no_client',
        started_at: null,
        stopped_at: at,
        reason: 'no_client',
      }),
  },
  'voicemail.created': {
    when: 'A voicemail can be listened to.',
    docs: { data: 'with `recording_id`' },
    data: 'voicemail',
    sample: voicemail,
  },
  'recording.created': {
    when: 'The recording of a call can be listened to.',
    data: 'recording',
    sample: recording,
  },
} as const satisfies Record<string, EventEntry>;

/** These events come after all others: clients of the last release know events by their position in the list. */
export const LATER_CALL_EVENTS = {
  'call.transfer.answered': aboutTransfer(null, {
    when: 'The new agent of a consult transfer answered, and talks to the agent while the customer is on hold.',
  }),
  'call.machine_detected': aboutCall('call_machine', {
    when: 'A machine or a fax answered a call with `machine_detection`.',
    docs: { data: 'with `answered_by_kind`' },
    fields: { answered_by_kind: Type.Enum(['machine', 'fax']) },
    sample: () => ({ answered_by_kind: 'machine' }),
  }),
  'call.greeting_ended': aboutCall('call_greeting', {
    when: 'The machine that answered a call with `machine_detection` ended its greeting: a message may start.',
    docs: { data: 'with `beep`' },
    fields: { beep: Type.Boolean({ description: 'False if it ended with a silence' }) },
    sample: () => ({ beep: true }),
  }),
  'call.queued': aboutCall('call_queued', {
    when: 'A caller waits in a queue.',
    docs: { data: 'with the `queue_id` and the `position`' },
    fields: { queue_id: Type.String(), position: Type.Integer({ minimum: 1, description: 'Among those who wait' }) },
    sample: () => ({ queue_id: 'que_01jd5h0s4mp1e0000000000000', position: 2 }),
  }),
  'call.dequeued': aboutCall('call_dequeued', {
    when: 'A caller does not wait in a queue any more; reason says why.',
    docs: { data: 'with `reason`, `wait_seconds` and `agent`' },
    fields: {
      queue_id: Type.String(),
      wait_seconds: Type.Integer({ description: 'Seconds that the caller has waited' }),
      reason: Type.Enum([...DEQUEUE_REASONS], {
        description: 'answered by `agent`; abandoned: the call ended; overflow: a full queue, or the longest wait',
      }),
      agent: Type.Union([Type.String(), Type.Null()], { description: 'As in the list of the queue' }),
    },
    sample: () => ({
      queue_id: 'que_01jd5h0s4mp1e0000000000000',
      wait_seconds: 42,
      reason: 'answered',
      agent: AGENT,
    }),
  }),
} as const satisfies Record<string, EventEntry>;

const ENTRIES = { ...CALL_EVENTS, ...LATER_CALL_EVENTS };
type Entries = typeof ENTRIES;

/** The data of each event type that a step of a call emits: the fields, or null if the data is the call. */
export type CallEventFields = {
  readonly [Type in keyof Entries as Entries[Type] extends { fields: object } | { data: 'call' }
    ? Type
    : never]: Entries[Type] extends { fields: infer Fields extends TProperties } ? Static<TObject<Fields>> : null;
};
export type CallEventType = keyof CallEventFields;

/** Returns the data of an event of a step. Null means that the data is the call after the step. */
export function callEventData(type: CallEventType, callId: string, fields: object | null): SampleData | null {
  const entry = ENTRIES[type];
  return 'object' in entry ? { object: entry.object, call_id: callId, ...fields } : null;
}
