import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBrand, makeCampaign } from '../../../../test/support/compliance.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { read } from '../../../../test/support/messages.ts';
import { fund } from '../../../../test/support/money.ts';
import { eventsOf, makeTenant } from '../../../../test/support/numbers.ts';
import type { RegistryPort } from '../../../carriers/ports/registry.ts';

let asked: string[] = [];
let unanswered: (ref: string) => boolean = () => false;

/** A registry that reports its first decision and none after it. */
function silent(simulated: RegistryPort): RegistryPort {
  return {
    ...simulated,
    findCampaign: async (ledger, ref) => {
      asked.push(ref);
      if (unanswered(ref)) throw new Error('the registry is away');
      return simulated.findCampaign(ledger, ref);
    },
  };
}

const harness = await useHarness({
  liveCarrier: ({ simulated }) => ({ ...simulated, registry: silent(simulated.registry as RegistryPort) }),
});
const key = harness.account.live_key;
await fund(harness);
const tenantId = await makeTenant(harness, key);
const campaign = await makeCampaign(harness, tenantId, { key });

const db = () => harness.context.db;
const statusOf = async (id: string): Promise<string> => (await read(harness, `/campaigns/${id}`, key)).status;

async function decide(ids: readonly string[], status: string, reason: string | null = null): Promise<void> {
  const text = 'update simulated_registrations set status = $2, reason = $3 where ref = any($1::text[])';
  await sql(db(), text, [ids, status, reason]);
}

/** Returns the seconds until the jobs that poll decided campaigns run. */
async function dueIn(): Promise<number[]> {
  const text = `select extract(epoch from run_at - clock_timestamp())::float8 as s from jobs
                where kind = 'campaign.watch' and lease_token is null and payload->>'after' is null`;
  return (await sql<{ s: number }>(db(), text)).map(({ s }) => s);
}

/** Starts a round now and waits for its end. Returns the campaigns that the registry was asked for. */
async function round(): Promise<string[]> {
  asked = [];
  await sql(db(), `update jobs set run_at = clock_timestamp() where kind = 'campaign.watch'`);
  db().signal({ topic: 'jobs', payload: 'default' });
  await until('the round is over', async () => (await dueIn())[0] !== undefined && ((await dueIn())[0] ?? 0) > 240);
  return asked;
}

/** Inserts approved campaigns until the ledger has this many. Returns all of them. */
async function multiply(count: number): Promise<string[]> {
  await sql(
    db(),
    `insert into campaigns select (jsonb_populate_record(c, jsonb_build_object('id', n.id, 'carrier_ref', n.id))).*
     from campaigns c, (select 'cmp_copy' || lpad(g::text, 4, '0') as id from generate_series(1, $2::int) g) n
     where c.id = $1`,
    [campaign.id, count],
  );
  await sql(
    db(),
    `insert into simulated_registrations select (jsonb_populate_record(r, jsonb_build_object('ref', c.id))).*
     from simulated_registrations r, campaigns c where r.ref = $1 and c.id like 'cmp_copy%'`,
    [campaign.id],
  );
  return (await sql<{ id: string }>(db(), 'select id from campaigns order by id')).map(({ id }) => id);
}

test('a suspension that the registry does not report is found within five minutes, and so is its end', async () => {
  const { body: number } = await harness.call('POST', '/v1/phone_numbers', {
    key,
    body: {
      tenant_id: tenantId,
      campaign_id: campaign.id,
      phone_number: (await read(harness, '/phone_numbers/available?area_code=602&limit=1', key)).data[0].phone_number,
    },
  });
  const isReady = async () => (await read(harness, `/phone_numbers/${number.id}`, key)).messaging_ready;
  const [inS = Number.NaN, ...more] = await dueIn();
  assert.ok(inS > 240 && inS <= 300 && more.length === 0, String([inS, ...more]));
  assert.deepEqual([await statusOf(campaign.id), await isReady()], ['approved', true]);

  await decide([campaign.id], 'suspended', 'Too many complaints');
  assert.deepEqual(await round(), [campaign.id]);
  const { status, rejection_reason } = await read(harness, `/campaigns/${campaign.id}`, key);
  assert.deepEqual([status, rejection_reason, await isReady()], ['suspended', 'Too many complaints', false]);

  await decide([campaign.id], 'approved');
  await round();
  assert.deepEqual([await statusOf(campaign.id), await isReady()], ['approved', true]);
  await round();
  const moves = (await eventsOf(harness, campaign.id)).map(({ data }) => [data.previous_status, data.status]);
  assert.deepEqual(moves, [
    ['pending_review', 'approved'],
    ['approved', 'suspended'],
    ['suspended', 'approved'],
  ]);
});

test('one job polls each campaign once a round, for any number of campaigns', async () => {
  const brand = await makeBrand(harness, { key });
  await makeCampaign(harness, tenantId, { key, body: { brand_id: brand.id } });
  const all = await multiply(230);
  assert.deepEqual((await round()).toSorted(), all);
  assert.equal((await dueIn()).length, 1);
  const troubled = [all[3], all[150], all.at(-1)] as string[];
  await decide(troubled, 'suspended', 'Too many complaints');
  await round();
  const suspended = `select id from campaigns where status = 'suspended' order by id`;
  assert.deepEqual(
    (await sql<{ id: string }>(db(), suspended)).map(({ id }) => id),
    troubled,
  );
});

test('a campaign whose query fails does not stop the others from being polled', async () => {
  const all = (await sql<{ id: string }>(db(), 'select id from campaigns order by id')).map(({ id }) => id);
  const [lost, found] = [all[20], all[21]] as [string, string];
  unanswered = (ref) => ref === lost;
  await decide([lost, found], 'suspended', 'Too many complaints');
  assert.equal((await round()).length, all.length);
  assert.deepEqual([await statusOf(lost), await statusOf(found)], ['approved', 'suspended']);
  unanswered = () => true;
  assert.ok((await round()).length < 100, 'an unavailable registry is not asked for all campaigns');
  unanswered = () => false;
  await until('the registry is asked again', async () => {
    await round();
    return (await statusOf(lost)) === 'suspended';
  });
});

test('campaigns of a deleted tenant are not polled', async () => {
  assert.equal((await harness.call('DELETE', `/v1/tenants/${tenantId}`, { key })).status, 204);
  assert.deepEqual(await round(), []);
  assert.equal((await dueIn()).length, 1);
});

test('a test ledger is not polled: its registry reports every change', async () => {
  const { id } = await makeCampaign(harness, await makeTenant(harness));
  assert.equal((await read(harness, `/campaigns/${id}`)).status, 'approved');
  assert.equal((await dueIn()).length, 1, 'the job of the live ledger');
});
