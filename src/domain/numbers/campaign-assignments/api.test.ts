import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import { makeBrand, makeCampaign, setReviews } from '../../../../test/support/compliance.ts';
import type { Json } from '../../../../test/support/events.ts';
import type { Reply } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { newPerson, read, setFault, trySend } from '../../../../test/support/messages.ts';
import { fund } from '../../../../test/support/money.ts';
import {
  buyNumber,
  eventsOf,
  findOnSale,
  jobsOf,
  makeTenant,
  ordersOf,
  useTenant,
} from '../../../../test/support/numbers.ts';
import type { RegistryPort } from '../../../carriers/ports/registry.ts';

const { harness, tenantId } = await useTenant({ liveCarrier: ({ simulated }) => simulated });
const brandId = (await makeBrand(harness)).id;

const newCampaign = (body: object = {}) => makeCampaign(harness, tenantId, { body: { brand_id: brandId, ...body } });
const patch = (id: string, body: object) => harness.call('PATCH', `/v1/phone_numbers/${id}`, { body });
const refusal = ({ status, body }: Reply) => [status, body.error?.code, body.error?.param];

async function attach(id: string, campaign_id: string | null): Promise<Json> {
  const reply = await patch(id, { campaign_id });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body;
}

/** Returns the campaign that the carrier has for a number, or undefined. */
async function atCarrier(phoneNumber: string): Promise<string | undefined> {
  const text = 'select campaign_ref from simulated_assignments where phone_number = $1';
  const [row] = await sql<{ campaign_ref: string }>(harness.context.db, text, [phoneNumber]);
  return row?.campaign_ref;
}

const reaches = (phoneNumber: string, campaignId: string | undefined) =>
  until(`the carrier has ${campaignId}`, async () => (await atCarrier(phoneNumber)) === campaignId);

/** Runs `work` with a changed registry. */
function withRegistry<T>(
  change: (simulated: RegistryPort) => Partial<RegistryPort>,
  work: () => Promise<T>,
): Promise<T> {
  return withPort(harness, 'registry', (simulated) => ({ ...simulated, ...change(simulated) }), work);
}

const review = (id: string, result: string) =>
  harness.call('POST', `/v1/test/campaigns/${id}/review`, { body: { result } });

