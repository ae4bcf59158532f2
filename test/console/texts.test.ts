/** The lists of texts, templates and opt-outs. */
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { now } from '../../src/lib/time/time.ts';
import { checkAccess } from '../support/accessibility.ts';
import { withPort } from '../support/carrier-ports.ts';
import { sql, until } from '../support/jobs.ts';
import { useConsole } from './support/open-console.ts';
import { makeOwnAccount, type OwnAccount, pick, select } from './support/own-account.ts';

const console = await useConsole();
const { skip } = console;
const DANA = '+16025550143';
const KIM = '+16025550144';

const press = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true }).click();
const textsOf = (page: Page): Locator => page.getByRole('table', { name: 'Texts' });
const receive = ({ send, line }: OwnAccount, from: string, body: string) =>
  send('POST', '/v1/test/inbound_messages', { from, to: line.number.phone_number, body });
const write = ({ send, line }: OwnAccount, to: string, body: string, fields: object = {}) =>
  send('POST', '/v1/messages', { from: line.number.id, to, body, ...fields });

test('texts are narrowed by direction, number, status and day, and new ones appear', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const page = await desk.openPage('messages');
  await page.getByText('No texts yet').waitFor();
  await write(desk, DANA, 'To Dana');
  await write(desk, KIM, 'To Kim');
  await receive(desk, KIM, 'From Kim');
  const links = textsOf(page).getByRole('link');
  const shows = (...texts: string[]) =>
    until(`it shows ${texts}`, async () => (await links.allTextContents()).join() === texts.join());
  await shows('From Kim', 'To Kim', 'To Dana');
  await select(page, 'Direction', 'outbound');
  await shows('To Kim', 'To Dana');
  const to = page.getByRole('textbox', { name: 'To' });
  await to.pressSequentially('(602) 555-0144');
  await to.press('Enter');
  await shows('To Kim');
  assert.equal(await to.inputValue(), KIM);
  await page.reload();
  await shows('To Kim');
  await select(page, 'Status', 'failed');
  await page.getByText('No text matches').waitFor();
  await select(page, 'Status', 'any');
  await page.getByLabel('Since').fill('2099-01-01');
  await page.getByText('No text matches').waitFor();
  await page.getByLabel('Since').fill('');
  await shows('To Kim');
  await to.fill('');
  await to.press('Enter');
  await shows('To Kim', 'To Dana');
});

test('a list of many texts is read as far as the person scrolls', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const sent = 60;
  for (let number = 1; number <= sent; number += 1) await receive(desk, DANA, `Text ${number}.`);
  const page = await desk.openPage('messages');
  await textsOf(page).getByText(`Text ${sent}.`).waitFor();
  assert.ok((await textsOf(page).getByRole('link').count()) < 50, 'rows outside of the window are drawn');
  const oldest = textsOf(page).getByText('Text 1.', { exact: true });
  await until('the oldest is drawn', async () => {
    await page.mouse.wheel(0, 4000);
    return (await oldest.count()) === 1;
  });
  await oldest.scrollIntoViewIfNeeded();
  assert.ok(await oldest.isVisible());
});

test('a text has its history and metadata, and a scheduled one is cancelled', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const send_at = new Date(now() + 3_600_000).toISOString();
  const { id } = await write(desk, DANA, 'Until tomorrow.', { send_at, metadata: { visit: 'v-17' } });
  const page = await desk.openPage(`messages/${id}`);
  await page.getByText('v-17').waitFor();
  await press(page, 'Cancel the text');
  const history = page.getByRole('table', { name: 'Status history' });
  await history.getByText('canceled').waitFor();
  await history.getByText('scheduled').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Cancel the text' }).count(), 0);
  await page.getByRole('link', { name: 'Conversation' }).click();
  await page.getByRole('article', { name: 'Sent' }).getByText('canceled').waitFor();
});

