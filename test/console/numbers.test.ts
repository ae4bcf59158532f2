/** The overview, and numbers: searched, bought, attached and released. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { checkAccess } from '../support/accessibility.ts';
import { CAMPAIGN, makeBrand } from '../support/compliance.ts';
import { until } from '../support/jobs.ts';
import { answerLate } from '../support/late-answers.ts';
import { useConsole } from './support/open-console.ts';
import { makeOwnAccount, pick, watchReloads } from './support/own-account.ts';

const console = await useConsole();
const { harness, skip, open } = console;
const DANA = '+16025550143';

const press = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true }).click();
const shown = (number: string) => number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');

test('the first steps can be hidden, for this account and mode', { skip }, async () => {
  const account = await harness.secondAccount();
  const page = await open('', { account });
  await press(page, 'Hide the first steps');
  await page.reload();
  await page.getByRole('heading', { name: 'Newest events' }).waitFor();
  await page.getByText('Nothing has happened yet.').waitFor();
  assert.equal(await page.getByRole('region', { name: 'First steps' }).count(), 0);
});

test('the overview follows deliveries, failures, calls and events without a reload', { skip }, async () => {
  const { send, line, own, openPage } = await makeOwnAccount(console);
  const page = await openPage('');
  await page.getByText('no text was sent yet').waitFor();
  const check = await watchReloads(page);
  const text = { from: line.number.id, body: 'Hello' };
  await send('POST', '/v1/messages', { ...text, to: DANA });
  // The last digits say that the carrier fails to deliver the text.
  await send('POST', '/v1/messages', { ...text, to: '+15005550001' });
  await own.advance(10);
  await page.getByText('50%').waitFor();
  const [failed] = (await send('GET', '/v1/messages?status=failed')).data;
  await page.getByRole('region', { name: 'Failures by code' }).getByText(failed.error_code).waitFor();
  await page.getByRole('region', { name: 'Newest events' }).getByText('message.failed').waitFor();
  // Late enough for the page to show the ring.
  await answerLate(harness.context.db, ['+15005550003']);
  const placed = Promise.withResolvers<string>();
  // The page reads the dialing calls, then the agent's phone rings, then the page reads the ringing calls.
  await page.route('**/v1/calls?status=dialing&*', async (route) => {
    const path = `/v1/calls/${await placed.promise}`;
    // Shorter than the time limit of the page below.
    await until('the call rings', async () => (await send('GET', path)).status !== 'dialing', 30_000);
    await route.continue();
  });
  // The last digits say that nobody answers.
  const { id } = await send('POST', '/v1/calls', { from: line.number.id, to: DANA, connect_to: '+15005550003' });
  placed.resolve(id);
  await page.getByText('1 ringing').waitFor();
  await send('POST', `/v1/calls/${id}/hangup`);
  await page.getByText('0 ringing').waitFor();
  await check();
});

test('numbers are searched, and a search without results or with a mistake says so', { skip }, async () => {
  const { openPage } = await makeOwnAccount(console);
  const page = await openPage('numbers/buy');
  const code = page.getByRole('textbox', { name: 'Area code' });
  await code.fill('602');
  await page.getByRole('textbox', { name: 'Contains the digits' }).fill('4567');
  const search = page.getByRole('form', { name: 'Search' });
  await press(search, 'Search');
  const table = page.getByRole('table', { name: 'Available numbers' });
  await table
    .getByText(/^\(602\)/)
    .first()
    .waitFor();
  for (const number of await table.locator('strong').allTextContents())
    assert.match(number.replaceAll(/\D/g, ''), /^602.*4567/);
  assert.match(page.url(), /area_code=602.*contains=4567/);
  await code.fill('60');
  await press(search, 'Search');
  await code.and(page.locator('[aria-invalid=true]:focus')).waitFor();
  await page.getByText('It must be three digits.').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  await checkAccess(page);
  await code.fill('602');
  await page.getByText('It must be three digits.').waitFor({ state: 'detached' });
  await press(search, 'Search');
  await table.waitFor();
});

