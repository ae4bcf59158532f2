/** The inbox: conversations that change while they are shown, and the form for texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { checkAccess } from '../support/accessibility.ts';
import { askForCallback, callBack } from '../support/calls.ts';
import { until } from '../support/jobs.ts';
import { outboxOf } from '../support/messages.ts';
import { talk } from '../support/recordings.ts';
import { useConsole } from './support/open-console.ts';
import { leaveVoicemail, makeOwnAccount, type OwnAccount, watchReloads } from './support/own-account.ts';

const console = await useConsole();
const { skip } = console;
const DANA = '+16025550143';
const DANA_SHOWN = '(602) 555-0143';
const KIM = '+16025550144';

/** An account with a conversation between its number and Dana. */
async function makeInbox() {
  const desk = await makeOwnAccount(console);
  const { id } = desk.line.number;
  const { conversation_id } = await desk.send('POST', '/v1/messages', {
    from: id,
    to: DANA,
    body: 'Biscuit is ready.',
  });
  return { ...desk, conversation: conversation_id as string };
}

type Inbox = Awaited<ReturnType<typeof makeInbox>>;

/** Opens the conversation with Dana, and waits for its text. */
async function openThread({ openPage, conversation }: Inbox): Promise<Page> {
  const page = await openPage(`inbox/${conversation}`);
  await threadOf(page).getByText('Biscuit is ready.').waitFor();
  return page;
}

const receive = ({ send, line }: OwnAccount, from: string, body: string, fields: object = {}) =>
  send('POST', '/v1/test/inbound_messages', { from, to: line.number.phone_number, body, ...fields });
const threadOf = (page: Page): Locator => page.getByRole('region', { name: 'Texts and calls' });
const composerOf = (page: Page): Locator => page.getByRole('region', { name: 'Write a text' });
const fieldOf = (page: Page): Locator => composerOf(page).getByRole('textbox', { name: 'Text' });
const listOf = (page: Page): Locator => page.getByRole('navigation', { name: 'Conversations' });
const press = (at: Locator, name: string) => at.getByRole('button', { name, exact: true }).click();

test('texts that arrive appear in the list and in the thread without a reload', { skip }, async () => {
  const inbox = await makeInbox();
  const page = await openThread(inbox);
  const check = await watchReloads(page);
  await receive(inbox, DANA, 'Can I come at three?');
  await threadOf(page).getByRole('article', { name: 'Received' }).getByText('Can I come at three?').waitFor();
  await listOf(page).getByRole('link', { name: DANA_SHOWN }).getByText('Can I come at three?').waitFor();
  await receive(inbox, KIM, 'Are you open on Saturday?');
  const entries = listOf(page).getByRole('link');
  await entries.nth(1).waitFor();
  assert.match((await entries.first().textContent()) ?? '', /Are you open on Saturday\?/);
  await entries.first().click();
  await threadOf(page).getByText('Are you open on Saturday?').waitFor();
  assert.equal(await threadOf(page).getByText('Biscuit is ready.').count(), 0);
  await check();
});

test('a text that arrives before the page follows events is not missed', { skip }, async () => {
  const inbox = await makeInbox();
  const page = await inbox.openPage('');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/v1/realtime/tokens', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(page.url().concat('/inbox/', inbox.conversation));
  await threadOf(page).getByText('Biscuit is ready.').waitFor();
  await receive(inbox, DANA, 'Can I come at three?');
  release();
  await threadOf(page).getByText('Can I come at three?').waitFor();
});

test('a text is sent by the keyboard, and its delivery is shown as the carrier reports it', { skip }, async () => {
  const inbox = await makeInbox();
  const page = await openThread(inbox);
  await fieldOf(page).fill('See you at three.');
  await fieldOf(page).press('Enter');
  assert.equal(await fieldOf(page).inputValue(), 'See you at three.\n', 'Enter alone begins a line');
  await fieldOf(page).press('Backspace');
  await fieldOf(page).press('Control+Enter');
  const sent = threadOf(page).getByRole('article', { name: 'Sent' }).filter({ hasText: 'See you at three.' });
  await sent.getByText('delivered').waitFor();
  assert.equal(await sent.count(), 1);
  assert.equal(await fieldOf(page).inputValue(), '');
  assert.deepEqual(
    (await outboxOf(inbox.own, DANA)).map(({ body }) => body),
    ['See you at three.', 'Biscuit is ready.'],
  );
  await checkAccess(page);
});

