/** Lists of the console: their filters while a person types, their rows, and what the keyboard does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { until } from '../support/jobs.ts';
import { useConsole } from './support/open-console.ts';
import { makeOwnAccount } from './support/own-account.ts';

const console = await useConsole();
const { skip } = console;

const [DANA, KIM] = ['+16025550143', '+14155550199'];
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** An account whose number got one text of each of two people, and the list of its texts. */
async function openTexts() {
  const desk = await makeOwnAccount(console);
  const to = desk.line.number.phone_number;
  for (const [from, body] of [
    [DANA, 'Is Biscuit ready?'],
    [KIM, 'Are you open?'],
  ] as const)
    await desk.send('POST', '/v1/test/inbound_messages', { from, to, body });
  const page = await desk.openPage('messages');
  await rowOf(page, 'Biscuit').waitFor();
  await rowOf(page, 'open?').waitFor();
  return { ...desk, page };
}

const fromField = (page: Page) => page.getByRole('textbox', { name: 'From' });

test('a filter applies while the person types, without a request for half a number', { skip }, async () => {
  const { page } = await openTexts();
  const asked: (string | null)[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/messages')) asked.push(searchParams.get('from'));
  });
  await fromField(page).pressSequentially('(602) 555-0143');
  await rowOf(page, 'open?').waitFor({ state: 'detached' });
  await rowOf(page, 'Biscuit').waitFor();
  assert.equal(await fromField(page).inputValue(), '(602) 555-0143', 'what was typed stays');
  assert.deepEqual(
    asked.filter((from) => from !== DANA && from !== null),
    [],
  );
  await fromField(page).fill('');
  await rowOf(page, 'open?').waitFor();
});

test('a late answer to an earlier filter does not replace the answer to a later one', { skip }, async () => {
  const { page } = await openTexts();
  const late: (() => Promise<void>)[] = [];
  // The page may cancel the earlier request.
  const ofKim = (request: Request) => /\/messages\?.*from=%2B14155550199/.test(request.url());
  const ended = Promise.race([page.waitForEvent('requestfinished', ofKim), page.waitForEvent('requestfailed', ofKim)]);
  await page.route(`**/messages?*from=${encodeURIComponent(KIM)}*`, (route) => {
    late.push(() => route.continue());
  });
  await fromField(page).fill(KIM);
  await until('the first filter is asked for', () => late.length > 0);
  await fromField(page).fill(DANA);
  await rowOf(page, 'Biscuit').waitFor();
  await Promise.all(late.map((send) => send().catch(() => undefined)));
  await ended;
  assert.equal(await rowOf(page, 'Biscuit').count(), 1);
  assert.equal(await rowOf(page, 'open?').count(), 0);
});

test('a click anywhere on a row opens it, in a new tab with the keys for one', { skip }, async () => {
  const { page } = await openTexts();
  const list = page.url();
  const status = rowOf(page, 'Biscuit').getByRole('cell').nth(-2);
  for (const click of [{ modifiers: ['ControlOrMeta' as const] }, { button: 'middle' as const }]) {
    const opened = page.context().waitForEvent('page');
    await status.click(click);
    const tab = await opened;
    await tab.waitForURL(/\/messages\/msg_/);
    await tab.close();
    assert.equal(page.url(), list);
  }
  await status.click();
  await page.waitForURL(/\/messages\/msg_/);
});

test('the text of a row is selected without opening the row', { skip }, async () => {
  const { page } = await openTexts();
  const list = page.url();
  const cell = rowOf(page, 'Biscuit')
    .getByText(/555-0143/)
    .first();
  const box = await cell.boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + 1, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  assert.match(await page.evaluate('getSelection().toString()'), /\d/);
  assert.equal(page.url(), list);
});

test('the log of a call is scrolled by the keyboard', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const { id } = await desk.send('POST', '/v1/test/inbound_calls', { from: DANA, to: desk.line.number.phone_number });
  await desk.send('POST', `/v1/test/calls/${id}/hangup`, { party: 'customer' });
  const page = await desk.openPage(`calls/${id}`);
  const log = page.getByRole('region', { name: 'Log of the call' });
  await log.waitFor();
  // The log of a narrow window is wider than its box.
  await log.evaluate((box) => Object.assign((box as HTMLElement).style, { width: '120px' }));
  await log.evaluate((box) => Object.assign((box.firstElementChild as HTMLElement).style, { minWidth: '600px' }));
  await log.focus();
  await page.keyboard.press('ArrowRight');
  await until('the log is scrolled', () => log.evaluate((box) => box.scrollLeft > 0));
});

test('an option stays under the pointer while the server searches, and is chosen', { skip }, async () => {
  const account = await console.harness.secondAccount();
  const send = console.sender(account);
  await send('POST', '/v1/tenants', { name: 'Mesa Auto Repair' });
  await send('POST', '/v1/tenants', { name: 'Desert Paws Clinic' });
  const page = await console.open('web-clients', { account });
  const tenant = page.getByRole('combobox', { name: 'Tenant' });
  await tenant.click();
  const option = page.getByRole('option', { name: 'Desert Paws Clinic' });
  await option.waitFor();
  const answers: (() => Promise<void>)[] = [];
  await page.route('**/tenants?*', (route) => {
    answers.push(() => route.continue());
  });
  await tenant.fill('Desert');
  await until('the search', () => answers.length > 0);
  await option.click();
  await until('the chosen name', async () => (await tenant.inputValue()) === 'Desert Paws Clinic');
  for (const answer of answers) await answer();
});
