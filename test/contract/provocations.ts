/**
 * A request for each error code that is met with it. A code that is added stands in no entry here, and fails the
 * test, until somebody has shown how a caller comes to see it.
 */
import { randomUUID } from 'node:crypto';
import { moveAccount } from '../../src/domain/accounts/index.ts';
import type { ErrorCode } from '../../src/lib/errors.ts';
import type { CallOptions } from '../support/caller.ts';
import { sql } from '../support/jobs.ts';
import { FIXTURES, type Request } from './fixtures.ts';
import { somebody, type World, type Worlds } from './world.ts';

export type Provocation = CallOptions & {
  method: string;
  path: string;
  /** What `param` names; the envelope has none otherwise. */
  param?: string;
  /** Where it differs from the catalogue's. */
  status?: number;
};

type Provoke = (place: Worlds) => Provocation | Promise<Provocation>;

const get = (path: string, rest: Partial<Provocation> = {}): Provocation => ({ method: 'GET', path, ...rest });
const post = (path: string, body: unknown, rest: Partial<Provocation> = {}): Provocation => ({
  method: 'POST',
  path,
  body,
  ...rest,
});
const text = ({ home }: Worlds, fields: object, rest: Partial<Provocation> = {}): Provocation =>
  post('/v1/messages', { from: home.numberId, to: somebody(), body: 'Hello', ...fields }, rest);

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
    await moveAccount(harness.context.db, account.id, 'suspended');
    return post('/v1/tenants', { name: 'x' }, { key: account.test_key });
  },
  tenant_restricted_key: ({ homeTenantKey: key, neighbour }) =>
    post('/v1/opt_outs', { tenant_id: neighbour.tenantId, external_number: somebody() }, { key, param: 'tenant_id' }),
  key_not_permitted: ({ homeTenantKey: key }) => post('/v1/tenants', { name: 'x' }, { key }),
  test_mode_only: ({ liveKey: key }) => post('/v1/test/reset', undefined, { key }),
};

const REQUEST: Partial<Record<ErrorCode, Provoke>> = {
  invalid_json: () => post('/v1/tenants', '{"name":'),
  invalid_body: () => post('/v1/tenants', { name: 'x', nmae: 'x' }, { param: 'nmae' }),
  unreadable_body: () => post('/v1/tenants', `{"name":"${'x'.repeat(1_048_577)}"}`, { status: 413 }),
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
    // As a request leaves it that waits for a carrier.
    await sql(harness.context.db, 'update idempotency_keys set status = null, response = null where key = $1', [key]);
    return post('/v1/realtime/tokens', undefined, { headers, param: 'Idempotency-Key' });
  },
  invalid_start: () => get('/v1/messages?start=noon', { param: 'start' }),
  invalid_end: () => get('/v1/messages?end=2026-13-01', { param: 'end' }),
  invalid_range: () => get('/v1/events?start=2026-02-02&end=2026-02-02', { param: 'start' }),
};

const MESSAGING: Partial<Record<ErrorCode, Provoke>> = {
  empty_message: (place) => text(place, { body: ' ' }, { param: 'body' }),
  body_too_long: (place) => text(place, { body: 'x'.repeat(1601) }, { param: 'body' }),
  invalid_to: (place) => text(place, { to: '6025550143' }, { param: 'to' }),
  recipient_opted_out: async (place) => {
    const to = (await makeOf('DELETE /v1/opt_outs/{external_number}', place.home)).path?.['external_number'];
    return text(place, { to }, { param: 'to' });
  },
  opt_out_not_removable: async ({ home }) => {
    const from = somebody();
    await home.must('POST', '/v1/test/inbound_messages', { from, to: home.e164, body: 'STOP' });
    return { method: 'DELETE', path: `/v1/opt_outs/${encodeURIComponent(from)}?tenant_id=${home.tenantId}` };
  },
  from_number_not_found: (place) => text(place, { from: place.stranger.numberId }, { param: 'from' }),
  number_not_sms_capable: async (place) => text(place, { from: await voiceOnlyNumber(place) }, { param: 'from' }),
  destination_not_supported: (place) => text(place, { to: '+16054551234' }, { param: 'to' }),
  message_not_found: () => get('/v1/messages/msg_none'),
  conversation_not_found: () => get('/v1/conversations/cnv_none'),
};

const NUMBERS: Partial<Record<ErrorCode, Provoke>> = {
  invalid_phone: ({ home }) =>
    post('/v1/phone_numbers', { tenant_id: home.tenantId, phone_number: '602' }, { param: 'phone_number' }),
  number_unavailable: ({ home, neighbour }) => {
    const body = { tenant_id: home.tenantId, phone_number: neighbour.e164 };
    return post('/v1/phone_numbers', body, { param: 'phone_number' });
  },
  phone_number_not_found: () => get('/v1/phone_numbers/num_none'),
  routing_config_not_found: ({ home }) => update(home, 'routing_config_id'),
  campaign_not_found: ({ home }) => update(home, 'campaign_id'),
  e911_address_not_found: ({ home }) => update(home, 'e911_address_id'),
};

function update({ numberId }: World, param: string): Provocation {
  return { method: 'PATCH', path: `/v1/phone_numbers/${numberId}`, body: { [param]: 'none' }, param };
}

const TENANTS: Partial<Record<ErrorCode, Provoke>> = {
  tenant_not_found: () => post('/v1/opt_outs', { tenant_id: 'x', external_number: somebody() }, { param: 'tenant_id' }),
  name_required: () => post('/v1/tenants', {}, { param: 'name' }),
  invalid_timezone: () => post('/v1/tenants', { name: 'x', timezone: 'Mars/Base' }, { param: 'timezone' }),
  external_ref_taken: async ({ home }) => {
    const body = { name: 'x', external_ref: randomUUID() };
    await home.must('POST', '/v1/tenants', body);
    return post('/v1/tenants', body, { param: 'external_ref' });
  },
  webhook_endpoint_not_found: () => get('/v1/webhook_endpoints/whe_none'),
  delivery_not_found: async ({ home }) => {
    const { path } = await makeOf('GET /v1/webhook_endpoints/{endpoint_id}', home);
    return post(`/v1/webhook_endpoints/${path?.['endpoint_id']}/deliveries/whd_none/retry`, undefined);
  },
  event_not_found: () => get('/v1/events/evt_none'),
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

export const PROVOCATIONS = { ...AUTH, ...REQUEST, ...MESSAGING, ...NUMBERS, ...TENANTS, ...SERVICE };

/** Codes that no request alone can provoke here, with where they are met instead. */
export const MET_ELSEWHERE: Partial<Record<ErrorCode, string>> = {
  rate_limited: 'rate-limit.test.ts, where the clock is held',
  internal_error: 'a defect; errors.test.ts makes one',
  database_unavailable: 'errors.test.ts takes the database away',
};
