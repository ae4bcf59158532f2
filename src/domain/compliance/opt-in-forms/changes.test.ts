/** Changes of a form, its entries while its text changes, and the event of an entry. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeCampaign } from '../../../../test/support/compliance.ts';
import type { Json } from '../../../../test/support/events.ts';
import { until } from '../../../../test/support/jobs.ts';
import { read, refusal } from '../../../../test/support/messages.ts';
import { makeTenant, useTenant } from '../../../../test/support/numbers.ts';

const { harness, tenantId } = await useTenant({ startWorkers: false });

const create = (body: object = {}) =>
  harness.call('POST', '/v1/opt_in_forms', { body: { tenant_id: tenantId, name: 'Text reminders', ...body } });
const made = async (body: object = {}): Promise<Json> => {
  const reply = await create(body);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
};
const patch = (id: string, body: object, key = harness.account.test_key) =>
  harness.call('PATCH', `/v1/opt_in_forms/${id}`, { body, key });
const changed = async (id: string, body: object): Promise<Json> => {
  const reply = await patch(id, body);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body;
};

let people = 0;
const newNumber = () => `+1602555${4000 + people++}`;
const enter = async (slug: string, phone_number: string): Promise<Json> => {
  const reply = await harness.call('POST', `/opt-in/${slug}`, { key: null, body: { phone_number, consent: 'yes' } });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
};
const open = async (slug: string): Promise<string> =>
  (await harness.call('GET', `/opt-in/${slug}`, { key: null })).body;
/** Sends the form of a page as a browser does. */
const fill = (slug: string, page: string, phone_number: string) => {
  const shown_version = /name="shown_version" value="([^"]+)"/.exec(page)?.[1] ?? '';
  return harness.call('POST', `/opt-in/${slug}`, {
    key: null,
    body: new URLSearchParams({ phone_number, consent: 'yes', shown_version }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  });
};
const submissionsOf = async (id: string): Promise<Json[]> =>
  (await read(harness, `/opt_in_forms/${id}/submissions`)).data;

describe('changing a form', () => {
  test('the given fields change, all others and the address stay', async () => {
    const form = await made({ color: '#00695c', terms_url: 'https://example.com/terms' });
    assert.deepEqual(await changed(form.id, {}), form);
    const change = {
      name: 'Offers',
      consent_text: 'Text me offers.',
      privacy_url: 'https://example.com/privacy',
      logo_url: 'https://example.com/logo.png',
      color: '#FFE600',
    };
    const after = await changed(form.id, change);
    assert.deepEqual(after, { ...form, ...change, color: '#ffe600' });
    assert.deepEqual(await read(harness, `/opt_in_forms/${form.id}`), after);
    const page = await open(form.slug);
    for (const part of ['<h1>Offers</h1>', 'Text me offers.', 'example.com/privacy', '--brand: #ffe600']) {
      assert.ok(page.includes(part), part);
    }
  });

  test('null stands for what a creation without the field has', async () => {
    const form = await made();
    const full = await changed(form.id, {
      consent_text: 'x',
      color: '#000000',
      terms_url: 'https://example.com/',
      logo_url: 'https://example.com/',
    });
    assert.notDeepEqual(full, form);
    const nothing = { consent_text: null, color: null, terms_url: null, logo_url: null };
    assert.deepEqual(await changed(form.id, nothing), form);
  });

  test('a form made before its campaign is attached to it, and generates its text for it', async () => {
    const form = await made();
    assert.equal(form.campaign_id, null);
    assert.match(form.consent_text, /service and account messages/);
    const opt_in_description = `Patients tick an empty box on ${form.url}: "${form.consent_text}"`;
    const campaign = await makeCampaign(harness, tenantId, { body: { draft: true, opt_in_description } });
    const attached = await changed(form.id, { campaign_id: campaign.id });
    assert.deepEqual(attached, { ...form, campaign_id: campaign.id }, 'the text stays until it is changed');
    assert.match((await changed(form.id, { consent_text: null })).consent_text, /appointment reminders/);
    assert.equal((await changed(form.id, { campaign_id: null })).campaign_id, null);
  });

  test("another tenant's campaign, a wrong address, and a field that cannot change are refused", async () => {
    const form = await made();
    const foreign = await makeCampaign(harness, await makeTenant(harness));
    for (const campaign_id of [foreign.id, 'cmp_none']) {
      assert.deepEqual(refusal(await patch(form.id, { campaign_id })), [404, 'campaign_not_found', 'campaign_id']);
    }
    const wrong = await patch(form.id, { logo_url: 'http://example.com/', terms_url: 'x', privacy_url: null });
    assert.deepEqual(refusal(wrong), [400, 'invalid_url', 'terms_url']);
    const fields = wrong.body.error.fields.map(({ param }: Json) => param);
    assert.deepEqual(fields, ['terms_url', 'logo_url']);
    for (const param of ['slug', 'tenant_id', 'url']) {
      assert.deepEqual(refusal(await patch(form.id, { [param]: 'x' })), [400, 'invalid_body', param]);
    }
    assert.deepEqual(refusal(await patch(form.id, { name: null })), [400, 'invalid_body', 'name']);
    assert.deepEqual(await read(harness, `/opt_in_forms/${form.id}`), form);
  });

  test("a tenant's key changes its own forms only; a deleted form is not found", async () => {
    const key = await harness.tenantKey(tenantId);
    const [own, foreign] = [await made(), await made({ tenant_id: await makeTenant(harness) })];
    assert.equal((await patch(own.id, { name: 'Mine' }, key)).body.name, 'Mine');
    const refused = await patch(foreign.id, { name: 'Mine' }, key);
    assert.deepEqual(refusal(refused).slice(0, 2), [403, 'tenant_restricted_key']);
    await harness.call('DELETE', `/v1/opt_in_forms/${own.id}`);
    assert.deepEqual(refusal(await patch(own.id, { name: 'x' })).slice(0, 2), [404, 'opt_in_form_not_found']);
  });
});

