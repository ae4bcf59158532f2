/** Scripts in every text field of the API that the console shows. */
import assert from 'node:assert/strict';
import { BRAND, CAMPAIGN } from '../../support/compliance.ts';
import type { Json } from '../../support/events.ts';
import { sql, until } from '../../support/jobs.ts';
import { numberElsewhere, PDF, PORT_DETAILS } from '../../support/port-ins.ts';
import type { Receiver } from '../../support/receiver.ts';
import { talk } from '../../support/recordings.ts';
import type { PageIds } from './believable.ts';
import { leaveVoicemail, type OwnAccount } from './own-account.ts';

const PERSON = '+16025550143';

/** A text that runs if it is taken for HTML, and that contains the name of its field. */
export type Scripts = {
  /** Returns the script of a field. */
  of(field: string): string;
  /** Returns a script of at most 30 characters. */
  shortOf(field: string): string;
  /** Returns an address with the script of a field in its query. */
  urlOf(field: string): string;
  /** All texts that the pages must show, by their fields. */
  readonly all: ReadonlyMap<string, string>;
};

export function makeScripts(): Scripts {
  const all = new Map<string, string>();
  const keep = (field: string, text: string) => {
    assert.ok(!all.has(field), field);
    all.set(field, text);
    return text;
  };
  return {
    all,
    shortOf: (field) => keep(field, `<img src=x onerror=run(${all.size})>`),
    of: (field) => keep(field, `<img src=x onerror=run("${field}")><script>run("${field}")</script>`),
    urlOf: (field) => keep(field, `https://site.example/?q=<img/src=x/onerror=run('${field}')>`),
  };
}

/** Stores a script in each field. Returns the ids of the resources that pages show, by the path of the page. */
export async function storeScripts(desk: OwnAccount, scripts: Scripts, receiver: Receiver): Promise<PageIds> {
  const { send, line } = desk;
  const tenant = await send('PATCH', `/v1/tenants/${line.tenantId}`, {
    name: scripts.of('tenant.name'),
    external_ref: scripts.of('tenant.external_ref'),
    sender_name: scripts.shortOf('tenant.sender_name'),
    support_contact: scripts.urlOf('tenant.support_contact'),
    metadata: { '<b>name': scripts.of('tenant.metadata') },
  });
  receiver.answer({
    status: 500,
    body: scripts.of('webhook.answer'),
    headers: { server: scripts.of('webhook.header') },
  });
  const endpoint = await send('POST', '/v1/webhook_endpoints', {
    url: `${receiver.url}?q=<img/src=x/onerror=run(9)>`,
    description: scripts.of('endpoint.description'),
  });
  const registered = await register(desk, scripts);
  const routed = await makeRouting(desk, scripts);
  const address = await send('POST', '/v1/e911_addresses', {
    ...{ tenant_id: tenant.id, state: 'AZ', postal_code: '85004' },
    ...{ street: `100 ${scripts.of('e911.street')}`, unit: '<b>5', city: scripts.of('e911.city') },
  });
  assert.ok(address.id);
  const portIn = await portNumber(desk, scripts);
  await send('POST', '/v1/api_keys', { name: scripts.of('key.name') });
  await send('POST', '/v1/message_templates', {
    name: scripts.of('template.name'),
    body: `${scripts.of('template.body')} {{first}}`,
  });
  const contact = await send('POST', '/v1/contacts', {
    tenant_id: tenant.id,
    name: scripts.of('contact.name'),
    company: scripts.of('contact.company'),
    external_ref: scripts.of('contact.external_ref'),
    phone_numbers: [PERSON],
  });
  const message = await exchangeTexts(desk, scripts);
  const calls = await makeCalls(desk, scripts);
  await refuse(desk, scripts);
  const [event] = (await send('GET', `/v1/events?resource_id=${message.id}`)).data;
  const [request] = (await send('GET', '/v1/request_log?method=POST&route=/v1/messages')).data;
  const [delivery] = (await send('GET', `/v1/webhook_endpoints/${endpoint.id}/deliveries?limit=1`)).data;
  return {
    ...{ ...registered, ...routed, ...calls },
    tenants: tenant.id,
    numbers: line.number.id,
    contacts: contact.id,
    inbox: message.conversation_id,
    'port-ins': portIn,
    webhooks: endpoint.id,
    deliveries: delivery.id,
    events: event.id,
    messages: message.id,
    requests: request.id,
  };
}

