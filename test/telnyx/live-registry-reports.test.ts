/**
 * Reports of the 10DLC registry. Each makes the product read the reported object immediately. The round of five minutes
 * does not run here.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BRAND, CAMPAIGN } from '../support/compliance.ts';
import type { Json } from '../support/events.ts';
import { sql, until } from '../support/jobs.ts';
import { findOnSale } from '../support/numbers.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, key, tenantId, get, make, withFaults } = await useTelnyxLine();
const { control } = telnyx;
const { db } = harness.context;

async function untilIs(path: string, status: string): Promise<Json> {
  let found: Json;
  await until(
    `${path} is ${status}`,
    async () => {
      found = await get(path);
      return found.status === status;
    },
    20_000,
  );
  return found;
}

async function vettedBrand(): Promise<string> {
  const { id } = await make('/brands', BRAND);
  await untilIs(`/brands/${id}`, 'vetted');
  return id;
}

/** Telnyx's id of a brand or campaign. */
async function carrierRefOf(ref: string): Promise<string> {
  const read = 'select carrier_ref from telnyx_registrations where ref = $1';
  let id: string | null | undefined;
  await until('Telnyx has it', async () => {
    [{ carrier_ref: id } = { carrier_ref: null }] = await sql<{ carrier_ref: string | null }>(db, read, [ref]);
    return id !== null;
  });
  return id as string;
}

for (const isFlat of [false, true]) {
  test(`a brand and a campaign are reviewed by their reports; of campaigns ${isFlat ? 'flat' : 'with an envelope'}`, async () => {
    await control.set({ flatCampaignReports: isFlat });
    const brand_id = await vettedBrand();
    const { id } = await make('/campaigns', { ...CAMPAIGN, tenant_id: tenantId, brand_id });
    const campaign = await untilIs(`/campaigns/${id}`, 'approved');
    assert.deepEqual(campaign.throughput, { messages_per_minute: 240, daily_cap: 40_000 });
    const campaignId = await carrierRefOf(id);
    await control.decideCampaign({
      campaignId,
      campaignStatus: 'TCR_SUSPENDED',
      failureReasons: 'Too many complaints',
    });
    assert.equal((await untilIs(`/campaigns/${id}`, 'suspended')).rejection_reason, 'Too many complaints');
  });
}

test('a number may text as soon as its assignment is reported', async () => {
  const { id } = await make('/campaigns', { ...CAMPAIGN, tenant_id: tenantId, brand_id: await vettedBrand() });
  await untilIs(`/campaigns/${id}`, 'approved');
  await control.pendRegistry({ pend: true });
  const phone_number = await findOnSale(harness, key);
  const number = await make('/phone_numbers', { tenant_id: tenantId, phone_number, campaign_id: id });
  assert.equal((await get(`/phone_numbers/${number.id}`)).messaging_ready, false);
  await control.pendRegistry({ pend: false });
  await control.endAssignment({ phoneNumber: phone_number, assignmentStatus: 'ASSIGNED' });
  await until('the number may text', async () => (await get(`/phone_numbers/${number.id}`)).messaging_ready);
});

test('a number leaves its campaign when the failure of its assignment is reported', async () => {
  const { id } = await make('/campaigns', { ...CAMPAIGN, tenant_id: tenantId, brand_id: await vettedBrand() });
  await untilIs(`/campaigns/${id}`, 'approved');
  await control.pendRegistry({ pend: true });
  const phone_number = await findOnSale(harness, key);
  const number = await make('/phone_numbers', { tenant_id: tenantId, phone_number, campaign_id: id });
  await control.pendRegistry({ pend: false });
  await control.endAssignment({ phoneNumber: phone_number, assignmentStatus: 'FAILED_ASSIGNMENT' });
  await until('it has none', async () => (await get(`/phone_numbers/${number.id}`)).campaign_id === null);
});

/** Registers a sole proprietor with this phone, and waits for the code. */
async function makePerson(phone: string) {
  const person = { entity_type: 'sole_proprietor', legal_name: 'Dana May Reyes', phone };
  const { id, status } = await make('/brands', { ...BRAND, ...person });
  assert.equal(status, 'pending_vetting');
  const remedy = async (): Promise<string> => (await get(`/brands/${id}`)).rejection_reason ?? '';
  await until('the code is sent', async () => (await remedy()).includes('has texted a code'));
  return {
    id,
    remedy,
    /** The codes that the phone has, the newest last. */
    codes: async () => (await control.handset({ phoneNumber: phone })).flatMap(({ text }) => /\d{6}/.exec(text) ?? []),
    confirm: (code: string) => harness.call('POST', `/v1/brands/${id}/verification/confirm`, { key, body: { code } }),
    resend: () => harness.call('POST', `/v1/brands/${id}/verification/resend`, { key }),
  };
}

