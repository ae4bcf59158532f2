/** An account as a platform of clinics and garages would have it: something of everything that the console shows. */
import { now } from '../../../src/lib/time/time.ts';
import { BRAND, CAMPAIGN } from '../../support/compliance.ts';
import type { Json } from '../../support/events.ts';
import { PDF, PORT_DETAILS } from '../../support/port-ins.ts';
import { until } from '../../support/until.ts';

/** Sends a request to the API, and fails unless it succeeds. */
export type Send = (method: string, path: string, body?: object | Uint8Array) => Promise<Json>;

type Line = { readonly id: string; readonly phone_number: string };

/** The ids of the resources that pages with an id show, by the path of the page. */
export type PageIds = Readonly<Record<string, string>>;

const PERSONS = ['+16025550143', '+16025550144', '+16025550145', '+16025550146'] as const;
const DESK = '+16025550120';
const WEEKDAYS = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], open: '08:00', close: '17:30' };

/**
 * Fills a test ledger.
 * @param receiver an address that takes webhooks, or refuses them
 */
export async function fillLedger(send: Send, receiver: string): Promise<PageIds> {
  const clinic = await send('POST', '/v1/tenants', { name: 'Desert Paws Clinic', external_ref: 'clinic-17' });
  const garage = await send('POST', '/v1/tenants', { name: 'Mesa Auto Repair', timezone: 'America/Denver' });
  await send('POST', '/v1/tenants', { name: 'Copper State Property Management', external_ref: 'pm-3' });
  const endpoint = await send('POST', '/v1/webhook_endpoints', { url: receiver });
  const [line, garageLine] = [await buyNumber(send, clinic.id, '602'), await buyNumber(send, garage.id, '480')];
  const registered = await register(send, clinic.id);
  const routing = await send('POST', '/v1/routing_configs', {
    tenant_id: clinic.id,
    name: 'Front desk',
    business_hours: { schedule: [WEEKDAYS], holidays: [{ date: '2026-12-25', closed: true }] },
    open_behavior: {
      ...{ type: 'ring', targets: [DESK, '+16025550121'] },
      no_answer: { type: 'voicemail', greeting_text: 'Nobody can come to the phone. Please leave a message.' },
    },
    closed_behavior: { type: 'voicemail', greeting_text: 'We are closed. Please leave a message.', transcribe: true },
  });
  const { service_address: place } = PORT_DETAILS;
  const address = await send('POST', '/v1/e911_addresses', { tenant_id: clinic.id, ...place });
  await send('PATCH', `/v1/phone_numbers/${line.id}`, {
    routing_config_id: routing.id,
    campaign_id: registered.campaigns,
    e911_address_id: address.id,
  });
  const portIn = await portNumber(send, clinic.id);
  await send('POST', '/v1/message_templates', {
    tenant_id: clinic.id,
    name: 'Reminder',
    body: 'Hi {{name}}, {{pet}} is due for a check-up. Reply C to confirm.',
  });
  await exchangeTexts(send, line, garageLine);
  const client = await send('POST', '/v1/web_clients', { tenant_id: clinic.id, name: 'Front desk' });
  await send('POST', '/v1/web_clients', { tenant_id: garage.id, name: 'Workshop' });
  const queue = await send('POST', '/v1/queues', { tenant_id: clinic.id, name: 'Support', agents: [client.id, DESK] });
  const contact = await makeContacts(send, clinic.id);
  const calls = await makeCalls(send, line);
  const [recording] = (await send('GET', '/v1/recordings?limit=1')).data;
  const [conversation] = (await send('GET', `/v1/conversations?tenant_id=${clinic.id}`)).data;
  const [event] = (await send('GET', '/v1/events?limit=1')).data;
  const [request] = (await send('GET', '/v1/request_log?limit=1')).data;
  const [message] = (await send('GET', '/v1/messages?limit=1')).data;
  const [delivery] = (await send('GET', `/v1/webhook_endpoints/${endpoint.id}/deliveries?limit=1`)).data;
  return {
    ...registered,
    tenants: clinic.id,
    numbers: line.id,
    contacts: contact,
    inbox: conversation.id,
    calls,
    routing: routing.id,
    'port-ins': portIn,
    queues: queue.id,
    'web-clients': client.id,
    recordings: recording.id,
    webhooks: endpoint.id,
    deliveries: delivery.id,
    events: event.id,
    messages: message.id,
    requests: request.id,
  };
}

/** Makes two of the people that the clinic knows. Returns the id of the first. */
async function makeContacts(send: Send, tenantId: string): Promise<string> {
  const [dana, kim] = PERSONS;
  const sent = await send('POST', '/v1/contacts/upsert', {
    tenant_id: tenantId,
    contacts: [
      { name: 'Dana Whitfield', phone_numbers: [dana], email: 'dana@example.com', external_ref: 'owner-204' },
      { name: 'Kim Nguyen', company: 'Mesa Kennels', phone_numbers: [kim] },
    ],
  });
  return sent.data[0].contact_id;
}

