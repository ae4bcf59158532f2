/** 10DLC registrations of a live key over the emulated Telnyx. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BRAND, CAMPAIGN } from '../support/compliance.ts';
import type { Json } from '../support/events.ts';
import { runNow, sql, until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { findOnSale } from '../support/numbers.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, key, tenantId, get, make, untilStatus } = await useTelnyxLine();
const { control } = telnyx;
const { db } = harness.context;

/** Has the product ask for the review of a registration now. Resolves once it has this status. */
async function untilReviewed(path: string, id: string, status: string): Promise<Json> {
  const job = `%.registration:${id}`;
  const find = () => sql<{ id: string }>(db, 'select id from jobs where id like $1 and lease_token is null', [job]);
  let found: Json;
  await until(
    `${id} is ${status}`,
    async () => {
      const [question] = await find();
      if (question !== undefined) await runNow(db, question.id);
      found = await get(`${path}/${id}`);
      return found.status === status;
    },
    20_000,
  );
  return found;
}

const makeBrand = async (fields: object = {}): Promise<string> => (await make('/brands', { ...BRAND, ...fields })).id;

/** Registers a brand and a campaign. Returns the campaign's id once it is approved. */
async function approvedCampaign(): Promise<string> {
  const brandId = await makeBrand();
  await untilReviewed('/brands', brandId, 'vetted');
  const { id } = await make('/campaigns', { ...CAMPAIGN, tenant_id: tenantId, brand_id: brandId });
  await untilReviewed('/campaigns', id, 'approved');
  return id;
}

test('a tenant registers its brand and campaign, gets a number, and texts', async () => {
  const campaignId = await approvedCampaign();
  assert.deepEqual((await get(`/campaigns/${campaignId}`)).throughput, { messages_per_minute: 240, daily_cap: 40_000 });
  const phone_number = await findOnSale(harness, key);
  const number = await make('/phone_numbers', { tenant_id: tenantId, phone_number, campaign_id: campaignId });
  await until('the number may text', async () => (await get(`/phone_numbers/${number.id}`)).messaging_ready);
  const person = newPerson();
  const { id } = await make('/messages', { from: number.id, to: person, body: 'Your appointment is tomorrow.' });
  await untilStatus(id, 'delivered');
});

test('a mixed campaign names as many use cases as the registry asks for', async () => {
  const brandId = await makeBrand();
  await untilReviewed('/brands', brandId, 'vetted');
  const usual = ['CUSTOMER_CARE', 'ACCOUNT_NOTIFICATION', 'MARKETING'];
  for (const [least, most, expected] of [
    [2, 5, usual],
    [4, 5, [...usual, 'DELIVERY_NOTIFICATION']],
    [1, 2, usual.slice(0, 2)],
  ] as const) {
    await control.set({ mixedUseCases: [least, most] });
    const operation = 'POST /10dlc/campaignBuilder';
    const before = (await control.requests({ operation })).length;
    await make('/campaigns', { ...CAMPAIGN, tenant_id: tenantId, brand_id: brandId, use_case: 'mixed' });
    const sent = async () => (await control.requests({ operation })).slice(before);
    await until('Telnyx has it', async () => (await sent()).length > 0);
    const [{ body } = assert.fail()] = await sent();
    const { usecase, subUsecases } = body as Json;
    assert.deepEqual([usecase, subUsecases], ['MIXED', expected]);
  }
  await control.set({ mixedUseCases: [2, 5] });
});

test('a number waits for its campaign until Telnyx has assigned it', async () => {
  const campaignId = await approvedCampaign();
  await control.pendRegistry({ pend: true });
  const phone_number = await findOnSale(harness, key);
  const number = await make('/phone_numbers', { tenant_id: tenantId, phone_number, campaign_id: campaignId });
  assert.equal((await get(`/phone_numbers/${number.id}`)).messaging_ready, false);
  await control.pendRegistry({ pend: false });
  await control.endAssignment({ phoneNumber: phone_number, assignmentStatus: 'ASSIGNED' });
  const find = () =>
    sql<{ id: string }>(db, "select id from jobs where kind like '%assignment%' and payload::text like $1", [
      `%${number.id}%`,
    ]);
  const [question] = await find();
  await runNow(db, question?.id ?? assert.fail('it is asked about'));
  await until('the number may text', async () => (await get(`/phone_numbers/${number.id}`)).messaging_ready);
});

for (const [operation, path] of [
  ['POST /10dlc/brand', '/brands'],
  ['POST /10dlc/campaignBuilder', '/campaigns'],
] as const) {
  test(`${operation} is sent once though its answer is lost, and found again`, async () => {
    const brandId = await makeBrand();
    await untilReviewed('/brands', brandId, 'vetted');
    const before = (await control.requests({ operation })).length;
    await control.faults({ rules: [{ request: operation, is: 'timeout_after_acceptance', times: 1 }] });
    const body = path === '/brands' ? BRAND : { ...CAMPAIGN, tenant_id: tenantId, brand_id: brandId };
    const { id } = await make(path, body);
    await untilReviewed(path, id, path === '/brands' ? 'vetted' : 'approved');
    await control.faults({ rules: [] });
    assert.equal((await control.requests({ operation })).length, before + 1);
  });
}

test('a brand that cannot be verified is rejected, with what the registry says', async () => {
  await control.pendRegistry({ pend: true });
  const id = await makeBrand({ dba: 'Unknown Dental' });
  const sent = () => control.requests({ operation: 'POST /10dlc/brand' });
  const isOurs = ({ body }: { body: unknown }) => (body as { displayName: string }).displayName === 'Unknown Dental';
  await until('Telnyx has it', async () => (await sent()).some(isOurs));
  const headers = { authorization: `Bearer ${telnyx.apiKey}` };
  const listed = await fetch(`${telnyx.url}/10dlc/brand?displayName=Unknown+Dental`, { headers });
  const [{ brandId }] = ((await listed.json()) as { records: [{ brandId: string }] }).records;
  await control.decideBrand({ brandId, status: 'OK', identityStatus: 'UNVERIFIED' });
  await control.pendRegistry({ pend: false });
  const brand = await untilReviewed('/brands', id, 'rejected');
  assert.equal(brand.rejection_reason, 'The tax id is not that of the company.');
});

test('a public company is rejected, with what is missing', async () => {
  const brand = await untilReviewed('/brands', await makeBrand({ entity_type: 'public_company' }), 'rejected');
  assert.match(brand.rejection_reason, /stock exchange and symbol/);
});

test('a sole proprietor without a last name is rejected with what is missing', async () => {
  const person = { entity_type: 'sole_proprietor', legal_name: 'Dana' };
  const brand = await untilReviewed('/brands', await makeBrand(person), 'rejected');
  assert.match(brand.rejection_reason, /first and the last name/);
});