async function register({ own, send, line }: OwnAccount, scripts: Scripts): Promise<PageIds> {
  const { tenantId: tenant_id } = line;
  const vetted = await send('POST', '/v1/brands', { ...BRAND, tenant_id });
  await send('POST', '/v1/test/reviews', { mode: 'manual' });
  const brand = await send('POST', '/v1/brands', {
    ...{ ...BRAND, tenant_id },
    legal_name: scripts.of('brand.legal_name'),
    dba: scripts.of('brand.dba'),
    street: scripts.of('brand.street'),
    city: scripts.of('brand.city'),
  });
  const campaign = await send('POST', '/v1/campaigns', {
    ...{ ...CAMPAIGN, tenant_id, brand_id: vetted.id },
    description: scripts.of('campaign.description'),
    sample_messages: [scripts.of('campaign.sample'), CAMPAIGN.sample_messages[0]],
    opt_in_description: scripts.of('campaign.opt_in'),
    draft: true,
  });
  await send('POST', `/v1/campaigns/${campaign.id}/submit`);
  const reject = (reason: string) => ({ result: 'rejected', reason });
  await send('POST', `/v1/test/campaigns/${campaign.id}/review`, reject(scripts.of('campaign.reason')));
  await send('POST', `/v1/test/brands/${brand.id}/review`, reject(scripts.of('brand.reason')));
  await send('POST', '/v1/test/reviews', { mode: 'auto' });
  const form = await send('POST', '/v1/opt_in_forms', {
    tenant_id,
    name: scripts.of('form.name'),
    consent_text: `${scripts.of('form.consent')} I agree to texts. Reply STOP to opt out, HELP for help. Rates may apply.`,
    terms_url: scripts.urlOf('form.terms'),
  });
  const filled = await own.call('POST', new URL(form.url).pathname, {
    key: null,
    body: { phone_number: PERSON, consent: 'yes' },
    headers: { 'user-agent': scripts.of('submission.user_agent') },
  });
  assert.equal(filled.status, 201, JSON.stringify(filled.body));
  return { brands: brand.id, campaigns: campaign.id, forms: form.id };
}

async function makeRouting({ send, line }: OwnAccount, scripts: Scripts): Promise<PageIds> {
  const leaves = { type: 'voicemail', greeting_text: scripts.of('routing.greeting'), transcribe: true };
  const { tenantId: tenant_id } = line;
  const client = await send('POST', '/v1/web_clients', { tenant_id, name: scripts.of('web_client.name') });
  const { id } = await send('POST', '/v1/routing_configs', {
    tenant_id,
    name: scripts.of('routing.name'),
    open_behavior: { type: 'menu', prompt: scripts.of('routing.prompt'), options: { 1: leaves }, otherwise: leaves },
    business_hours: { schedule: [] },
    closed_behavior: { type: 'ring', targets: [client.id], no_answer: null },
  });
  const queue = await send('POST', '/v1/queues', { tenant_id, name: scripts.of('queue.name'), agents: [client.id] });
  return { routing: id, 'web-clients': client.id, queues: queue.id };
}

async function portNumber({ send, line }: OwnAccount, scripts: Scripts): Promise<string> {
  const { id } = await send('POST', '/v1/port_ins', {
    ...{ ...PORT_DETAILS, tenant_id: line.tenantId, phone_numbers: [numberElsewhere()] },
    entity_name: scripts.of('port_in.entity_name'),
    authorized_person: scripts.of('port_in.authorized_person'),
    service_address: { ...PORT_DETAILS.service_address, street: scripts.of('port_in.street') },
  });
  for (const kind of ['letter_of_authorization', 'invoice'])
    await send('POST', `/v1/port_ins/${id}/documents?kind=${kind}`, PDF);
  await send('POST', `/v1/port_ins/${id}/submit`);
  const status_detail = scripts.of('port_in.status_detail');
  await send('POST', `/v1/test/port_ins/${id}/advance`, { status: 'action_needed', status_detail });
  return id;
}

async function exchangeTexts({ send, line }: OwnAccount, scripts: Scripts): Promise<Json> {
  const message = await send('POST', '/v1/messages', {
    ...{ from: line.number.id, to: PERSON },
    body: scripts.of('message.body'),
    metadata: { '<b>name': scripts.of('message.metadata') },
  });
  const body = scripts.of('inbound.body');
  await send('POST', '/v1/test/inbound_messages', { from: PERSON, to: line.number.phone_number, body });
  return message;
}

async function makeCalls(desk: OwnAccount, scripts: Scripts): Promise<PageIds> {
  const { own, send, line } = desk;
  const call = await talk(own, line, { to: PERSON, transcribe: true, record: true });
  // The transcription begins after the announcement of the recording.
  await own.advance(4);
  const text = scripts.of('call.transcript');
  await send('POST', `/v1/test/calls/${call.id}/speech`, { speaker: 'customer', text });
  await until('it is transcribed', async () => {
    const { segments } = await send('GET', `/v1/calls/${call.id}/transcript`);
    return segments.length > 0;
  });
  await own.advance(30);
  // The headers of a SIP call and the summary of a model: no simulated call has them.
  const values = [
    call.id,
    scripts.of('call.identity'),
    scripts.of('call.asserted_identity'),
    scripts.of('call.summary'),
  ];
  const identities = `jsonb_build_object('identity', $2::text, 'asserted_identity', $3::text)`;
  const { db } = own.context;
  await sql(
    db,
    `with noted as (
       update call_events set detail = (detail::jsonb || ${identities})::json where call_id = $1 and type = 'initiated'
     )
     update calls set summary = $4 where id = $1`,
    values,
  );
  await leaveVoicemail(desk, scripts.shortOf('voicemail.transcript'));
  const [recording] = (await send('GET', '/v1/recordings?limit=1')).data;
  return { calls: call.id, recordings: recording.id };
}

/** Makes requests that the API refuses, for the request log. */
async function refuse({ own, line }: OwnAccount, scripts: Scripts): Promise<void> {
  const path = `/v1/messages/${encodeURIComponent('<img src=x onerror=run(7)>')}`;
  assert.equal((await own.call('GET', path)).status, 404);
  const sent = await own.call('POST', '/v1/messages', {
    body: { from: line.number.id, to: PERSON, body: 'Hello' },
    headers: { 'idempotency-key': scripts.of('request.idempotency_key') },
  });
  assert.equal(sent.status, 201, JSON.stringify(sent.body));
}
