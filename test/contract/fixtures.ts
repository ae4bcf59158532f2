/**
 * For each route, a function that makes a successful request. A route without an entry fails every test that loops over
 * the routes, so that every route is checked.
 */
import { randomInt, randomUUID } from 'node:crypto';
import type { Json } from '../support/events.ts';
import type { Route } from './document.ts';
import type { Fixture } from './fixture.ts';
import { BROWSER_SESSION_FIXTURES } from './fixtures-browser-sessions.ts';
import { CALL_FIXTURES } from './fixtures-calls.ts';
import { COMPLIANCE_FIXTURES, newCampaign } from './fixtures-compliance.ts';
import { CONTACT_FIXTURES } from './fixtures-contacts.ts';
import { CONVERSATION_FIXTURES } from './fixtures-conversations.ts';
import { NOTE_FIXTURES } from './fixtures-notes.ts';
import { NUMBER_PAPER_FIXTURES } from './fixtures-number-papers.ts';
import { newOptOut, OPT_OUT_FIXTURES } from './fixtures-opt-outs.ts';
import { QUEUE_FIXTURES } from './fixtures-queues.ts';
import { RECORDING_FIXTURES } from './fixtures-recordings.ts';
import { newRoutingConfig, ROUTING_FIXTURES } from './fixtures-routing.ts';
import { SIMULATED_CALL_FIXTURES } from './fixtures-simulated-calls.ts';
import { newTemplate, TEXT_FIXTURES } from './fixtures-texts.ts';
import { WEB_CLIENT_FIXTURES } from './fixtures-web-clients.ts';
import { externalNumber, findOnSale, type World } from './world.ts';

const NOTHING: Fixture = { make: async () => ({}) };

const tenantFilter = { 'query.tenant_id': 'tenant_not_found' } as const;

async function newTenant({ must }: World): Promise<string> {
  return (await must('POST', '/v1/tenants', { name: 'Front desk' })).id;
}

async function newNumber(world: World): Promise<Json> {
  const body = { tenant_id: world.tenantId, phone_number: await findOnSale(world.harness, world.key) };
  return world.must('POST', '/v1/phone_numbers', body);
}

async function newMessage(world: World): Promise<Json> {
  return world.must('POST', '/v1/messages', { from: world.numberId, to: externalNumber(), body: 'Hello' });
}

/** Makes a request about the world's tenant and returns its request id. */
async function newRequest({ harness, key, tenantId }: World): Promise<string> {
  const reply = await harness.call('GET', `/v1/tenants/${tenantId}`, { key });
  return reply.headers.get('request-id') as string;
}

/** Returns a new public address, so that a request with a live key gets as far as the look-ups. */
const publicUrl = () => `https://platform.example/hooks/${randomUUID()}`;

/** Deletes old endpoints before the ledger reaches its limit. */
async function makeRoom({ must }: World): Promise<void> {
  const { data } = await must('GET', '/v1/webhook_endpoints?limit=100');
  for (const { id } of data.length < 40 ? [] : data.slice(20)) await must('DELETE', `/v1/webhook_endpoints/${id}`);
}

async function newEndpoint(world: World): Promise<string> {
  await makeRoom(world);
  const body = { url: `${world.receiver.url}/${randomUUID()}`, enabled_events: ['opt_out.created'] };
  return (await world.must('POST', '/v1/webhook_endpoints', body)).id;
}

async function newEvent(world: World): Promise<Json> {
  const number = await newOptOut(world);
  const resource = encodeURIComponent(`${world.tenantId}:${number}`);
  return (await world.must('GET', `/v1/events?resource_id=${resource}`)).data[0];
}

async function newDelivery(world: World): Promise<{ endpoint_id: string; delivery_id: string; event_id: string }> {
  const endpoint_id = await newEndpoint(world);
  const { id: event_id } = await newEvent(world);
  const list = await world.must('GET', `/v1/webhook_endpoints/${endpoint_id}/deliveries`);
  return { endpoint_id, delivery_id: list.data[0].id, event_id };
}

async function newReplay(world: World): Promise<{ endpoint_id: string; replay_id: string }> {
  const endpoint_id = await newEndpoint(world);
  const body = { start: '2026-01-01' };
  const { id: replay_id } = await world.must('POST', `/v1/webhook_endpoints/${endpoint_id}/replays`, body);
  return { endpoint_id, replay_id };
}

async function newApiKey(world: World): Promise<string> {
  return (await world.must('POST', '/v1/api_keys', { name: 'Front desk' })).id;
}

async function newOptInForm(world: World): Promise<Json> {
  return world.must('POST', '/v1/opt_in_forms', { tenant_id: world.tenantId, name: 'Front desk' });
}