/** Returns a code other than this one. */
const otherThan = (code = '') => `${code === '111111' ? '2' : '1'}11111`;

test('a sole proprietor is told of the code that Telnyx texts, confirms it, and is vetted and may have a campaign', async () => {
  const { id, remedy, codes, confirm } = await makePerson('+16025550177');
  assert.match(await remedy(), new RegExp(`POST /v1/brands/${id}/verification/confirm`));
  const [code = '', ...more] = await codes();
  assert.equal(more.length, 0);
  const wrong = await confirm(otherThan(code));
  assert.deepEqual([wrong.status, wrong.body.error.code], [422, 'verification_code_invalid']);
  const { status, body } = await confirm(code);
  assert.deepEqual([status, body.rejection_reason], [200, null], JSON.stringify(body));
  assert.equal((await untilIs(`/brands/${id}`, 'vetted')).rejection_reason, null);
  const campaign = await make('/campaigns', { ...CAMPAIGN, tenant_id: tenantId, brand_id: id });
  const { throughput } = await untilIs(`/campaigns/${campaign.id}`, 'approved');
  assert.deepEqual(throughput, { messages_per_minute: 15, daily_cap: 1_000 });
});

test('a sole proprietor whom Telnyx calls PENDING until the code is confirmed gets the code too', async (t) => {
  await control.set({ personIdentity: 'PENDING' });
  t.after(() => control.set({ personIdentity: 'SELF_DECLARED' }));
  const { id, codes, confirm } = await makePerson('+16025550176');
  const [code = ''] = await codes();
  assert.equal((await confirm(code)).status, 200);
  await untilIs(`/brands/${id}`, 'vetted');
});

test('a sole proprietor whose code does not reach the phone is told so, and gets another one', async () => {
  await control.failCodes({ fail: true });
  const { id, remedy, codes, confirm, resend } = await makePerson('+16025550178');
  await reportBrand(id);
  await until('its failure is known', async () => /did not reach.*verification\/resend/.test(await remedy()));
  assert.equal((await get(`/brands/${id}`)).status, 'pending_vetting');
  await control.failCodes({ fail: false });
  const { status, body } = await resend();
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(body.rejection_reason, /has texted a code/);
  const [code = ''] = await codes();
  assert.equal((await confirm(code)).status, 200);
  await untilIs(`/brands/${id}`, 'vetted');
});

test('a code that has expired is wrong, and the brand says that another one is needed', async () => {
  const { id, remedy, codes, confirm, resend } = await makePerson('+16025550179');
  const [code = ''] = await codes();
  await control.expireCode({ brandId: await carrierRefOf(id) });
  assert.equal((await confirm(code)).body.error.code, 'verification_code_invalid');
  await reportBrand(id);
  await until('that is known', async () => /has expired.*verification\/resend/.test(await remedy()));
  assert.equal((await resend()).status, 200);
  assert.equal((await confirm((await codes()).at(-1) ?? '')).status, 200);
  await untilIs(`/brands/${id}`, 'vetted');
});

test('a confirmation whose answer is lost is repeated safely, and a code whose sending is unclear says so', async () => {
  const { id, codes, confirm, resend } = await makePerson('+16025550180');
  const lost = (method: string) =>
    ({ request: `${method} /10dlc/brand/{brandId}/smsOtp`, is: 'timeout_after_acceptance' }) as const;
  await withFaults([lost('POST')], async () => {
    const { status, body } = await resend();
    assert.deepEqual([status, body.error.code], [503, 'carrier_unavailable']);
  });
  const code = (await codes()).at(-1) ?? '';
  await withFaults([lost('PUT')], async () => assert.equal((await confirm(code)).status, 503));
  const again = await confirm(code);
  assert.ok(again.status === 200 || again.body.error.code === 'review_not_pending', JSON.stringify(again.body));
  await untilIs(`/brands/${id}`, 'vetted');
});

test('a brand of an identity that is not known here stays pending', async () => {
  await control.pendRegistry({ pend: true });
  const { id } = await make('/brands', BRAND);
  await reportBrand(id, 'IN_REVIEW');
  await harness.settled();
  assert.equal((await get(`/brands/${id}`)).status, 'pending_vetting');
  await reportBrand(id, 'VETTED_VERIFIED');
  await untilIs(`/brands/${id}`, 'vetted');
  await control.pendRegistry({ pend: false });
});

/** Has the registry report a brand, with an identity. */
async function reportBrand(
  id: string,
  identityStatus: 'SELF_DECLARED' | 'IN_REVIEW' | 'VETTED_VERIFIED' = 'SELF_DECLARED',
) {
  const brandId = await carrierRefOf(id);
  await control.decideBrand({ brandId, status: 'OK', identityStatus });
}