test('the composer counts characters and segments of both alphabets as the person writes', { skip }, async () => {
  const page = await openThread(await makeInbox());
  const verdict = composerOf(page).getByRole('status').last();
  await fieldOf(page).fill('a'.repeat(160));
  await verdict.getByText('160 characters · 1 segment · GSM-7').waitFor();
  await fieldOf(page).press('a');
  await verdict.getByText('161 characters · 2 segments · GSM-7').waitFor();
  await fieldOf(page).fill('Ready 🐶'.padEnd(71, '!'));
  await verdict.getByText('70 characters · 2 segments · UCS-2').waitFor();
});

test('an opt-out shows at once, blocks the text while it is written, and its lift is the person’s alone', {
  skip,
}, async () => {
  const inbox = await makeInbox();
  const page = await openThread(inbox);
  const status = composerOf(page).getByRole('status').last();
  await fieldOf(page).fill('One more thing.');
  await status.getByText('1 segment').waitFor();
  await receive(inbox, DANA, 'STOP');
  await status.getByText('Not sendable').waitFor();
  await status.getByRole('link', { name: 'recipient_opted_out' }).waitFor();
  await listOf(page).getByText('opted out').waitFor();
  await fieldOf(page).press('Control+Enter');
  const refused = threadOf(page).getByRole('article', { name: 'Sent' }).filter({ hasText: 'One more thing.' });
  await refused.getByText('not sent').waitFor();
  await refused.getByText('recipient_opted_out').waitFor();
  assert.ok(!(await outboxOf(inbox.own, DANA)).some(({ body }) => body === 'One more thing.'));
  await press(refused, 'Edit');
  assert.equal(await fieldOf(page).inputValue(), 'One more thing.');
  const facts = page.getByRole('complementary', { name: 'About this conversation' });
  await facts.getByText('The person must text START').waitFor();
  assert.equal(await facts.getByRole('button', { name: 'Allow texts again' }).count(), 0);
  await receive(inbox, DANA, 'START');
  await status.getByText('1 segment').waitFor();
  await facts.getByRole('button', { name: 'Opt out' }).waitFor();
});

test('an opt-out that becomes the person’s is not offered to be lifted, and a refusal says what the person must do', {
  skip,
}, async () => {
  const inbox = await makeInbox();
  const { send, line } = inbox;
  await send('POST', '/v1/opt_outs', { tenant_id: line.tenantId, external_number: DANA });
  const page = await openThread(inbox);
  const facts = page.getByRole('complementary', { name: 'About this conversation' });
  const lift = facts.getByRole('button', { name: 'Allow texts again' });
  await lift.waitFor();
  // The page does not get the change: it still gets the first reply.
  let stale: string | undefined;
  await page.route('**/v1/opt_outs?*', async (route) => {
    const reply = await route.fetch();
    stale ??= (await reply.text()).replace('stop_keyword', 'api');
    await route.fulfill({ response: reply, body: stale });
  });
  await receive(inbox, DANA, 'STOP');
  await threadOf(page).getByText('STOP', { exact: true }).waitFor();
  await lift.click();
  await facts.getByText('The person must text START').waitFor();
  await lift.waitFor({ state: 'detached' });
  assert.equal((await send('GET', '/v1/opt_outs')).data.length, 1);
  await page.unroute('**/v1/opt_outs?*');
  const other = await openThread(inbox);
  const otherFacts = other.getByRole('complementary', { name: 'About this conversation' });
  await otherFacts.getByText('The person must text START').waitFor();
  assert.equal(await otherFacts.getByRole('button', { name: 'Allow texts again' }).count(), 0);
});

test('an opt-out is set and lifted beside the thread', { skip }, async () => {
  const inbox = await makeInbox();
  const page = await openThread(inbox);
  const facts = page.getByRole('complementary', { name: 'About this conversation' });
  await press(facts, 'Opt out');
  await press(page.getByRole('dialog'), 'Opt out');
  await facts.getByText('opted out').waitFor();
  const [optOut] = (await inbox.send('GET', '/v1/opt_outs')).data;
  assert.equal(optOut.external_number, DANA);
  await press(facts, 'Allow texts again');
  await facts.getByRole('button', { name: 'Opt out' }).waitFor();
  assert.deepEqual((await inbox.send('GET', '/v1/opt_outs')).data, []);
});

