/** The tour of the README, in the console alone: the test sends no request, and reads what a person reads. */
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { makeToken } from '../support/console.ts';
import { until } from '../support/jobs.ts';
import { useReceiver } from '../support/receiver.ts';
import { useConsole } from './support/open-console.ts';

const { harness, skip, open } = await useConsole();

const CLINIC = 'Desert Paws Clinic';
const [DANA, SAM, DESK] = ['(602) 555-0143', '(602) 555-0144', '(602) 555-0120'];
const WORDS = 'Thank you, we will be there at three.';
const GREETING = 'We are closed. Please leave a message.';
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];

const press = (at: Page | Locator, name: string | RegExp) =>
  at.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).click();
const fill = (at: Page | Locator, name: string, text: string) => at.getByRole('textbox', { name }).fill(text);
const headed = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor();
const phone = (page: Page, number: string) => page.getByRole('region', { name: `Phone ${number}` });

/** Opens a page by the navigation. */
async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, exact: true }).first().waitFor();
}

/** Checks the number of finished first steps on the overview, and follows the link of a step. */
async function follow(page: Page, step: string, done: number): Promise<void> {
  await goTo(page, 'Overview');
  const steps = page.getByRole('region', { name: 'First steps' });
  const marks = steps.getByLabel('done');
  await until(`${done} steps are done`, async () => (await marks.count()) === done);
  await steps.getByRole('link', { name: step }).click();
  // The next page may have a link of the same name.
  await steps.waitFor({ state: 'detached' });
}

/** Chooses an option of a field that is searched by typing. */
async function pick(at: Page | Locator, field: string, option: string, page: Page): Promise<void> {
  const box = at.getByRole('combobox', { name: field });
  await box.pressSequentially(option.slice(0, 5));
  const found = page.getByRole('option', { name: option }).first();
  // The answer to the last typed key may take the options away just before a click.
  await until(`${option} is chosen`, async () => {
    if ((await box.inputValue()).length > 5) return true;
    if ((await found.count()) > 0) await found.click();
    return false;
  });
}

/** Returns a function that reads the types of all events at the endpoint. */
async function makeEndpoint(page: Page): Promise<() => readonly string[]> {
  const receiver = await useReceiver();
  await follow(page, 'Add a webhook endpoint', 2);
  await page.getByRole('button', { name: 'New endpoint' }).first().click();
  await fill(page, 'Address', receiver.url);
  await press(page, 'Make the endpoint');
  await page.getByText(/^whsec_/).waitFor();
  await press(page, 'I have stored it');
  return () => receiver.received.map(({ event }) => event.type);
}

async function makeTenant(page: Page): Promise<void> {
  await follow(page, 'Make a tenant', 0);
  await page.getByRole('button', { name: 'New tenant' }).first().click();
  await fill(page, 'Name', CLINIC);
  await press(page, 'Make the tenant');
  await headed(page, CLINIC);
}

