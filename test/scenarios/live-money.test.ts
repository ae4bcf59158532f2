/**
 * The charges of a live account over the months of a campaign. A live ledger's clock is the wall clock, so a month is
 * started by advancing its timer. The carrier is the simulated one, and the test passes its decisions to the sink.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CarrierEventSink } from '../../src/carriers/ports/carrier.ts';
import type { CampaignReview } from '../../src/carriers/ports/registry.ts';
import { formatUsd, parseUsd } from '../../src/lib/money.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { BRAND, CAMPAIGN } from '../support/compliance.ts';
import type { Json } from '../support/events.ts';
import { useHarness } from '../support/harness.ts';
import { sql, until } from '../support/jobs.ts';
import { newPerson, read, refusal } from '../support/messages.ts';
import { fund } from '../support/money.ts';
import { findOnSale } from '../support/numbers.ts';

let sink: CarrierEventSink;
const harness = await useHarness({
  liveCarrier: (product) => {
    sink = product.sink;
    return product.simulated;
  },
});
const key = harness.account.live_key;

const post = (path: string, body: object = {}) => harness.call('POST', `/v1${path}`, { key, body });

async function make(path: string, body: object): Promise<Json> {
  const reply = await post(path, body);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

/** Returns the balance entries, oldest first, without the hourly charges for traffic and without number months. */
async function fees(): Promise<[kind: string, amountUsd: string][]> {
  const { data } = await read(harness, '/balance/entries?limit=100', key);
  const fixed = data.filter(({ kind }: Json) => kind !== 'number_month' && !kind.startsWith('sms_'));
  return fixed.map(({ kind, amount_usd }: Json) => [kind, amount_usd]).reverse();
}

/** Asserts that the balance is the sum of its entries and that each entry shows the balance after it. */
async function assertAddsUp(): Promise<void> {
  const { data } = await read(harness, '/balance/entries?limit=100', key);
  let sum = 0n;
  for (const entry of data.toReversed()) {
    sum += parseUsd(entry.amount_usd) as bigint;
    assert.equal(entry.balance_after_usd, formatUsd(sum), entry.reference);
  }
  assert.equal((await read(harness, '/balance', key)).amount_usd, formatUsd(sum));
}

const monthTimer = (campaignId: string) =>
  sql<{ month: number; due_in_days: number }>(
    harness.context.db,
    `select (payload ->> 'month')::int as month, extract(epoch from run_at - clock_timestamp())::float8 / 86400 as due_in_days
     from jobs where id = $1`,
    [`campaign.month:${campaignId}`],
  );

/** Starts the next month of a campaign now, and waits until it has started. */
async function startMonth(campaignId: string): Promise<void> {
  const [timer] = await monthTimer(campaignId);
  assert.ok(timer !== undefined && timer.due_in_days > 27, 'the month has its timer');
  await sql(harness.context.db, 'update jobs set run_at = clock_timestamp() where id = $1', [
    `campaign.month:${campaignId}`,
  ]);
  harness.context.db.signal({ topic: 'jobs', payload: 'default' });
  await until('the month has started', async () => (await monthTimer(campaignId))[0]?.month !== timer.month, 15_000);
}

async function review(ledger: Ledger, ref: string, decision: CampaignReview): Promise<void> {
  await sink(ledger, [{ type: 'campaign.review', ref, review: decision }]);
}

async function lowBalances(): Promise<string[]> {
  const { data } = await read(harness, '/events?type=balance.low', key);
  for (const { tenant_id, resource_id } of data) {
    assert.deepEqual([tenant_id, resource_id], [null, harness.account.id]);
  }
  return data.reverse().map((event: Json) => event.data.amount_usd);
}

test('a live account pays 4, 50 and 10 a month, and below 20 USD registers nothing more', async () => {
  const { id: tenant_id } = await make('/tenants', { name: 'Desert Dental' });
  const broke = await post('/brands', BRAND);
  assert.deepEqual(refusal(broke), [402, 'insufficient_balance', undefined]);
  const ledger = await fund(harness, '100');

  const brand = await make('/brands', BRAND);
  const campaign = await make('/campaigns', { ...CAMPAIGN, tenant_id, brand_id: brand.id });
  const wanted = { ...CAMPAIGN, tenant_id, brand_id: brand.id };
  const draft = await make('/campaigns', { ...wanted, draft: true });
  const bought = { tenant_id, phone_number: await findOnSale(harness, key), campaign_id: campaign.id };
  const number = await make('/phone_numbers', bought);
  assert.equal(number.messaging_ready, true);
  const paid: [string, string][] = [
    ['credit', '100.00'],
    ['brand_registration', '-4.00'],
    ['campaign_setup', '-50.00'],
    ['campaign_month', '-10.00'],
  ];
  assert.deepEqual(await fees(), paid);
  await assertAddsUp();

  await startMonth(campaign.id);
  paid.push(['campaign_month', '-10.00']);
  assert.deepEqual([await fees(), await lowBalances()], [paid, []]);
  await startMonth(campaign.id);
  paid.push(['campaign_month', '-10.00']);
  assert.deepEqual(await fees(), paid);
  assert.equal((await lowBalances()).length, 1, 'one event, when the balance fell below 20 USD');
  await assertAddsUp();

  for (const [path, body] of [
    ['/brands', BRAND],
    ['/campaigns', wanted],
    [`/campaigns/${draft.id}/submit`, {}],
    ['/phone_numbers', { tenant_id, phone_number: await findOnSale(harness, key) }],
  ] as const) {
    assert.deepEqual(refusal(await post(path, body)), [402, 'insufficient_balance', undefined], path);
  }
  await make('/messages', { from: number.id, to: newPerson(), body: 'The balance is enough for texts' });
  assert.deepEqual(await fees(), paid, 'a refused request costs nothing');

  await review(ledger, campaign.id, { status: 'suspended', reason: 'Complaints.' });
  const blocked = await post('/messages', { from: number.id, to: newPerson(), body: 'Hello' });
  assert.deepEqual(refusal(blocked), [422, 'campaign_not_approved', 'from']);
  await startMonth(campaign.id);
  assert.deepEqual(await fees(), paid, 'a month of a suspended campaign is free');
  const throughput = { messagesPerMinute: 240, dailyCap: 2_000 };
  await review(ledger, campaign.id, { status: 'approved', throughput });
  assert.deepEqual(await fees(), paid, 'the month of the reinstatement was paid when it started');

  await fund(harness, '10');
  await make('/brands', BRAND);
  paid.push(['credit', '10.00'], ['brand_registration', '-4.00']);
  assert.deepEqual(await fees(), paid);
  await startMonth(campaign.id);
  paid.push(['campaign_month', '-10.00']);
  assert.deepEqual(await fees(), paid);
  await assertAddsUp();
});

test('a deleted tenant pays for no further month', async () => {
  await fund(harness, '100');
  const { id: tenant_id } = await make('/tenants', { name: 'Cactus Care' });
  const brand = await make('/brands', BRAND);
  const campaign = await make('/campaigns', { ...CAMPAIGN, tenant_id, brand_id: brand.id });
  const paid = await fees();
  assert.equal((await harness.call('DELETE', `/v1/tenants/${tenant_id}`, { key })).status, 204);
  assert.equal((await read(harness, `/campaigns/${campaign.id}`, key)).status, 'suspended');
  if ((await monthTimer(campaign.id)).length > 0) await startMonth(campaign.id);
  assert.deepEqual(await monthTimer(campaign.id), []);
  assert.deepEqual(await fees(), paid);
  await assertAddsUp();
});
