/** The 10DLC registry at the emulated Telnyx, as the API and its webhooks show it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CampaignStatus } from './registry-state.ts';
import { useTelnyxApi } from './telnyx-api.ts';

const { receiver, control, call } = await useTelnyxApi();

const MOBILE = '+13035550177';
const BRAND = {
  entityType: 'PRIVATE_PROFIT',
  displayName: 'Birch Dental',
  companyName: 'Birch Dental LLC',
  ein: '841234567',
  country: 'US',
  email: 'office@birch.example',
  vertical: 'HEALTHCARE',
};
const SOLE = {
  entityType: 'SOLE_PROPRIETOR',
  displayName: 'Ann Birch',
  firstName: 'Ann',
  lastName: 'Birch',
  mobilePhone: MOBILE,
  country: 'US',
  email: 'ann@birch.example',
  vertical: 'HEALTHCARE',
};
const CAMPAIGN = {
  usecase: 'CUSTOMER_CARE',
  description: 'Answers to questions of patients',
  sample1: 'Your appointment is at noon.',
  sample2: 'We are closed today.',
  termsAndConditions: true,
};

type Refused = { readonly detail: readonly { readonly loc: readonly string[]; readonly msg: string }[] };
type Records<Item> = { readonly records: readonly Item[]; readonly page: number; readonly totalRecords: number };
type Brand = { readonly brandId: string; readonly status: string; readonly identityStatus: string };
type Campaign = {
  readonly campaignId: string;
  readonly campaignStatus: string;
  readonly submissionStatus: string;
  readonly status: string;
  readonly tcrCampaignId?: string;
  readonly failureReasons?: string;
};

/** Sends a request; fails unless it is carried out. Returns the body. */
async function ask<Body>(method: string, path: string, sent?: object): Promise<Body> {
  const { status, body } = await call(method, `/10dlc${path}`, sent);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Sends a request that must be refused. Returns where the mistake is. */
async function refusedAt(method: string, path: string, sent?: object): Promise<readonly string[]> {
  const { status, body } = await call(method, `/10dlc${path}`, sent);
  assert.equal(status, 422);
  return (body as Refused).detail[0]?.loc ?? [];
}

const addBrand = async (fields: object = {}): Promise<string> =>
  (await ask<Brand>('POST', '/brand', { ...BRAND, webhookURL: receiver.url, ...fields })).brandId;

const findBrand = (id: string) => ask<Brand>('GET', `/brand/${id}`);
const findCampaign = (id: string) => ask<Campaign>('GET', `/campaign/${id}`);

/** Registers a brand. Returns its id once it is verified. */
async function verifiedBrand(): Promise<string> {
  const id = await addBrand();
  await control.settled({});
  return id;
}

/** Registers a campaign of a new brand. */
async function addCampaign(): Promise<Campaign> {
  const brandId = await verifiedBrand();
  receiver.received.length = 0;
  return ask<Campaign>('POST', '/campaignBuilder', { ...CAMPAIGN, brandId, webhookURL: receiver.url });
}

/** Buys a number in a messaging profile. */
async function buy(): Promise<string> {
  const profile = { name: 'acme', whitelisted_destinations: ['US'] };
  const { id } = (await call('POST', '/messaging_profiles', profile)).data as { id: string };
  const { data } = await call('GET', '/available_phone_numbers?filter[limit]=1');
  const [{ phone_number } = assert.fail('nothing is on sale')] = data as { phone_number: string }[];
  await call('POST', '/number_orders', { phone_numbers: [{ phone_number }], messaging_profile_id: id });
  return phone_number;
}

/** Waits until nothing is under way. Returns the events that arrived, as their type and their status. */
async function reported(): Promise<string[]> {
  await control.settled({});
  return receiver.received.map(({ body }) => {
    const { data, ...flat } = JSON.parse(body);
    const { type, status } = data?.payload ?? flat;
    return [data?.event_type ?? 'flat', type, status].filter((part) => part !== undefined).join(' ');
  });
}

test('a brand is verified, and its address hears of it', async () => {
  const made = await ask<Brand>('POST', '/brand', { ...BRAND, webhookURL: receiver.url });
  const { brandId: id } = made;
  assert.deepEqual([made.status, made.identityStatus], ['REGISTRATION_PENDING', 'SELF_DECLARED']);
  assert.deepEqual(await reported(), ['10dlc.brand.update REGISTRATION success']);
  const { payload } = JSON.parse(receiver.received[0]?.body ?? '').data;
  assert.equal(payload.brandId, id);
  const { status, identityStatus } = await findBrand(id);
  assert.deepEqual([status, identityStatus], ['OK', 'VERIFIED']);
  assert.deepEqual(await ask('GET', `/brand/feedback/${id}`), { brandId: id, category: [] });
  await control.decideBrand({ brandId: id, status: 'OK', identityStatus: 'UNVERIFIED', failureReasons: 'Wrong EIN' });
  const { category } = await ask<{ category: { description: string }[] }>('GET', `/brand/feedback/${id}`);
  assert.equal(category[0]?.description, 'Wrong EIN');
  assert.equal((await reported()).at(-1), '10dlc.brand.update REVET success');
});

test('lists have pages, an order and filters', async () => {
  await control.pendRegistry({ pend: true });
  const ids = [];
  for (let count = 0; count < 12; count++) ids.push(await addBrand({ displayName: `Birch ${10 + count}` }));
  const list = (query: string) => ask<Records<Brand & { displayName: string }>>('GET', `/brand?${query}`);
  const first = await list('');
  assert.deepEqual([first.records.length, first.page, first.totalRecords], [10, 1, 12]);
  assert.equal(first.records[0]?.brandId, ids[11]);
  const third = await list('recordsPerPage=5&page=3');
  assert.deepEqual(
    third.records.map(({ brandId }) => brandId),
    [ids[1], ids[0]],
  );
  const sorted = await list('recordsPerPage=2&sort=displayName');
  assert.deepEqual(
    sorted.records.map(({ displayName }) => displayName),
    ['Birch 10', 'Birch 11'],
  );
  assert.equal((await list(`brandId=${ids[3]}`)).records[0]?.brandId, ids[3]);
  assert.equal((await list('displayName=Birch+15')).totalRecords, 1);
  assert.deepEqual(await refusedAt('GET', '/campaign'), ['query', 'brandId']);
  await control.pendRegistry({ pend: false });
});

test('a brand without a field that its kind of company needs is refused by the name of the field', async () => {
  const { displayName, ...unnamed } = BRAND;
  assert.deepEqual(await refusedAt('POST', '/brand', unnamed), ['body', 'displayName']);
  assert.deepEqual(await refusedAt('POST', '/brand', { ...BRAND, ein: '' }), ['body', 'ein']);
  assert.deepEqual(await refusedAt('POST', '/brand', { ...BRAND, colour: 'red' }), ['body', 'colour']);
  const { mobilePhone, ...unreachable } = SOLE;
  assert.deepEqual(await refusedAt('POST', '/brand', unreachable), ['body', 'mobilePhone']);
});

test('a sole proprietor is verified by the code on the mobile phone', async () => {
  const id = await addBrand(SOLE);
  await control.settled({});
  assert.deepEqual(await refusedAt('POST', '/campaignBuilder', { ...CAMPAIGN, brandId: id }), ['body', 'brandId']);
  assert.equal((await findBrand(id)).identityStatus, 'SELF_DECLARED');
  const texts = { pinSms: 'Your code is @OTP_PIN@', successSms: 'Thank you' };
  assert.deepEqual(await refusedAt('POST', `/brand/${id}/smsOtp`, { ...texts, pinSms: 'x' }), ['body', 'pinSms']);
  const pins = [];
  for (let count = 0; count < 2; count++) {
    await ask('POST', `/brand/${id}/smsOtp`, texts);
    pins.push((await control.handset({ phoneNumber: MOBILE })).at(-1)?.text.slice(-6));
  }
  const [first, pin] = pins;
  if (first !== pin) {
    assert.deepEqual(await refusedAt('PUT', `/brand/${id}/smsOtp`, { otpPin: first }), ['body', 'otpPin']);
  }
  assert.equal((await findBrand(id)).identityStatus, 'SELF_DECLARED');
  assert.equal((await call('PUT', `/10dlc/brand/${id}/smsOtp`, { otpPin: pin })).status, 200);
  assert.equal((await findBrand(id)).identityStatus, 'VERIFIED');
  assert.deepEqual(await reported(), [
    '10dlc.brand.update REGISTRATION success',
    '10dlc.brand.update TCR_BRAND_UPDATE success',
  ]);
  assert.equal((await control.handset({ phoneNumber: MOBILE })).at(-1)?.text, 'Thank you');
  const sent = await ask<{ deliveryStatus: string; verifyDate?: string }>('GET', `/brand/${id}/smsOtp`);
  assert.ok(sent.deliveryStatus === 'DELIVERED_HANDSET' && sent.verifyDate);
  const other = await verifiedBrand();
  assert.deepEqual(await refusedAt('POST', `/brand/${other}/smsOtp`, texts), ['path', 'brandId']);
});

test('a campaign passes the registry, Telnyx and the carriers, each reported', async () => {
  const made = await addCampaign();
  const { campaignId: id } = made;
  assert.deepEqual([made.campaignStatus, made.submissionStatus, made.status], ['TCR_PENDING', 'PENDING', 'ACTIVE']);
  assert.deepEqual(await reported(), [
    '10dlc.campaign.update REGISTRATION success',
    '10dlc.campaign.update TELNYX_REVIEW ACCEPTED',
    '10dlc.campaign.update MNO_REVIEW ACCEPTED',
    '10dlc.campaign.update VERIFIED success',
  ]);
  const passed = await findCampaign(id);
  assert.deepEqual([passed.campaignStatus, passed.submissionStatus], ['MNO_PROVISIONED', 'CREATED']);
  assert.ok(passed.tcrCampaignId);
  const operation = await ask<Record<string, string>>('GET', `/campaign/${id}/operationStatus`);
  assert.equal(operation['10017'], 'REGISTERED');
  const metadata = await ask<Record<string, { minMsgSamples: number }>>('GET', `/campaign/${id}/mnoMetadata`);
  assert.equal(metadata['10035']?.minMsgSamples, 1);
  assert.deepEqual(await ask('GET', `/campaign/${id}/osr/attributes`), {
    '10017': { msg_class: 'E', tpm: 240 },
    '10035': { brand_tier: 'UPPER_MID' },
  });
});

const DECISIONS: Readonly<Partial<Record<CampaignStatus, readonly string[]>>> = {
  TCR_FAILED: ['REGISTRATION failed'],
  TCR_SUSPENDED: ['TCR_EVENT'],
  TCR_EXPIRED: ['TCR_EVENT'],
  TELNYX_FAILED: ['TELNYX_REVIEW REJECTED'],
  MNO_REJECTED: ['MNO_REVIEW REJECTED'],
  MNO_PROVISIONING_FAILED: ['VERIFIED failed'],
};

for (const [campaignStatus, events] of Object.entries(DECISIONS)) {
  test(`a campaign that is ${campaignStatus} stays so`, async () => {
    const brandId = await verifiedBrand();
    receiver.received.length = 0;
    await control.pendRegistry({ pend: true });
    const sent = { ...CAMPAIGN, brandId, webhookURL: receiver.url };
    const { campaignId } = await ask<Campaign>('POST', '/campaignBuilder', sent);
    const failureReasons = 'The samples do not fit the use case.';
    await control.decideCampaign({ campaignId, campaignStatus: campaignStatus as CampaignStatus, failureReasons });
    await control.pendRegistry({ pend: false });
    assert.deepEqual(
      await reported(),
      events.map((event) => `10dlc.campaign.update ${event}`),
    );
    const found = await findCampaign(campaignId);
    assert.deepEqual([found.campaignStatus, found.failureReasons], [campaignStatus, failureReasons]);
  });
}

test('by a setting a campaign is reported without an envelope', async () => {
  await control.set({ flatCampaignReports: true });
  const { campaignId } = await addCampaign();
  const seen = await reported();
  await control.set({ flatCampaignReports: false });
  assert.deepEqual(seen.at(-1), 'flat VERIFIED success');
  const { headers, body } = receiver.received[0] ?? assert.fail('nothing arrived');
  assert.ok(headers['telnyx-signature-ed25519']);
  assert.equal(JSON.parse(body).campaignId, campaignId);
  const [first] = await control.webhooks({ type: '10dlc.campaign.update' });
  assert.equal(await control.repeatWebhook({ id: first?.id ?? '' }), true);
  assert.equal((await reported()).length, seen.length + 1);
  assert.equal(receiver.received.at(-1)?.body, body);
});

test('a campaign is dormant by an event alone, and suspended at one carrier by a field alone', async () => {
  const { campaignId } = await addCampaign();
  await control.settled({});
  await control.reportDormant({ campaignId });
  await control.decideCampaign({ campaignId, isTMobileSuspended: true });
  assert.equal((await reported()).at(-1), '10dlc.campaign.update TELNYX_EVENT DORMANT');
  assert.equal((await findCampaign(campaignId)).campaignStatus, 'MNO_PROVISIONED');
});

test('a campaign is refused by the field that is wrong', async () => {
  const brandId = await verifiedBrand();
  const refused = (fields: object) => refusedAt('POST', '/campaignBuilder', { ...CAMPAIGN, brandId, ...fields });
  assert.deepEqual(await refused({ brandId: 'none' }), ['body', 'brandId']);
  assert.deepEqual(await refused({ usecase: 'GOSSIP' }), ['body', 'usecase']);
  assert.deepEqual(await refused({ usecase: 'MIXED', subUsecases: ['2FA'] }), ['body', 'subUsecases']);
  assert.deepEqual(await refused({ usecase: 'MARKETING', sample2: '' }), ['body', 'sample2']);
  assert.deepEqual(await refused({ termsAndConditions: false }), ['body', 'termsAndConditions']);
  await ask('POST', '/campaignBuilder', { ...CAMPAIGN, brandId, referenceId: 'cmp_1' });
  assert.deepEqual(await refused({ referenceId: 'cmp_1' }), ['body', 'referenceId']);
});

test('a registration that the balance does not cover is refused with 402', async () => {
  const brandId = await verifiedBrand();
  await control.setBalance({ amount: 3.99 });
  assert.equal(((await call('GET', '/balance')).data as { balance: string }).balance, '3.99');
  const refused = [
    await call('POST', '/10dlc/brand', BRAND),
    await call('POST', '/10dlc/campaignBuilder', { ...CAMPAIGN, brandId }),
  ];
  assert.deepEqual(
    refused.map(({ status, code }) => [status, code]),
    [
      [402, '20100'],
      [402, '20100'],
    ],
  );
});

test('the qualification of a brand says what a use needs', async () => {
  const brandId = await verifiedBrand();
  const path = `/campaignBuilder/brand/${brandId}/usecase`;
  const mixed = await ask<{ minSubUsecases: number; monthlyFee: number; mnoMetadata: object }>('GET', `${path}/MIXED`);
  assert.deepEqual([mixed.minSubUsecases, mixed.monthlyFee], [2, 10]);
  assert.ok('10017' in mixed.mnoMetadata);
  assert.deepEqual(await refusedAt('GET', `${path}/GOSSIP`), ['path', 'usecase']);
});

test('a number is assigned a step after the request, and the address of its campaign hears of it', async () => {
  const { campaignId } = await addCampaign();
  await control.settled({});
  receiver.received.length = 0;
  const phoneNumber = await buy();
  const path = `/phone_number_campaigns/${encodeURIComponent(phoneNumber)}`;
  type Assigned = { readonly assignmentStatus: string; readonly phoneNumber: string };
  const made = await ask<Assigned>('POST', '/phone_number_campaigns', { phoneNumber, campaignId });
  assert.equal(made.assignmentStatus, 'PENDING_ASSIGNMENT');
  assert.deepEqual(await refusedAt('POST', '/phone_number_campaigns', { phoneNumber, campaignId }), [
    'body',
    'phoneNumber',
  ]);
  assert.deepEqual(await reported(), ['10dlc.phone_number.update ASSIGNMENT success']);
  assert.equal((await ask<Assigned>('GET', path)).assignmentStatus, 'ASSIGNED');
  const listed = (id: string) =>
    ask<Records<Assigned>>('GET', `/phone_number_campaigns?filter[telnyx_campaign_id]=${id}`);
  assert.deepEqual([(await listed(campaignId)).totalRecords, (await listed('none')).totalRecords], [1, 0]);
  await control.endAssignment({ phoneNumber, assignmentStatus: 'FAILED_ASSIGNMENT', failureReasons: 'Not supported' });
  await ask('POST', '/phone_number_campaigns', { phoneNumber, campaignId });
  await control.settled({});
  await ask('DELETE', path);
  assert.deepEqual((await reported()).slice(1), [
    '10dlc.phone_number.update ASSIGNMENT failed',
    '10dlc.phone_number.update ASSIGNMENT success',
    '10dlc.phone_number.update DELETION success',
  ]);
  assert.equal((await call('GET', `/10dlc${path}`)).status, 404);
  await ask('DELETE', `/campaign/${campaignId}`);
  assert.deepEqual(await refusedAt('POST', '/phone_number_campaigns', { phoneNumber, campaignId }), [
    'body',
    'campaignId',
  ]);
});