describe('attaching', () => {
  test('the carrier has the number in its campaign before the reply, and no job is left', async () => {
    const number = await buyNumber(harness, tenantId);
    const campaign = await newCampaign();
    const attached = await attach(number.id, campaign.id);
    assert.deepEqual(attached, { ...number, campaign_id: campaign.id, messaging_ready: true });
    assert.equal(await atCarrier(number.phone_number), campaign.id);
    assert.deepEqual(await jobsOf(harness, number.id), []);
  });

  test('another campaign replaces the first, and null detaches the number', async () => {
    const number = await buyNumber(harness, tenantId);
    const [first, second] = [await newCampaign(), await newCampaign()];
    await attach(number.id, first.id);
    await attach(number.id, second.id);
    assert.equal(await atCarrier(number.phone_number), second.id);
    const detached = await attach(number.id, null);
    assert.deepEqual([detached.campaign_id, detached.messaging_ready], [null, false]);
    await reaches(number.phone_number, undefined);
  });

  test('a refusal by the carrier changes nothing, and the attach can be retried', async () => {
    const number = await buyNumber(harness, tenantId);
    const campaign = await newCampaign();
    await setFault(harness, { kind: 'assign_failed', times: 1 });
    const refused = await patch(number.id, { campaign_id: campaign.id });
    assert.deepEqual(refusal(refused), [502, 'carrier_assign_failed', 'campaign_id']);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.deepEqual(await read(harness, `/phone_numbers/${number.id}`), number);
    assert.equal((await attach(number.id, campaign.id)).messaging_ready, true);
  });

  test('a lost answer is a refusal, and the carrier gets the stored assignment again', async () => {
    const number = await buyNumber(harness, tenantId);
    const campaign = await newCampaign();
    const lossy = (simulated: RegistryPort): Partial<RegistryPort> => ({
      assignNumber: async (ledger, assignment) => {
        await simulated.assignNumber(ledger, assignment);
        return { outcome: 'unknown' };
      },
    });
    const reply = await withRegistry(lossy, () => patch(number.id, { campaign_id: campaign.id }));
    assert.equal(refusal(reply)[1], 'carrier_assign_failed');
    assert.equal(await atCarrier(number.phone_number), campaign.id);
    await harness.advance(31);
    await reaches(number.phone_number, undefined);
  });

  test('a routing config deleted during the carrier request is not found, and the assignment is undone', async () => {
    const number = await buyNumber(harness, tenantId);
    const campaign = await newCampaign();
    const open_behavior = { type: 'ring', targets: ['+16025550143'] };
    const config = await harness.call('POST', '/v1/routing_configs', {
      body: { tenant_id: tenantId, name: 'Short-lived', open_behavior },
    });
    const path = `/v1/routing_configs/${config.body.id}`;
    const slow = (simulated: RegistryPort): Partial<RegistryPort> => ({
      assignNumber: async (...args) => {
        assert.equal((await harness.call('DELETE', path)).status, 204);
        return simulated.assignNumber(...args);
      },
    });
    const change = { campaign_id: campaign.id, routing_config_id: config.body.id };
    const reply = await withRegistry(slow, () => patch(number.id, change));
    assert.deepEqual(refusal(reply), [404, 'routing_config_not_found', 'routing_config_id']);
    assert.deepEqual(await read(harness, `/phone_numbers/${number.id}`), number);
    await harness.advance(31);
    await reaches(number.phone_number, undefined);
  });

  test('after a crash before the outcome was stored, the carrier gets the stored assignment', async () => {
    const number = await buyNumber(harness, tenantId);
    const campaign = await newCampaign();
    const dying = (simulated: RegistryPort): Partial<RegistryPort> => ({
      assignNumber: async (ledger, assignment) => {
        await simulated.assignNumber(ledger, assignment);
        throw new Error('the process dies here');
      },
    });
    const reply = await withRegistry(dying, () => patch(number.id, { campaign_id: campaign.id }));
    assert.equal(reply.status, 500);
    await harness.advance(31);
    await reaches(number.phone_number, undefined);
    assert.equal((await read(harness, `/phone_numbers/${number.id}`)).campaign_id, null);
  });

  test('after concurrent attaches the carrier has the stored assignment', async () => {
    const number = await buyNumber(harness, tenantId);
    const campaigns = await Promise.all([newCampaign(), newCampaign(), newCampaign()]);
    await Promise.all(campaigns.map(({ id }) => attach(number.id, id)));
    await harness.advance(31);
    const { campaign_id } = await read(harness, `/phone_numbers/${number.id}`);
    await reaches(number.phone_number, campaign_id);
    await until('no work is left', async () => (await jobsOf(harness, number.id)).length === 0);
  });

  test('a draft can be attached, and the number is registered when the registry has the campaign', async () => {
    const number = await buyNumber(harness, tenantId);
    const draft = await newCampaign({ draft: true });
    assert.equal((await attach(number.id, draft.id)).messaging_ready, false);
    await harness.advance(31);
    assert.equal(await atCarrier(number.phone_number), undefined);
    await harness.call('POST', `/v1/campaigns/${draft.id}/submit`);
    await reaches(number.phone_number, draft.id);
    assert.equal((await read(harness, `/phone_numbers/${number.id}`)).messaging_ready, true);
  });

  test("another tenant's campaign is not found", async () => {
    const number = await buyNumber(harness, tenantId);
    const foreign = await makeCampaign(harness, await makeTenant(harness), { body: { brand_id: brandId } });
    assert.deepEqual(refusal(await patch(number.id, { campaign_id: foreign.id })), [
      404,
      'campaign_not_found',
      'campaign_id',
    ]);
    const body = { tenant_id: tenantId, phone_number: await findOnSale(harness), campaign_id: foreign.id };
    assert.equal(refusal(await harness.call('POST', '/v1/phone_numbers', { body }))[1], 'campaign_not_found');
  });
});

