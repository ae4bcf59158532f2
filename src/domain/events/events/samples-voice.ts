import type { EventType } from '../catalog.ts';
import { CONVERSATION_ID, NUMBER, NUMBER_ID, PERSON, type Sample, type SampleData, TENANT_ID } from './sample.ts';

const AGENT = '+16025550117';
const CALL_ID = 'call_01jd5h0s4mp1e0000000000000';
const RECORDING_ID = 'rec_01jd5h0s4mp1e0000000000000';
const VOICEMAIL_ID = 'vm_01jd5h0s4mp1e0000000000000';

function call(at: string, changes: Readonly<Record<string, unknown>>): SampleData {
  return {
    id: CALL_ID,
    object: 'call',
    tenant_id: TENANT_ID,
    phone_number_id: NUMBER_ID,
    conversation_id: CONVERSATION_ID,
    direction: 'inbound',
    from: PERSON,
    to: NUMBER,
    connect_to: null,
    status: 'completed',
    outcome: 'answered',
    answered_by: AGENT,
    duration_seconds: 84,
    record: false,
    recording_id: null,
    voicemail_id: null,
    summary: null,
    started_at: at,
    ended_at: at,
    events: [
      { type: 'initiated', at, detail: { from: PERSON, to: NUMBER } },
      { type: 'ringing', at, detail: {} },
    ],
    ...changes,
  };
}

const NOT_ENDED = { outcome: null, answered_by: null, duration_seconds: 0, ended_at: null };
const OUTBOUND = { direction: 'outbound', from: NUMBER, to: PERSON, connect_to: AGENT };
const MISSED = { status: 'missed', outcome: 'missed', answered_by: null, duration_seconds: 0 };

const STREAM_ID = 'stm_01jd5h0s4mp1e0000000000000';

function stream(at: string, changes: Readonly<Record<string, unknown>>): Sample {
  const data = {
    id: STREAM_ID,
    object: 'media_stream',
    call_id: CALL_ID,
    tenant_id: TENANT_ID,
    direction: 'fork',
    track: 'both',
    status: 'active',
    url: `wss://media.example.com/v1/streams/node/${STREAM_ID}`,
    stop_reason: null,
    created_at: at,
    started_at: at,
    stopped_at: null,
    reason: null,
    billed_seconds: 0,
    ...changes,
  };
  return { tenantId: TENANT_ID, resourceId: STREAM_ID, data };
}

const ofCall = (data: SampleData): Sample => ({ tenantId: TENANT_ID, resourceId: CALL_ID, data });

type VoiceEventType = Extract<
  EventType,
  `call.${string}` | `emergency_call.${string}` | `voicemail.${string}` | `recording.${string}`
>;

/** Made-up events of calls, media streams, recordings and voicemails. */
export const VOICE_SAMPLES: Readonly<Record<VoiceEventType, (at: string) => Sample>> = {
  'call.started': (at) => ofCall(call(at, { status: 'ringing', ...NOT_ENDED })),
  'call.placed': (at) => ofCall(call(at, { ...OUTBOUND, status: 'dialing', ...NOT_ENDED })),
  'call.answered': (at) => ofCall(call(at, { ...NOT_ENDED, status: 'in_progress', answered_by: AGENT })),
  'call.completed': (at) => ofCall(call(at, {})),
  'call.missed': (at) => ofCall(call(at, MISSED)),
  'call.transcript': (at) =>
    ofCall({
      object: 'call_transcript_segment',
      call_id: CALL_ID,
      speaker: 'customer',
      text: 'I would like to move my appointment to Monday.',
      occurred_at: at,
    }),
  'call.summary': (at) => ofCall(call(at, { summary: 'The customer moved the appointment to Monday at 4 pm.' })),
  'call.dtmf': (at) =>
    ofCall({ object: 'call_dtmf', call_id: CALL_ID, digit: '1', pressed_by: 'customer', occurred_at: at }),
  'call.gather': () => ofCall({ object: 'call_gather', call_id: CALL_ID, digits: '1', reason: 'completed' }),
  'call.speech.ended': () =>
    ofCall({ object: 'call_speech', call_id: CALL_ID, speech_id: 'spc_01jd5h0s4mp1e0000000000000', completed: true }),
  'call.menu': () => ofCall({ object: 'call_menu', call_id: CALL_ID, digit: '1', path: '21' }),
  'call.transfer.started': () => ofCall({ object: 'call_transfer', call_id: CALL_ID, to: AGENT, reason: null }),
  'call.transfer.completed': () => ofCall({ object: 'call_transfer', call_id: CALL_ID, to: AGENT, reason: null }),
  'call.transfer.failed': () => ofCall({ object: 'call_transfer', call_id: CALL_ID, to: AGENT, reason: 'no_answer' }),
  'emergency_call.placed': (at) =>
    ofCall({
      object: 'emergency_call',
      call_id: CALL_ID,
      tenant_id: TENANT_ID,
      phone_number_id: NUMBER_ID,
      from: NUMBER,
      to: '911',
      web_client_id: 'wcl_01jd5h0s4mp1e0000000000000',
      e911_address_id: 'e911_01jd5h0s4mp1e0000000000000',
      address_confirmed: true,
      placed_at: at,
    }),
  'call.stream.started': (at) => stream(at, {}),
  'call.stream.stopped': (at) =>
    stream(at, {
      status: 'stopped',
      stop_reason: 'call_ended',
      stopped_at: at,
      reason: 'call_ended',
      billed_seconds: 84,
    }),
  'call.stream.failed': (at) =>
    stream(at, {
      status: 'failed',
      stop_reason: 'no_client',
      started_at: null,
      stopped_at: at,
      reason: 'no_client',
    }),
  'voicemail.created': (at) => ({
    tenantId: TENANT_ID,
    resourceId: VOICEMAIL_ID,
    data: {
      id: VOICEMAIL_ID,
      object: 'voicemail',
      tenant_id: TENANT_ID,
      call_id: CALL_ID,
      conversation_id: CONVERSATION_ID,
      from: PERSON,
      duration_seconds: 12,
      transcript: 'Please call me back about Monday.',
      audio_url: `/v1/voicemails/${VOICEMAIL_ID}/audio`,
      created_at: at,
      recording_id: RECORDING_ID,
    },
  }),
  'recording.created': (at) => ({
    tenantId: TENANT_ID,
    resourceId: RECORDING_ID,
    data: {
      id: RECORDING_ID,
      object: 'recording',
      tenant_id: TENANT_ID,
      call_id: CALL_ID,
      duration_seconds: 84,
      consent_announced: true,
      audio_url: `/v1/recordings/${RECORDING_ID}/audio`,
      created_at: at,
    },
  }),
};
