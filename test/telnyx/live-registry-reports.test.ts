/** Reports of the 10DLC registry, each of which makes the product look at once: no question of five minutes is run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BRAND, CAMPAIGN } from '../support/compliance.ts';
import type { Json } from '../support/events.ts';
import { sql, until } from '../support/jobs.ts';
import { findOnSale } from '../support/numbers.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, key, tenantId, get, make } = await useTelnyxLine();
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

test('a sole proprietor is told of the code that Telnyx texts, and is vetted and may have a campaign after it', async () => {
  const phone = '+16025550177';
  const person = { entity_type: 'sole_proprietor', legal_name: 'Dana May Reyes', phone };
  const { id, status } = await make('/brands', { ...BRAND, ...person });
  assert.equal(status, 'pending_vetting');
  const codes = async () => (await control.handset({ phoneNumber: phone })).map(({ text }) => text);
  await until('the remedy is shown', async () => (await get(`/brands/${id}`)).rejection_reason !== null);
  const brandId = await carrierRefOf(id);
  const { status: shown, rejection_reason } = await get(`/brands/${id}`);
  assert.deepEqual([shown, (await codes()).length], ['pending_vetting', 1]);
  assert.match(rejection_reason, new RegExp(`texted a code.* brand ${brandId}`));
  const [otpPin] = /\d{6}/.exec((await codes())[0] ?? '') ?? [];
  const entered = await fetch(`${telnyx.url}/10dlc/brand/${brandId}/smsOtp`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${telnyx.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ otpPin }),
  });
  assert.equal(entered.status, 200);
  assert.equal((await untilIs(`/brands/${id}`, 'vetted')).rejection_reason, null);
  const campaign = await make('/campaigns', { ...CAMPAIGN, tenant_id: tenantId, brand_id: id });
  const { throughput } = await untilIs(`/campaigns/${campaign.id}`, 'approved');
  assert.deepEqual(throughput, { messages_per_minute: 15, daily_cap: 1_000 });
});

test('a sole proprietor whose code does not reach the phone is told so, with the way to send it again', async () => {
  const phone = '+16025550178';
  await control.failCodes({ fail: true });
  const { id } = await make('/brands', { ...BRAND, entity_type: 'sole_proprietor', legal_name: 'Ana Reyes', phone });
  const remedy = async () => (await get(`/brands/${id}`)).rejection_reason ?? '';
  await until('the code is sent', async () => (await remedy()).includes('has texted a code'));
  await reportBrand(id);
  await until('its failure is known', async () => /could not text a code.*send it again/.test(await remedy()));
  assert.equal((await get(`/brands/${id}`)).status, 'pending_vetting');
  await control.failCodes({ fail: false });
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
