/** Brands, campaigns and opt-in forms in the console. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { BRAND, CAMPAIGN } from '../support/compliance.ts';
import { useConsole } from './support/open-console.ts';

const { harness, skip, open, sender } = await useConsole();
const SCRIPT = '<img src=x onerror="document.title=\'run\'">';

/** A separate account, with a tenant. */
async function useAccount(name = 'Desert Dental') {
  const account = await harness.secondAccount();
  const send = sender(account);
  const tenant = await send('POST', '/v1/tenants', { name });
  return { account, send, tenant };
}

const type = (page: Page, name: string, text: string) => page.getByRole('textbox', { name }).fill(text);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option }).first().click();
}

test('a brand with eight mistakes shows each at its field, and they go as they are corrected', { skip }, async () => {
  const { account } = await useAccount();
  const page = await open('brands', { account });
  await page.getByText('No brands yet').waitFor();
  await page.getByRole('link', { name: 'New brand' }).first().click();
  const wrong: [string, string, RegExp][] = [
    ['EIN', '12', /nine digits/],
    ['Website', 'desert', /web address/],
    ['Contact email', 'office', /email address/],
    ['Phone', '602', /phone number/],
    ['Street', '', /required/],
    ['City', '', /required/],
    ['State', 'Arizona', /two letters/],
    ['ZIP code', 'x', /ZIP/],
  ];
  await type(page, 'Legal name', SCRIPT);
  await page.getByRole('button', { name: 'Kind of company' }).click();
  await page.getByRole('option', { name: 'Private company' }).click();
  for (const [name, text] of wrong) await type(page, name, text);
  await press(page, 'Register the brand');
  for (const [name, , message] of wrong) {
    const field = page.getByRole('textbox', { name });
    await field.and(page.locator('[aria-invalid=true]')).waitFor();
    const described = (await field.getAttribute('aria-describedby')) ?? '';
    const texts = await Promise.all(described.split(' ').map((id) => page.locator(`[id="${id}"]`).textContent()));
    assert.match(texts.join(' '), message, name);
  }
  const right = {
    EIN: BRAND.ein,
    Website: BRAND.website,
    'Contact email': BRAND.contact_email,
    Phone: BRAND.phone,
    Street: BRAND.street,
    City: BRAND.city,
    State: BRAND.state,
    'ZIP code': BRAND.postal_code,
  };
  for (const [name, text] of Object.entries(right)) await type(page, name, text);
  assert.equal(await page.locator('[aria-invalid=true]').count(), 0);
  await press(page, 'Register the brand');
  await page.getByRole('heading', { name: SCRIPT }).waitFor();
  await page.getByText('**-***6789').waitFor();
  assert.equal(await page.locator('img').count(), 0);
});

test('a brand that waits is rejected by the test control, and a corrected one begins with its fields', {
  skip,
}, async () => {
  const { account, send } = await useAccount();
  await send('POST', '/v1/test/reviews', { mode: 'manual' });
  const brand = await send('POST', '/v1/brands', BRAND);
  const page = await open(`brands/${brand.id}`, { account });
  const control = page.getByRole('region', { name: /^Test control/ });
  await control.getByRole('textbox').fill('The EIN is of another company');
  await control.getByRole('button', { name: 'Reject' }).click();
  const notice = page.getByRole('region', { name: 'The registry has rejected this brand' });
  await notice.getByText('The EIN is of another company').waitFor();
  await notice.getByRole('link', { name: 'Make a corrected one' }).click();
  await page.getByRole('heading', { name: 'Corrected brand' }).waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Legal name' }).inputValue(), BRAND.legal_name);
  assert.equal(await page.getByRole('textbox', { name: 'EIN' }).inputValue(), '');
});

test('a sole proprietor is vetted by the code that is entered, and a wrong one is shown at its field', {
  skip,
}, async () => {
  const { account, send } = await useAccount();
  await send('POST', '/v1/test/reviews', { mode: 'manual' });
  const brand = await send('POST', '/v1/brands', { ...BRAND, entity_type: 'sole_proprietor' });
  const page = await open(`brands/${brand.id}`, { account });
  const field = page.getByRole('textbox', { name: 'Code' });
  await type(page, 'Code', '654321');
  await press(page, 'Confirm the code');
  await field.and(page.locator('[aria-invalid=true]')).waitFor();
  await press(page, 'Send another code');
  await page.getByText('Another code is on its way to the phone.').waitFor();
  await type(page, 'Code', '123456');
  await press(page, 'Confirm the code');
  await page.getByText('The brand is vetted.').first().waitFor();
  await field.waitFor({ state: 'detached' });
});

test('findings appear at their fields while a campaign is written, and go when they are mended', { skip }, async () => {
  const { account, send } = await useAccount();
  await send('POST', '/v1/brands', BRAND);
  const page = await open('campaigns/new', { account });
  await choose(page, 'Tenant', 'Desert Dental');
  await choose(page, 'Brand', 'Desert Dental');
  await page.getByRole('button', { name: 'Use case' }).click();
  await page.getByRole('option', { name: 'Appointment reminders' }).click();
  await type(page, 'What is sent', CAMPAIGN.description);
  const [first, second] = CAMPAIGN.sample_messages;
  await type(page, 'Sample 2', 'Desert Dental: see you tomorrow, https://bit.ly/3x');
  const finding = page.getByText('Carriers block links of public URL shorteners.');
  await finding.waitFor();
  // A finding about the second sample is shown at the second field, although the first field is still empty.
  const field = page.getByRole('textbox', { name: 'Sample 2' });
  const described = (await field.getAttribute('aria-describedby')) ?? '';
  assert.match((await page.locator(`[id="${described.split(' ')[0]}"]`).textContent()) ?? '', /URL shorteners/);
  await type(page, 'Sample 1', first);
  await type(page, 'Sample 2', second);
  await finding.waitFor({ state: 'detached' });
  await type(page, 'How recipients agree', 'They give us the number');
  await page.getByText('It is not said that recipients agree').waitFor();
  await type(page, 'How recipients agree', CAMPAIGN.opt_in_description);
  await page.getByText('It is not said that recipients agree').waitFor({ state: 'detached' });
  await press(page, 'Save the draft');
  await page.getByRole('region', { name: 'This is a draft' }).waitFor();
});

