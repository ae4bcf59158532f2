/** Forms and windows at a second click, with a secret, and with typed values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page, Request } from 'playwright-core';
import { useConsole } from './support/open-console.ts';
import { follow } from './support/places.ts';

const console = await useConsole();
const { harness, skip, open, sender } = console;

async function useAccount() {
  const account = await harness.secondAccount();
  const send = sender(account);
  return { account, send, openPage: (path: string) => open(path, { account }) };
}

const buttonOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const type = (page: Page, name: string, text: string) => page.getByRole('textbox', { name }).fill(text);
const secretOf = async (page: Page, name: string) =>
  ((await page.getByRole('region', { name }).textContent()) ?? '').trim();

async function centreOf(at: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await at.boundingBox()) ?? assert.fail('it has no place');
  return { x: x + width / 2, y: y + height / 2 };
}

/** Clicks far outside of the window that is open. */
const clickOutside = (page: Page) => page.mouse.click(3, 3);

/** Counts the writes of the page from now on. */
function countWrites(page: Page): () => number {
  let count = 0;
  page.on('request', (request: Request) => {
    const isWrite = request.method() === 'POST' && request.url().includes('/v1/');
    if (isWrite && !request.url().endsWith('/v1/realtime/tokens')) count += 1;
  });
  return () => count;
}

test('a double-click makes one, and so does a click after the reply, before the page of what was made is open', {
  skip,
}, async () => {
  const { send, openPage } = await useAccount();
  const page = await openPage('tenants');
  await buttonOf(page, 'New tenant').first().click();
  await type(page, 'Name', 'Desert Dental');
  const writes = countWrites(page);
  // The page of the tenant does not open before its script has come.
  const script = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await script.promise;
    await route.continue();
  });
  const submit = buttonOf(page, 'Make the tenant');
  const { x, y } = await centreOf(submit);
  await page.mouse.dblclick(x, y);
  await page.getByText('Created Desert Dental.').waitFor();
  await page.mouse.dblclick(x, y);
  await submit.dispatchEvent('click');
  script.resolve();
  await page.getByRole('heading', { name: 'Desert Dental', level: 1 }).waitFor();
  assert.equal(writes(), 1);
  assert.equal((await send('GET', '/v1/tenants')).data.length, 1);
});

type Secret = {
  /** Returns the path of the page. It may contain the id of the account's endpoint. */
  readonly path: (endpointId: string) => string;
  readonly fill: (page: Page) => Promise<void>;
  /** The button that makes the secret. */
  readonly submit: string;
  /** The part of the window that shows the secret. */
  readonly region: string;
  /** The path of the list that then has one item more. */
  readonly list?: string;
};

/** Ways to make a secret, in order on one account. */
const SECRETS: readonly Secret[] = [
  {
    ...{ path: () => 'webhooks', submit: 'Make the endpoint', region: 'The secret', list: '/v1/webhook_endpoints' },
    fill: async (page: Page) => {
      await buttonOf(page, 'New endpoint').first().click();
      await type(page, 'Address', 'https://example.com/hooks');
    },
  },
  {
    ...{ path: (id: string) => `webhooks/${id}`, submit: 'Rotate', region: 'The secret' },
    fill: (page: Page) => buttonOf(page, 'Rotate the secret').click(),
  },
  {
    ...{ path: () => 'keys', submit: 'Make the key', region: 'The new key', list: '/v1/api_keys' },
    fill: async (page: Page) => {
      await buttonOf(page, 'New key').click();
      await type(page, 'Name', 'Booking server');
    },
  },
  {
    ...{ path: () => 'keys', submit: 'Rotate the key', region: 'The new key' },
    fill: (page: Page) => buttonOf(page, 'Rotate').first().click(),
  },
];

