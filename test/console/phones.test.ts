/** The dev phones: people who text, call, are called, press keys, and leave voicemails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { checkAccess } from '../support/accessibility.ts';
import { ringing, route, voicemail } from '../support/calls.ts';
import { sql, until } from '../support/jobs.ts';
import { answerLate } from '../support/late-answers.ts';
import { makeLine } from '../support/numbers.ts';
import { listen } from '../support/recordings.ts';
import { tonesIn } from '../support/tone-power.ts';
import { checkWidth, useConsole } from './support/open-console.ts';
import { select } from './support/own-account.ts';

const { harness, skip, open, sender } = await useConsole();

const DANA = '(602) 555-0143';
const SAM = '(602) 555-0144';
const [DANA_NUMBER, SAM_NUMBER] = ['+16025550143', '+16025550144'];

/** Makes an account with a number, whose phones no other test uses. */
async function makeDesk(config: object = {}) {
  await answerLate(harness.context.db, [DANA_NUMBER, SAM_NUMBER]);
  const account = await harness.secondAccount();
  const call: typeof harness.call = (method, path, options) =>
    harness.call(method, path, { key: account.test_key, ...options });
  const own = { ...harness, call, account: { ...harness.account, ...account } };
  const line = await makeLine(own, account.test_key);
  const behavior = { ...ringing([SAM_NUMBER]), ...config };
  await route(own, line, { open_behavior: behavior, closed_behavior: behavior });
  return { account, own, line, send: sender(account) };
}

/** Opens the phones of an account. */
async function openPhones({ account }: { account: { id: string; test_key: string } }): Promise<Page> {
  const page = await open('phones', { account, permissions: ['microphone'], viewport: { width: 1400, height: 1000 } });
  await phone(page, DANA).getByRole('button', { name: /^Call/ }).waitFor();
  await page.getByRole('region', { name: 'Events' }).getByText('live', { exact: true }).waitFor();
  return page;
}

/** True once the voicemail of a call records. */
async function isRecording(callId: string): Promise<boolean> {
  const running = 'select 1 from simulated_recordings where call_ref = $1 and ended_at is null and starts_at <= now()';
  return (await sql(harness.context.db, running, [callId])).length > 0;
}

const shown = (number: string) => number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');
const phone = (page: Page, number: string): Locator => page.getByRole('region', { name: `Phone ${number}` });
const hears = (at: Locator, what: string) =>
  until(`it hears ${what}`, async () => (await at.getByRole('meter').getAttribute('aria-valuetext')) === what, 20_000);

test('a person texts, gets the reply, and no more after STOP', { skip }, async () => {
  const desk = await makeDesk();
  const page = await openPhones(desk);
  const dana = phone(page, DANA);
  await dana.getByRole('textbox', { name: 'Text' }).fill('Is the clinic open on Saturday?');
  await dana.getByRole('button', { name: 'Send' }).click();
  const texts = dana.getByRole('list', { name: 'Texts' });
  await texts.getByText('Is the clinic open on Saturday?').waitFor();
  const events = page.getByRole('log', { name: 'Events' });
  await events.getByText('message.received').first().waitFor();

  const text = { from: desk.line.number.id, to: DANA_NUMBER };
  await desk.send('POST', '/v1/messages', { ...text, body: 'From nine to noon.' });
  await texts.getByText('From nine to noon.').waitFor();
  await events.getByText('message.delivered').first().waitFor();

  await dana.getByRole('button', { name: 'STOP' }).click();
  await texts.getByText(/unsubscribed/).waitFor();
  await events.getByText('opt_out.created').waitFor();
  const refused = await desk.own.call('POST', '/v1/messages', { body: { ...text, body: 'One more thing.' } });
  assert.equal(refused.body.error.code, 'recipient_opted_out');
  assert.equal(await texts.getByText('One more thing.').count(), 0);
});

test('a STOP while a text is being sent is sent after it, and a double-click sends one', { skip }, async () => {
  const desk = await makeDesk();
  const page = await openPhones(desk);
  const dana = phone(page, DANA);
  const sent: string[] = [];
  const released = Promise.withResolvers<void>();
  await page.route('**/v1/test/inbound_messages', async (asked) => {
    sent.push(asked.request().postDataJSON().body);
    await released.promise;
    await asked.continue();
  });
  await dana.getByRole('textbox', { name: 'Text' }).fill('Is the clinic open on Saturday?');
  await dana.getByRole('button', { name: 'Send' }).click();
  await until('the text is on its way', () => sent.length === 1);
  await dana.getByRole('button', { name: 'STOP' }).dblclick();
  await dana.getByRole('button', { name: 'START' }).click();
  released.resolve();
  await dana.getByRole('list', { name: 'Texts' }).getByText('START', { exact: true }).waitFor();
  assert.deepEqual(sent, ['Is the clinic open on Saturday?', 'STOP', 'START']);
});

