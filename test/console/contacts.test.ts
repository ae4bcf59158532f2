/**
 * Contacts: they are found, made, changed and deleted, and their names are shown wherever their numbers are. Exports of
 * people.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkAccess } from '../support/accessibility.ts';
import { useConsole } from './support/open-console.ts';
import { leaveVoicemail, makeOwnAccount, pick } from './support/own-account.ts';

const console = await useConsole();
const { skip } = console;
const SAM = '+16025550143';

test('a contact is made, found by a word and by a number, changed and deleted', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const page = await desk.openPage('contacts');
  await page.getByText('No contacts yet').waitFor();
  await checkAccess(page, 'main');
  await page.getByRole('button', { name: 'New contact' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New contact' });
  await pick(page, 'Tenant', 'Tenant');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Sam Ortiz');
  await dialog.getByRole('textbox', { name: 'Company' }).fill('Desert Paws');
  await dialog.getByRole('textbox', { name: 'Numbers' }).fill('(602) 555-0143\n602.555.0144');
  await checkAccess(page, '[role=dialog]');
  await dialog.getByRole('button', { name: 'Make the contact' }).click();
  await page.getByRole('heading', { name: 'Sam Ortiz' }).waitFor();
  await page.getByRole('heading', { name: '(602) 555-0144' }).waitFor();
  await checkAccess(page, 'main');

  await page.getByRole('textbox', { name: 'E-mail' }).fill('nobody');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('It must be an email address.').waitFor();
  await page.getByRole('textbox', { name: 'E-mail' }).fill('sam@example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Sam Ortiz is saved.').waitFor();
  const [contact] = (await desk.send('GET', '/v1/contacts')).data;
  assert.deepEqual([contact.email, contact.phone_numbers], ['sam@example.com', [SAM, '+16025550144']]);

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Contacts' }).click();
  const search = page.getByRole('textbox', { name: 'Name, company or number' });
  const row = page.getByRole('table', { name: 'Contacts' }).getByRole('link', { name: 'Sam Ortiz' });
  await search.fill('paws sam');
  await row.waitFor();
  await search.fill('nobody');
  await page.getByText('No contact is found for “nobody”').waitFor();
  await search.fill('602 555-0144');
  await row.click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No contacts yet').waitFor();
});

test('a contact is named at the numbers of conversations, calls, texts and voicemails, by one request', {
  skip,
}, async () => {
  const desk = await makeOwnAccount(console);
  const { send, line } = desk;
  const call = await leaveVoicemail(desk, 'Please call back.');
  const people = [call.from, SAM, '+16025550144', '+16025550145'];
  for (const from of people.slice(1)) {
    await send('POST', '/v1/test/inbound_messages', { from, to: line.number.phone_number, body: 'Hello' });
  }
  const contacts = people.map((number, index) => ({ name: `Person ${index}`, phone_numbers: [number] }));
  await send('POST', '/v1/contacts/upsert', { tenant_id: line.tenantId, contacts });
  // A contact of another tenant with the same number is another person.
  const other = await send('POST', '/v1/tenants', { name: 'Other' });
  await send('POST', '/v1/contacts', { tenant_id: other.id, name: 'Stranger', phone_numbers: [SAM] });

  const page = await desk.openPage('clock');
  let requests = 0;
  page.on('request', (request) => {
    if (/\/v1\/contacts\?.*phone_numbers=/.test(request.url())) requests += 1;
  });
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Inbox' }).click();
  const entries = page.getByRole('navigation', { name: 'Conversations' });
  for (const index of people.keys()) await entries.getByText(`Person ${index}`).waitFor();
  assert.equal(requests, 1);
  assert.equal(await page.getByText('Stranger').count(), 0);
  await entries.getByText('Person 1').click();
  await page.getByRole('heading', { name: 'Person 1 (602) 555-0143' }).waitFor();
  await page.getByRole('complementary').getByRole('link', { name: 'Person 1' }).click();
  await page.getByRole('table', { name: 'Conversations with (602) 555-0143' }).getByText('Hello').waitFor();

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Calls' }).click();
  await page.getByRole('table', { name: 'Calls' }).getByText('Person 0').click();
  await page.getByRole('heading', { name: /^Call from Person 0 / }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Voicemails' }).click();
  await page.getByRole('heading', { name: /^Person 0 / }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Texts' }).click();
  await page.getByRole('table', { name: 'Texts' }).getByText('Person 2').waitFor();
});

test('a contact is made from a conversation with its number', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const { send, line } = desk;
  const { conversation_id } = await send('POST', '/v1/test/inbound_messages', {
    ...{ from: SAM, to: line.number.phone_number, body: 'Hello' },
  });
  const page = await desk.openPage(`inbox/${conversation_id}`);
  await page.getByRole('complementary').getByRole('link', { name: 'Make a contact' }).click();
  const dialog = page.getByRole('dialog', { name: 'New contact' });
  assert.equal(await dialog.getByRole('textbox', { name: 'Numbers' }).inputValue(), '(602) 555-0143');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Sam Ortiz');
  await dialog.getByRole('button', { name: 'Make the contact' }).click();
  await page.getByRole('heading', { name: 'Sam Ortiz' }).waitFor();
  const [contact] = (await send('GET', '/v1/contacts')).data;
  assert.deepEqual([contact.tenant_id, contact.phone_numbers], [line.tenantId, [SAM]]);
});

test('an export of a person is asked for, made while one looks, and downloaded', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const { send, line } = desk;
  await send('POST', '/v1/test/inbound_messages', { from: SAM, to: line.number.phone_number, body: 'Hello' });
  const page = await desk.openPage('exports');
  await page.getByText('No person was exported').waitFor();
  await checkAccess(page, 'main');
  await page.getByRole('button', { name: 'Export a person' }).first().click();
  await pick(page, 'Tenant', 'Tenant');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Their number' }).fill('(602) 555-0143');
  await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('table', { name: 'Exports' }).getByText('completed', { exact: true }).waitFor();
  await checkAccess(page, 'main');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download exp_/ }).click(),
  ]);
  const path = join(mkdtempSync(join(tmpdir(), 'export-')), 'person.zip');
  await download.saveAs(path);
  assert.equal(readFileSync(path).subarray(0, 2).toString(), 'PK');
});

test('what people wrote from right to left reads so, and a long name is cut at its end', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const { send, line } = desk;
  const name = `عيادة الصحراء ${'الطويلة جدا '.repeat(12)}`.trim();
  await send('POST', '/v1/contacts', { tenant_id: line.tenantId, name, phone_numbers: ['+16025550144'] });
  const text = { from: line.number.id, to: SAM, body: 'مرحبا، موعدك غدا.' };
  const { conversation_id } = await send('POST', '/v1/messages', text);
  await send('POST', `/v1/conversations/${conversation_id}/notes`, { body: 'اتصل به (Sam).' });
  const page = await desk.openPage('contacts');
  const link = page.getByRole('link', { name: 'عيادة الصحراء' });
  await link.waitFor();
  const look = await link.evaluate((node) => {
    const { direction, textOverflow } = getComputedStyle(node);
    return { direction, textOverflow, isCut: node.scrollWidth > node.clientWidth };
  });
  assert.deepEqual(look, { direction: 'rtl', textOverflow: 'ellipsis', isCut: true });
  const conversation = await desk.openPage(`inbox/${conversation_id}`);
  for (const written of ['مرحبا، موعدك', 'اتصل به']) {
    const part = conversation.getByRole('article').getByText(written);
    assert.equal(await part.evaluate((node) => getComputedStyle(node).direction), 'rtl', written);
  }
});
