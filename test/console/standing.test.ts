/** The console when it cannot work, and how a person continues after that. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccess } from '../support/accessibility.ts';
import { troublesOf } from '../support/browser.ts';
import { makeToken, signIn } from '../support/console.ts';
import { until } from '../support/jobs.ts';
import { useConsole } from './support/open-console.ts';
import { watchReloads } from './support/own-account.ts';

const { harness, skip, open } = await useConsole();

const NAME = 'A clinic that is being written';
const ended = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });

/** Opens the form of a new tenant, and fills it. */
async function openForm(session?: { cookie: string }): Promise<Page> {
  const page = await open('tenants', { isAlone: true, ...(session !== undefined && { session }) });
  await page.getByRole('button', { name: 'New tenant' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(NAME);
  return page;
}

/** A browser logs each failed request while it is offline. */
async function offline(page: Page, act: () => Promise<void>): Promise<void> {
  await page.context().setOffline(true);
  await act();
  await page.context().setOffline(false);
  const { errors } = troublesOf(page);
  const others = errors.filter((line) => !/ERR_INTERNET_DISCONNECTED|^NotLoaded/.test(line));
  errors.splice(0, errors.length, ...others);
}

const isAway = (page: Page) => page.getByText('The server does not answer').waitFor();

const send = (page: Page) => page.getByRole('button', { name: 'Make the tenant' }).click();
/** Submits the form also if the page has noticed the end of its session before, and asks to sign in. */
const sendInVain = async (page: Page) => {
  const submit = (button: Element) => (button as HTMLButtonElement).form?.requestSubmit();
  await page.locator('button', { hasText: 'Make the tenant' }).evaluate(submit);
  await ended(page).waitFor();
};
const isMade = (page: Page) => page.getByRole('heading', { name: NAME, level: 1 }).waitFor();

async function endSession({ cookie }: { cookie: string }): Promise<void> {
  const headers = { cookie, 'dialplane-console': '1', 'sec-fetch-site': 'same-origin' };
  const { status } = await harness.call('DELETE', '/console/api/session', { key: null, headers });
  assert.equal(status, 204);
}

test('while the server is away the page says so and keeps a form; it goes on by itself', { skip }, async () => {
  const page = await openForm();
  const checkLoads = await watchReloads(page);
  await offline(page, async () => {
    await send(page);
    await isAway(page);
    // The request is repeated once. If the browser were online before that, the tenant would be made.
    await page.locator('button:not([data-pending])', { hasText: 'Make the tenant' }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), NAME);
  });
  await page.getByText('The server does not answer').waitFor({ state: 'detached' });
  await send(page);
  await isMade(page);
  await checkLoads();
});

test('a page that cannot be loaded says so in words, and opens when the server is back', { skip }, async () => {
  const page = await open('tenants', { isAlone: true });
  await page.getByRole('heading', { name: 'Tenants', exact: true }).waitFor();
  await offline(page, async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('status').getByText('The server does not answer').waitFor();
    await page.getByRole('heading', { name: 'Tenants', exact: true }).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Port-ins' }).click();
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  });
  await page.getByRole('button', { name: 'Load the page again' }).click();
  await page.getByRole('heading', { name: 'Port-ins', exact: true }).waitFor();
});

test('a session that ends asks to sign in above the page, and a form goes on where it was', { skip }, async () => {
  const session = await signIn(harness);
  const page = await openForm(session);
  const checkLoads = await watchReloads(page);
  await endSession(session);
  await sendInVain(page);
  await checkAccess(page);
  const link = `${harness.context.settings.publicUrl}/console/sign-in#${await makeToken(harness)}`;
  await page.getByRole('textbox', { name: 'Sign-in link' }).fill(link);
  await ended(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  await ended(page).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), NAME);
  await send(page);
  await isMade(page);
  await checkLoads();
});

test('another person who signs in gets nothing of the page before', { skip }, async () => {
  const session = await signIn(harness);
  const page = await openForm(session);
  await endSession(session);
  await sendInVain(page);
  page.on('dialog', (question) => void question.accept());
  const link = `${harness.context.settings.publicUrl}/console/sign-in#${await makeToken(harness, harness.account.id)}`;
  await page.getByRole('textbox', { name: 'Sign-in link' }).fill(link);
  await ended(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
});

test('a new version of the server is offered, and nothing is loaded again without a click', { skip }, async () => {
  const page = await openForm();
  const checkLoads = await watchReloads(page);
  // The reply of an updated server: only the version differs.
  await page.route('**/console/api/session', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), version: '999.0.0' } });
  });
  await offline(page, async () => {
    await send(page);
    await isAway(page);
  });
  await page.getByText('The console has a new version').waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), NAME);
  await checkLoads();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Reload' }).click();
  await until('the page was loaded again', async () => (await page.getByText('The console has a new').count()) === 0);
  // A request that is answered after the page is closed would be an error of the process.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
