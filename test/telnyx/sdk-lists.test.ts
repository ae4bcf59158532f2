/** The lists that an adapter reads, walked page by page by the SDK that Telnyx publishes; and the registry's errors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Telnyx from 'telnyx';
import { sleep } from '../support/stepping-time.ts';
import { RESPONSES } from './schemas.ts';
import { allOf, COMPANY, useSdk } from './use-sdk.ts';

const { client, control, receiver, buy } = await useSdk();

const CAMPAIGN = {
  usecase: 'CUSTOMER_CARE',
  description: 'Answers to questions of patients',
  sample1: 'Your appointment is at noon.',
  termsAndConditions: true,
};
const PERSONS = ['+13035550142', '+13035550143', '+13035550144'];

/** Fills the account with three of everything that is listed. Returns the ids that lists need. */
async function fill() {
  const { messaging10dlc: registry } = client;
  const { data: profile } = await client.outboundVoiceProfiles.create({ name: 'out 0' });
  const outbound = { outbound_voice_profile_id: profile?.id ?? '' };
  const named = { webhook_event_url: receiver.url, webhook_api_version: '2' as const, outbound };
  const applications: string[] = [];
  for (const name of ['desk 0', 'desk 1', 'desk 2']) {
    const { data } = await client.callControlApplications.create({ application_name: name, ...named });
    applications.push(data?.id ?? '');
  }
  for (const name of ['out 1', 'out 2']) await client.outboundVoiceProfiles.create({ name });
  const [connection_id = ''] = applications;
  const { numbers } = await buy(3, { connection_id });
  for (const more of [1, 1]) await buy(more);
  const [number = ''] = numbers;
  for (const person of PERSONS) await control.textIn({ from: person, to: number, text: 'STOP' });
  const place = { street_address: '1 Elm St', locality: 'Denver', country_code: 'US' };
  const names = { first_name: 'Ann', last_name: 'Birch', business_name: 'Birch Dental' };
  for (let count = 0; count < 3; count++) await client.addresses.create({ ...place, ...names });

  const brandIds: string[] = [];
  for (let count = 0; count < 3; count++) brandIds.push((await registry.brand.create(COMPANY)).brandId ?? '');
  await control.settled({});
  const [brandId = ''] = brandIds;
  let campaignId = '';
  for (let count = 0; count < 3; count++) {
    ({ campaignId = '' } = await registry.campaignBuilder.submit({ ...CAMPAIGN, brandId }));
  }
  await control.settled({});
  for (const phoneNumber of numbers) await registry.phoneNumberCampaigns.create({ phoneNumber, campaignId });

  const documentIds: string[] = [];
  const file = Buffer.from('%PDF-1.7\n').toString('base64');
  for (let count = 0; count < 3; count++) {
    const { data } = await client.documents.uploadJson({ document: { file, filename: 'a.pdf' } });
    documentIds.push(data?.id ?? '');
  }
  let orderId = '';
  for (const phone_number of ['+13035550101', '+13035550102', '+13035550103']) {
    const { data } = await client.portingOrders.create({ phone_numbers: [phone_number] });
    orderId = data?.[0]?.id ?? '';
  }
  const additional_documents = documentIds.map((document_id) => ({ document_id, document_type: 'other' as const }));
  await client.portingOrders.additionalDocuments.create(orderId, { additional_documents });
  for (let count = 0; count < 3; count++) await control.commentPort({ id: orderId, body: 'Please wait.' });

  const ann = await control.callIn({ from: PERSONS[0] ?? '', to: number });
  await client.calls.actions.answer(ann, {});
  for (let count = 0; count < 3; count++) {
    await client.calls.actions.startRecording(ann, { channels: 'dual', format: 'wav' });
    // A recording without a frame of audio does not exist.
    await sleep(60);
    await client.calls.actions.stopRecording(ann, {});
  }
  await client.calls.actions.hangup(ann, {});
  for (let count = 0; count < 3; count++) await control.portOut({ phoneNumbers: [number], status: 'rejected' });
  await control.settled({});
  return { brandId, orderId };
}

