/**
 * For each error code, a request that is refused with it. An added code fails the test until it has an entry here that
 * shows how a caller gets it.
 */
import { randomUUID } from 'node:crypto';
import { updateAccountStatus } from '../../src/domain/accounts/index.ts';
import type { ErrorCode } from '../../src/lib/errors/errors.ts';
import { newId } from '../../src/lib/ids.ts';
import { BRAND } from '../support/compliance.ts';
import { sql } from '../support/jobs.ts';
import { PDF } from '../support/port-ins.ts';
import type { Request } from './fixture.ts';
import { FIXTURES } from './fixtures.ts';
import { newRelayTalk, newTalk, RELAY } from './fixtures-calls.ts';
import { newTemplate } from './fixtures-texts.ts';
import { get, type Provocation, type Provoke, post } from './provocation.ts';
import { CONSOLE } from './provocations-console.ts';
import { CONVERSATIONS } from './provocations-conversations.ts';
import { externalNumber, type World, type Worlds } from './world.ts';

const text = ({ home }: Worlds, fields: object, rest: Partial<Provocation> = {}): Provocation =>
  post('/v1/messages', { from: home.numberId, to: externalNumber(), body: 'Hello', ...fields }, rest);

async function makeOf(name: string, world: World): Promise<Request> {
  return FIXTURES[name]?.make(world) as Promise<Request>;
}

async function voiceOnlyNumber({ home, harness }: Worlds): Promise<string> {
  const path = '/v1/phone_numbers/available?area_code=520&contains=0000&limit=100';
  const { body } = await harness.call('GET', path, { key: home.key });
  const found = (body.data as { phone_number: string }[]).find((each) => each.phone_number.endsWith('0000'));
  const phone_number = found?.phone_number;
  return (await home.must('POST', '/v1/phone_numbers', { tenant_id: home.tenantId, phone_number })).id;
}

const AUTH: Partial<Record<ErrorCode, Provoke>> = {
  missing_api_key: () => get('/v1/tenants', { key: null }),
  malformed_authorization: () => get('/v1/tenants', { key: null, headers: { authorization: 'Basic c3ZjOng=' } }),
  invalid_api_key: () => get('/v1/tenants', { key: `svc_live_${'a'.repeat(32)}` }),
  account_suspended: async ({ harness }) => {
    const account = await harness.secondAccount();
    await updateAccountStatus(harness.context.db, account.id, 'suspended');
    return post('/v1/tenants', { name: 'x' }, { key: account.test_key });
  },
  tenant_restricted_key: ({ homeTenantKey: key, neighbour }) =>
    post(
      '/v1/opt_outs',
      { tenant_id: neighbour.tenantId, external_number: externalNumber() },
      { key, param: 'tenant_id' },
    ),
  key_not_permitted: ({ homeTenantKey: key }) => post('/v1/tenants', { name: 'x' }, { key }),
  api_key_not_found: () => post('/v1/api_keys/key_none/rotate', undefined),
  browser_session_not_found: () => ({ method: 'DELETE', path: '/v1/browser_sessions/brs_none' }),
  test_mode_only: ({ liveKey: key }) => post('/v1/test/reset', undefined, { key }),
};

