import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CAMPAIGN, makeBrand, makeCampaign, setReviews } from '../../../../test/support/compliance.ts';
import type { Json } from '../../../../test/support/events.ts';
import type { Reply } from '../../../../test/support/harness.ts';
import { read } from '../../../../test/support/messages.ts';
import { eventsOf, jobsOf, makeTenant, useTenant } from '../../../../test/support/numbers.ts';

const { harness, tenantId } = await useTenant();
const brandId = (await makeBrand(harness)).id;

const post = (body: object, key?: string) => harness.call('POST', '/v1/campaigns', { ...(key && { key }), body });
const good = () => ({ tenant_id: tenantId, brand_id: brandId, ...CAMPAIGN });
const refusal = ({ status, body }: Reply) => [status, body.error?.code, body.error?.param];
const review = (id: string, body: object) => harness.call('POST', `/v1/test/campaigns/${id}/review`, { body });
const statusesOf = async (id: string) =>
  (await eventsOf(harness, id)).map(({ data }: Json) => [data.previous_status, data.status]);

describe('POST /campaigns', () => {
  test('the reply shows a campaign under review; it is approved and its event emitted before the reply arrives', async () => {
    const reply = await post(good());
    assert.equal(reply.status, 201);
    const { id, created_at: _, ...rest } = reply.body;
    assert.match(id, /^cmp_[0-9a-z]{26}$/);
    const expected = { ...good(), object: 'campaign', rejection_reason: null, throughput: null };
    assert.deepEqual(rest, { ...expected, status: 'pending_review' });
    const throughput = { messages_per_minute: 240, daily_cap: 2_000 };
    const now = await read(harness, `/campaigns/${id}`);
    assert.deepEqual(now, { ...reply.body, status: 'approved', throughput });
    const [event, ...more] = await eventsOf(harness, id);
    assert.equal(more.length, 0);
    assert.deepEqual([event?.type, event?.tenant_id], ['campaign.status_changed', tenantId]);
    assert.deepEqual(JSON.parse(JSON.stringify(event?.data)), { ...now, previous_status: 'pending_review' });
  });

  test('the granted throughput depends on the entity type', async () => {
    for (const [entity_type, messages_per_minute, daily_cap] of [
      ['sole_proprietor', 15, 1_000],
      ['private_company', 240, 2_000],
      ['non_profit', 240, 2_000],
      ['public_company', 4_500, 200_000],
    ] as const) {
      const brand = await makeBrand(harness, { body: { entity_type } });
      const { id } = await makeCampaign(harness, tenantId, { body: { brand_id: brand.id } });
      const { throughput } = await read(harness, `/campaigns/${id}`);
      assert.deepEqual(throughput, { messages_per_minute, daily_cap }, entity_type);
    }
  });

  test('a refused campaign names the code and the field', async () => {
    const sample = CAMPAIGN.sample_messages[0];
    for (const [change, status, code, param] of [
      [{ use_case: 'spam' }, 400, 'invalid_use_case', 'use_case'],
      [{ description: undefined }, 400, 'description_required', 'description'],
      [{ description: ' ' }, 400, 'description_required', 'description'],
      [{ description: undefined, tenant_id: undefined }, 400, 'missing_fields', 'tenant_id'],
      [{ sample_messages: [sample] }, 400, 'invalid_sample_messages', 'sample_messages'],
      [{ sample_messages: Array(6).fill(sample) }, 400, 'invalid_sample_messages', 'sample_messages'],
      [{ sample_messages: sample }, 400, 'invalid_sample_messages', 'sample_messages'],
      [{ sample_messages: [sample, ' '] }, 400, 'invalid_sample_messages', 'sample_messages[1]'],
      [{ sample_messages: [sample, 7] }, 400, 'invalid_sample_messages', 'sample_messages[1]'],
      [{ opt_in_description: 'x'.repeat(39) }, 400, 'invalid_body', 'opt_in_description'],
      [{ opt_in_description: `${'x'.repeat(39)} ` }, 400, 'invalid_body', 'opt_in_description'],
      [{ opt_in_description: `x${' '.repeat(60)}` }, 400, 'invalid_body', 'opt_in_description'],
      [{ opt_in_description: `\n${'é😀'.repeat(19)}x\t` }, 400, 'invalid_body', 'opt_in_description'],
      [{ draft: 'yes' }, 400, 'invalid_body', 'draft'],
      [{ status: 'approved' }, 400, 'invalid_body', 'status'],
      [{ tenant_id: 'tnt_none' }, 404, 'tenant_not_found', 'tenant_id'],
      [{ brand_id: 'brd_none' }, 404, 'brand_not_found', 'brand_id'],
    ] as const) {
      assert.deepEqual(refusal(await post({ ...good(), ...change })), [status, code, param], JSON.stringify(change));
    }
    for (const opt_in_description of ['x'.repeat(40), `  x${' '.repeat(38)}x\n`]) {
      assert.equal((await post({ ...good(), opt_in_description })).status, 201);
    }
    for (const count of [2, 5]) {
      assert.equal((await post({ ...good(), sample_messages: Array(count).fill(sample) })).status, 201);
    }
  });

  test('a campaign accepts a brand of its tenant or of the platform, and no other', async () => {
    const own = await makeBrand(harness, { body: { tenant_id: tenantId } });
    const foreign = await makeBrand(harness, { body: { tenant_id: await makeTenant(harness) } });
    assert.equal((await post({ ...good(), brand_id: own.id })).status, 201);
    const key = await harness.tenantKey(tenantId);
    for (const used of [undefined, key]) {
      const reply = await post({ ...good(), brand_id: foreign.id }, used);
      assert.deepEqual(refusal(reply), [404, 'brand_not_found', 'brand_id']);
    }
    assert.equal((await post(good(), key)).status, 201, "a tenant's key may use the platform's brand");
  });

  test('a repeat with the same Idempotency-Key gets the same campaign', async () => {
    const headers = { 'idempotency-key': 'campaign-1' };
    const send = () => harness.call('POST', '/v1/campaigns', { body: good(), headers });
    const replies = await Promise.all(Array.from({ length: 8 }, send));
    for (const reply of replies) assert.deepEqual([reply.status, reply.body], [201, replies[0]?.body]);
    assert.equal(replies[0]?.body.status, 'pending_review');
  });
});

