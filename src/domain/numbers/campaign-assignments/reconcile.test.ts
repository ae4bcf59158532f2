import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBrand, makeCampaign } from '../../../../test/support/compliance.ts';
import type { Json } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { read } from '../../../../test/support/messages.ts';
import { buyNumber, eventsOf, jobsOf, useTenant } from '../../../../test/support/numbers.ts';
import type { RegistryPort } from '../../../carriers/ports/registry.ts';
import type { PhoneNumber } from '../phone-numbers/schema.ts';

let calls: string[];
let answers: Partial<Record<'assignNumber' | 'unassignNumber', 'rejected' | 'unavailable'>>;
const { harness, tenantId } = await useTenant({ startWorkers: false });
const brandId = (await makeBrand(harness)).id;
const { registry } = harness.context.carriers;
const carriers = harness.context.carriers as { registry: typeof registry };
carriers.registry = (...of) => watched(registry(...of));

/** Wraps the simulated registry: it gives the test's answers and records the requests. */
function watched(simulated: RegistryPort): RegistryPort {
  const note = (kind: 'assignNumber' | 'unassignNumber') => {
    calls.push(kind);
    const outcome = answers[kind];
    if (outcome === 'rejected') return { outcome, reason: 'assign_failed' } as const;
    return outcome === undefined ? undefined : ({ outcome } as const);
  };
  return {
    ...simulated,
    assignNumber: async (...args) => note('assignNumber') ?? simulated.assignNumber(...args),
    unassignNumber: async (...args) => note('unassignNumber') ?? simulated.unassignNumber(...args),
  };
}

const newCampaign = (body: object = {}) => makeCampaign(harness, tenantId, { body: { brand_id: brandId, ...body } });

async function attach(id: string, campaign_id: string | null): Promise<Json> {
  const { status, body } = await harness.call('PATCH', `/v1/phone_numbers/${id}`, { body: { campaign_id } });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Returns the campaign that the carrier has for a number, or undefined. */
async function atCarrier({ phone_number }: PhoneNumber): Promise<string | undefined> {
  const text = 'select campaign_ref from simulated_assignments where phone_number = $1';
  return (await sql<{ campaign_ref: string }>(harness.context.db, text, [phone_number]))[0]?.campaign_ref;
}

/** Attaches a number to a draft and then submits the draft, so that only the job can assign the number. */
async function submitDraftOf(number: PhoneNumber): Promise<string> {
  const draft = await newCampaign({ draft: true });
  await attach(number.id, draft.id);
  await harness.advance(1);
  calls = [];
  assert.equal((await harness.call('POST', `/v1/campaigns/${draft.id}/submit`)).status, 200);
  return draft.id;
}

test('a number that the carrier refuses for its campaign is detached, and is not registered again', async () => {
  [calls, answers] = [[], {}];
  const number = await buyNumber(harness, tenantId);
  const earlier = await newCampaign();
  await attach(number.id, earlier.id);
  answers = { assignNumber: 'rejected' };
  const campaignId = await submitDraftOf(number);
  await harness.advance(3_600);
  assert.deepEqual(await read(harness, `/phone_numbers/${number.id}`), { ...number, messaging_ready: false });
  assert.deepEqual(calls, ['assignNumber', 'unassignNumber']);
  assert.equal(await atCarrier(number), undefined);
  assert.deepEqual(await jobsOf(harness, number.id), []);
  assert.deepEqual(await eventsOf(harness, number.id), [], 'its status has not changed');
  answers = {};
  assert.equal((await attach(number.id, campaignId)).messaging_ready, true, 'attaching is what tries again');
  assert.equal(await atCarrier(number), campaignId);
});

test('the registration is retried with an unavailable carrier until it succeeds', async () => {
  [calls, answers] = [[], { assignNumber: 'unavailable' }];
  const number = await buyNumber(harness, tenantId);
  const campaignId = await submitDraftOf(number);
  await harness.advance(60);
  assert.ok(calls.length > 1, calls.join());
  assert.equal((await read(harness, `/phone_numbers/${number.id}`)).campaign_id, campaignId);
  answers = {};
  await harness.advance(600);
  assert.equal(await atCarrier(number), campaignId);
  assert.deepEqual(await jobsOf(harness, number.id), []);
});

test('a detach that the carrier refuses is not retried for ever', async () => {
  [calls, answers] = [[], { unassignNumber: 'rejected' }];
  const number = await buyNumber(harness, tenantId);
  await attach(number.id, (await newCampaign()).id);
  await attach(number.id, null);
  await harness.advance(3_600);
  assert.deepEqual(calls, ['assignNumber', 'unassignNumber']);
  assert.deepEqual(await jobsOf(harness, number.id), []);
});
