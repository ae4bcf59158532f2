/** Corrections of drafts and of rejected campaigns, and their submission again. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CAMPAIGN, makeBrand, makeCampaign, setReviews } from '../../../../test/support/compliance.ts';
import type { Json } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { read, refusal } from '../../../../test/support/messages.ts';
import { fund, ledgerOf } from '../../../../test/support/money.ts';
import { buyNumber, eventsOf, jobsOf, makeTenant } from '../../../../test/support/numbers.ts';
import { applyComplianceEvents } from '../carrier-events.ts';

const harness = await useHarness({ liveCarrier: ({ simulated }) => simulated });
const tenantId = await makeTenant(harness);
const brandId = (await makeBrand(harness)).id;

const patch = (id: string, body: object, key = harness.account.test_key) =>
  harness.call('PATCH', `/v1/campaigns/${id}`, { body, key });
const submit = (id: string, key = harness.account.test_key) =>
  harness.call('POST', `/v1/campaigns/${id}/submit`, { key });
const review = (id: string, body: object) => harness.call('POST', `/v1/test/campaigns/${id}/review`, { body });
const newDraft = (tenant = tenantId) => makeCampaign(harness, tenant, { body: { brand_id: brandId, draft: true } });
const statusesOf = async (id: string) =>
  (await eventsOf(harness, id)).map(({ data }: Json) => [data.previous_status, data.status]);
const atCarrier = async (phoneNumber: string): Promise<string | undefined> => {
  const text = 'select campaign_ref from simulated_assignments where phone_number = $1';
  return (await sql<{ campaign_ref: string }>(harness.context.db, text, [phoneNumber]))[0]?.campaign_ref;
};

async function newRejected(tenant = tenantId): Promise<Json> {
  await setReviews(harness, 'manual');
  const { id } = await makeCampaign(harness, tenant, { body: { brand_id: brandId } });
  await setReviews(harness, 'auto');
  return (await review(id, { result: 'rejected', reason: 'No opt-in.' })).body;
}

const CHANGE = {
  use_case: 'mixed',
  description: 'Desert Dental reminds its patients of their appointments, and sends them offers.',
  sample_messages: [...CAMPAIGN.sample_messages, 'Desert Dental: 10% off whitening in May. Reply STOP to opt out.'],
  opt_in_description: `${CAMPAIGN.opt_in_description} There is one offer a month.`,
};

describe('PATCH /campaigns', () => {
  test('a draft takes any field of a creation, and keeps those that are not sent', async () => {
    const draft = await newDraft();
    for (const [name, value] of Object.entries(CHANGE)) {
      const before = await read(harness, `/campaigns/${draft.id}`);
      const { status, body } = await patch(draft.id, { [name]: value });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(body, { ...before, [name]: value });
    }
    const brand = await makeBrand(harness, { body: { tenant_id: tenantId } });
    const all = { ...CHANGE, brand_id: brand.id, tenant_id: tenantId, draft: true };
    assert.deepEqual((await patch(draft.id, all)).body, { ...draft, ...CHANGE, brand_id: brand.id });
    assert.deepEqual((await patch(draft.id, {})).body, await read(harness, `/campaigns/${draft.id}`));
    assert.deepEqual(await eventsOf(harness, draft.id), [], 'the status has not changed');
  });

  test('a campaign under review, approved, suspended or ended is not editable', async () => {
    await setReviews(harness, 'manual');
    const { id } = await makeCampaign(harness, tenantId, { body: { brand_id: brandId } });
    await setReviews(harness, 'auto');
    const assertFixed = async (status: string, campaign = id) => {
      const before = await read(harness, `/campaigns/${campaign}`);
      assert.equal(before.status, status);
      const refused = refusal(await patch(campaign, { description: CHANGE.description }));
      assert.deepEqual(refused, [409, 'campaign_not_editable', undefined], status);
      assert.deepEqual(await read(harness, `/campaigns/${campaign}`), before);
    };
    await assertFixed('pending_review');
    await review(id, { result: 'approved' });
    await assertFixed('approved');
    await review(id, { result: 'suspended' });
    await assertFixed('suspended');
    const tenant = await makeTenant(harness);
    const rejected = await newRejected(tenant);
    await harness.call('DELETE', `/v1/tenants/${tenant}`);
    await assertFixed('suspended', rejected.id);
  });

  test('a refused change names the code and the field', async () => {
    const draft = await newDraft();
    const other = await makeTenant(harness);
    await setReviews(harness, 'manual');
    const unvetted = await makeBrand(harness);
    await setReviews(harness, 'auto');
    const foreign = await makeBrand(harness, { body: { tenant_id: other } });
    for (const [change, status, code, param] of [
      [{ use_case: 'spam' }, 400, 'invalid_use_case', 'use_case'],
      [{ description: ' ' }, 400, 'description_required', 'description'],
      [{ sample_messages: ['Hi'] }, 400, 'invalid_sample_messages', 'sample_messages'],
      [{ opt_in_description: 'x' }, 400, 'invalid_body', 'opt_in_description'],
      [{ draft: false }, 400, 'invalid_body', 'draft'],
      [{ status: 'approved' }, 400, 'invalid_body', 'status'],
      [{ tenant_id: other }, 400, 'invalid_body', 'tenant_id'],
      [{ tenant_id: 'tnt_none' }, 404, 'tenant_not_found', 'tenant_id'],
      [{ brand_id: 'brd_none' }, 404, 'brand_not_found', 'brand_id'],
      [{ brand_id: foreign.id }, 404, 'brand_not_found', 'brand_id'],
      [{ brand_id: unvetted.id }, 422, 'brand_not_vetted', 'brand_id'],
    ] as const) {
      assert.deepEqual(refusal(await patch(draft.id, change)), [status, code, param], JSON.stringify(change));
    }
    assert.deepEqual(await read(harness, `/campaigns/${draft.id}`), draft);
    const key = await harness.tenantKey(other);
    assert.deepEqual(refusal(await patch(draft.id, CHANGE, key)).slice(0, 2), [403, 'tenant_restricted_key']);
  });

  test('a change and a submission at the same time never mix: what is reviewed is what is stored', async () => {
    for (let round = 0; round < 5; round++) {
      const draft = await newDraft();
      const [change, submitted] = await Promise.all([patch(draft.id, CHANGE), submit(draft.id)]);
      assert.equal(submitted.status, 200);
      const stored = await read(harness, `/campaigns/${draft.id}`);
      assert.equal(stored.description === CHANGE.description, change.status === 200, String(change.status));
    }
  });
});

describe('submitting a rejected campaign again', () => {
  test('a corrected campaign is reviewed again, and its numbers move with it', async () => {
    const rejected = await newRejected();
    const number = await buyNumber(harness, tenantId);
    const attached = await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, {
      body: { campaign_id: rejected.id },
    });
    assert.equal(attached.status, 200, JSON.stringify(attached.body));
    const corrected = await patch(rejected.id, CHANGE);
    assert.deepEqual(corrected.body, { ...rejected, ...CHANGE }, 'status and reason stay');
    const again = await submit(rejected.id);
    const pending = { ...rejected, ...CHANGE, status: 'pending_review', rejection_reason: null };
    assert.deepEqual([again.status, again.body], [200, pending]);
    const throughput = { messages_per_minute: 240, daily_cap: 2_000 };
    assert.deepEqual(await read(harness, `/campaigns/${rejected.id}`), { ...pending, status: 'approved', throughput });
    assert.deepEqual(await statusesOf(rejected.id), [
      ['pending_review', 'rejected'],
      ['rejected', 'pending_review'],
      ['pending_review', 'approved'],
    ]);
    await until('the number is in the new submission', async () => {
      return (await atCarrier(number.phone_number)) === `${rejected.id}.2`;
    });
    assert.equal((await read(harness, `/phone_numbers/${number.id}`)).messaging_ready, true);
  });

  test('it may be rejected and submitted as often as it takes', async () => {
    const { id } = await newRejected();
    await setReviews(harness, 'manual');
    for (let attempt = 2; attempt < 5; attempt++) {
      assert.equal((await submit(id)).body.status, 'pending_review');
      assert.equal((await submit(id)).status, 409);
      assert.equal((await review(id, { result: 'rejected', reason: `Attempt ${attempt}` })).status, 200);
      assert.equal((await read(harness, `/campaigns/${id}`)).rejection_reason, `Attempt ${attempt}`);
    }
    await setReviews(harness, 'auto');
    assert.equal((await submit(id)).status, 200);
    assert.equal((await read(harness, `/campaigns/${id}`)).status, 'approved');
  });

  test('what the registry says late of the rejected submission does not reach the next one', async () => {
    const { id } = await newRejected();
    await setReviews(harness, 'manual');
    assert.equal((await submit(id)).status, 200);
    await setReviews(harness, 'auto');
    const ledger = await ledgerOf(harness, 'test');
    const late = { type: 'campaign.review', ref: id, review: { status: 'rejected', reason: 'Late.' } } as const;
    await harness.context.db.transaction((tx) => applyComplianceEvents(tx, ledger, [late]));
    assert.equal((await read(harness, `/campaigns/${id}`)).status, 'pending_review');
    const own = { ...late, ref: `${id}.2` };
    await harness.context.db.transaction((tx) => applyComplianceEvents(tx, ledger, [own]));
    assert.equal((await read(harness, `/campaigns/${id}`)).rejection_reason, 'Late.');
  });

  test('the setup is charged once, a month once, and a month that began while it was rejected is free', async () => {
    const tenant = await makeTenant(harness);
    const counted = async () => {
      const { data } = await read(harness, `/usage?start=2020-01-01&end=2100-01-01&tenant_id=${tenant}`);
      const of = (kind: string) => data.find((each: Json) => each.kind === kind)?.quantity ?? 0;
      return [of('campaign_setup'), of('campaign_month')];
    };
    const { id } = await newRejected(tenant);
    assert.deepEqual(await counted(), [1, 1]);
    await setReviews(harness, 'manual');
    await submit(id);
    assert.deepEqual(await counted(), [1, 1], 'in the month of the first submission');
    await review(id, { result: 'rejected' });
    await harness.advance(70 * 86_400);
    assert.deepEqual(await counted(), [1, 1], 'nothing while it is rejected');
    assert.deepEqual(await jobsOf(harness, id), []);
    await submit(id);
    assert.deepEqual(await counted(), [1, 2], 'the month of the new submission');
    await harness.advance(31 * 86_400);
    assert.deepEqual(await counted(), [1, 3], 'and the next one');
    await setReviews(harness, 'auto');
  });

  test('live, it needs a balance like every submission, and its fees are charged once', async () => {
    const key = harness.account.live_key;
    const balance = async () => Number((await read(harness, '/balance', key)).amount_usd);
    await fund(harness, '100');
    const tenant = await makeTenant(harness, key);
    const brand = await makeBrand(harness, { key });
    const { id } = await makeCampaign(harness, tenant, { key, body: { brand_id: brand.id } });
    const ledger = await ledgerOf(harness, 'live');
    await sql(harness.context.db, `update campaigns set status = 'rejected' where id = $1`, [id]);
    const before = await balance();
    assert.equal(before, 36);
    assert.equal((await submit(id, key)).status, 200);
    assert.equal(await balance(), before);
    await sql(harness.context.db, `update campaigns set status = 'rejected' where id = $1`, [id]);
    await sql(harness.context.db, 'update balances set amount_micros = 19000000 where ledger_id = $1', [
      ledger.ledgerId,
    ]);
    assert.deepEqual(refusal(await submit(id, key)).slice(0, 2), [402, 'insufficient_balance']);
  });
});