test('media are sent by their addresses, and those that arrive are links to their own site', { skip }, async () => {
  const inbox = await makeInbox();
  const page = await openThread(inbox);
  await press(composerOf(page), 'Media');
  await composerOf(page).getByRole('textbox', { name: 'Address of file 1' }).fill('http://127.0.0.1/secret.png');
  await composerOf(page).getByText('Not sendable').waitFor();
  await composerOf(page)
    .getByRole('textbox', { name: 'Address of file 1' })
    .fill('https://cdn.example.com/biscuit.jpg');
  await composerOf(page).getByText('Not sendable').waitFor({ state: 'detached' });
  await press(composerOf(page), 'Send');
  const sent = threadOf(page).getByRole('article', { name: 'Sent' });
  await sent
    .filter({ has: page.getByRole('link', { name: 'biscuit.jpg' }) })
    .getByText('delivered')
    .waitFor();
  const [text] = await outboxOf(inbox.own, DANA);
  assert.deepEqual(text.media_urls, ['https://cdn.example.com/biscuit.jpg']);
  await receive(inbox, DANA, '', { media_urls: ['https://pictures.example.com/paw.png'] });
  const link = threadOf(page).getByRole('article', { name: 'Received' }).getByRole('link', { name: 'paw.png' });
  assert.equal(await link.getAttribute('href'), 'https://pictures.example.com/paw.png');
  assert.equal(await link.getAttribute('rel'), 'noreferrer');
  await listOf(page).getByText('[media]').waitFor();
});

test('a scheduled text waits for its time; another one is cancelled before', { skip }, async () => {
  const inbox = await makeInbox();
  const page = await openThread(inbox);
  for (const body of ['Until tomorrow.', 'Never mind.']) {
    await fieldOf(page).fill(body);
    await press(composerOf(page), 'Send later');
    await press(composerOf(page), 'Tomorrow at this time');
    await press(composerOf(page), 'Schedule');
    const waiting = threadOf(page).getByRole('article', { name: 'Sent' }).filter({ hasText: body });
    await waiting.getByText('goes out').waitFor();
  }
  const cancelled = threadOf(page).getByRole('article', { name: 'Sent' }).filter({ hasText: 'Never mind.' });
  await press(cancelled, 'Details');
  await press(page.getByRole('dialog'), 'Cancel the text');
  await page.getByRole('dialog').getByText('canceled').first().waitFor();
  await press(page.getByRole('dialog'), 'Close');
  await cancelled.getByText('canceled').waitFor();
  await inbox.own.advance(25 * 3600);
  const sent = threadOf(page).getByRole('article', { name: 'Sent' }).filter({ hasText: 'Until tomorrow.' });
  await sent.getByText('delivered').waitFor();
  const bodies = (await outboxOf(inbox.own, DANA)).map(({ body }) => body);
  assert.deepEqual(bodies, ['Until tomorrow.', 'Biscuit is ready.']);
});

test('a template is filled in, checked and sent', { skip }, async () => {
  const inbox = await makeInbox();
  const { tenantId } = inbox.line;
  const other = await inbox.send('POST', '/v1/tenants', { name: 'Mesa Auto Repair' });
  const body = 'Hi {{name}}, {{pet}} is due for a check-up.';
  await inbox.send('POST', '/v1/message_templates', { tenant_id: tenantId, name: 'Reminder', body });
  await inbox.send('POST', '/v1/message_templates', { tenant_id: other.id, name: 'Brakes', body });
  const page = await openThread(inbox);
  await press(composerOf(page), 'Template');
  const dialog = page.getByRole('dialog', { name: 'Templates' });
  await dialog.getByRole('button', { name: 'Reminder' }).waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Brakes' }).count(), 0, 'a template of another tenant');
  await dialog.getByRole('button', { name: 'Reminder' }).click();
  await composerOf(page).getByRole('link', { name: 'missing_variables' }).waitFor();
  await composerOf(page).getByRole('textbox', { name: 'name' }).fill('Dana');
  await composerOf(page).getByRole('textbox', { name: 'pet' }).fill('Biscuit');
  await composerOf(page).getByText('Hi Dana, Biscuit is due for a check-up.').waitFor();
  await composerOf(page).getByText('39 characters · 1 segment · GSM-7').waitFor();
  await press(composerOf(page), 'Send');
  const sent = threadOf(page).getByRole('article', { name: 'Sent' }).filter({ hasText: 'Hi Dana' });
  await sent.getByText('delivered').waitFor();
  assert.equal((await outboxOf(inbox.own, DANA))[0].body, 'Hi Dana, Biscuit is due for a check-up.');
});