const REQUEST: Partial<Record<ErrorCode, Provoke>> = {
  invalid_json: () => post('/v1/tenants', '{"name":'),
  invalid_body: () => post('/v1/tenants', { name: 'x', nmae: 'x' }, { param: 'nmae' }),
  unreadable_body: () => post('/v1/tenants', `{"name":"${'x'.repeat(65_536)}"}`, { status: 413 }),
  unsupported_media_type: () =>
    post('/v1/tenants', { name: 'x' }, { headers: { 'content-type': 'text/plain' }, param: 'Content-Type' }),
  missing_fields: () => post('/v1/opt_outs', {}, { param: 'tenant_id' }),
  not_found: () => get('/v1/teapots'),
  method_not_allowed: () => ({ method: 'PUT', path: '/v1/tenants', body: {} }),
  idempotency_key_reuse: async ({ home, harness }) => {
    const headers = { 'idempotency-key': randomUUID() };
    await harness.call('POST', '/v1/realtime/tokens', { key: home.key, headers });
    return post('/v1/tenants', { name: 'x' }, { headers, param: 'Idempotency-Key' });
  },
  idempotency_in_progress: async ({ home, harness }) => {
    const key = randomUUID();
    const headers = { 'idempotency-key': key };
    await harness.call('POST', '/v1/realtime/tokens', { key: home.key, headers });
    // The state of a key whose request waits for a carrier.
    await sql(harness.context.db, 'update idempotency_keys set status = null, response = null where key = $1', [key]);
    return post('/v1/realtime/tokens', undefined, { headers, param: 'Idempotency-Key' });
  },
  invalid_start: () => get('/v1/messages?start=noon', { param: 'start' }),
  invalid_end: () => get('/v1/messages?end=2026-13-01', { param: 'end' }),
  invalid_cursor: () => get('/v1/tenants?after=x', { param: 'after' }),
  invalid_range: () => get('/v1/events?start=2026-02-02&end=2026-02-02', { param: 'start' }),
};

const MESSAGING: Partial<Record<ErrorCode, Provoke>> = {
  empty_message: (place) => text(place, { body: ' ' }, { param: 'body' }),
  body_too_long: (place) => text(place, { body: 'x'.repeat(1601) }, { param: 'body' }),
  invalid_send_at: (place) => text(place, { send_at: '2020-01-01T00:00:00Z' }, { param: 'send_at' }),
  message_not_cancellable: async ({ home }) => {
    const { id } = await home.must('POST', '/v1/messages', { from: home.numberId, to: externalNumber(), body: 'Hi' });
    return post(`/v1/messages/${id}/cancel`, undefined);
  },
  contact_not_found: () => get('/v1/contacts/con_none'),
  contact_number_taken: async ({ home: { must, tenantId: tenant_id } }) => {
    const body = { tenant_id, name: 'Sam', phone_numbers: [externalNumber()] };
    await must('POST', '/v1/contacts', body);
    return post('/v1/contacts', body, { param: 'phone_numbers' });
  },
  template_not_found: (place) => text(place, { body: undefined, template_id: 'tpl_none' }, { param: 'template_id' }),
  missing_variables: async (place) => {
    const template_id = await newTemplate(place.home);
    return text(place, { body: undefined, template_id }, { param: 'variables' });
  },
  invalid_to: (place) => text(place, { to: '6025550143' }, { param: 'to' }),
  recipient_opted_out: async (place) => {
    const to = (await makeOf('DELETE /v1/opt_outs/{external_number}', place.home)).path?.['external_number'];
    return text(place, { to }, { param: 'to' });
  },
  from_number_not_found: (place) => text(place, { from: place.stranger.numberId }, { param: 'from' }),
  number_not_sms_capable: async (place) => text(place, { from: await voiceOnlyNumber(place) }, { param: 'from' }),
  message_not_found: () => get('/v1/messages/msg_none'),
  upgrade_required: () => get('/v1/realtime', { key: null }),
};