test('the SDK walks every list page by page, and misses nothing', async () => {
  const { brandId, orderId } = await fill();
  const { messaging10dlc: registry } = client;
  type Page = { 'page[number]'?: number; 'page[size]'?: number };
  type Listed = { data: unknown[]; meta: object };
  type List = (page: Page) => PromiseLike<Listed> & AsyncIterable<unknown>;
  const lists: Readonly<Record<string, List>> = {
    'GET /messaging_profiles': (page) => client.messagingProfiles.list(page),
    'GET /messaging_optouts': (page) => client.messagingOptouts.list(page),
    'GET /number_orders': (page) => client.numberOrders.list(page),
    'GET /phone_numbers': (page) => client.phoneNumbers.list(page),
    'GET /portouts': (page) => client.portouts.list(page),
    'GET /addresses': (page) => client.addresses.list(page),
    'GET /porting_orders': (page) => client.portingOrders.list(page),
    'GET /porting_orders/{id}/requirements': (page) => client.portingOrders.retrieveRequirements(orderId, page),
    'GET /porting_orders/{id}/additional_documents': (page) =>
      client.portingOrders.additionalDocuments.list(orderId, page),
    'GET /porting/events': (page) => client.porting.events.list(page),
    'GET /documents': (page) => client.documents.list(page),
    'GET /recordings': (page) => client.recordings.list(page),
    'GET /call_control_applications': (page) => client.callControlApplications.list(page),
    'GET /outbound_voice_profiles': (page) => client.outboundVoiceProfiles.list(page),
    'GET /webhook_deliveries': (page) => client.webhookDeliveries.list(page),
  };
  for (const [name, list] of Object.entries(lists)) {
    const { data } = await list({ 'page[size]': 250 });
    const total = data.length;
    assert.ok(total > 1, `${name}: ${total}`);
    const size = Math.ceil(total / 2);
    const meta = { page_number: 2, page_size: size, total_pages: 2, total_results: total };
    assert.deepEqual((await list({ 'page[number]': 2, 'page[size]': size })).meta, meta, name);
    assert.deepEqual(withoutLinks(await allOf(list({ 'page[size]': size }))), withoutLinks(data), name);
  }

  type RegistryPage = { page?: number; recordsPerPage?: number };
  type Records = { records: unknown[]; page: number; totalRecords: number };
  const ofRegistry: Readonly<Record<string, (page: RegistryPage) => PromiseLike<Records> & AsyncIterable<unknown>>> = {
    'GET /10dlc/brand': (page) => registry.brand.list(page),
    'GET /10dlc/campaign': (page) => registry.campaign.list({ ...page, brandId }),
    'GET /10dlc/phone_number_campaigns': (page) => registry.phoneNumberCampaigns.list(page),
  };
  for (const [name, list] of Object.entries(ofRegistry)) {
    const { records, page, totalRecords } = await list({ recordsPerPage: 500 });
    assert.deepEqual([records.length, page, totalRecords], [3, 1, 3], name);
    assert.deepEqual(await allOf(list({ recordsPerPage: 2 })), records, name);
  }
  assert.deepEqual([...Object.keys(lists), ...Object.keys(ofRegistry)].sort(), listsOf(RESPONSES.schemas).sort());
});

/** Each answer has new links to recordings. */
function withoutLinks(items: readonly unknown[]): object[] {
  return items.map((item) => ({ ...(item as object), download_urls: undefined }));
}

/** Returns the operations whose published answer is one page of a list. */
function listsOf(schemas: Readonly<Record<string, object>>): string[] {
  const isList = (schema: { readonly required?: readonly string[] }) =>
    ['meta', 'totalRecords'].some((field) => schema.required?.includes(field));
  return Object.keys(schemas).filter((name) => name.startsWith('GET ') && isList(schemas[name] ?? {}));
}

test('the registry says where the mistake is, in its own form of errors', async () => {
  const { brand, campaign, phoneNumberCampaigns } = client.messaging10dlc;
  const refusedAt = async (asked: PromiseLike<unknown>): Promise<readonly string[]> => {
    const error: unknown = await asked.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof Telnyx.UnprocessableEntityError, String(error));
    const { detail } = error.error as { detail: readonly { loc: string[]; msg: string; type: string }[] };
    for (const { msg, type } of detail) assert.ok(msg !== '' && /^\w+(\.\w+)*$/.test(type), type);
    return detail[0]?.loc ?? [];
  };
  const { ein, ...untaxed } = COMPANY;
  assert.deepEqual(await refusedAt(brand.create(untaxed)), ['body', 'ein']);
  assert.deepEqual(await refusedAt(brand.list({ recordsPerPage: 0 })), ['query', 'recordsPerPage']);
  assert.deepEqual(await refusedAt(brand.list({}, { query: { colour: 'red' } })), ['query', 'colour']);
  assert.deepEqual(await refusedAt(campaign.list({ brandId: 'b', page: 0 })), ['query', 'page']);
  const unknown = { phoneNumber: '+13035550199', campaignId: 'c1' };
  assert.deepEqual(await refusedAt(phoneNumberCampaigns.create(unknown)), ['body', 'phoneNumber']);
  await assert.rejects(brand.retrieve('b1'), Telnyx.NotFoundError);
});