describe('GET /campaigns', () => {
  test('campaigns are listed newest first, and filtered by status and by tenant', async () => {
    const tenant_id = await makeTenant(harness);
    const first = await makeCampaign(harness, tenant_id, { body: { brand_id: brandId } });
    const draft = await makeCampaign(harness, tenant_id, { body: { brand_id: brandId, draft: true } });
    const ids = async (query: string) =>
      (await read(harness, `/campaigns?${query}`)).data.map((campaign: { id: string }) => campaign.id);
    assert.deepEqual(await ids(`tenant_id=${tenant_id}`), [draft.id, first.id]);
    assert.deepEqual(await ids(`tenant_id=${tenant_id}&status=draft`), [draft.id]);
    assert.deepEqual(await ids(`tenant_id=${tenant_id}&status=approved`), [first.id]);
    assert.deepEqual(await ids(`tenant_id=${tenant_id}&status=rejected`), []);
    const page = await read(harness, `/campaigns?tenant_id=${tenant_id}&limit=1`);
    assert.deepEqual(await ids(`tenant_id=${tenant_id}&after=${page.next_cursor}`), [first.id]);
    const wrong = await harness.call('GET', '/v1/campaigns?status=done');
    assert.deepEqual(refusal(wrong), [400, 'invalid_body', 'status']);
  });
});