async function buyNumber(send: Send, tenantId: string, areaCode: string): Promise<Line> {
  const { data } = await send('GET', `/v1/phone_numbers/available?area_code=${areaCode}&limit=1`);
  const body = { tenant_id: tenantId, phone_number: data[0].phone_number };
  return (await send('POST', '/v1/phone_numbers', body)) as unknown as Line;
}

/** Registers a brand with an approved campaign, a draft and an opt-in form. */
async function register(send: Send, tenantId: string): Promise<PageIds> {
  const brand = await send('POST', '/v1/brands', { ...BRAND, tenant_id: tenantId });
  const body = { tenant_id: tenantId, brand_id: brand.id, ...CAMPAIGN };
  const campaign = await send('POST', '/v1/campaigns', body);
  await send('POST', '/v1/campaigns', { ...body, use_case: 'customer_care', draft: true });
  const form = await send('POST', '/v1/opt_in_forms', {
    tenant_id: tenantId,
    campaign_id: campaign.id,
    name: 'Appointment reminders',
    color: '#0b6655',
  });
  return { brands: brand.id, campaigns: campaign.id, forms: form.id };
}

async function portNumber(send: Send, tenantId: string): Promise<string> {
  const last = String(now()).slice(-4);
  const body = { tenant_id: tenantId, phone_numbers: [`+1520555${last}`], ...PORT_DETAILS };
  const { id } = await send('POST', '/v1/port_ins', body);
  for (const kind of ['letter_of_authorization', 'invoice'])
    await send('POST', `/v1/port_ins/${id}/documents?kind=${kind}`, PDF);
  await send('POST', `/v1/port_ins/${id}/submit`);
  return id;
}

async function exchangeTexts(send: Send, line: Line, garageLine: Line): Promise<void> {
  const write = (from: Line, to: string, body: string) => send('POST', '/v1/messages', { from: from.id, to, body });
  const receive = (from: string, to: Line, body: string) =>
    send('POST', '/v1/test/inbound_messages', { from, to: to.phone_number, body });
  const [dana, kim, lee, pat] = PERSONS;
  const reminder = await write(line, dana, 'Desert Paws: Biscuit is due for a check-up. Reply C to confirm.');
  await until('the person has the text that the person answers', async () => {
    const { data } = await send('GET', '/v1/test/outbox');
    return data.some((text: Json) => text.message_id === reminder.id);
  });
  await receive(dana, line, 'C. Can we come at 3 instead?');
  await write(line, dana, 'Of course. See you and Biscuit at 3 pm.');
  await receive(kim, line, 'Is the clinic open on Saturday?');
  await write(line, lee, 'Desert Paws: please confirm your visit tomorrow with C.');
  await receive(lee, line, 'STOP');
  await write(garageLine, pat, 'Mesa Auto Repair: your brakes are done. We close at 6.');
  // The last digits say how the simulated carrier delivers.
  await write(line, '+16025550001', 'Desert Paws: the results are here.');
  await send('POST', '/v1/test/clock', { advance_seconds: 5 });
}

/** Makes a call with a transcript and a recording, a missed one and a voicemail. Returns the first one's id. */
async function makeCalls(send: Send, line: Line): Promise<string> {
  const [dana, kim] = PERSONS;
  const body = { from: line.id, connect_to: DESK, to: dana, transcribe: true, record: true };
  const { id } = await send('POST', '/v1/calls', body);
  await passTime(send, async () => (await send('GET', `/v1/calls/${id}`)).status === 'in_progress');
  for (const [speaker, text] of [
    ['agent', 'Desert Paws Clinic, this is Sam. How is Biscuit?'],
    ['customer', 'Much better, thank you. Can we come at three tomorrow?'],
    ['agent', 'Three is fine. See you then.'],
  ] as const) {
    await send('POST', `/v1/test/calls/${id}/speech`, { speaker, text });
    await send('POST', '/v1/test/clock', { advance_seconds: 1 });
  }
  // The person hangs up after 15 s. The clock is advanced for that, because a slow machine passes real time too.
  await passTime(send, async () => (await send('GET', `/v1/calls/${id}`)).status === 'completed');
  // Leaves a voicemail, whether the office is open now or not.
  const message = { seconds: 9, transcript: 'Hello, this is Kim. Please call me back about Luna.' };
  const missed = await send('POST', '/v1/test/inbound_calls', { from: kim, to: line.phone_number });
  await send('POST', `/v1/test/calls/${missed.id}/voicemail`, message);
  await passTime(send, async () => (await send('GET', '/v1/voicemails?limit=1')).data.length > 0);
  return id;
}

const STEPS_MAX = 60;

/** Moves the clock of the ledger second by second until `isSo` resolves with true. */
async function passTime(send: Send, isSo: () => Promise<boolean>): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step += 1) {
    if (await isSo()) return;
    await send('POST', '/v1/test/clock', { advance_seconds: 1 });
  }
  throw new Error(`it did not come about within ${STEPS_MAX} s`);
}