const NUMBERS: Partial<Record<ErrorCode, Provoke>> = {
  invalid_phone: ({ home }) =>
    post('/v1/phone_numbers', { tenant_id: home.tenantId, phone_number: '602' }, { param: 'phone_number' }),
  number_unavailable: ({ home, neighbour }) => {
    const body = { tenant_id: home.tenantId, phone_number: neighbour.e164 };
    return post('/v1/phone_numbers', body, { param: 'phone_number' });
  },
  phone_number_not_found: () => get('/v1/phone_numbers/num_none'),
  e911_address_not_found: ({ home }) => update(home, 'e911_address_id'),
  e911_address_invalid: async ({ home }) => {
    const { body } = await makeOf('POST /v1/e911_addresses', home);
    return post('/v1/e911_addresses', { ...body, postal_code: '00000' }, { param: 'postal_code' });
  },
  e911_address_in_use: async ({ home }) => {
    const { path } = await makeOf('GET /v1/e911_addresses/{e911_address_id}', home);
    const e911_address_id = path?.['e911_address_id'];
    await home.must('PATCH', `/v1/phone_numbers/${home.numberId}`, { e911_address_id });
    return { method: 'DELETE', path: `/v1/e911_addresses/${e911_address_id}` };
  },
  invalid_phone_numbers: () => post('/v1/port_ins/check', { phone_numbers: [] }, { param: 'phone_numbers' }),
  numbers_not_portable: (place) => portIn(place, { phone_numbers: ['+15005550004'] }, 'phone_numbers[0]'),
  invalid_service_address: (place) => portIn(place, { service_address: { city: 'Mesa' } }, 'service_address'),
  port_in_not_found: () => get('/v1/port_ins/port_none'),
  port_in_not_submittable: async ({ home }) => {
    const { path } = await makeOf('POST /v1/test/port_ins/{port_in_id}/advance', home);
    return post(`/v1/port_ins/${path?.['port_in_id']}/submit`, undefined);
  },
  unsupported_document: async ({ home }) => {
    const request = await makeOf('POST /v1/port_ins/{port_in_id}/documents', home);
    return post(`/v1/port_ins/${request.path?.['port_in_id']}/documents?kind=invoice`, Buffer.from('GIF89a'));
  },
  document_not_found: async ({ home }) => {
    const { path } = await makeOf('GET /v1/port_ins/{port_in_id}', home);
    return { method: 'DELETE', path: `/v1/port_ins/${path?.['port_in_id']}/documents/doc_none` };
  },
  too_many_documents: async ({ home }) => {
    const { path } = await makeOf('GET /v1/port_ins/{port_in_id}', home);
    const documents = `/v1/port_ins/${path?.['port_in_id']}/documents?kind=invoice`;
    for (let times = 0; times < 10; times++) await home.must('POST', documents, PDF);
    return post(documents, PDF);
  },
  port_in_not_cancellable: async ({ home }) => {
    const { path } = await makeOf('POST /v1/test/port_ins/{port_in_id}/advance', home);
    await home.must('POST', `/v1/test/port_ins/${path?.['port_in_id']}/advance`, { status: 'foc_confirmed' });
    return post(`/v1/port_ins/${path?.['port_in_id']}/cancel`, undefined);
  },
};

async function call({ home }: Worlds, fields: object, param: string): Promise<Provocation> {
  const { body } = await makeOf('POST /v1/calls', home);
  return post('/v1/calls', { ...body, ...fields }, { param });
}