describe('entries while the text changes', () => {
  test('each record keeps the text that its person saw, the first and the latest', async () => {
    const form = await made({ consent_text: 'First text.' });
    const phone = newNumber();
    await enter(form.slug, phone);
    await changed(form.id, { consent_text: 'Second text.' });
    assert.equal((await enter(form.slug, phone)).consent_text, 'Second text.');
    await enter(form.slug, newNumber());
    const [later, first] = await submissionsOf(form.id);
    assert.deepEqual([first?.consent_text, first?.last_consent_text], ['First text.', 'Second text.']);
    assert.deepEqual([later?.consent_text, later?.last_consent_text], ['Second text.', 'Second text.']);
    assert.equal(first?.opt_in_form_id, form.id);
  });

  test('a page that shows an older text is shown again with the new one, and records nothing', async () => {
    const form = await made({ consent_text: 'First text.' });
    const before = await open(form.slug);
    await changed(form.id, { consent_text: 'Second text.' });
    const refused = await fill(form.slug, before, newNumber());
    assert.equal(refused.status, 422);
    assert.match(refused.body, /data-code="missing_consent">The text beside the box has changed/);
    assert.match(refused.body, /Second text\./);
    assert.deepEqual(await submissionsOf(form.id), []);
    assert.equal((await fill(form.slug, refused.body, newNumber())).status, 200);
    assert.equal((await submissionsOf(form.id))[0]?.consent_text, 'Second text.');
  });
});

describe('opt_in.submitted', () => {
  test('every entry emits the event, with the campaign of that moment', async () => {
    const form = await made({ consent_text: 'First text.' });
    const phone_number = newNumber();
    const { submitted_at } = await enter(form.slug, phone_number);
    const campaign = await makeCampaign(harness, tenantId);
    await changed(form.id, { campaign_id: campaign.id, consent_text: 'Second text.' });
    await enter(form.slug, phone_number);
    const [submission] = await submissionsOf(form.id);
    const id = submission?.id as string;
    let events: Json[] = [];
    await until('the order of writing is final', async () => {
      events = (await read(harness, `/events?resource_id=${id}&order=asc`)).data;
      return events.length === 2;
    });
    assert.deepEqual(
      events.map(({ type, tenant_id, sequence }) => [type, tenant_id, sequence]),
      [1, 2].map((sequence) => ['opt_in.submitted', tenantId, sequence]),
    );
    const entry = { id, object: 'opt_in_submission', opt_in_form_id: form.id, tenant_id: tenantId, phone_number };
    assert.deepEqual(events[0]?.data, { ...entry, campaign_id: null, consent_text: 'First text.', submitted_at });
    const second = { ...entry, campaign_id: campaign.id, consent_text: 'Second text.' };
    assert.deepEqual(events[1]?.data, { ...second, submitted_at: submission?.last_submitted_at });
  });

  test('a refused entry emits nothing', async () => {
    const form = await made();
    const reply = await harness.call('POST', `/opt-in/${form.slug}`, {
      key: null,
      body: { phone_number: newNumber() },
    });
    assert.equal(reply.status, 422);
    const both = await harness.call('POST', `/opt-in/${form.slug}`, { key: null, body: { phone_number: '555' } });
    const found = both.body.error.fields.map(({ param, code }: Json) => [param, code]);
    assert.deepEqual(found, [
      ['phone_number', 'invalid_phone'],
      ['consent', 'missing_consent'],
    ]);
    const { data } = await read(harness, '/events?type=opt_in.submitted&limit=100');
    assert.ok(data.every((event: Json) => event.data.opt_in_form_id !== form.id));
    assert.deepEqual(await submissionsOf(form.id), []);
  });
});