test('routing, campaign and address are attached to a number, which becomes ready for texts', { skip }, async () => {
  const { own, line, send, openPage } = await makeOwnAccount(console);
  const { tenantId: tenant_id, number } = line;
  const brand = await makeBrand(own);
  await send('POST', '/v1/campaigns', { tenant_id, brand_id: brand.id, ...CAMPAIGN });
  const open_behavior = { type: 'ring', targets: [DANA], no_answer: null };
  const routing = await send('POST', '/v1/routing_configs', { tenant_id, name: 'Front desk', open_behavior });
  const page = await openPage(`numbers/${number.id}`);
  const ready = page.getByRole('region', { name: 'Ready for texts' });
  await ready.getByText('yes, in test mode').waitFor();
  await pick(page, 'Routing config', 'Front desk');
  await pick(page, 'Campaign', 'appointment reminders');
  await press(page, 'Save');
  await ready.getByText('yes', { exact: true }).waitFor();
  assert.equal(await ready.getByLabel('missing').count(), 0);
  const saved = await send('GET', `/v1/phone_numbers/${number.id}`);
  assert.deepEqual([saved.routing_config_id, saved.messaging_ready], [routing.id, true]);
  await page.getByRole('combobox', { name: 'Routing config' }).fill('');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await press(page, 'Save');
  // The note of the first save may still be there.
  const readNumber = () => send('GET', `/v1/phone_numbers/${number.id}`);
  await until('the routing config is detached', async () => (await readNumber()).routing_config_id === null);
  assert.equal((await readNumber()).campaign_id, saved.campaign_id);
});

test('a list whose rows come after the click on its field opens then, narrowed by what was typed', {
  skip,
}, async () => {
  const { line, send, openPage } = await makeOwnAccount(console);
  const { tenantId: tenant_id, number } = line;
  const open_behavior = { type: 'ring', targets: [DANA], no_answer: null };
  for (const name of ['Front desk', 'Workshop'])
    await send('POST', '/v1/routing_configs', { tenant_id, name, open_behavior });
  const page = await openPage('numbers');
  const clicked = Promise.withResolvers<void>();
  await page.route('**/v1/routing_configs?*', async (route) => {
    await clicked.promise;
    await route.continue();
  });
  await page.getByRole('link', { name: shown(number.phone_number) }).click();
  const field = page.getByRole('combobox', { name: 'Routing config' });
  await field.click();
  await field.fill('desk');
  assert.equal(await field.getAttribute('aria-expanded'), 'false');
  clicked.resolve();
  await page.getByRole('option', { name: 'Front desk' }).waitFor();
  assert.equal(await page.getByRole('option').count(), 1);
});

test('a number is released after a question, and leaves the list', { skip }, async () => {
  const { line, send, openPage } = await makeOwnAccount(console);
  const name = shown(line.number.phone_number);
  const page = await openPage('numbers');
  await page.getByRole('table', { name: 'Numbers' }).getByRole('link', { name }).click();
  await press(page, 'Release');
  await press(page.getByRole('dialog'), 'Cancel');
  assert.equal((await send('GET', `/v1/phone_numbers/${line.number.id}`)).status, 'active');
  await press(page, 'Release');
  await press(page.getByRole('dialog'), 'Release the number');
  await page.getByText('released', { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Release' }).count(), 0);
  await page.getByRole('link', { name: 'Numbers', exact: true }).click();
  await page.getByText('No numbers yet').waitFor();
});

test('a number that another carrier asks for is an alarm, which ends when the request is rejected', {
  skip,
}, async () => {
  const { send, line, openPage } = await makeOwnAccount(console);
  const { id, phone_number } = line.number;
  const page = await openPage('');
  const alarm = page.getByRole('region', { name: `Another carrier asks for ${shown(phone_number)}` });
  await page.getByRole('heading', { name: 'Newest events' }).waitFor();
  assert.equal(await alarm.count(), 0);
  const play = (body: object) => send('POST', `/v1/test/phone_numbers/${id}/port_out`, body);
  await play({ status: 'pending', carrier_name: 'Example Mobile' });
  await alarm.getByText('Example Mobile requested the number').waitFor();
  await alarm.getByRole('link', { name: 'Open the number' }).click();
  await page.getByRole('heading', { name: shown(phone_number), exact: true }).waitFor();
  await alarm.waitFor();
  await play({ status: 'rejected' });
  await alarm.waitFor({ state: 'detached' });
});