test('a text that failed says why and links to the request that sent it, which links back', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const { id } = await write(desk, '+15005550001', 'Hello');
  await until('it has failed', async () => {
    await desk.own.advance(10);
    return (await desk.send('GET', `/v1/messages/${id}`)).status === 'failed';
  });
  const page = await desk.openPage(`messages/${id}`);
  await page.getByRole('heading', { name: 'Why it failed' }).waitFor();
  await page.getByRole('link', { name: 'POST /v1/messages' }).click();
  await page.getByRole('heading', { name: 'POST /v1/messages' }).waitFor();
  const [request] = (await desk.send('GET', `/v1/request_log?resource_id=${id}`)).data;
  assert.ok(page.url().endsWith(`/requests/${request.id}`), page.url());
  await page.getByRole('link', { name: id }).click();
  await page.getByRole('heading', { name: 'Text', level: 1 }).waitFor();
  // This read makes the server store the requests that it still holds, so that the deletion finds them.
  assert.equal((await desk.send('GET', `/v1/request_log?resource_id=${id}`)).data.length, 1);
  await sql(desk.own.context.db, 'delete from request_log where resource_id = $1', [id]);
  const later = await desk.openPage(`messages/${id}`);
  await later.getByText(/^Not in the request log/).waitFor();
});

test('a template is made, changed and deleted, with its text as it would be sent', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const page = await desk.openPage('templates');
  await page.getByText('No templates yet').waitFor();
  await page.getByRole('button', { name: 'New template' }).first().click();
  const dialog = page.getByRole('dialog');
  await press(dialog, 'Save');
  await dialog.getByRole('textbox', { name: /^Name/ }).and(page.locator('[aria-invalid=true]')).waitFor();
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Reminder');
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Hi {{first_name}}, see you on {{day}}.');
  const preview = dialog.getByRole('region', { name: 'Preview' });
  await preview.getByRole('textbox', { name: 'first_name' }).fill('Dana');
  await preview.getByText('Hi Dana, see you on {{day}}.').waitFor();
  await preview.getByText('1 segment · GSM-7').waitFor();
  await checkAccess(page);
  await press(dialog, 'Save');
  const table = page.getByRole('table', { name: 'Templates' });
  await table.getByText('all tenants').waitFor();
  await press(table, 'Edit Reminder');
  assert.equal(await dialog.getByRole('textbox', { name: /^Name/ }).inputValue(), 'Reminder');
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Appointment');
  await press(dialog, 'Save');
  await press(table, 'Delete Appointment');
  await press(dialog, 'Delete the template');
  await page.getByText('No templates yet').waitFor();
  assert.deepEqual((await desk.send('GET', '/v1/message_templates')).data, []);
});

test('a text that may be an opt-out is decided by either button', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const page = await desk.openPage('opt-outs');
  await page.getByText('Nobody has opted out').waitFor();
  await receive(desk, KIM, 'Please stop the reminders at the weekends');
  await receive(desk, DANA, 'Bus 12. Stop. Main St');
  const texts = page.getByRole('table', { name: 'Texts to decide' });
  await texts.getByText('Please stop the reminders at the weekends').waitFor();
  await press(texts, 'Dismiss the text of (602) 555-0143');
  await texts.getByText('Bus 12. Stop. Main St').waitFor({ state: 'detached' });
  await press(texts, 'Opt (602) 555-0144 out');
  await page.getByRole('table', { name: 'Opt-outs' }).getByText('(602) 555-0144').waitFor();
  await texts.waitFor({ state: 'detached' });
  assert.deepEqual((await desk.send('GET', '/v1/opt_outs/candidates')).data, []);
});

test('an opt-out is added and lifted; one by STOP is the person’s alone to lift', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const page = await desk.openPage('opt-outs');
  await page.getByText('Nobody has opted out').waitFor();
  await receive(desk, KIM, 'STOP');
  const table = page.getByRole('table', { name: 'Opt-outs' });
  const kim = table.getByRole('row').filter({ hasText: '(602) 555-0144' });
  await kim.getByText('by START alone').waitFor();
  assert.equal(await kim.getByRole('button').count(), 0);
  await press(page, 'Add an opt-out');
  await pick(page, 'Tenant', 'Tenant');
  const number = page.getByRole('textbox', { name: 'Their number' });
  await number.fill('12');
  await press(page, 'Add');
  await number.and(page.locator('[aria-invalid=true]')).waitFor();
  await number.fill('(602) 555-0143');
  await press(page, 'Add');
  await table.getByText('(602) 555-0143').waitFor();
  await kim.getByText('texts, calls of software').waitFor();
  const person = page.getByRole('textbox', { name: 'Person' });
  await person.fill('(602) 555-0144');
  await person.press('Enter');
  await table.getByText('(602) 555-0143').waitFor({ state: 'detached' });
  await kim.waitFor();
  await person.fill('');
  await person.press('Enter');
  const text = { from: desk.line.number.id, to: DANA, body: 'Hello' };
  await press(table, 'Lift the opt-out of (602) 555-0143');
  const refused = await desk.own.call('POST', '/v1/messages', { body: text });
  assert.equal(refused.body.error.code, 'recipient_opted_out');
  await press(page.getByRole('dialog'), 'Lift it');
  await table.getByText('(602) 555-0143').waitFor({ state: 'detached' });
  await desk.send('POST', '/v1/messages', text);
  await receive(desk, KIM, 'START');
  await page.getByText('Nobody has opted out').waitFor();
});

