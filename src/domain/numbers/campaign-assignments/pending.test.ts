/** Assignments that the carrier accepts as pending, and confirms or refuses later. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import { makeBrand, makeCampaign } from '../../../../test/support/compliance.ts';
import type { Json } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, refusal } from '../../../../test/support/messages.ts';
import { ledgerOf } from '../../../../test/support/money.ts';
import { buyNumber, eventsOf, findOnSale, makeTenant, useTenant } from '../../../../test/support/numbers.ts';
import { PORT_DETAILS } from '../../../../test/support/port-ins.ts';
import type { AssignmentReport } from '../../../carriers/ports/outcome.ts';
import type { RegistryPort } from '../../../carriers/ports/registry.ts';
import { applyNumberEvents } from '../carrier-events.ts';
import { isAddressConfirmed } from '../phone-numbers/calling-number-queries.ts';
import { PENDING_CHECK_MS } from '../phone-numbers/rules.ts';

const { harness, tenantId } = await useTenant({ startWorkers: false });
const { db } = harness.context;
const ledger = await ledgerOf(harness, 'test');
const brandId = (await makeBrand(harness)).id;
const PENDING_CHECK_S = PENDING_CHECK_MS / 1_000;

const newCampaign = (body: object = {}) => makeCampaign(harness, tenantId, { body: { brand_id: brandId, ...body } });
const get = async (id: string): Promise<Json> => (await harness.call('GET', `/v1/phone_numbers/${id}`)).body;
const patch = (id: string, body: object) => harness.call('PATCH', `/v1/phone_numbers/${id}`, { body });
const send = (from: string) => harness.call('POST', '/v1/messages', { body: { from, to: newPerson(), body: 'Hello' } });

/** Runs `work` while the registry accepts assignments as pending. */
function whilePending<T>(work: () => Promise<T>, onAsked: () => Promise<void> = async () => undefined): Promise<T> {
  const pending = (real: RegistryPort): RegistryPort => ({
    ...real,
    assignNumber: async () => {
      await onAsked();
      return { outcome: 'accepted', pending: true };
    },
  });
  return withPort(harness, 'registry', pending, work);
}

type Kind = AssignmentReport['to']['kind'];

/** Reports the end of an assignment, twice. */
async function report(
  phoneNumber: string,
  type: AssignmentReport['type'],
  to: { kind: Kind; ref: string },
): Promise<void> {
  const event: AssignmentReport =
    type === 'number.assigned' ? { type, phoneNumber, to } : { type, phoneNumber, to, reason: 'not served' };
  await db.transaction((tx) => applyNumberEvents(tx, ledger, [event, event]));
}

const readinessIn = async (id: string) =>
  (await eventsOf(harness, id)).map(({ type, data }) => [type, data.previous_status, data.messaging_ready]);
const READY = ['number.status_changed', 'active', true];

test('a number is not ready while its assignment is pending, and an event follows when it is confirmed', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId);
  const campaign = await newCampaign();
  const { status, body } = await whilePending(() => patch(id, { campaign_id: campaign.id }));
  assert.deepEqual([status, body.campaign_id, body.messaging_ready], [200, campaign.id, false]);
  assert.deepEqual(await get(id), body);
  assert.deepEqual(refusal(await send(id)).slice(0, 2), [422, 'campaign_not_approved']);
  await report(phone_number, 'number.assigned', { kind: 'campaign', ref: campaign.id });
  assert.deepEqual(await get(id), { ...body, messaging_ready: true });
  await report(phone_number, 'number.assignment_failed', { kind: 'campaign', ref: campaign.id });
  assert.deepEqual(await readinessIn(id), [READY]);
  assert.equal((await send(id)).status, 201);
});

test('a number whose pending assignment fails has no campaign, and an event says so', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId);
  const campaign = await newCampaign();
  await whilePending(() => patch(id, { campaign_id: campaign.id }));
  await report(phone_number, 'number.assignment_failed', { kind: 'campaign', ref: campaign.id });
  assert.equal((await get(id)).campaign_id, null);
  const events = await eventsOf(harness, id);
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.campaign_id]),
    [['number.status_changed', null]],
  );
});

test('a report about an earlier campaign of the number changes nothing', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId);
  const [first, second] = [await newCampaign(), await newCampaign()];
  await whilePending(async () => {
    await patch(id, { campaign_id: first.id });
    await patch(id, { campaign_id: second.id });
  });
  for (const type of ['number.assigned', 'number.assignment_failed'] as const) {
    await report(phone_number, type, { kind: 'campaign', ref: first.id });
  }
  const number = await get(id);
  assert.deepEqual([number.campaign_id, number.messaging_ready], [second.id, false]);
  assert.deepEqual(await readinessIn(id), []);
});

