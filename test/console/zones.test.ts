/** The time zones of shown times: one for each list, chosen by the person, and named. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { buyNumber } from '../support/numbers.ts';
import { useConsole } from './support/open-console.ts';
import { makeOwnAccount, pick } from './support/own-account.ts';

const console = await useConsole();
const { skip } = console;
const DANA = '+16025550143';
const LOOK = { timezoneId: 'America/New_York', locale: 'en-US', isAlone: true } as const;

/** Makes an account with two tenants in different time zones. Each tenant has a text. */
async function makeZones() {
  const desk = await makeOwnAccount(console);
  const zones = ['Asia/Kolkata', 'America/Phoenix'];
  for (const timezone of zones) {
    const { id } = await desk.send('POST', '/v1/tenants', { name: `Office ${timezone}`, timezone });
    const { phone_number: to } = await buyNumber(desk.own, id, desk.account.test_key);
    await desk.send('POST', '/v1/test/inbound_messages', { from: DANA, to, body: `To ${timezone}` });
  }
  return desk;
}

async function choose(page: Page, zone: string): Promise<void> {
  await page.getByRole('button', { name: 'Your menu' }).click();
  await page.getByRole('menuitem', { name: zone }).click();
}

/** Checks that all times of a place are written in a zone. */
async function assertZone(place: Locator, timeZone: string, look: Intl.DateTimeFormatOptions = {}): Promise<void> {
  await place.locator('time').first().waitFor();
  const times = await place.locator('time').all();
  for (const time of times) {
    const at = new Date((await time.getAttribute('datetime')) ?? '');
    const expected = at.toLocaleTimeString('en-US', { timeZone, hour: '2-digit', minute: '2-digit', ...look });
    const shown = ((await time.textContent()) ?? '').replaceAll('\u202f', ' ');
    assert.ok(shown.endsWith(expected.replaceAll('\u202f', ' ')), `${shown} is not ${expected}`);
  }
}

test('a list of several tenants has one zone, which it names and the person chooses; the choice is kept', {
  skip,
}, async () => {
  const { account } = await makeZones();
  const page = await console.open('messages', { account, ...LOOK });
  const table = page.getByRole('table', { name: 'Texts' });
  await table.getByRole('row').nth(2).waitFor();
  await page.getByText('Times in America/New_York').waitFor();
  await assertZone(table, 'America/New_York');
  await choose(page, 'Times in UTC');
  await page.getByText('Times in UTC', { exact: true }).waitFor();
  await assertZone(table, 'UTC');
  await page.reload();
  await page.getByText('Times in UTC', { exact: true }).waitFor();
  await assertZone(table, 'UTC');
  await choose(page, 'Times of the tenant');
  await page.getByText('Times in America/New_York').waitFor();
  await pick(page, 'Tenant', 'Office Asia/Kolkata');
  await page.getByText('Times in Asia/Kolkata').waitFor();
  await assertZone(table, 'Asia/Kolkata');
  await choose(page, 'Times of this browser');
  await page.getByText('Times in America/New_York').waitFor();
  await assertZone(table, 'America/New_York');
});

test('on the page of one thing each time has its zone, that of the tenant unless the person has chosen another', {
  skip,
}, async () => {
  const { account, send } = await makeZones();
  const { data } = await send('GET', '/v1/messages');
  const message = data.find(({ body }: { body: string }) => body === 'To Asia/Kolkata');
  const page = await console.open(`messages/${message.id}`, { account, ...LOOK });
  const main = page.getByRole('main');
  const named = { second: '2-digit', timeZoneName: 'short' } as const;
  await main.getByText('GMT+5:30').first().waitFor();
  await assertZone(main, 'Asia/Kolkata', named);
  await choose(page, 'Times of this browser');
  await main.getByText('GMT+5:30').first().waitFor({ state: 'detached' });
  await assertZone(main, 'America/New_York', named);
});
