import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Reply } from '../../../../test/support/harness.ts';
import { makeTenant, useTenant } from '../../../../test/support/numbers.ts';
import { now } from '../../../lib/time/time.ts';

const { harness, tenantId } = await useTenant({
  startWorkers: false,
  settings: { publicUrl: 'https://phone.example' },
});

const PATH = '/v1/opt_in_forms';
const create = (body: object = {}, key = harness.account.test_key) =>
  harness.call('POST', PATH, { body: { tenant_id: tenantId, name: 'Text reminders', ...body }, key });
const made = async (body: object = {}, key = harness.account.test_key) => {
  const reply = await create(body, key);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
};
const get = (path: string, key = harness.account.test_key) => harness.call('GET', `${PATH}${path}`, { key });
const open = (slug: string) => harness.call('GET', `/opt-in/${slug}`, { key: null });
const enter = (slug: string, phone_number: string) =>
  harness.call('POST', `/opt-in/${slug}`, { key: null, body: { phone_number, consent: 'yes' } });

function refused(reply: Reply, status: number, code: string, param?: string): void {
  assert.deepEqual([reply.status, reply.body.error?.code, reply.body.error?.param], [status, code, param]);
}

describe('publishing forms', () => {
  test('a form needs only a tenant and a name', async () => {
    const form = await made();
    assert.deepEqual(form, {
      id: form.id,
      object: 'opt_in_form',
      tenant_id: tenantId,
      campaign_id: null,
      name: 'Text reminders',
      slug: form.slug,
      url: `https://phone.example/opt-in/${form.slug}`,
      opt_out_url: `https://phone.example/opt-out/${form.slug}`,
      consent_text: form.consent_text,
      terms_url: null,
      privacy_url: null,
      logo_url: null,
      color: '#0b57a4',
      created_at: form.created_at,
    });
    assert.match(form.id, /^oif_/);
    assert.match(form.slug, /^text-reminders-/);
    assert.match(form.consent_text, /STOP.*HELP/);
    assert.deepEqual((await get(`/${form.id}`)).body, form);
    assert.equal((await open(form.slug)).status, 200);
  });

  test('every field of a form can be given', async () => {
    const given = {
      consent_text: 'Text me.\nReply STOP to end.',
      terms_url: 'https://example.com/terms',
      privacy_url: 'https://example.com/privacy',
      logo_url: 'https://cdn.example.com/logo.svg',
      color: '#FFE600',
    };
    const form = await made({ ...given, campaign_id: null });
    assert.deepEqual({ ...form, ...given, color: '#ffe600' }, form);
  });

  test('created_at is the time of the ledger', async () => {
    const account = await harness.secondAccount();
    const tenant = (await harness.call('POST', '/v1/tenants', { key: account.test_key, body: { name: 'x' } })).body;
    await harness.advance(86_400, account.test_key);
    const form = await made({ tenant_id: tenant.id }, account.test_key);
    assert.ok(Date.parse(form.created_at) > now() + 80_000_000);
  });

  test('a form may belong to a campaign of its tenant; its consent text names what the campaign sends', async () => {
    const brand = {
      legal_name: 'Desert Dental LLC',
      ein: '12-3456789',
      entity_type: 'private_company',
      contact_email: 'owner@example.com',
      phone: '+16025550143',
      street: '1 Main St',
      city: 'Phoenix',
      state: 'AZ',
      postal_code: '85001',
    };
    const { body: vetted } = await harness.call('POST', '/v1/brands', { body: brand });
    const campaign = {
      brand_id: vetted.id,
      use_case: 'marketing',
      description: 'Offers for patients who asked for them',
      sample_messages: ['Desert Dental: 10% off. Reply STOP to end.', 'Desert Dental: new hours. Reply STOP to end.'],
      opt_in_description: 'Patients tick a box on the form at the front desk and on the web site.',
    };
    const campaignOf = async (tenant_id: string) => {
      const reply = await harness.call('POST', '/v1/campaigns', { body: { ...campaign, tenant_id } });
      assert.equal(reply.status, 201, JSON.stringify(reply.body));
      return reply.body.id as string;
    };
    const own = await campaignOf(tenantId);
    const form = await made({ campaign_id: own });
    assert.equal(form.campaign_id, own);
    assert.match(form.consent_text, /promotional/);
    for (const campaign_id of [await campaignOf(await makeTenant(harness)), 'cmp_none']) {
      refused(await create({ campaign_id }), 404, 'campaign_not_found', 'campaign_id');
    }
  });

  test('a refused body names the code and the field', async () => {
    refused(await harness.call('POST', PATH, { body: {} }), 400, 'missing_fields', 'tenant_id');
    refused(await create({ name: ' ' }), 400, 'missing_fields', 'name');
    refused(await create({ name: 'x'.repeat(201) }), 400, 'invalid_body', 'name');
    refused(await create({ consent_text: ' ' }), 400, 'invalid_body', 'consent_text');
    refused(await create({ consent_text: 'x'.repeat(2_001) }), 400, 'invalid_body', 'consent_text');
    for (const color of ['red', '#fff', '#12345g', '#123456;}', 7]) {
      refused(await create({ color }), 400, 'invalid_body', 'color');
    }
    for (const param of ['terms_url', 'privacy_url', 'logo_url']) {
      for (const url of ['javascript:alert(1)', 'http://example.com/', 'x', 'https://a;sandbox/', 7]) {
        refused(await create({ [param]: url }), 400, 'invalid_url', param);
      }
    }
    refused(await create({ slug: 'mine' }), 400, 'invalid_body', 'slug');
    refused(await create({ tenant_id: 'tnt_none' }), 404, 'tenant_not_found', 'tenant_id');
  });

  test('a key of one tenant sees and creates forms of that tenant only', async () => {
    const other = await makeTenant(harness);
    const key = await harness.tenantKey(tenantId);
    const [own, foreign] = [await made({}, key), await made({ tenant_id: other })];
    refused(await create({ tenant_id: other }, key), 403, 'tenant_restricted_key', 'tenant_id');
    for (const path of [`/${foreign.id}`, `/${foreign.id}/submissions`]) {
      refused(await get(path, key), 403, 'tenant_restricted_key');
    }
    refused(await harness.call('DELETE', `${PATH}/${foreign.id}`, { key }), 403, 'tenant_restricted_key');
    const ids = (await get('?limit=100', key)).body.data.map(({ id }: { id: string }) => id);
    assert.ok(ids.includes(own.id) && !ids.includes(foreign.id));
  });

  test("another account's form, and one of the other mode, is not found", async () => {
    const form = await made();
    const { test_key } = await harness.secondAccount();
    for (const key of [test_key, harness.account.live_key]) {
      for (const path of [`/${form.id}`, `/${form.id}/submissions`]) {
        refused(await get(path, key), 404, 'opt_in_form_not_found');
      }
      refused(await harness.call('DELETE', `${PATH}/${form.id}`, { key }), 404, 'opt_in_form_not_found');
      assert.deepEqual((await get('', key)).body.data, []);
    }
    assert.equal((await open(form.slug)).status, 200);
  });
});