const VOICE: Partial<Record<ErrorCode, Provoke>> = {
  invalid_to_number: (place) => call(place, { to: '602-555-0143' }, 'to'),
  invalid_connect_to: (place) => call(place, { connect_to: '+1555' }, 'connect_to'),
  call_not_found: () => get('/v1/calls/call_none'),
  web_client_not_found: (place) => call(place, { connect_to: newId('web_client') }, 'connect_to'),
  voicemail_not_found: () => get('/v1/voicemails/vm_none'),
  recording_not_found: () => get('/v1/recordings/rec_none/audio'),
  person_export_not_found: () => get('/v1/person_exports/exp_none'),
  person_erasure_not_found: () => get('/v1/person_erasures/ers_none'),
  transcript_not_found: async ({ home }) => {
    const path = `/v1/calls/${await newTalk(home)}/transcript`;
    await home.must('DELETE', path);
    return get(path);
  },
  call_not_active: async ({ home }) => {
    const id = await newTalk(home);
    await home.must('POST', `/v1/calls/${id}/hangup`);
    return post(`/v1/calls/${id}/hangup`, undefined);
  },
  recording_not_active: async ({ home }) => {
    return post(`/v1/calls/${await newTalk(home)}/recording`, { action: 'pause' });
  },
  gather_in_progress: async ({ home }) => {
    const path = `/v1/calls/${await newTalk(home)}/gather`;
    await home.must('POST', path, { prompt: 'Press a key' });
    return post(path, { prompt: 'Press a key' });
  },
  speech_queue_full: async ({ home }) => {
    const path = `/v1/calls/${await newTalk(home)}/speak`;
    for (let n = 0; n < 10; n++) await home.must('POST', path, { text: `Sentence ${n}.` });
    return post(path, { text: 'One more.' });
  },
  transfer_in_progress: async ({ home }) => {
    const path = `/v1/calls/${await newTalk(home)}/transfer`;
    await home.must('POST', path, { to: externalNumber() });
    return post(path, { to: externalNumber() });
  },
  listener_not_found: async ({ home }) => {
    return { method: 'DELETE', path: `/v1/calls/${await newTalk(home)}/listeners/lsn_none` };
  },
  listener_not_possible: async ({ home }) => {
    const { id: web_client_id } = await home.must('POST', '/v1/web_clients', { tenant_id: home.tenantId });
    const path = `/v1/calls/${await newTalk(home)}/listeners`;
    await home.must('POST', path, { web_client_id, speaks_to: 'none' });
    return post(path, { web_client_id, speaks_to: 'none' }, { param: 'web_client_id' });
  },
  no_consult_in_progress: async ({ home }) => post(`/v1/calls/${await newTalk(home)}/transfer/complete`, {}),
  stream_already_active: async ({ home }) => {
    const path = `/v1/calls/${await newTalk(home)}/streams`;
    await home.must('POST', path, {});
    return post(path, {});
  },
  relay_active: async ({ home }) => {
    const path = `/v1/calls/${await newRelayTalk(home)}/relay`;
    await home.must('POST', path, RELAY);
    return post(path, RELAY);
  },
  relay_not_found: async ({ home }) => get(`/v1/calls/${await newTalk(home)}/relay`),
  stream_not_found: async ({ home }) => {
    return { method: 'DELETE', path: `/v1/calls/${await newTalk(home)}/streams/stm_none` };
  },
  destination_not_supported: async ({ home }) => {
    const { body } = await makeOf('POST /v1/routing_configs', home);
    const open_behavior = { type: 'ring', targets: ['+16054551234'] };
    return post('/v1/routing_configs', { ...body, open_behavior }, { param: 'open_behavior.targets[0]' });
  },
  queue_not_found: () => get('/v1/queues/que_none'),
  queue_in_use: async ({ home: { must, tenantId: tenant_id } }) => {
    const { id } = await must('POST', '/v1/queues', { tenant_id, name: 'Support' });
    await must('POST', '/v1/queues', { tenant_id, name: 'Sales', overflow: { type: 'queue', queue_id: id } });
    return { method: 'DELETE', path: `/v1/queues/${id}` };
  },
  routing_config_not_found: () => get('/v1/routing_configs/rtc_none'),
  routing_config_in_use: async ({ home }) => {
    const { body } = await makeOf('POST /v1/phone_numbers', home);
    await home.must('POST', '/v1/phone_numbers', body);
    return { method: 'DELETE', path: `/v1/routing_configs/${body?.['routing_config_id']}` };
  },
};

async function portIn({ home }: Worlds, change: object, param: string): Promise<Provocation> {
  const { body } = await makeOf('POST /v1/port_ins', home);
  return post('/v1/port_ins', { ...body, ...change }, { param });
}

function update({ numberId }: World, param: string): Provocation {
  return { method: 'PATCH', path: `/v1/phone_numbers/${numberId}`, body: { [param]: 'none' }, param };
}

const brand = (fields: object, param: string): Provocation => post('/v1/brands', { ...BRAND, ...fields }, { param });