test('two phones hear each other: one calls, the other rings, answers and hangs up', { skip }, async () => {
  const page = await openPhones(await makeDesk());
  const [dana, sam] = [phone(page, DANA), phone(page, SAM)];
  await dana.getByRole('button', { name: /^Call/ }).click();
  await sam.getByRole('button', { name: 'Answer' }).click();
  await dana.getByText('On the call with').waitFor();
  await hears(dana, 'sound');
  await sam.getByRole('button', { name: 'Mute' }).click();
  await hears(dana, 'silence');
  await dana.getByRole('button', { name: 'Play a tone' }).click();
  await hears(sam, 'sound');
  await dana.getByRole('button', { name: 'Stop the sound' }).click();
  await hears(sam, 'silence');
  await checkAccess(page);
  await sam.getByRole('button', { name: 'Hang up' }).click();
  await dana.getByText('answered').waitFor();
  await page.getByRole('log', { name: 'Events' }).getByText('call.completed').waitFor();
});

test('a call is declined, and the caller leaves what is played on the voicemail', { skip }, async () => {
  const desk = await makeDesk({ no_answer: { ...voicemail, greeting_text: 'Hello.' } });
  const page = await openPhones(desk);
  const [dana, sam] = [phone(page, DANA), phone(page, SAM)];
  await dana.getByRole('button', { name: /^Call/ }).click();
  await sam.getByRole('button', { name: 'Decline' }).click();
  await dana.getByText('the voicemail').waitFor();
  await dana.getByRole('button', { name: 'Mute' }).click();
  const [{ id }] = (await desk.send('GET', '/v1/calls')).data;
  await until('the tone of the voicemail is over', () => isRecording(id), 20_000);
  await dana.getByRole('button', { name: 'Play a tone' }).click();
  await dana.getByRole('button', { name: 'Play a tone' }).waitFor();
  await dana.getByRole('button', { name: 'Hang up' }).click();
  const message = dana.getByLabel('The message');
  await message.waitFor();
  const [kept] = (await desk.send('GET', '/v1/voicemails')).data;
  assert.deepEqual(tonesIn(await listen(desk.own, `/v1/voicemails/${kept.id}/audio`), [440, 700]), [700]);
  const seconds = () => message.evaluate((audio) => (audio as HTMLAudioElement).duration);
  await until('the page can play it', async () => (await seconds()) > 2);
});

test('a person whom the API calls answers, presses keys and says words', { skip }, async () => {
  const desk = await makeDesk();
  const page = await openPhones(desk);
  const dana = phone(page, DANA);
  const body = { from: desk.line.number.id, to: DANA_NUMBER, connect_to: 'application', transcribe: true };
  const { id } = await desk.send('POST', '/v1/calls', body);
  await dana.getByRole('button', { name: 'Answer' }).click();
  await dana.getByText('On the call with').waitFor();
  await desk.send('POST', `/v1/calls/${id}/gather`, { prompt: 'Press one.', max_digits: 1 });
  await dana.getByRole('button', { name: 'Keypad' }).click();
  await page.getByRole('button', { name: 'Key 1' }).click();
  const events = page.getByRole('log', { name: 'Events' });
  await events.getByText('call.gather').waitFor();
  await page.keyboard.press('Escape');
  await dana.getByRole('textbox', { name: 'Say' }).fill('Until tomorrow.');
  await dana.getByRole('button', { name: 'Say', exact: true }).click();
  await events.getByText('call.transcript').waitFor();
  await dana.getByRole('button', { name: 'Hang up' }).click();
  await events.getByText('call.completed').waitFor();
});

test('phones are added, removed and kept, and fit a narrow window', { skip }, async () => {
  const page = await openPhones(await makeDesk());
  await page.getByRole('button', { name: 'Add a phone' }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await phone(page, '(602) 555-0145').waitFor();
  await phone(page, SAM)
    .getByRole('button', { name: /^Remove/ })
    .click();
  await page.reload();
  await phone(page, '(602) 555-0145').waitFor();
  assert.equal(await phone(page, SAM).count(), 0);
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('link', { name: 'Dev phones' }).click();
  await phone(page, '(602) 555-0145').waitFor();
  assert.equal(await phone(page, SAM).count(), 0);
  await page.setViewportSize({ width: 360, height: 740 });
  await checkWidth(page);
  await checkAccess(page);
});

test('a double click on Call makes one call', { skip }, async () => {
  const desk = await makeDesk();
  const page = await openPhones(desk);
  let asked = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/test/inbound_calls')) asked += 1;
  });
  await phone(page, DANA).getByRole('button', { name: /^Call/ }).dblclick();
  await phone(page, DANA).getByRole('button', { name: 'Hang up' }).dblclick();
  await phone(page, DANA).getByRole('button', { name: /^Call/ }).waitFor();
  assert.equal(asked, 1);
  assert.equal((await desk.send('GET', '/v1/calls')).data.length, 1);
  assert.equal(await phone(page, DANA).getByRole('alert').count(), 0);
});