describe('deleting forms', () => {
  test('a deleted form is not found, has no page and accepts no submission; its submissions are kept', async () => {
    const form = await made();
    await enter(form.slug, '+16025550143');
    assert.equal((await harness.call('DELETE', `${PATH}/${form.id}`)).status, 204);
    refused(await get(`/${form.id}`), 404, 'opt_in_form_not_found');
    refused(await harness.call('DELETE', `${PATH}/${form.id}`), 404, 'opt_in_form_not_found');
    assert.ok(!JSON.stringify((await get('?limit=100')).body).includes(form.id));
    const page = await open(form.slug);
    assert.equal(page.status, 404);
    assert.match(page.body, /^<!doctype html>/);
    refused(await enter(form.slug, '+16025550144'), 404, 'opt_in_form_not_found');
    const { body } = await get(`/${form.id}/submissions`);
    assert.deepEqual(
      body.data.map(({ phone_number }: { phone_number: string }) => phone_number),
      ['+16025550143'],
    );
  });

  test('deleting a tenant deletes its pages, and no other pages', async () => {
    const tenant = await makeTenant(harness);
    const [gone, stays] = [await made({ tenant_id: tenant }), await made()];
    await harness.call('DELETE', `/v1/tenants/${tenant}`);
    assert.equal((await open(gone.slug)).status, 404);
    assert.equal((await open(stays.slug)).status, 200);
    refused(await create({ tenant_id: tenant }), 404, 'tenant_not_found', 'tenant_id');
  });

  test('a form created while its tenant is deleted does not remain', async () => {
    for (let round = 0; round < 5; round++) {
      const tenant = await makeTenant(harness);
      const replies = await Promise.all([
        create({ tenant_id: tenant }),
        harness.call('DELETE', `/v1/tenants/${tenant}`),
        create({ tenant_id: tenant }),
      ]);
      for (const { status, body } of replies.filter((reply) => reply.body !== '')) {
        if (status === 201) assert.equal((await open(body.slug)).status, 404);
      }
    }
  });

  test('a reset deletes forms and submissions', async () => {
    const account = await harness.secondAccount();
    const tenant = (await harness.call('POST', '/v1/tenants', { key: account.test_key, body: { name: 'x' } })).body;
    const form = await made({ tenant_id: tenant.id }, account.test_key);
    await enter(form.slug, '+16025550143');
    assert.equal((await harness.call('POST', '/v1/test/reset', { key: account.test_key })).status, 200);
    assert.equal((await open(form.slug)).status, 404);
    refused(await get(`/${form.id}/submissions`, account.test_key), 404, 'opt_in_form_not_found');
  });
});

describe('reading submissions', () => {
  test('submissions are listed newest first, page by page, and by number', async () => {
    const form = await made();
    const numbers = ['+16025550101', '+16025550102', '+16025550103'];
    for (const number of numbers) await enter(form.slug, number);
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { body } = await get(`/${form.id}/submissions?limit=2${after}`);
      seen.push(...body.data.map((row: { phone_number: string }) => row.phone_number));
      if (!body.has_more) break;
      after = `&after=${body.next_cursor}`;
    }
    assert.deepEqual(seen, [...numbers].reverse());
    const { body } = await get(`/${form.id}/submissions?phone_number=${encodeURIComponent('+16025550102')}`);
    assert.equal(body.data.length, 1);
    const { phone_number, campaign_id, submitted_at, created_at } = body.data[0];
    assert.deepEqual([phone_number, campaign_id, submitted_at], ['+16025550102', form.campaign_id, created_at]);
  });
});
