/** Made-up calls, media streams, recordings and voicemails. */
import { CONVERSATION_ID, NUMBER, NUMBER_ID, PERSON, type Sample, type SampleData, TENANT_ID } from './entry.ts';

export const AGENT = '+16025550117';
export const CALL_ID = 'call_01jd5h0s4mp1e0000000000000';
const RECORDING_ID = 'rec_01jd5h0s4mp1e0000000000000';
const VOICEMAIL_ID = 'vm_01jd5h0s4mp1e0000000000000';
const ROUTING_ID = 'rtc_01jd5h0s4mp1e0000000000000';
const STREAM_ID = 'stm_01jd5h0s4mp1e0000000000000';

export const ofCall = (data: SampleData): Sample => ({ tenantId: TENANT_ID, resourceId: CALL_ID, data });

/** Returns the route of an inbound call in business hours. */
export function routeOf(at: string, reason: string | null) {
  return { routing_config_id: ROUTING_ID, branch: 'open', reason, at };
}

export function call(at: string, changes: Readonly<Record<string, unknown>>): Sample {
  return ofCall({
    id: CALL_ID,
    object: 'call',
    tenant_id: TENANT_ID,
    phone_number_id: NUMBER_ID,
    conversation_id: CONVERSATION_ID,
    direction: 'inbound',
    from: PERSON,
    to: NUMBER,
    caller_name: 'Dana Reyes',
    attestation: 'A',
    connect_to: null,
    status: 'completed',
    outcome: 'answered',
    answered_by: AGENT,
    answered_by_kind: null,
    route: routeOf(at, 'answered'),
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
  });
}

export const NOT_ENDED = { outcome: null, answered_by: null, duration_seconds: 0, ended_at: null };
export const OUTBOUND = { direction: 'outbound', route: null, from: NUMBER, to: PERSON, connect_to: AGENT };
export const MISSED = { status: 'missed', outcome: 'missed', answered_by: null, duration_seconds: 0 };

export function stream(at: string, changes: Readonly<Record<string, unknown>>): Sample {
  const data = {
    id: STREAM_ID,
    object: 'media_stream',
    call_id: CALL_ID,
    tenant_id: TENANT_ID,
    direction: 'fork',
    track: 'both',
    status: 'active',
    url: `wss://media.example.com/v1/streams/node/${STREAM_ID}`,
    connect_url: null,
    connect_error: null,
    dialect: 'native',
    parameters: {},
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

export function voicemail(at: string): Sample {
  return {
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
  };
}

export function recording(at: string): Sample {
  return {
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
  };
}