async function campaign({ home }: Worlds, fields: object, param: string): Promise<Provocation> {
  const { body } = await makeOf('POST /v1/campaigns', home);
  return post('/v1/campaigns', { ...body, ...fields }, { param });
}

async function byHand<Made>({ home }: Worlds, make: () => Promise<Made>): Promise<Made> {
  await home.must('POST', '/v1/test/reviews', { mode: 'manual' });
  const made = await make();
  await home.must('POST', '/v1/test/reviews', { mode: 'auto' });
  return made;
}

const COMPLIANCE: Partial<Record<ErrorCode, Provoke>> = {
  brand_not_found: () => get('/v1/brands/brd_none'),
  campaign_not_found: ({ home }) => update(home, 'campaign_id'),
  brand_not_vetted: async (place) => {
    const { id } = await byHand(place, () => place.home.must('POST', '/v1/brands', BRAND));
    return campaign(place, { brand_id: id }, 'brand_id');
  },
  campaign_not_approved: async (place) => {
    const { home } = place;
    const { body } = await makeOf('POST /v1/campaigns', home);
    const { id: campaign_id } = await home.must('POST', '/v1/campaigns', { ...body, draft: true });
    const { body: wanted } = await makeOf('POST /v1/phone_numbers', home);
    const { id: from } = await home.must('POST', '/v1/phone_numbers', { ...wanted, campaign_id });
    return text(place, { from }, { param: 'from' });
  },
  carrier_assign_failed: async ({ home }) => {
    const { path, body } = await makeOf('PATCH /v1/phone_numbers/{number_id}', home);
    await home.must('POST', '/v1/test/faults', { kind: 'assign_failed', times: 1 });
    return { method: 'PATCH', path: `/v1/phone_numbers/${path?.['number_id']}`, body, param: 'campaign_id' };
  },
  campaign_not_editable: async ({ home }) => {
    const { path, body } = await makeOf('PATCH /v1/campaigns/{campaign_id}', home);
    await home.must('POST', `/v1/campaigns/${path?.['campaign_id']}/submit`, {});
    return { method: 'PATCH', path: `/v1/campaigns/${path?.['campaign_id']}`, body };
  },
  review_not_pending: async ({ home }) => {
    const { path } = await makeOf('GET /v1/brands/{brand_id}', home);
    return post(`/v1/test/brands/${path?.['brand_id']}/review`, { result: 'approved' });
  },
  verification_code_invalid: async ({ home }) => {
    const { path } = await makeOf('POST /v1/brands/{brand_id}/verification/confirm', home);
    return post(`/v1/brands/${path?.['brand_id']}/verification/confirm`, { code: '654321' }, { param: 'code' });
  },
  legal_name_required: () => brand({ legal_name: ' ' }, 'legal_name'),
  invalid_ein: () => brand({ ein: '12-345678' }, 'ein'),
  invalid_entity_type: () => brand({ entity_type: 'llc' }, 'entity_type'),
  invalid_billing_phone_number: () => brand({ phone: '602-555-0143' }, 'phone'),
  invalid_contact_email: () => brand({ contact_email: 'office' }, 'contact_email'),
  invalid_use_case: (place) => campaign(place, { use_case: 'spam' }, 'use_case'),
  description_required: (place) => campaign(place, { description: '' }, 'description'),
  invalid_sample_messages: (place) => campaign(place, { sample_messages: ['Hi', ' '] }, 'sample_messages[1]'),
};

const OPT_IN: Partial<Record<ErrorCode, Provoke>> = {
  opt_in_form_not_found: () => get('/v1/opt_in_forms/oif_none'),
  missing_consent: async ({ home }) => {
    const form = await home.must('POST', '/v1/opt_in_forms', { tenant_id: home.tenantId, name: 'x' });
    return post(`/opt-in/${form.slug}`, { phone_number: externalNumber() }, { param: 'consent' });
  },
};