test('calls and voicemails stand in the thread between the texts', { skip }, async () => {
  const inbox = await makeInbox();
  const { own, line } = inbox;
  const placed = await talk(own, line, { to: DANA });
  await inbox.send('POST', `/v1/test/calls/${placed.id}/hangup`, { party: 'customer' });
  const page = await openThread(inbox);
  const call = threadOf(page).getByRole('article', { name: 'Call', exact: true });
  await call.getByText('Outgoing call').waitFor();
  await call.getByRole('link').click();
  await page.getByRole('heading', { name: `Call to ${DANA_SHOWN}` }).waitFor();

  const left = await leaveVoicemail(inbox, 'Please call me back.');
  await page.goto(`${own.context.settings.publicUrl}/console/test/${inbox.account.id}/inbox/${left.conversation_id}`);
  const voicemail = threadOf(page).getByRole('article', { name: 'Voicemail' });
  await voicemail.getByText('Please call me back.').waitFor();
  await voicemail.locator('audio').evaluate((audio) => (audio as HTMLAudioElement).play());
  await until('the voicemail plays', async () =>
    voicemail.locator('audio').evaluate((audio) => (audio as HTMLAudioElement).currentTime > 0.2),
  );
});

test('an empty inbox teaches, and the first text begins a conversation, from the only number', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const page = await desk.openPage('inbox');
  await page.getByText('No conversations yet').waitFor();
  await page.getByRole('region', { name: 'The same by curl' }).getByText('/v1/messages').waitFor();
  await page.getByRole('link', { name: 'New', exact: true }).click();
  const [, area, exchange, last] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(desk.line.number.phone_number) ?? [];
  await page.locator(`input[value="(${area}) ${exchange}-${last}"]`).waitFor();
  await page.getByRole('textbox', { name: 'To' }).fill(DANA_SHOWN);
  await fieldOf(page).fill('Welcome to Desert Paws.');
  await fieldOf(page).press('Control+Enter');
  await page.getByRole('heading', { name: DANA_SHOWN }).waitFor();
  await threadOf(page).getByText('delivered').waitFor();
  assert.equal((await outboxOf(desk.own, DANA))[0].body, 'Welcome to Desert Paws.');
});

test('a text that failed says why in words in its conversation', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const text = { from: desk.line.number.id, to: '+15005550001', body: 'Your car is ready.' };
  const { conversation_id } = await desk.send('POST', '/v1/messages', text);
  const page = await desk.openPage(`inbox/${conversation_id}`);
  await threadOf(page).getByText('The carrier refused it').waitFor();
});

test('the list is narrowed by number and opt-out, and the address keeps it', { skip }, async () => {
  const inbox = await makeInbox();
  await receive(inbox, KIM, 'STOP');
  const page = await openThread(inbox);
  await page.getByText('Filter', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Their number' }).pressSequentially(DANA_SHOWN);
  await until('one is left', async () => (await listOf(page).getByRole('link').count()) === 1);
  const tag = page.getByRole('search', { name: 'Filters' }).getByRole('textbox', { name: 'Tag' });
  await tag.pressSequentially('vip');
  await until('none has the tag', async () => (await listOf(page).getByRole('link').count()) === 0);
  await tag.fill('');
  await until('it is there again', async () => (await listOf(page).getByRole('link').count()) === 1);
  await page.reload();
  await listOf(page).getByRole('link', { name: DANA_SHOWN }).waitFor();
  assert.equal(await listOf(page).getByRole('link').count(), 1);
  await page.getByRole('button', { name: 'Show all' }).click();
  await listOf(page).getByRole('link').nth(1).waitFor();
});

test('a call whose caller asked to be called back says so with the queue, and when that was done', {
  skip,
}, async () => {
  const inbox = await makeInbox();
  await askForCallback(inbox.own, inbox.line, DANA);
  const page = await openThread(inbox);
  await threadOf(page).getByRole('link', { name: 'Callback asked for (Support)' }).waitFor();
  await threadOf(page).getByText('not called back yet').waitFor();
  await checkAccess(page);
  await callBack(inbox.own, inbox.line, DANA);
  await threadOf(page)
    .getByText(/^called back /)
    .waitFor();
});