describe('messaging_ready', () => {
  test('it follows the campaign immediately, on all its numbers', async () => {
    const numbers = [await buyNumber(harness, tenantId), await buyNumber(harness, tenantId)];
    await setReviews(harness, 'manual');
    const campaign = await newCampaign();
    await setReviews(harness, 'auto');
    for (const { id } of numbers) assert.equal((await attach(id, campaign.id)).messaging_ready, false);
    const ready = () =>
      Promise.all(numbers.map(async ({ id }) => (await read(harness, `/phone_numbers/${id}`)).messaging_ready));
    const expect = async (result: string, value: boolean) => {
      assert.equal((await review(campaign.id, result)).status, 200);
      assert.deepEqual(await ready(), [value, value], result);
    };
    await expect('approved', true);
    await expect('suspended', false);
    await expect('approved', true);
    const listed = (await read(harness, `/phone_numbers?tenant_id=${tenantId}&limit=100`)).data;
    assert.equal(listed.find(({ id }: Json) => id === numbers[0]?.id).messaging_ready, true);
  });

  test('a test number sends texts without a campaign or with an approved one only', async () => {
    const number = await buyNumber(harness, tenantId);
    const send = () => trySend(harness, { from: number.id, to: newPerson(), body: 'Hello' });
    assert.equal((await send()).status, 201);
    await setReviews(harness, 'manual');
    const campaign = await newCampaign();
    await setReviews(harness, 'auto');
    await attach(number.id, campaign.id);
    assert.deepEqual(refusal(await send()), [422, 'campaign_not_approved', 'from']);
    const body = { from: number.id, to: newPerson(), body: 'Hello' };
    const check = await harness.call('POST', '/v1/messages/check', { body });
    assert.deepEqual([check.body.accepted, check.body.error.code], [false, 'campaign_not_approved']);
    await review(campaign.id, 'approved');
    assert.equal((await send()).status, 201);
    await review(campaign.id, 'suspended');
    assert.deepEqual(refusal(await send())[1], 'campaign_not_approved');
  });

  test('a live number sends texts only with an approved campaign', async () => {
    const key = harness.account.live_key;
    await fund(harness, '1000');
    const live = await makeTenant(harness, key);
    const body = { tenant_id: live, phone_number: await findOnSale(harness, key) };
    const { body: number } = await harness.call('POST', '/v1/phone_numbers', { key, body });
    const send = () => trySend(harness, { from: number.id, to: '+16025550143', body: 'Hello' }, { key });
    assert.deepEqual(refusal(await send()), [422, 'campaign_not_approved', 'from']);
    const campaign = await makeCampaign(harness, live, { key });
    const attached = await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, {
      key,
      body: { campaign_id: campaign.id },
    });
    assert.equal(attached.body.messaging_ready, true, JSON.stringify(attached.body));
    assert.equal((await send()).status, 201);
  });
});