describe('drafts', () => {
  test('a draft waits until it is submitted, and costs nothing before', async () => {
    const counted = async () => {
      const { data } = await read(harness, '/usage?start=2020-01-01&end=2100-01-01');
      return data.find(({ kind }: { kind: string }) => kind === 'campaign_setup')?.quantity ?? 0;
    };
    const before = await counted();
    const draft = await makeCampaign(harness, tenantId, { body: { brand_id: brandId, draft: true } });
    assert.equal(draft.status, 'draft');
    assert.deepEqual([await counted(), await jobsOf(harness, draft.id)], [before, []]);
    const reply = await harness.call('POST', `/v1/campaigns/${draft.id}/submit`);
    assert.deepEqual([reply.status, reply.body.status, reply.body.throughput], [200, 'pending_review', null]);
    assert.equal((await read(harness, `/campaigns/${draft.id}`)).status, 'approved');
    assert.deepEqual(await statusesOf(draft.id), [
      ['draft', 'pending_review'],
      ['pending_review', 'approved'],
    ]);
    assert.equal(await counted(), before + 1);
    const again = await harness.call('POST', `/v1/campaigns/${draft.id}/submit`);
    assert.deepEqual(refusal(again).slice(0, 2), [409, 'review_not_pending']);
    assert.equal(await counted(), before + 1);
  });

  test('of several concurrent submissions one is accepted', async () => {
    const draft = await makeCampaign(harness, tenantId, { body: { brand_id: brandId, draft: true } });
    const submit = () => harness.call('POST', `/v1/campaigns/${draft.id}/submit`);
    const replies = await Promise.all(Array.from({ length: 8 }, submit));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal(replies.filter(({ status }) => status === 409).length, 7);
    assert.equal((await statusesOf(draft.id)).length, 2);
  });
});

describe('reviews', () => {
  test('a campaign needs a vetted brand, as a draft too', async () => {
    await setReviews(harness, 'manual');
    const brand = await makeBrand(harness);
    await setReviews(harness, 'auto');
    for (const draft of [false, true]) {
      const reply = await post({ ...good(), brand_id: brand.id, draft });
      assert.deepEqual(refusal(reply), [422, 'brand_not_vetted', 'brand_id']);
    }
    await harness.call('POST', `/v1/test/brands/${brand.id}/review`, { body: { result: 'rejected' } });
    assert.deepEqual(refusal(await post({ ...good(), brand_id: brand.id }))[1], 'brand_not_vetted');
  });

  test('a campaign is approved, suspended and reinstated, each with an event, and keeps its throughput', async () => {
    await setReviews(harness, 'manual');
    const { id } = await makeCampaign(harness, tenantId, { body: { brand_id: brandId } });
    await setReviews(harness, 'auto');
    await harness.advance(86_400);
    assert.equal((await read(harness, `/campaigns/${id}`)).status, 'pending_review');
    assert.deepEqual(refusal(await review(id, { result: 'suspended' })).slice(0, 2), [409, 'review_not_pending']);
    const approved = await review(id, { result: 'approved' });
    assert.deepEqual(approved.body.throughput, { messages_per_minute: 240, daily_cap: 2_000 });
    const suspended = await review(id, { result: 'suspended', reason: 'Complaints.' });
    assert.deepEqual([suspended.body.status, suspended.body.rejection_reason], ['suspended', 'Complaints.']);
    assert.deepEqual(suspended.body.throughput, approved.body.throughput);
    for (const result of ['rejected', 'suspended']) {
      assert.deepEqual(refusal(await review(id, { result })).slice(0, 2), [409, 'review_not_pending']);
    }
    const back = await review(id, { result: 'approved' });
    assert.deepEqual([back.body.status, back.body.rejection_reason], ['approved', null]);
    assert.deepEqual(await statusesOf(id), [
      ['pending_review', 'approved'],
      ['approved', 'suspended'],
      ['suspended', 'approved'],
    ]);
  });

  test('a rejected campaign shows the reason and stays rejected', async () => {
    await setReviews(harness, 'manual');
    const { id } = await makeCampaign(harness, tenantId, { body: { brand_id: brandId } });
    await setReviews(harness, 'auto');
    const { body } = await review(id, { result: 'rejected', reason: 'No opt-in.' });
    assert.deepEqual([body.status, body.rejection_reason, body.throughput], ['rejected', 'No opt-in.', null]);
    for (const result of ['approved', 'rejected', 'suspended']) {
      assert.equal((await review(id, { result })).status, 409);
    }
  });
});

