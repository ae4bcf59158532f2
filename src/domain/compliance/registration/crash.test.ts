import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BRAND, CAMPAIGN } from '../../../../test/support/compliance.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { read } from '../../../../test/support/messages.ts';
import { buyNumber, makeTenant } from '../../../../test/support/numbers.ts';
import type { RegistryPort } from '../../../carriers/ports/registry.ts';

const harness = await useHarness({ startWorkers: false });

const crash = async (): Promise<never> => {
  throw new Error('the process dies here');
};

/** Creates a resource while the registry's answers are lost; the registry's events still arrive. */
async function createWithoutAnswer(path: string, body: object): Promise<string> {
  const carriers = harness.context.carriers as { registry: (typeof harness.context.carriers)['registry'] };
  const { registry } = carriers;
  carriers.registry = (...of): RegistryPort => {
    const simulated = registry(...of);
    return {
      ...simulated,
      createBrand: async (...args) => simulated.createBrand(...args).then(crash),
      createCampaign: async (...args) => simulated.createCampaign(...args).then(crash),
    };
  };
  try {
    assert.equal((await harness.call('POST', `/v1${path}`, { body })).status, 500);
  } finally {
    carriers.registry = registry;
  }
  return (await read(harness, path)).data[0].id;
}

test('a brand and a campaign reported approved before a crash lost the answer are usable', async () => {
  const tenantId = await makeTenant(harness);
  const brandId = await createWithoutAnswer('/brands', BRAND);
  assert.equal((await read(harness, `/brands/${brandId}`)).status, 'vetted');
  await harness.advance(31);
  const wanted = { tenant_id: tenantId, brand_id: brandId, ...CAMPAIGN };
  const campaignId = await createWithoutAnswer('/campaigns', wanted);
  assert.equal((await read(harness, `/campaigns/${campaignId}`)).status, 'approved');
  const number = await buyNumber(harness, tenantId);
  const attach = { body: { campaign_id: campaignId } };
  assert.equal((await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, attach)).status, 200);
  await harness.advance(31);
  const text = 'select campaign_ref from simulated_assignments where phone_number = $1';
  assert.deepEqual(await sql(harness.context.db, text, [number.phone_number]), [{ campaign_ref: campaignId }]);
});

test("a campaign created right after its brand is vetted, before the brand's reference is stored, is approved immediately", async () => {
  const tenant_id = await makeTenant(harness);
  const brand_id = await createWithoutAnswer('/brands', BRAND);
  const created = await harness.call('POST', '/v1/campaigns', { body: { tenant_id, brand_id, ...CAMPAIGN } });
  assert.deepEqual([created.status, created.body.status], [201, 'pending_review']);
  assert.equal((await read(harness, `/campaigns/${created.body.id}`)).status, 'approved');
});
