/**
 * A clinic's use of its phone service, from an empty account to a stream of a call's audio. The steps are the same with
 * a test key and with a live key. Only the program that plays the people at the other end differs.
 */
import assert from 'node:assert/strict';
import { decodeWav } from '../../src/audio/wav.ts';
import { BRAND, CAMPAIGN } from '../support/compliance.ts';
import type { Json } from '../support/events.ts';
import type { Harness } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { newPerson, refusal } from '../support/messages.ts';
import { findOnSale } from '../support/numbers.ts';
import { addDocument, makePortIn } from '../support/port-ins.ts';
import { connectTo, heard } from '../support/streams.ts';

/** The people at the other end of texts and calls. */
export type People = {
  text(text: { readonly from: string; readonly to: string; readonly body: string }): Promise<void>;
  call(call: { readonly from: string; readonly to: string }): Promise<void>;
  /** The customer of a running call says a sentence. */
  say(said: { readonly callId: string; readonly person: string; readonly text: string }): Promise<void>;
};

const STEP_MS = 60_000;

/** Plays the journey. Fails at the first step that does not end as it should. */
export async function playJourney(harness: Harness, key: string, people: People): Promise<void> {
  const scene = { harness, key, people, ...openApi(harness, key) };
  const line = await register(scene);
  await exchangeTexts(scene, line);
  await makeCall(scene, line);
  await takeVoicemail(scene, line);
  await portIn(scene, line);
  await setEmergencyAddress(scene, line);
}

/** Requests with the key of the journey, which must succeed. */
function openApi(harness: Harness, key: string) {
  const ask = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Json> => {
    const reply = await harness.call(method, `/v1${path}`, { key, ...(body !== undefined && { body }) });
    assert.ok(reply.status < 300, `${method} ${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const untilHas = (path: string, fields: object) =>
    until(
      `${path} has ${JSON.stringify(fields)}`,
      async () => {
        const found = await ask('GET', path);
        return Object.entries(fields).every(([name, value]) => found[name] === value);
      },
      STEP_MS,
    );
  const assertAudible = async (path: string) => {
    const reply = await fetch(`${harness.url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(reply.status, 200);
    const { pcm } = decodeWav(new Uint8Array(await reply.arrayBuffer()));
    assert.ok(
      pcm.some((sample) => Math.abs(sample) > 1_000),
      `${path} is silent`,
    );
  };
  return { ask, make: (path: string, body: object = {}) => ask('POST', path, body), untilHas, assertAudible };
}

type Scene = ReturnType<typeof openApi> & { readonly harness: Harness; readonly key: string; readonly people: People };
type Line = { readonly tenant: Json; readonly number: Json };

/** A tenant with a brand, a campaign, and a number that may text. */
async function register({ harness, key, make, untilHas }: Scene): Promise<Line> {
  const tenant = await make('/tenants', { name: 'Desert Paws Clinic' });
  const brand = await make('/brands', BRAND);
  await untilHas(`/brands/${brand.id}`, { status: 'vetted' });
  const campaign = await make('/campaigns', { ...CAMPAIGN, tenant_id: tenant.id, brand_id: brand.id });
  await untilHas(`/campaigns/${campaign.id}`, { status: 'approved' });
  const number = await make('/phone_numbers', {
    ...{ tenant_id: tenant.id, campaign_id: campaign.id },
    phone_number: await findOnSale(harness, key),
  });
  await untilHas(`/phone_numbers/${number.id}`, { messaging_ready: true });
  return { tenant, number };
}

async function exchangeTexts({ harness, key, people, ask, make, untilHas }: Scene, { number }: Line): Promise<void> {
  const person = newPerson();
  const reminder = await make('/messages', { from: number.id, to: person, body: 'Biscuit is due for a check-up.' });
  await untilHas(`/messages/${reminder.id}`, { status: 'delivered' });
  await people.text({ from: person, to: number.phone_number, body: 'STOP' });
  await until('the opt-out is recorded', async () => (await ask('GET', '/opt_outs')).data.length === 1, STEP_MS);
  const refused = await harness.call('POST', '/v1/messages', {
    key,
    body: { from: number.id, to: person, body: 'Hi' },
  });
  assert.equal(refusal(refused)[1], 'recipient_opted_out');
}

/** A click-to-call that is recorded, transcribed and streamed, and asks for a key. */
async function makeCall(
  { harness, people, ask, make, untilHas, assertAudible }: Scene,
  { number }: Line,
): Promise<void> {
  const parties = { connect_to: newPerson(), to: newPerson() };
  const { id: callId } = await make('/calls', { from: number.id, ...parties, record: true, transcribe: true });
  const path = `/calls/${callId}`;
  await untilHas(path, { status: 'in_progress' });
  await make(`${path}/gather`, { prompt: 'Press 1 to keep your appointment.' });
  const hasLogged = async (type: string) => (await ask('GET', path)).events.some((entry: Json) => entry.type === type);
  await until('the key is known', () => hasLogged('gather_finished'), STEP_MS);
  const client = connectTo(await make(`${path}/streams`, { direction: 'bidirectional' }), harness.url);
  await people.say({ callId, person: parties.to, text: 'We will be there at three.' });
  await client.until(() => heard(client, 'inbound').some((sample) => Math.abs(sample) > 1_000));
  client.socket.close();
  const segments = async () => (await ask('GET', `${path}/transcript`)).segments.length;
  await until('it is in the transcript', async () => (await segments()) > 0, STEP_MS);
  await make(`${path}/hangup`);
  await untilHas(path, { status: 'completed' });
  await until('there is a recording', async () => (await ask('GET', path)).recording_id !== null, STEP_MS);
  await assertAudible(`/recordings/${(await ask('GET', path)).recording_id}/audio`);
}

/** A call to an office that never opens. */
async function takeVoicemail({ people, ask, make, assertAudible }: Scene, { tenant, number }: Line): Promise<void> {
  const routing = await make('/routing_configs', {
    ...{ tenant_id: tenant.id, name: 'Front desk', business_hours: { schedule: [] } },
    open_behavior: { type: 'ring', targets: [newPerson()] },
    closed_behavior: { type: 'voicemail', greeting_text: 'We are closed. Leave a message.', transcribe: false },
  });
  await ask('PATCH', `/phone_numbers/${number.id}`, { routing_config_id: routing.id });
  await people.call({ from: newPerson(), to: number.phone_number });
  await until('there is a voicemail', async () => (await ask('GET', '/voicemails')).data.length === 1, STEP_MS);
  const [voicemail] = (await ask('GET', '/voicemails')).data;
  await assertAudible(`/voicemails/${voicemail.id}/audio`);
}

async function portIn({ harness, key, make, untilHas }: Scene, { tenant }: Line): Promise<void> {
  const { id } = await makePortIn(harness, tenant.id, {}, key);
  for (const kind of ['letter_of_authorization', 'invoice']) await addDocument(harness, id, kind, { key });
  await make(`/port_ins/${id}/submit`);
  await untilHas(`/port_ins/${id}`, { status: 'completed' });
}

async function setEmergencyAddress({ ask, make, untilHas }: Scene, { tenant, number }: Line): Promise<void> {
  const place = { street: '100 N Central Ave', city: 'Phoenix', state: 'AZ', postal_code: '85004' };
  const address = await make('/e911_addresses', { tenant_id: tenant.id, ...place });
  await ask('PATCH', `/phone_numbers/${number.id}`, { e911_address_id: address.id });
  await untilHas(`/phone_numbers/${number.id}`, { e911_address_id: address.id });
}