test('a confirmation that comes before the answer, or is lost, is found by asking again', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId);
  const campaign = await newCampaign();
  const confirm = () => report(phone_number, 'number.assigned', { kind: 'campaign', ref: campaign.id });
  await whilePending(async () => patch(id, { campaign_id: campaign.id }), confirm);
  assert.equal((await get(id)).messaging_ready, false);
  await whilePending(() => harness.advance(2 * PENDING_CHECK_S + 5));
  assert.equal((await get(id)).messaging_ready, false);
  await harness.advance(PENDING_CHECK_S);
  assert.equal((await get(id)).messaging_ready, true);
  assert.deepEqual(await readinessIn(id), [READY]);
});

test('a pending assignment that the carrier refuses when asked again leaves the number without campaign', async () => {
  const { id } = await buyNumber(harness, tenantId);
  const campaign = await newCampaign();
  await whilePending(() => patch(id, { campaign_id: campaign.id }));
  await withPort(
    harness,
    'registry',
    (real) => ({ ...real, assignNumber: async () => ({ outcome: 'rejected', reason: 'assign_failed' }) }),
    () => harness.advance(PENDING_CHECK_S + 5),
  );
  assert.equal((await get(id)).campaign_id, null);
  assert.deepEqual(await readinessIn(id), [['number.status_changed', 'active', false]]);
});

test('a number bought for a campaign is ready once the carrier confirms it', async () => {
  const campaign = await newCampaign();
  const body = { tenant_id: tenantId, phone_number: await findOnSale(harness), campaign_id: campaign.id };
  const reply = await whilePending(() => harness.call('POST', '/v1/phone_numbers', { body }));
  assert.deepEqual([reply.status, reply.body.messaging_ready], [201, false]);
  await report(body.phone_number, 'number.assigned', { kind: 'campaign', ref: campaign.id });
  assert.deepEqual(await get(reply.body.id), { ...reply.body, messaging_ready: true });
});

test('a number attached to a draft waits for the confirmation that follows the registration', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId);
  const draft = await newCampaign({ draft: true });
  await patch(id, { campaign_id: draft.id });
  await whilePending(async () => {
    await harness.call('POST', `/v1/campaigns/${draft.id}/submit`);
    await harness.advance(5);
  });
  assert.equal((await get(id)).messaging_ready, false);
  await report(phone_number, 'number.assigned', { kind: 'campaign', ref: draft.id });
  assert.equal((await get(id)).messaging_ready, true);
});

test('a number that is released while its assignment is pending takes no report', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId);
  const campaign = await newCampaign();
  await whilePending(() => patch(id, { campaign_id: campaign.id }));
  const { body } = await harness.call('DELETE', `/v1/phone_numbers/${id}`);
  await report(phone_number, 'number.assigned', { kind: 'campaign', ref: campaign.id });
  assert.deepEqual(await get(id), body);
});

/** Makes a number with an address that the carrier has accepted as pending. */
async function withPendingAddress() {
  const owner = await makeTenant(harness);
  const { id, phone_number } = await buyNumber(harness, owner);
  await withPort(
    harness,
    'e911',
    (real) => ({ ...real, assignAddress: async () => ({ outcome: 'accepted', pending: true }) }),
    async () => {
      const body = { tenant_id: owner, ...PORT_DETAILS.service_address };
      assert.equal((await harness.call('POST', '/v1/e911_addresses', { body })).status, 201);
      await harness.advance(1);
    },
  );
  const { e911_address_id: addressId } = await get(id);
  return { id, phoneNumber: phone_number, address: { kind: 'e911_address', ref: addressId as string } as const };
}

test('an emergency address is confirmed by the report of the carrier', async () => {
  const { id, phoneNumber, address } = await withPendingAddress();
  assert.equal(await isAddressConfirmed(db, ledger, id), false);
  await report(phoneNumber, 'number.assigned', { ...address, ref: 'e911_other' });
  assert.equal(await isAddressConfirmed(db, ledger, id), false);
  await report(phoneNumber, 'number.assigned', address);
  assert.equal(await isAddressConfirmed(db, ledger, id), true);
  await report(phoneNumber, 'number.assignment_failed', address);
  assert.equal((await get(id)).e911_address_id, address.ref);
});

test('a number whose emergency address the carrier refuses later shows none, and an event says so', async () => {
  const { id, phoneNumber, address } = await withPendingAddress();
  await report(phoneNumber, 'number.assignment_failed', address);
  assert.equal((await get(id)).e911_address_id, null);
  const events = await eventsOf(harness, id);
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.e911_address_id]),
    [['number.status_changed', null]],
  );
  await harness.advance(1);
  const registered = 'select 1 from simulated_e911_numbers where phone_number = $1';
  assert.deepEqual(await sql(db, registered, [phoneNumber]), []);
});

test('a pending emergency address is confirmed by asking again', async () => {
  const { id } = await withPendingAddress();
  await harness.advance(PENDING_CHECK_S + 5);
  assert.equal(await isAddressConfirmed(db, ledger, id), true);
  assert.deepEqual(await eventsOf(harness, id), []);
});

test('a number without an address has no confirmed one', async () => {
  const { id } = await buyNumber(harness, await makeTenant(harness));
  assert.equal(await isAddressConfirmed(db, ledger, id), false);
});
