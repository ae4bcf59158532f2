import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BRAND, CAMPAIGN, makeBrand, makeCampaign } from '../../../../test/support/compliance.ts';
import type { Json } from '../../../../test/support/events.ts';
import { startHarness, useHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { read } from '../../../../test/support/messages.ts';
import { fund, ledgerOf } from '../../../../test/support/money.ts';
import { eventsOf, jobsOf, makeTenant } from '../../../../test/support/numbers.ts';
import type { Outcome, Registered } from '../../../carriers/ports/outcome.ts';
import type { BrandReview, CampaignReview, RegistryPort } from '../../../carriers/ports/registry.ts';

/** A registry that sends no events and answers registrations with `answers`. */
const handedIn: string[] = [];
const decisions = new Map<string, BrandReview | CampaignReview>();
let answers: Outcome<Registered>[] = [];

function take(ref: string): Outcome<Registered> {
  handedIn.push(ref);
  const answer = answers.shift() ?? { outcome: 'accepted', carrierRef: `reg-${ref}` };
  if (answer.outcome === 'accepted' || answer.outcome === 'unknown') decisions.set(ref, { status: 'pending' });
  return answer;
}

function find<Review>(ref: string) {
  const review = decisions.get(ref);
  if (review === undefined) return { found: 'absent' } as const;
  return { found: 'accepted', carrierRef: `reg-${ref}`, review: review as Review } as const;
}

const registry: Partial<RegistryPort> = {
  createBrand: async (_, { ref }) => take(ref),
  createCampaign: async (_, { ref }) => take(ref),
  findBrand: async (_, ref) => find<BrandReview>(ref),
  findCampaign: async (_, ref) => find<CampaignReview>(ref),
};

const harness = await useHarness({
  liveCarrier: ({ simulated }) => ({
    ...simulated,
    registry: { ...(simulated.registry as RegistryPort), ...registry },
  }),
});
const key = harness.account.live_key;
const tenantId = await makeTenant(harness, key);

const statusOf = async (path: string): Promise<string> => (await read(harness, path, key)).status;

/** Returns the seconds until the job of a registration runs. */
async function dueIn(id: string): Promise<number> {
  const text = `select extract(epoch from run_at - clock_timestamp())::float8 as s from jobs
                where id like '%.registration:' || $1`;
  const [row] = await sql<{ s: number }>(harness.context.db, text, [id]);
  return row?.s ?? Number.NaN;
}

/** Runs the job of a registration now. */
async function look(id: string): Promise<void> {
  const text = `update jobs set run_at = clock_timestamp() where id like '%.registration:' || $1`;
  await sql(harness.context.db, text, [id]);
  harness.context.db.signal({ topic: 'jobs', payload: 'default' });
}

async function balance(): Promise<number> {
  return Number((await read(harness, '/balance', key)).amount_usd);
}

async function vettedBrand(): Promise<Json> {
  const brand = await makeBrand(harness, { key });
  decisions.set(brand.id, { status: 'approved' });
  await look(brand.id);
  await until('it is vetted', async () => (await statusOf(`/brands/${brand.id}`)) === 'vetted', 15_000);
  return brand;
}

describe('money', () => {
  test('below 20 USD nothing is registered; above it each registration costs its fee once', async () => {
    const refused = await harness.call('POST', '/v1/brands', { key, body: BRAND });
    assert.deepEqual([refused.status, refused.body.error.code], [402, 'insufficient_balance']);
    await fund(harness, '200');
    const brand = await vettedBrand();
    assert.equal(await balance(), 196);
    const campaign = await makeCampaign(harness, tenantId, { key, body: { brand_id: brand.id } });
    assert.equal(await balance(), 136, 'setup and the first month');
    const draft = await makeCampaign(harness, tenantId, { key, body: { brand_id: brand.id, draft: true } });
    assert.equal(await balance(), 136, 'a draft costs nothing');
    const entries = (await read(harness, '/balance/entries', key)).data as Json[];
    const kinds = entries.map(({ kind }) => kind).sort();
    assert.deepEqual(kinds, ['brand_registration', 'campaign_month', 'campaign_setup', 'credit']);
    assert.ok([brand.id, campaign.id].every((id) => entries.some(({ description }) => description.includes(id))));
    assert.equal((await harness.call('POST', `/v1/campaigns/${draft.id}/submit`, { key })).status, 200);
    assert.equal(await balance(), 76);
    await fund(harness, '500');
  });

  test('a campaign refused for insufficient_balance is not stored', async () => {
    const other = await startHarness({ liveCarrier: ({ simulated }) => simulated });
    try {
      const live = other.account.live_key;
      await fund(other, '21');
      const tenant_id = await makeTenant(other, live);
      const brand = await makeBrand(other, { key: live });
      const body = { tenant_id, brand_id: brand.id, ...CAMPAIGN };
      const refused = await other.call('POST', '/v1/campaigns', { key: live, body });
      assert.deepEqual([refused.status, refused.body.error.code], [402, 'insufficient_balance']);
      assert.deepEqual((await read(other, '/campaigns', live)).data, []);
    } finally {
      await other.close();
    }
  });

  test('without a carrier a registration is 503 before it is 402', async () => {
    const other = await startHarness({ startWorkers: false });
    try {
      const reply = await other.call('POST', '/v1/brands', { key: other.account.live_key, body: BRAND });
      assert.deepEqual([reply.status, reply.body.error.code], [503, 'carrier_unavailable']);
      assert.deepEqual((await read(other, '/brands', other.account.live_key)).data, []);
    } finally {
      await other.close();
    }
  });
});

describe('polling', () => {
  test('the registry is asked every five minutes until it has decided on a brand', async () => {
    const { id } = await makeBrand(harness, { key });
    assert.equal(await statusOf(`/brands/${id}`), 'pending_vetting');
    for (let looks = 0; looks < 2; looks++) {
      const inS = await dueIn(id);
      assert.ok(inS > 240 && inS <= 300, String(inS));
      await look(id);
      await until('it looked', async () => (await dueIn(id)) > 240, 15_000);
    }
    decisions.set(id, { status: 'rejected', reason: 'No such company.' });
    await look(id);
    await until('it is rejected', async () => (await statusOf(`/brands/${id}`)) === 'rejected', 15_000);
    assert.equal((await read(harness, `/brands/${id}`, key)).rejection_reason, 'No such company.');
    await until('it is not asked any more', async () => (await jobsOf(harness, id)).length === 0);
    assert.equal((await eventsOf(harness, id)).length, 1);
    assert.equal(handedIn.filter((ref) => ref === id).length, 1);
  });

  test('a campaign is polled too, and gets the throughput that the carriers grant', async () => {
    const brand = await vettedBrand();
    const { id } = await makeCampaign(harness, tenantId, { key, body: { brand_id: brand.id } });
    const inS = await dueIn(id);
    assert.ok(inS > 240 && inS <= 300, String(inS));
    decisions.set(id, { status: 'approved', throughput: { messagesPerMinute: 75, dailyCap: 5_000 } });
    await look(id);
    await until('it is approved', async () => (await statusOf(`/campaigns/${id}`)) === 'approved', 15_000);
    const { throughput } = await read(harness, `/campaigns/${id}`, key);
    assert.deepEqual(throughput, { messages_per_minute: 75, daily_cap: 5_000 });
    await until('only its month is left', async () => (await jobsOf(harness, id)).join() === 'campaign.month');
  });
});

describe('a registry that does not answer', () => {
  test('a brand that it could not accept is submitted again', async () => {
    answers = [{ outcome: 'unavailable' }];
    const { id } = await makeBrand(harness, { key });
    assert.equal(await statusOf(`/brands/${id}`), 'pending_vetting');
    await look(id);
    await until('it is taken', async () => decisions.has(id), 15_000);
    assert.equal(handedIn.filter((ref) => ref === id).length, 2);
  });

  test('a brand whose answer was lost is looked up, never submitted twice, and costs its fee once', async () => {
    const before = await balance();
    answers = [{ outcome: 'unknown' }];
    const { id } = await makeBrand(harness, { key });
    decisions.set(id, { status: 'approved' });
    await look(id);
    await until('it is vetted', async () => (await statusOf(`/brands/${id}`)) === 'vetted', 15_000);
    assert.equal(handedIn.filter((ref) => ref === id).length, 1);
    assert.equal(await balance(), before - 4);
  });

  test('a brand that it refuses is rejected', async () => {
    answers = [{ outcome: 'rejected', reason: 'Unusable.' }];
    const reply = await makeBrand(harness, { key });
    assert.equal(reply.status, 'pending_vetting');
    const { status, rejection_reason } = await read(harness, `/brands/${reply.id}`, key);
    assert.deepEqual([status, rejection_reason], ['rejected', 'Unusable.']);
  });

  test('a brand that waits for the business shows what for, until it is decided', async () => {
    const { id } = await makeBrand(harness, { key });
    const remedy = 'Enter the code that was texted.';
    const reasonOf = async () => (await read(harness, `/brands/${id}`, key)).rejection_reason;
    for (const [review, shown] of [
      [{ status: 'pending', remedy }, remedy],
      [{ status: 'pending' }, null],
      [{ status: 'pending', remedy }, remedy],
      [{ status: 'approved' }, null],
    ] as const) {
      decisions.set(id, review);
      await look(id);
      await until('it is asked for', async () => (await reasonOf()) === shown, 15_000);
    }
    assert.equal(await statusOf(`/brands/${id}`), 'vetted');
    assert.equal((await eventsOf(harness, id)).length, 1, 'the remedy is no event');
  });

  test('an interrupted request is completed, and its Idempotency-Key answers with the brand as created', async () => {
    const registryOf = harness.context.carriers.registry;
    const carriers = harness.context.carriers as { registry: typeof registryOf };
    const send = () => harness.call('POST', '/v1/brands', { key, body: BRAND, headers: { 'idempotency-key': 'cut' } });
    carriers.registry = (...of) => ({
      ...registryOf(...of),
      createBrand: async () => Promise.reject(new Error('the process dies here')),
    });
    assert.equal((await send()).status, 500);
    carriers.registry = registryOf;
    const { ledgerId } = await ledgerOf(harness, 'live');
    const [row] = await sql<{ id: string }>(
      harness.context.db,
      'select id from brands where ledger_id = $1 order by id desc limit 1',
      [ledgerId],
    );
    const id = row?.id as string;
    await look(id);
    await until('it is handed in', async () => decisions.has(id), 15_000);
    await until('the job has ended', async () => (await dueIn(id)) > 60, 15_000);
    const repeat = await send();
    assert.deepEqual([repeat.status, repeat.body.id, repeat.body.status], [201, id, 'pending_vetting']);
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(await read(harness, `/brands/${id}`, key), repeat.body);
  });
});