test('a phone with two calls shows both, and each is hung up by its own button', { skip }, async () => {
  const desk = await makeDesk();
  const page = await openPhones(desk);
  const call = { from: DANA_NUMBER, to: desk.line.number.phone_number };
  const [first, second] = [
    await desk.send('POST', '/v1/test/inbound_calls', call),
    await desk.send('POST', '/v1/test/inbound_calls', call),
  ];
  const statusOf = async ({ id }: { id: string }) => (await desk.send('GET', `/v1/calls/${id}`)).status;
  const dana = phone(page, DANA);
  const hangUp = (name: string) =>
    dana.getByRole('group', { name, exact: true }).getByRole('button', { name: 'Hang up' });
  await hangUp('Call 2 of 2').waitFor();
  await checkAccess(page);
  await hangUp('Call 1 of 2').click();
  await dana.getByRole('group', { name: /^Call/ }).first().waitFor({ state: 'detached' });
  assert.deepEqual([await statusOf(first), await statusOf(second)], ['missed', 'ringing']);
  await dana.getByRole('button', { name: 'Hang up' }).click();
  await dana.getByRole('button', { name: /^Call/ }).waitFor();
  assert.equal(await statusOf(second), 'missed');
});

test('a phone stays with the number that it used last, or with the one that it has texts with', { skip }, async () => {
  const desk = await makeDesk();
  const second = await makeLine(desk.own, desk.account.test_key);
  await desk.send('POST', '/v1/messages', { from: desk.line.number.id, to: DANA_NUMBER, body: 'Biscuit is ready.' });
  const page = await openPhones(desk);
  const dana = phone(page, DANA);
  const has = (line: typeof second) =>
    dana.getByRole('button', { name: `${shown(line.number.phone_number)} With` }).waitFor();
  await dana.getByText('Biscuit is ready.').waitFor();
  await has(desk.line);
  await select(page, 'With', shown(second.number.phone_number));
  await has(second);
  await makeLine(desk.own, desk.account.test_key);
  await page.reload();
  await has(second);
  await select(page, 'With', shown(desk.line.number.phone_number));
  await dana.getByRole('textbox', { name: 'Text' }).fill('On my way.');
  await dana.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('link', { name: 'Dev phones' }).click();
  await dana.getByText('On my way.').waitFor();
  await has(desk.line);
});

test('a number that an account gets does not change the one of an open phone', { skip }, async () => {
  const desk = await makeDesk();
  const page = await openPhones(desk);
  const [{ number }, other] = [
    await makeLine(desk.own, desk.account.test_key),
    await makeLine(desk.own, desk.account.test_key),
  ];
  const read = page.waitForResponse(
    async (reply) => reply.url().includes('/v1/phone_numbers?') && (await reply.text()).includes(number.phone_number),
  );
  // The page reads again after an event. Buying a number causes none, so another number is released.
  await desk.send('DELETE', `/v1/phone_numbers/${other.number.id}`);
  await read;
  await phone(page, DANA).getByRole('button', { name: /With$/ }).click();
  await page.getByRole('option', { name: shown(number.phone_number) }).waitFor();
  await page.keyboard.press('Escape');
  const first = `${shown(desk.line.number.phone_number)} With`;
  for (const each of [DANA, SAM]) assert.equal(await phone(page, each).getByRole('button', { name: first }).count(), 1);
});

test('Send waits for something to send', { skip }, async () => {
  const page = await openPhones(await makeDesk());
  const dana = phone(page, DANA);
  const [text, send] = [dana.getByRole('textbox', { name: 'Text' }), dana.getByRole('button', { name: 'Send' })];
  assert.equal(await send.isDisabled(), true);
  await text.fill(' ');
  await text.press('Enter');
  assert.equal(await send.isDisabled(), true);
  await text.fill('Hello');
  assert.equal(await send.isDisabled(), false);
  await text.fill('');
  await dana.getByRole('button', { name: 'Add a picture' }).click();
  await dana.getByRole('textbox', { name: 'Address of a picture' }).fill('https://site.example/cat.png');
  assert.equal(await send.isDisabled(), false);
  assert.equal(await dana.getByRole('alert').count(), 0);
});

test('the texts of a phone open at the newest one, in whatever order they are read', { skip }, async () => {
  const desk = await makeDesk();
  const text = { from: DANA_NUMBER, to: desk.line.number.phone_number };
  for (let times = 1; times <= 12; times += 1) {
    await desk.send('POST', '/v1/test/inbound_messages', { ...text, body: `Question ${times}` });
  }
  await desk.send('POST', '/v1/messages', { from: desk.line.number.id, to: DANA_NUMBER, body: 'The answer' });
  const page = await openPhones(desk);
  for (const late of ['**/v1/messages?*', '**/v1/test/outbox?*']) {
    const held = Promise.withResolvers<void>();
    await page.route(late, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.reload();
    const texts = phone(page, DANA).getByRole('list', { name: 'Texts' });
    await texts.getByText(late.includes('outbox') ? 'Question 12' : 'The answer').waitFor();
    held.resolve();
    await texts.getByText('Question 12').waitFor();
    await texts.getByText('The answer').waitFor();
    const below = () => texts.evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop);
    await until(`the newest is in view after ${late}`, async () => (await below()) < 2);
    await page.unroute(late);
  }
});

test('live mode has no phones', { skip }, async () => {
  const page = await open('phones', { mode: 'live' });
  await page.getByText('Only in test mode').waitFor();
  // The event socket of this page may not be open yet when the server stops.
  await page.close();
});