describe('months', () => {
  const monthsOf = async (tenant: string) => {
    const { data } = await read(harness, `/usage?start=2020-01-01&end=2100-01-01&tenant_id=${tenant}`);
    return data.find(({ kind }: { kind: string }) => kind === 'campaign_month')?.quantity ?? 0;
  };
  const DAY_S = 86_400;

  test('the first month is counted immediately, and each later one that starts while the campaign is approved', async () => {
    const tenant = await makeTenant(harness);
    const { id } = await makeCampaign(harness, tenant, { body: { brand_id: brandId } });
    assert.equal(await monthsOf(tenant), 1);
    await harness.advance(65 * DAY_S);
    assert.equal(await monthsOf(tenant), 3);
    await review(id, { result: 'suspended' });
    await harness.advance(65 * DAY_S);
    assert.equal(await monthsOf(tenant), 3, 'a suspended campaign costs nothing');
    await review(id, { result: 'approved' });
    assert.equal(await monthsOf(tenant), 4, 'the month of the reinstatement is counted');
    await review(id, { result: 'suspended' });
    await review(id, { result: 'approved' });
    assert.equal(await monthsOf(tenant), 4, 'the month is counted once');
  });

  test('a month that started during a suspension is metered at the reinstatement', async () => {
    const tenant = await makeTenant(harness);
    const { id } = await makeCampaign(harness, tenant, { body: { brand_id: brandId } });
    await review(id, { result: 'suspended' });
    await harness.advance(40 * DAY_S);
    const { now } = (await harness.call('GET', '/v1/test/clock')).body;
    await review(id, { result: 'approved' });
    const { data } = await read(harness, `/usage?start=${now}&tenant_id=${tenant}`);
    assert.deepEqual(data, [{ kind: 'campaign_month', quantity: 1 }]);
    assert.equal(await monthsOf(tenant), 2);
  });

  test('no further month is counted for a rejected campaign or for one of a deleted tenant', async () => {
    const tenant = await makeTenant(harness);
    const kept = await makeCampaign(harness, tenant, { body: { brand_id: brandId } });
    await setReviews(harness, 'manual');
    const rejected = await makeCampaign(harness, tenant, { body: { brand_id: brandId } });
    const pending = await makeCampaign(harness, tenant, { body: { brand_id: brandId } });
    await setReviews(harness, 'auto');
    await review(rejected.id, { result: 'rejected' });
    assert.equal(await monthsOf(tenant), 3);
    assert.equal((await harness.call('DELETE', `/v1/tenants/${tenant}`)).status, 204);
    const status = async ({ id }: Json) => (await read(harness, `/campaigns/${id}`)).status;
    assert.deepEqual(await Promise.all([kept, rejected, pending].map(status)), Array(3).fill('suspended'));
    assert.deepEqual((await statusesOf(pending.id)).at(-1), ['pending_review', 'suspended']);
    assert.deepEqual((await statusesOf(rejected.id)).at(-1), ['rejected', 'suspended']);
    for (const { id } of [kept, pending, rejected]) {
      const reply = await review(id, { result: 'approved' });
      assert.deepEqual(refusal(reply).slice(0, 2), [409, 'review_not_pending'], 'it has ended for good');
    }
    await harness.advance(65 * DAY_S);
    assert.equal(await monthsOf(tenant), 3);
    assert.deepEqual(await jobsOf(harness, kept.id), []);
  });
});