test('a double-click makes one endpoint or key, and a window with a secret closes by its own button alone', {
  skip,
}, async () => {
  const { account, send, openPage } = await useAccount();
  const page = await openPage('tenants');
  const dialog = page.getByRole('dialog');
  for (const { path, submit, region, list, fill } of SECRETS) {
    const [endpoint] = (await send('GET', '/v1/webhook_endpoints')).data;
    const before = list === undefined ? 0 : (await send('GET', list)).data.length;
    await follow(page, `/console/test/${account.id}/${path(endpoint?.id)}`);
    await fill(page);
    const { x, y } = await centreOf(buttonOf(page, submit));
    const writes = countWrites(page);
    await page.mouse.dblclick(x, y, { delay: 30 });
    const secret = await secretOf(page, region);
    assert.match(secret, /^(whsec|svc_test)_/, submit);
    // The second of two slow clicks.
    await page.mouse.click(x, y);
    await page.keyboard.press('Escape');
    await clickOutside(page);
    assert.equal(await secretOf(page, region), secret, submit);
    assert.equal(writes(), 1, submit);
    if (list !== undefined) assert.equal((await send('GET', list)).data.length, before + 1, submit);
    assert.equal(await dialog.getByRole('button', { name: 'Close' }).count(), 0, submit);
    await buttonOf(page, 'I have stored it').click();
    await dialog.waitFor({ state: 'detached' });
  }
});

test('the window with the keys of a new account closes by its own button alone', { skip }, async () => {
  const page = await open('/console/operator/accounts');
  await buttonOf(page, 'New account').first().click();
  await type(page, 'Name', 'Copper State Apps');
  const { x, y } = await centreOf(buttonOf(page, 'Make the account'));
  await page.mouse.dblclick(x, y);
  const key = await secretOf(page, 'Live key');
  await page.mouse.click(x, y);
  await page.keyboard.press('Escape');
  await clickOutside(page);
  assert.equal(await secretOf(page, 'Live key'), key);
  await buttonOf(page, 'I have stored them').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('row', { name: /Copper State Apps/ }).count(), 1);
});

test('a click outside closes a window with an empty form, and not one that was filled; Escape and Cancel do', {
  skip,
}, async () => {
  const { openPage } = await useAccount();
  const page = await openPage('tenants');
  const dialog = page.getByRole('dialog', { name: 'New tenant' });
  const reopen = async () => {
    await buttonOf(page, 'New tenant').first().click();
    await dialog.waitFor();
  };
  await reopen();
  await clickOutside(page);
  await dialog.waitFor({ state: 'detached' });
  await reopen();
  await type(page, 'Name', 'Desert Dental');
  await clickOutside(page);
  await clickOutside(page);
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Desert Dental');
  await buttonOf(page, 'Cancel').click();
  await dialog.waitFor({ state: 'detached' });
  await reopen();
  await type(page, 'Name', 'Desert Dental');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // The values typed before do not keep the reopened form open.
  await reopen();
  await clickOutside(page);
  await dialog.waitFor({ state: 'detached' });
});

const LEFT = [
  { path: 'brands/new', field: 'Legal name' },
  { path: 'campaigns/new', field: 'What is sent' },
  { path: 'port-ins/new', field: 'Account holder' },
  { path: 'forms/new', field: 'Name' },
  { path: 'tenants/*', field: 'Sender name' },
];