test('a text that failed says why in words, what to do next, and the code of the carrier', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  await desk.send('POST', '/v1/test/faults', { kind: 'drop', times: 1 });
  const { id } = await write(desk, DANA, 'Buy now');
  const receipt = { status: 'failed', failure_reason: 'spam_blocked' };
  await desk.send('POST', `/v1/test/messages/${id}/receipt`, receipt);
  const detail = JSON.stringify({ carrier_code: '40003', title: 'Blocked as spam - permanent' });
  await sql(desk.own.context.db, 'update messages set error_detail = $2 where id = $1', [id, detail]);
  const page = await desk.openPage(`messages/${id}`);
  const why = page.getByRole('region', { name: 'Why it failed' });
  await why.getByText('A filter stopped it.').waitFor();
  await why.getByText(/^Do not repeat the same text/).waitFor();
  await why
    .getByText(/Blocked as spam - permanent/)
    .getByText('40003')
    .waitFor();
  await checkAccess(page, 'main');
});

test('the page of a text has every attempt to send it, with its reason and the code of the carrier', {
  skip,
}, async () => {
  const desk = await makeOwnAccount(console);
  const errorDetail = { carrier_code: '40300', title: 'Too many requests' };
  let attempts = 0;
  const id = await withPort(
    desk.own,
    'messaging',
    (real) => ({
      ...real,
      send: async (ledger, message) => {
        if (attempts++ === 0) return { outcome: 'unavailable', cause: 'unreachable' };
        return attempts === 2 ? { outcome: 'unavailable', errorDetail } : await real.send(ledger, message);
      },
    }),
    async () => {
      const { id } = await write(desk, DANA, 'At the third attempt');
      await desk.own.advance(30);
      return id as string;
    },
  );
  const page = await desk.openPage(`messages/${id}`);
  const table = page.getByRole('table', { name: 'Attempts to send it' });
  await table.getByRole('row', { name: /not taken The carrier could not be reached/ }).waitFor();
  await table.getByRole('row', { name: /not taken .*Too many requests 40300/ }).waitFor();
  await table.getByRole('row', { name: /accepted –/ }).waitFor();
  assert.equal(await table.getByRole('row').count(), 4);
  await checkAccess(page, 'main');
});

test('a filtered list is taken along as CSV, as its request and as ids, and so is the id of each row', {
  skip,
}, async () => {
  const desk = await makeOwnAccount(console);
  const sent = 120;
  for (let number = 1; number < sent; number += 1) await receive(desk, DANA, `Text ${number}`);
  const { id } = await receive(desk, DANA, '=1+1');
  await receive(desk, KIM, 'From Kim');
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await console.open(`messages?from=${encodeURIComponent(DANA)}`, { account: desk.account, permissions });
  const copied = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>;
  await textsOf(page).getByRole('row').nth(1).waitFor();
  const download = page.waitForEvent('download');
  await press(page, 'CSV: Texts');
  const rows = (await text(await (await download).createReadStream())).trimEnd().split('\r\n');
  assert.match(rows[0] ?? '', /^id,object,/);
  assert.equal(rows.length, sent + 1);
  assert.match(rows[1] ?? '', new RegExp(`^${id},message,.*,'=1\\+1,`));
  await press(page, 'curl: Texts');
  await until('a request is copied', async () => (await copied()).startsWith('curl'));
  assert.match(await copied(), /\/v1\/messages\?\S*from=%2B16025550143/);
  await press(page, 'Ids: Texts');
  await until('the ids are copied', async () => (await copied()).startsWith(`${id}\nmsg_`));
  const row = textsOf(page).getByRole('row').nth(2);
  await row.getByRole('button', { name: 'Copy the id' }).click();
  await until('the id of a row is copied', async () => /^msg_\w+$/.test(await copied()));
  await textsOf(page).getByRole('link').first().click();
  await page.getByRole('button', { name: 'Copy the request that reads it, for curl' }).click();
  await until('the request of the page is copied', async () => (await copied()).includes(`/v1/messages/${id} `));
});