/** Buys a number for the tenant, and returns it as the page shows it. */
async function buyNumber(page: Page): Promise<string> {
  await follow(page, 'Buy a number', 1);
  await page.getByRole('link', { name: 'Buy a number' }).first().click();
  await fill(page, 'Area code', '602');
  await page.getByRole('textbox', { name: 'Area code' }).press('Enter');
  await page
    .getByRole('button', { name: /^Buy \(602\)/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await pick(dialog, 'Tenant', CLINIC, page);
  await press(dialog, 'Buy the number');
  await page.getByText('yes, in test mode').waitFor();
  return (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
}

/** Sends the first text, gets an answer and STOP, and is refused. */
async function textDana(page: Page): Promise<void> {
  await follow(page, 'Send a text', 3);
  await page.getByRole('link', { name: 'New', exact: true }).click();
  await fill(page, 'To', DANA);
  await fill(page, 'Text', 'Biscuit is due for a check-up. Reply C to confirm.');
  await press(page, 'Send');
  await page.getByRole('article', { name: 'Sent' }).getByText('delivered').waitFor();

  await follow(page, 'Let them answer', 4);
  const dana = phone(page, DANA);
  await dana.getByText('Biscuit is due').waitFor();
  await fill(dana, 'Text', 'C');
  await press(dana, 'Send');
  await dana.getByRole('listitem').filter({ hasText: 'Sent: C' }).waitFor();
  await press(dana, 'STOP');
  await dana.getByText(/unsubscribed/).waitFor();

  await goTo(page, 'Inbox');
  await page.getByRole('link', { name: DANA }).click();
  await fill(page, 'Text', 'Hello?');
  await page.getByText('Not sendable').waitFor();
  await press(page, 'Send');
  await page.getByRole('article', { name: 'Sent' }).getByText('recipient_opted_out').waitFor();
}

/** Moves the clock by a day, as its page shows. */
async function moveClock(page: Page): Promise<void> {
  await goTo(page, 'Clock and faults');
  const shown = page.getByRole('region', { name: 'Clock' }).locator('time');
  const before = Date.parse((await shown.getAttribute('datetime')) ?? '');
  await press(page, '+ 1 day');
  await page.getByText('The clock has moved.').waitFor();
  await until('the clock shows the next day', async () => {
    return Date.parse((await shown.getAttribute('datetime')) ?? '') - before >= 86_400_000;
  });
}

/** Calls a customer without a conversation: asks for a digit, lets the customer speak, and reads the call. */
async function callSam(page: Page, number: string): Promise<void> {
  await follow(page, 'Make a call', 5);
  await phone(page, SAM).waitFor();
  await goTo(page, 'Calls');
  await page.getByRole('button', { name: 'New call' }).first().click();
  const dialog = page.getByRole('dialog');
  await pick(dialog, 'From', number, page);
  await fill(dialog, 'To', SAM);
  await fill(dialog, 'Your telephone', DESK);
  await dialog.getByText('Transcribe the call').click();
  await press(dialog, 'Call');
  await headed(page, `Call to ${SAM}`);

  const people = page.getByRole('region', { name: 'Simulated people' });
  await press(people, 'Keep them on the line');
  await people.getByText('They stay until').waitFor();
  await press(page, 'Ask for digits');
  await fill(page, 'What the customer hears', 'Press 1 to keep your appointment.');
  await press(page, 'Ask');
  const log = page.getByRole('region', { name: 'Log' });
  await log.getByText('digits: 1, reason: completed').waitFor();
  await fill(people, 'Words that the person says', WORDS);
  await press(people, 'Say');
  await page.getByRole('list', { name: 'Transcript' }).getByText(WORDS).waitFor();
  await press(page, 'Hang up');
  // A simulated person that has waited speaks first. So the first words of the customer may not be WORDS.
  await page
    .getByRole('region', { name: 'Summary' })
    .getByText(/The customer spoke /)
    .waitFor();
}

/** Gives the number a routing that never opens. */
async function closeOffice(page: Page): Promise<void> {
  await goTo(page, 'Routing');
  await page.getByRole('button', { name: 'New routing' }).first().click();
  const dialog = page.getByRole('dialog');
  await pick(dialog, 'Tenant', CLINIC, page);
  await fill(dialog, 'Name', 'Front desk');
  await fill(dialog, 'Rings', DESK);
  await press(dialog, 'Make it');
  await headed(page, 'Front desk');
  await page.getByText('It has opening hours').click();
  const hours = page.getByRole('region', { name: 'Hours' });
  for (const day of DAYS) {
    await press(hours, new RegExp(`^${day}, 09`));
    await press(hours, 'Remove');
  }
  await fill(page.getByRole('region', { name: 'When closed' }), 'Greeting', GREETING);
  await press(page, 'Save');
  await page.getByRole('complementary').getByText(GREETING).waitFor();
  await press(page, /^Use it for/);
  await page.getByText('follow this routing').waitFor();
}

/** Calls the number from a phone, leaves a message, and hears and reads it. */
async function leaveVoicemail(page: Page, key: string): Promise<void> {
  const message = 'This is Sam. Please call me back about Biscuit.';
  await goTo(page, 'Dev phones');
  const sam = phone(page, SAM);
  await press(sam, /^Call/);
  await sam.getByText('the voicemail').waitFor();
  await fill(sam, 'Say', message);
  await press(sam, 'Say');
  await until('the words have been sent', async () => (await sam.getByLabel('Say').first().inputValue()) === '');
  await page.getByRole('log', { name: 'Events' }).getByText('call.started').waitFor();
  // Less than half a second is no message.
  await harness.advance(3, key);
  await press(sam, 'Hang up');
  await page.getByRole('log', { name: 'Events' }).getByText('voicemail.created').waitFor();

  await goTo(page, 'Voicemails');
  const voicemail = page.getByRole('region', { name: `Voicemail of ${SAM}` });
  await voicemail.getByText(message).waitFor();
  await press(voicemail, /^Play/);
  await voicemail.getByRole('button', { name: /^Pause/ }).waitFor();
}

test('a newcomer does the tour of the README, led by the first steps, which go when all are done', {
  skip,
}, async () => {
  const account = await harness.secondAccount();
  const page = await open(`/console/sign-in#${await makeToken(harness, account.id)}`, {
    isSignedOut: true,
    permissions: ['microphone'],
  });
  await press(page, 'Sign in');
  await headed(page, 'Overview');
  await makeTenant(page);
  const number = await buyNumber(page);
  const typesOf = await makeEndpoint(page);
  await textDana(page);
  await moveClock(page);
  await callSam(page, number);
  await closeOffice(page);
  await leaveVoicemail(page, account.test_key);

  await goTo(page, 'Overview');
  await page.getByRole('heading', { name: 'Newest events' }).waitFor();
  await page.getByRole('region', { name: 'First steps' }).waitFor({ state: 'detached' });
  const expected = ['message.delivered', 'message.received', 'opt_out.created', 'call.dtmf', 'call.gather'];
  const wanted = [...expected, 'call.transcript', 'call.summary', 'voicemail.created'];
  await until('the endpoint has got all events', async () => wanted.every((type) => typesOf().includes(type)));
});