test('a campaign is submitted, rejected, corrected and approved; its numbers are attached', { skip }, async () => {
  const { account, send, tenant } = await useAccount();
  const { data } = await send('GET', '/v1/phone_numbers/available?area_code=602&limit=1');
  await send('POST', '/v1/phone_numbers', { tenant_id: tenant.id, phone_number: data[0].phone_number });
  const brand = await send('POST', '/v1/brands', BRAND);
  await send('POST', '/v1/test/reviews', { mode: 'manual' });
  const body = { tenant_id: tenant.id, brand_id: brand.id, ...CAMPAIGN, draft: true };
  const { id } = await send('POST', '/v1/campaigns', body);
  const page = await open(`campaigns/${id}`, { account });
  await press(page, 'Submit');
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
  const control = page.getByRole('region', { name: /^Test control/ });
  await control.getByRole('textbox').fill(SCRIPT);
  await control.getByRole('button', { name: 'Reject' }).click();
  await page
    .getByRole('region', { name: /rejected this campaign/ })
    .getByText(SCRIPT)
    .waitFor();
  await press(page, 'Edit');
  await type(page, 'What is sent', `${CAMPAIGN.description} Nothing else.`);
  await press(page, 'Save');
  await press(page, 'Submit again');
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
  await control.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('240 a minute').waitFor();
  await page.getByRole('combobox', { name: 'Another number' }).click();
  await page.getByRole('option').first().click();
  await press(page, 'Attach');
  await page.getByRole('table', { name: 'Numbers of the campaign' }).getByText('ready').waitFor();
  assert.equal((await send('GET', `/v1/campaigns/${id}`)).description, `${CAMPAIGN.description} Nothing else.`);
});

test('brands and the audit log are narrowed to a tenant, and the address keeps the choice', { skip }, async () => {
  const { account, send, tenant } = await useAccount();
  const other = await send('POST', '/v1/tenants', { name: 'Cactus Vets' });
  await send('POST', '/v1/brands', { ...BRAND, dba: 'Platform Inc' });
  await send('POST', '/v1/brands', { ...BRAND, dba: 'Dental Inc', tenant_id: tenant.id });
  await send('POST', '/v1/brands', { ...BRAND, dba: 'Vets Inc', tenant_id: other.id });
  const page = await open('brands', { account });
  await page.getByText('Platform Inc').waitFor();
  await choose(page, 'Tenant', 'Desert Dental');
  await page.getByText('Vets Inc').waitFor({ state: 'detached' });
  await page.getByText('Dental Inc').waitFor();
  assert.equal(await page.getByText('Platform Inc').count(), 0);
  assert.match(page.url(), new RegExp(tenant.id));
  await page.goto(page.url().replace('/brands', '/audit'));
  const entries = page.getByRole('table', { name: 'Audit log' });
  await entries.getByText(tenant.id).first().waitFor();
  assert.equal(await entries.getByText(other.id).count(), 0);
});

test('test controls are not on the pages of live mode', { skip }, async () => {
  const { account } = await useAccount();
  const key = account.live_key;
  const tenant = await harness.call('POST', '/v1/tenants', { key, body: { name: 'Live' } });
  const page = await open(`brands?tenant_id=${tenant.body.id}`, { account, mode: 'live' });
  await page.getByText('No brand of this tenant').waitFor();
  assert.equal(await page.getByText('Test control').count(), 0);
});

test('a form is designed with its page beside it, published and filled in, and the consent is shown', {
  skip,
}, async () => {
  const { account, tenant } = await useAccount();
  const page = await open(`forms/new?tenant_id=${tenant.id}`, { account });
  await type(page, 'Name', SCRIPT);
  await page.getByRole('textbox', { name: 'Colour', exact: true }).fill('#ffe600');
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText(SCRIPT).waitFor();
  await page.getByText('Black text on it has a contrast of').waitFor();
  assert.equal(
    await preview.getByText('Sign up for texts').evaluate((button) => getComputedStyle(button).backgroundColor),
    'rgb(255, 230, 0)',
  );
  await press(page, 'Publish the form');
  await page.getByRole('heading', { name: SCRIPT, level: 1 }).waitFor();
  const consent = await page.getByRole('textbox', { name: 'Consent text' }).inputValue();
  assert.match(consent, /Reply STOP/);
  await page.getByRole('tab', { name: 'Share' }).click();
  const url = ((await page.getByRole('region', { name: 'Address of the page' }).textContent()) ?? '').trim();
  await page.getByRole('tab', { name: 'Submissions' }).click();
  await page.getByText('Nobody has agreed yet').waitFor();
  const sent = await harness.call('POST', new URL(url).pathname, {
    key: null,
    body: { phone_number: '+16025550143', consent: 'yes' },
    headers: { 'user-agent': SCRIPT },
  });
  assert.equal(sent.status, 201);
  // The event of the change updates the list.
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('dialog').getByText(consent).waitFor();
  await page.getByRole('dialog').getByRole('definition').filter({ hasText: SCRIPT }).waitFor();
  assert.equal(await page.locator('img').count(), 0);
});