const ofTenant: Fixture = {
  make: async (world) => ({ path: { tenant_id: world.tenantId } }),
  refs: { 'path.tenant_id': 'tenant_not_found' },
};
const ofNumber: Fixture = {
  make: async (world) => ({ path: { number_id: world.numberId } }),
  refs: { 'path.number_id': 'phone_number_not_found' },
};
const ofApiKey: Fixture = {
  make: async (world) => ({ path: { key_id: await newApiKey(world) } }),
  refs: { 'path.key_id': 'api_key_not_found' },
};
const ofOptInForm: Fixture = {
  make: async (world) => ({ path: { opt_in_form_id: (await newOptInForm(world)).id } }),
  refs: { 'path.opt_in_form_id': 'opt_in_form_not_found' },
};
const ofEndpoint: Fixture = {
  make: async (world) => ({ path: { endpoint_id: await newEndpoint(world) } }),
  refs: { 'path.endpoint_id': 'webhook_endpoint_not_found' },
};
const ofDelivery: Fixture = {
  make: async (world) => {
    const { endpoint_id, delivery_id } = await newDelivery(world);
    return { path: { endpoint_id, delivery_id } };
  },
  refs: { ...ofEndpoint.refs, 'path.delivery_id': 'delivery_not_found' },
};
const ofReplay: Fixture = {
  make: async (world) => ({ path: await newReplay(world) }),
  refs: { ...ofEndpoint.refs, 'path.replay_id': 'replay_not_found' },
};
/** The text comes from a template, so that the body names both resources. */
const send: Fixture = {
  make: async (world) => ({
    body: {
      from: world.numberId,
      to: externalNumber(),
      template_id: await newTemplate(world),
      variables: { name: 'Ann' },
      metadata: { a: 'b' },
    },
  }),
  refs: { 'body.from': 'from_number_not_found', 'body.template_id': 'template_not_found' },
};