const TENANTS: Partial<Record<ErrorCode, Provoke>> = {
  tenant_not_found: () =>
    post('/v1/opt_outs', { tenant_id: 'x', external_number: externalNumber() }, { param: 'tenant_id' }),
  name_required: () => post('/v1/tenants', {}, { param: 'name' }),
  invalid_timezone: () => post('/v1/tenants', { name: 'x', timezone: 'Mars/Base' }, { param: 'timezone' }),
  external_ref_taken: async ({ home }) => {
    const body = { name: 'x', external_ref: randomUUID() };
    await home.must('POST', '/v1/tenants', body);
    return post('/v1/tenants', body, { param: 'external_ref' });
  },
  webhook_endpoint_not_found: () => get('/v1/webhook_endpoints/whe_none'),
  too_many_endpoints: async ({ harness }) => {
    const { test_key: key } = await harness.secondAccount();
    const body = { url: 'https://example.com/hooks' };
    for (let n = 0; n < 50; n++) await harness.call('POST', '/v1/webhook_endpoints', { key, body });
    return post('/v1/webhook_endpoints', body, { key });
  },
  delivery_not_found: async ({ home }) => {
    const { path } = await makeOf('GET /v1/webhook_endpoints/{endpoint_id}', home);
    return post(`/v1/webhook_endpoints/${path?.['endpoint_id']}/deliveries/whd_none/retry`, undefined);
  },
  webhook_endpoint_disabled: async ({ home }) => {
    const { path } = await makeOf('GET /v1/webhook_endpoints/{endpoint_id}', home);
    const url = `/v1/webhook_endpoints/${path?.['endpoint_id']}`;
    await home.must('PATCH', url, { url: 'https://platform.example/hooks', status: 'disabled' });
    return post(`${url}/replays`, { start: '2026-01-01' });
  },
  replay_not_found: async ({ home }) => {
    const { path } = await makeOf('GET /v1/webhook_endpoints/{endpoint_id}', home);
    return get(`/v1/webhook_endpoints/${path?.['endpoint_id']}/replays/whr_none`);
  },
  event_not_found: () => get('/v1/events/evt_none'),
  request_not_found: () => get('/v1/request_log/req_none'),
  url_required: () => post('/v1/webhook_endpoints', { description: 'x' }, { param: 'url' }),
  invalid_url: () => post('/v1/webhook_endpoints', { url: 'https://10.0.0.1/' }, { param: 'url' }),
  unknown_event_type: () =>
    post(
      '/v1/webhook_endpoints',
      { url: 'https://example.com/', enabled_events: ['message.sent', 'message.lost'] },
      { param: 'enabled_events[1]' },
    ),
};

const SERVICE: Partial<Record<ErrorCode, Provoke>> = {
  carrier_unavailable: ({ liveKey: key }) => get('/v1/phone_numbers/available', { key }),
};

export const PROVOCATIONS = {
  ...AUTH,
  ...REQUEST,
  ...MESSAGING,
  ...CONVERSATIONS,
  ...NUMBERS,
  ...VOICE,
  ...COMPLIANCE,
  ...OPT_IN,
  ...TENANTS,
  ...CONSOLE,
  ...SERVICE,
};

/** Codes that no single request can provoke here, with the tests that cover them. */
export const MET_ELSEWHERE: Partial<Record<ErrorCode, string>> = {
  rate_limited: 'rate-limit.test.ts, where the clock is held',
  insufficient_balance: 'errors.test.ts, where live ledgers have a carrier',
  internal_error: 'a defect; errors.test.ts makes one',
  database_unavailable: 'errors.test.ts takes the database away',
  service_paused: 'restore.test.ts, where a restored backup is paused',
  message_too_long: 'src/domain/messaging/messages/live.test.ts has a carrier that takes seven segments',
  speech_unavailable: 'src/domain/voice/calls/live-speech.test.ts, where live ledgers have a carrier and no speech',
  replay_in_progress: 'src/domain/events/replays/api.test.ts, where a replay waits for its receiver',
  storage_unavailable: 'src/http/audio/audio.test.ts takes the store away',
};