test('a form is left at once while nothing was typed, and after a question otherwise', { skip }, async () => {
  const { account, send, openPage } = await useAccount();
  const { id } = await send('POST', '/v1/tenants', { name: 'Desert Dental' });
  const page = await openPage('');
  const overview = page.getByRole('heading', { name: 'Overview', level: 1 });
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  for (const { path, field } of LEFT) {
    await overview.waitFor();
    await follow(page, `/console/test/${account.id}/${path.replace('*', id)}`);
    const box = page.getByRole('textbox', { name: new RegExp(`^${field}`) }).first();
    await box.waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await overview.waitFor();
    await page.goBack();
    await box.fill('Desert');
    await page.getByRole('link', { name: 'Overview' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(await box.inputValue(), 'Desert', path);
    await page.getByRole('link', { name: 'Overview' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await overview.waitFor();
  }
});

test('a brand takes its phone as people write it, and its page opens without a question', { skip }, async () => {
  const { send, openPage } = await useAccount();
  const page = await openPage('brands/new');
  for (const [name, text] of [
    ...[['Legal name', 'Desert Dental LLC'] as const, ['EIN', '12-3456789'] as const],
    ...[['Contact email', 'office@dental.example'] as const, ['Phone', '(602) 555-0100'] as const],
    ...[['Street', '100 N Central Ave'] as const, ['City', 'Phoenix'] as const],
    ...[['State', 'AZ'] as const, ['ZIP code', '85004'] as const],
  ]) {
    await page.getByRole('textbox', { name }).fill(text);
  }
  await page.getByRole('button', { name: 'Kind of company' }).click();
  await page.getByRole('option', { name: 'Private company' }).click();
  const writes = countWrites(page);
  await buttonOf(page, 'Register the brand').dblclick();
  await page.getByRole('heading', { name: 'Desert Dental LLC', level: 1 }).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.equal(writes(), 1);
  const brands = (await send('GET', '/v1/brands')).data;
  assert.deepEqual(
    brands.map(({ phone }: { phone: string }) => phone),
    ['+16025550100'],
  );
});

test('settings that are saved are left without a question, and can be saved again', { skip }, async () => {
  const { send, openPage } = await useAccount();
  const { id } = await send('POST', '/v1/tenants', { name: 'Desert Dental' });
  const page = await openPage(`tenants/${id}`);
  await type(page, 'Sender name', 'Desert');
  for (const value of ['red', 'blue']) {
    await buttonOf(page, 'Add a value').click();
    await page
      .getByRole('textbox', { name: /^Name \d/ })
      .last()
      .fill(value);
    await page
      .getByRole('textbox', { name: /^Value \d/ })
      .last()
      .fill('1');
    const saved = page.waitForResponse((reply) => reply.request().method() === 'PATCH');
    await buttonOf(page, 'Save').click();
    await saved;
  }
  await buttonOf(page, 'Save').and(page.locator(':not([data-pending])')).waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  const { sender_name, metadata } = await send('GET', `/v1/tenants/${id}`);
  assert.deepEqual({ sender_name, metadata }, { sender_name: 'Desert', metadata: { red: '1', blue: '1' } });
});

test('a tenant whose settings were changed is deleted without a question about them', { skip }, async () => {
  const { send, openPage } = await useAccount();
  const { id } = await send('POST', '/v1/tenants', { name: 'Desert Dental' });
  const page = await openPage(`tenants/${id}`);
  await type(page, 'Sender name', 'Desert');
  await buttonOf(page, 'Delete').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('heading', { name: 'Tenants', level: 1 }).waitFor();
  await dialog.waitFor({ state: 'detached' });
});

test('an endpoint is limited to a tenant, and to none again', { skip }, async () => {
  const { openPage, send } = await useAccount();
  const tenant = await send('POST', '/v1/tenants', { name: 'Limited Dental' });
  const { id } = await send('POST', '/v1/webhook_endpoints', { url: 'https://platform.example/hooks' });
  const limitOf = async () => (await send('GET', `/v1/webhook_endpoints/${id}`)).tenant_id;
  const page = await openPage(`webhooks/${id}`);
  const facts = page.getByRole('region', { name: 'Endpoint' });
  await facts.getByText('all tenants', { exact: true }).waitFor();
  await buttonOf(page, 'Edit').click();
  const dialog = page.getByRole('dialog', { name: 'Edit the endpoint' });
  await dialog.getByRole('combobox', { name: 'Tenant' }).fill('Limited');
  await page.getByRole('option', { name: 'Limited Dental' }).click();
  await buttonOf(page, 'Save').click();
  await facts.getByText('Limited Dental', { exact: true }).waitFor();
  assert.equal(await limitOf(), tenant.id);
  await buttonOf(page, 'Edit').click();
  const field = dialog.getByRole('combobox', { name: 'Tenant' });
  await field.fill('');
  // The open list covers the rest of the form, until the focus leaves the field.
  await field.press('Tab');
  await buttonOf(page, 'Save').click();
  await facts.getByText('all tenants', { exact: true }).waitFor();
  assert.equal(await limitOf(), null);
});