export const FIXTURES: Readonly<Record<string, Fixture>> = {
  ...COMPLIANCE_FIXTURES,
  ...ROUTING_FIXTURES,
  ...CALL_FIXTURES,
  ...SIMULATED_CALL_FIXTURES,
  ...RECORDING_FIXTURES,
  ...WEB_CLIENT_FIXTURES,
  ...BROWSER_SESSION_FIXTURES,
  ...NUMBER_PAPER_FIXTURES,
  ...TEXT_FIXTURES,
  ...CONTACT_FIXTURES,
  ...CONVERSATION_FIXTURES,
  ...NOTE_FIXTURES,
  ...QUEUE_FIXTURES,
  ...OPT_OUT_FIXTURES,
  'GET /v1/tenants': { ...NOTHING, row: async ({ tenantId }) => tenantId },
  'POST /v1/tenants': {
    make: async () => ({
      body: { name: 'Desert Dental', external_ref: randomUUID(), timezone: 'America/Denver', metadata: { a: 'b' } },
    }),
  },
  'GET /v1/tenants/{tenant_id}': ofTenant,
  'PATCH /v1/tenants/{tenant_id}': {
    ...ofTenant,
    make: async (world) => ({ path: { tenant_id: world.tenantId }, body: { name: 'Renamed' } }),
  },
  'DELETE /v1/tenants/{tenant_id}': {
    ...ofTenant,
    make: async (world) => ({ path: { tenant_id: await newTenant(world) } }),
  },
  'GET /v1/phone_numbers/available': { make: async () => ({ query: { area_code: '480', limit: '1' } }) },
  'GET /v1/phone_numbers': {
    make: async ({ tenantId }) => ({ query: { tenant_id: tenantId } }),
    refs: tenantFilter,
    row: async ({ numberId }) => numberId,
  },
  'POST /v1/phone_numbers': {
    make: async (world) => ({
      body: {
        tenant_id: world.tenantId,
        phone_number: await findOnSale(world.harness, world.key),
        routing_config_id: await newRoutingConfig(world),
      },
    }),
    refs: {
      'body.tenant_id': 'tenant_not_found',
      'body.routing_config_id': 'routing_config_not_found',
      'body.campaign_id': 'campaign_not_found',
    },
  },
  'GET /v1/phone_numbers/{number_id}': ofNumber,
  'PATCH /v1/phone_numbers/{number_id}': {
    make: async (world) => ({
      path: { number_id: (await newNumber(world)).id },
      body: { campaign_id: (await newCampaign(world)).id, routing_config_id: await newRoutingConfig(world) },
    }),
    refs: {
      ...ofNumber.refs,
      'body.routing_config_id': 'routing_config_not_found',
      'body.campaign_id': 'campaign_not_found',
      'body.e911_address_id': 'e911_address_not_found',
    },
  },
  'DELETE /v1/phone_numbers/{number_id}': {
    ...ofNumber,
    make: async (world) => ({ path: { number_id: (await newNumber(world)).id } }),
  },
  'POST /v1/messages': send,
  'POST /v1/messages/check': send,
  'GET /v1/messages': {
    make: async (world) => ({
      query: { tenant_id: world.tenantId, conversation_id: (await newMessage(world)).conversation_id },
    }),
    refs: { ...tenantFilter, 'query.conversation_id': 'conversation_not_found' },
    row: async (world) => (await newMessage(world)).id,
  },
  'GET /v1/messages/{message_id}': {
    make: async (world) => ({ path: { message_id: (await newMessage(world)).id } }),
    refs: { 'path.message_id': 'message_not_found' },
  },
  'GET /v1/webhook_endpoints': { ...NOTHING, row: newEndpoint },
  'POST /v1/webhook_endpoints': {
    make: async (world) => {
      await makeRoom(world);
      const body = { url: publicUrl(), enabled_events: ['message.sent'], description: 'Made by a test' };
      return { body: { ...body, tenant_id: world.tenantId } };
    },
    refs: { 'body.tenant_id': 'tenant_not_found' },
  },
  'GET /v1/webhook_endpoints/{endpoint_id}': ofEndpoint,
  'PATCH /v1/webhook_endpoints/{endpoint_id}': {
    ...ofEndpoint,
    make: async (world) => ({
      path: { endpoint_id: await newEndpoint(world) },
      body: { url: publicUrl(), status: 'active', tenant_id: world.tenantId },
    }),
    refs: { ...ofEndpoint.refs, 'body.tenant_id': 'tenant_not_found' },
  },
  'DELETE /v1/webhook_endpoints/{endpoint_id}': ofEndpoint,
  'POST /v1/webhook_endpoints/{endpoint_id}/rotate_secret': ofEndpoint,
  'POST /v1/webhook_endpoints/{endpoint_id}/test': {
    ...ofEndpoint,
    make: async (world) => ({
      path: { endpoint_id: await newEndpoint(world) },
      body: { event_type: 'message.received' },
    }),
  },
  'GET /v1/webhook_endpoints/{endpoint_id}/deliveries': {
    make: async (world) => {
      const { endpoint_id, event_id } = await newDelivery(world);
      return { path: { endpoint_id }, query: { event_id } };
    },
    refs: { ...ofEndpoint.refs, 'query.event_id': null },
  },
  'GET /v1/webhook_endpoints/{endpoint_id}/deliveries/{delivery_id}': ofDelivery,
  'POST /v1/webhook_endpoints/{endpoint_id}/deliveries/{delivery_id}/retry': ofDelivery,
  'POST /v1/webhook_endpoints/{endpoint_id}/deliveries/retry_failed': ofEndpoint,
  'GET /v1/webhook_endpoints/{endpoint_id}/replays': ofEndpoint,
  'POST /v1/webhook_endpoints/{endpoint_id}/replays': {
    ...ofEndpoint,
    make: async (world) => ({
      path: { endpoint_id: await newEndpoint(world) },
      body: { start: '2026-01-01', event_types: ['opt_out.created'], only_missed: true },
    }),
  },
  'GET /v1/webhook_endpoints/{endpoint_id}/replays/{replay_id}': ofReplay,
  'POST /v1/webhook_endpoints/{endpoint_id}/replays/{replay_id}/cancel': ofReplay,
  'GET /v1/events': {
    make: async (world) => ({ query: { tenant_id: world.tenantId, resource_id: (await newEvent(world)).resource_id } }),
    // This is a filter and not a lookup, because events outlive their resource.
    refs: { ...tenantFilter, 'query.resource_id': null },
    row: async (world) => (await newEvent(world)).id,
  },
  'GET /v1/events/{event_id}': {
    make: async (world) => ({ path: { event_id: (await newEvent(world)).id } }),
    refs: { 'path.event_id': 'event_not_found' },
  },
  'POST /v1/events/{event_id}/resend': {
    make: async (world) => ({
      path: { event_id: (await newEvent(world)).id },
      body: { endpoint_id: await newEndpoint(world) },
    }),
    refs: { 'path.event_id': 'event_not_found', 'body.endpoint_id': 'webhook_endpoint_not_found' },
  },
  'POST /v1/realtime/tokens': {
    make: async ({ tenantId }) => ({ body: { tenant_id: tenantId } }),
    refs: { 'body.tenant_id': 'tenant_not_found' },
  },
  'GET /v1/usage': {
    make: async (world) => ({ query: { tenant_id: world.tenantId, start: '2026-11-01', group_by: 'tenant' } }),
    refs: tenantFilter,
  },
  'GET /v1/prices': NOTHING,
  'GET /v1/request_log': {
    make: async ({ tenantId }) => ({ query: { tenant_id: tenantId, resource_id: tenantId } }),
    refs: { ...tenantFilter, 'query.resource_id': null },
    row: newRequest,
  },
  'GET /v1/request_log/{request_id}': {
    make: async (world) => ({ path: { request_id: await newRequest(world) } }),
    refs: { 'path.request_id': 'request_not_found' },
  },
  'GET /v1/audit_log': {
    make: async ({ tenantId }) => ({ query: { tenant_id: tenantId } }),
    refs: tenantFilter,
    row: newTenant,
  },
  'GET /v1/balance': NOTHING,
  'GET /v1/balance/entries': NOTHING,
  'GET /v1/api_keys': {
    make: async (world) => ({ query: { tenant_id: world.tenantId } }),
    refs: tenantFilter,
    row: newApiKey,
  },
  'POST /v1/api_keys': {
    make: async (world) => ({ body: { name: `Key ${randomUUID()}`, tenant_id: world.tenantId } }),
    refs: { 'body.tenant_id': 'tenant_not_found' },
  },
  'DELETE /v1/api_keys/{key_id}': ofApiKey,
  'POST /v1/api_keys/{key_id}/rotate': {
    ...ofApiKey,
    make: async (world) => ({
      path: { key_id: await newApiKey(world) },
      body: { expires_in_seconds: randomInt(1_000_000) },
    }),
  },
  'GET /v1/opt_in_forms': {
    make: async (world) => ({ query: { tenant_id: world.tenantId } }),
    refs: tenantFilter,
    row: async (world) => (await newOptInForm(world)).id,
  },
  'POST /v1/opt_in_forms': {
    make: async (world) => ({
      body: { tenant_id: world.tenantId, name: `Form ${randomUUID()}`, terms_url: 'https://example.com/terms' },
    }),
    refs: { 'body.tenant_id': 'tenant_not_found', 'body.campaign_id': 'campaign_not_found' },
  },
  'GET /v1/opt_in_forms/{opt_in_form_id}': ofOptInForm,
  'PATCH /v1/opt_in_forms/{opt_in_form_id}': {
    make: async (world) => ({
      path: { opt_in_form_id: (await newOptInForm(world)).id },
      body: { name: `Form ${randomUUID()}`, terms_url: 'https://example.com/terms' },
    }),
    refs: { ...ofOptInForm.refs, 'body.campaign_id': 'campaign_not_found' },
  },
  'DELETE /v1/opt_in_forms/{opt_in_form_id}': ofOptInForm,
  'GET /v1/opt_in_forms/{opt_in_form_id}/submissions': ofOptInForm,
  'GET /v1/openapi.json': NOTHING,
  'POST /v1/test/inbound_messages': {
    make: async ({ e164 }) => ({ body: { from: externalNumber(), to: e164, body: 'Hello' } }),
    refs: { 'body.to': 'phone_number_not_found' },
  },
  'POST /v1/test/messages/{message_id}/receipt': {
    make: async (world) => ({
      path: { message_id: (await newMessage(world)).id },
      body: { status: 'failed', failure_reason: 'unreachable' },
    }),
    refs: { 'path.message_id': 'message_not_found' },
  },
  'GET /v1/test/outbox': {
    ...NOTHING,
    row: async (world) => {
      const { id } = await newMessage(world);
      // The handset gets the text when the job that delivers it has run.
      await world.harness.advance(2, world.key);
      return id;
    },
  },
  'GET /v1/test/clock': NOTHING,
  'POST /v1/test/clock': { make: async () => ({ body: { advance_seconds: 1 } }) },
  'GET /v1/test/faults': {
    ...NOTHING,
    row: async (world) => (await world.must('POST', '/v1/test/faults', { kind: 'duplicate', times: 1_000 })).kind,
  },
  'POST /v1/test/faults': { make: async () => ({ body: { kind: 'drop', times: 0 } }) },
  'POST /v1/test/reset': NOTHING,
};

export function fixtureOf(route: Route): Fixture {
  const fixture = FIXTURES[route.name];
  if (fixture === undefined) throw new Error(`${route.name} has no entry in test/contract/fixtures.ts`);
  return fixture;
}

/** Routes whose success deletes resources that other tests of a file need. Tests run them in a separate world. */
export const EMPTIES_LEDGER = 'POST /v1/test/reset';