describe('purchase with a campaign', () => {
  const purchase = (body: object, once: string) =>
    harness.call('POST', '/v1/phone_numbers', { body, headers: { 'idempotency-key': once } });

  test('the new number is in its campaign, ready for texts', async () => {
    const campaign = await newCampaign();
    const phone_number = await findOnSale(harness);
    const reply = await purchase({ tenant_id: tenantId, phone_number, campaign_id: campaign.id }, phone_number);
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    assert.deepEqual([reply.body.campaign_id, reply.body.messaging_ready], [campaign.id, true]);
    assert.equal(await atCarrier(phone_number), campaign.id);
  });

  test('after a refused registration the tenant keeps the number; the error names it, and a repeat gets that error', async () => {
    const campaign = await newCampaign();
    const phone_number = await findOnSale(harness);
    const body = { tenant_id: tenantId, phone_number, campaign_id: campaign.id };
    await setFault(harness, { kind: 'assign_failed', times: 1 });
    const refused = await purchase(body, phone_number);
    assert.deepEqual(refusal(refused), [502, 'carrier_assign_failed', 'campaign_id']);
    assert.equal(refused.headers.get('retry-after'), null, 'a repeat of the purchase would not help');
    const { phone_number_id: id, message } = refused.body.error;
    assert.ok(message.includes(id), message);
    const { status, campaign_id, messaging_ready, ...number } = await read(harness, `/phone_numbers/${id}`);
    assert.deepEqual(
      [number.phone_number, status, campaign_id, messaging_ready],
      [phone_number, 'active', null, false],
    );
    const repeat = await purchase(body, phone_number);
    assert.equal(repeat.status, 502);
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(repeat.body, refused.body, 'the whole error, with the id of the request that failed');
    assert.equal(repeat.headers.get('request-id'), refused.body.request_id);
    assert.equal((await ordersOf(harness, phone_number)).length, 1);
    assert.equal((await attach(id, campaign.id)).messaging_ready, true, 'the attach is tried again');
    assert.deepEqual(await eventsOf(harness, id), []);
  });

  test('after a crash following the order, the number is in its campaign, bought once', async () => {
    const campaign = await newCampaign();
    const phone_number = await findOnSale(harness);
    const body = { tenant_id: tenantId, phone_number, campaign_id: campaign.id };
    const dying = (): Partial<RegistryPort> => ({ assignNumber: () => Promise.reject(new Error('it dies here')) });
    assert.equal((await withRegistry(dying, () => purchase(body, phone_number))).status, 500);
    await harness.advance(31);
    const repeat = await purchase(body, phone_number);
    assert.deepEqual([repeat.status, repeat.body.campaign_id], [201, campaign.id], JSON.stringify(repeat.body));
    assert.equal(await atCarrier(phone_number), campaign.id);
    assert.equal((await ordersOf(harness, phone_number)).length, 1);
  });

  test('after a crash, a repeat learns that the registration was refused, and the id of the number', async () => {
    const campaign = await newCampaign();
    const phone_number = await findOnSale(harness);
    const body = { tenant_id: tenantId, phone_number, campaign_id: campaign.id };
    const dying = (): Partial<RegistryPort> => ({ assignNumber: () => Promise.reject(new Error('it dies here')) });
    const crashed = await withRegistry(dying, () => purchase(body, phone_number));
    assert.equal(crashed.status, 500);
    await setFault(harness, { kind: 'assign_failed', times: 1 });
    await harness.advance(31);
    const repeat = await purchase(body, phone_number);
    assert.deepEqual(refusal(repeat), [502, 'carrier_assign_failed', 'campaign_id']);
    assert.equal(repeat.body.request_id, crashed.body.request_id);
    const number = await read(harness, `/phone_numbers/${repeat.body.error.phone_number_id}`);
    assert.deepEqual([number.phone_number, number.status], [phone_number, 'active']);
  });
});

describe('release', () => {
  test('a released number is removed from its campaign, at the carrier too', async () => {
    const campaign = await newCampaign();
    const number = await buyNumber(harness, tenantId);
    await attach(number.id, campaign.id);
    const { body } = await harness.call('DELETE', `/v1/phone_numbers/${number.id}`);
    assert.deepEqual([body.status, body.campaign_id, body.messaging_ready], ['released', null, false]);
    await reaches(number.phone_number, undefined);
  });

  test('a deleted tenant leaves nothing at the carrier: numbers are detached, campaigns ended', async () => {
    const tenant = await makeTenant(harness);
    const campaign = await makeCampaign(harness, tenant, { body: { brand_id: brandId } });
    const number = await buyNumber(harness, tenant);
    await attach(number.id, campaign.id);
    assert.equal((await harness.call('DELETE', `/v1/tenants/${tenant}`)).status, 204);
    await reaches(number.phone_number, undefined);
    await until('the registry has ended it', async () => {
      const text = 'select status from simulated_registrations where ref = $1';
      return (await sql<{ status: string }>(harness.context.db, text, [campaign.id]))[0]?.status === 'ended';
    });
  });
});
