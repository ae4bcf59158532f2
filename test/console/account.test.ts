/** Port-ins, emergency addresses, API keys and usage in the console. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { numberElsewhere, PDF, PORT_DETAILS } from '../support/port-ins.ts';
import { useConsole } from './support/open-console.ts';

const { harness, skip, open, sender } = await useConsole();

async function useAccount() {
  const account = await harness.secondAccount();
  const send = sender(account);
  const tenant = await send('POST', '/v1/tenants', { name: 'Desert Dental' });
  return { account, send, tenant };
}

const type = (page: Page, name: string, text: string) => page.getByRole('textbox', { name }).fill(text);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function chooseTenant(page: Page): Promise<void> {
  // Takes the last field, because a filter of the list behind the dialog may have the same name.
  await page.getByRole('combobox', { name: 'Tenant' }).last().fill('Desert');
  await page.getByRole('option', { name: 'Desert Dental' }).click();
}

const folder = await mkdtemp(join(tmpdir(), 'dialplane-documents-'));
closeAfterTests(() => rm(folder, { recursive: true }));

/** Chooses a file on the disk. The browser would take a large file slowly from this process. */
async function addFile(page: Page, name: string, bytes: Buffer): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  const chooser = page.waitForEvent('filechooser');
  await press(page, 'Add a document');
  await (await chooser).setFiles(path);
}

test('numbers are checked and ported, with the mistakes of the form at their fields', { skip }, async () => {
  const { account, send } = await useAccount();
  const number = numberElsewhere();
  const page = await open('port-ins', { account });
  await page.getByText('No port-ins yet').waitFor();
  await page.getByRole('link', { name: 'New port-in' }).first().click();
  await type(page, 'Numbers', `${number.slice(2)}\n(500) 555-0004`);
  await press(page, 'Check portability');
  await page.getByRole('row', { name: /500.*not portable/ }).waitFor();
  await press(page, 'Save the draft');
  await page.getByRole('textbox', { name: 'Account holder' }).and(page.locator('[aria-invalid=true]')).waitFor();
  await chooseTenant(page);
  await type(page, 'Numbers', number.slice(2));
  const { service_address: place } = PORT_DETAILS;
  for (const [name, text] of [
    ['Account holder', PORT_DETAILS.entity_name],
    ['Authorized person', PORT_DETAILS.authorized_person],
    ['Account number', PORT_DETAILS.account_number],
    ['PIN', PORT_DETAILS.pin],
    ['Billing number', '(602) 555-0110'],
    ['Street', place.street],
    ['City', place.city],
    ['State', place.state],
    ['ZIP code', place.postal_code],
  ] as const) {
    await type(page, name, text);
  }
  await press(page, 'Save the draft');
  await page.getByRole('list', { name: 'Stages' }).waitFor();
  const [portIn] = (await send('GET', '/v1/port_ins')).data;
  assert.deepEqual([portIn.phone_numbers, portIn.billing_phone_number], [[number], '+16025550110']);
});

test('a port-in gets its documents, answers a request of the carrier and is completed', { skip }, async () => {
  const { account, send, tenant } = await useAccount();
  await send('POST', '/v1/test/reviews', { mode: 'manual' });
  const body = { tenant_id: tenant.id, phone_numbers: [numberElsewhere()], ...PORT_DETAILS };
  const { id } = await send('POST', '/v1/port_ins', body);
  const page = await open(`port-ins/${id}`, { account });
  await addFile(page, 'letter.pdf', PDF);
  await page.getByRole('table', { name: 'Documents' }).getByText('letter of authorization').waitFor();
  await addFile(page, 'broken.pdf', Buffer.from('no pdf'));
  await page.getByRole('alert').getByText('unsupported_document').waitFor();
  await addFile(page, 'large.pdf', Buffer.alloc(10 * 1024 * 1024 + 1));
  await page.getByText('At most 10 MiB are possible').waitFor();
  await press(page, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No documents' }).waitFor();

  await press(page, 'Submit');
  const control = page.getByRole('region', { name: /^Test control/ });
  await control.getByRole('textbox').fill('The PIN is wrong.');
  await control.getByRole('button', { name: 'Ask for a correction' }).click();
  await page
    .getByRole('region', { name: /asks for a correction/ })
    .getByText('The PIN is wrong.')
    .waitFor();
  const step = page.getByRole('list', { name: 'Stages' }).locator('[aria-current=step]');
  await step.getByText('Action needed').waitFor();
  await press(page, 'Correct');
  await type(page, 'PIN', '1234');
  await press(page, 'Save');
  await press(page, 'Submit again');
  await control.getByRole('button', { name: 'Confirm a date' }).click();
  await step.getByText('FOC date').waitFor();
  await control.getByRole('button', { name: 'Move the numbers' }).click();
  await page
    .getByRole('list', { name: 'Stages' })
    .getByRole('listitem')
    .filter({ hasText: /Ported.*done/ })
    .waitFor();
  assert.equal((await send('GET', `/v1/port_ins/${id}`)).status, 'completed');
});

test('a refused address offers what the carrier would accept, and a used one is not deleted', { skip }, async () => {
  const { account, send, tenant } = await useAccount();
  const { data } = await send('GET', '/v1/phone_numbers/available?area_code=602&limit=1');
  const body = { tenant_id: tenant.id, phone_number: data[0].phone_number };
  const line = await send('POST', '/v1/phone_numbers', body);
  const page = await open('e911', { account });
  await page.getByText('No emergency addresses yet').waitFor();
  await page.getByRole('button', { name: 'New address' }).first().click();
  await chooseTenant(page);
  await type(page, 'House number and street', '100 N Central Ave');
  await type(page, 'City', 'Phoenix');
  await type(page, 'State', 'CA');
  await type(page, 'ZIP code', '85004');
  await press(page, 'Check and save');
  await page.getByText('The ZIP code is not in this state.').waitFor();
  await press(page, 'Use this address');
  await press(page, 'Check and save');
  const row = page.getByRole('row', { name: /100 N Central Ave/ });
  const digits = line.phone_number.slice(-4);
  await row.getByRole('link', { name: new RegExp(digits) }).waitFor();
  await row.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('e911_address_in_use').waitFor();
  await send('PATCH', `/v1/phone_numbers/${line.id}`, { e911_address_id: null });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No emergency addresses yet').waitFor();
});

test('a key is shown once, is rotated with an overlap and revoked', { skip }, async () => {
  const { account } = await useAccount();
  const page = await open('keys', { account });
  const shownKey = async () => {
    const region = page.getByRole('region', { name: 'The new key' });
    const key = ((await region.textContent()) ?? '').trim();
    await press(page, 'I have stored it');
    assert.ok(!(await page.content()).includes(key));
    return key;
  };
  const works = async (key: string) => (await harness.call('GET', '/v1/tenants', { key })).status === 200;
  await press(page, 'New key');
  await type(page, 'Name', 'Booking server');
  await chooseTenant(page);
  await press(page, 'Make the key');
  const first = await shownKey();
  assert.ok(await works(first));
  await page
    .getByRole('row', { name: /Booking server/ })
    .getByRole('button', { name: 'Rotate' })
    .click();
  await press(page, 'Rotate the key');
  const second = await shownKey();
  assert.notEqual(second, first);
  assert.ok((await works(first)) && (await works(second)));
  const row = page.getByRole('row', { name: new RegExp(second.slice(-4)) });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row.waitFor({ state: 'detached' });
  assert.ok(!(await works(second)));
  await press(page, 'New key');
  await type(page, 'Name', 'Reports');
  await page.getByRole('button', { name: 'Read and write It may' }).click();
  await page.getByRole('option', { name: 'Only read' }).click();
  await press(page, 'Make the key');
  const reader = await shownKey();
  await page.getByRole('row', { name: /Reports.*only read/ }).waitFor();
  const body = { name: 'x' };
  assert.equal((await harness.call('POST', '/v1/tenants', { key: reader, body })).status, 403);
  const log = await open('audit', { account });
  await log
    .getByRole('row', { name: /api_key.revoked.*console session cns_/ })
    .first()
    .waitFor();
});

test('usage has a table for each chart, and a period in the address; its CSV has each tenant and kind', {
  skip,
}, async () => {
  const { account, send, tenant } = await useAccount();
  const { data } = await send('GET', '/v1/phone_numbers/available?area_code=602&limit=1');
  const body = { tenant_id: tenant.id, phone_number: data[0].phone_number };
  const line = await send('POST', '/v1/phone_numbers', body);
  await send('POST', '/v1/messages', { from: line.id, to: '+16025550143', body: 'Your appointment is tomorrow.' });
  await send('POST', '/v1/test/clock', { advance_seconds: 5 });
  const page = await open('usage?period=7d', { account });
  await page
    .getByRole('table', { name: 'Usage by kind' })
    .getByRole('row', { name: /Text segments sent 1/ })
    .waitFor();
  const texts = page.getByRole('figure', { name: 'Texts by day' });
  await texts.locator('[data-bar]').waitFor();
  await texts.getByText('The figures as a table').click();
  assert.equal(await texts.getByRole('row').count(), 8);
  await texts.getByRole('row').last().getByRole('cell', { name: '1', exact: true }).waitFor();
  await page.getByRole('heading', { name: 'By tenant' }).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 10_000);
  await page.getByRole('row', { name: /Desert Dental 1/ }).waitFor();
  const download = page.waitForEvent('download');
  await press(page, 'Download CSV');
  const csv = await text(await (await download).createReadStream());
  assert.match(
    csv,
    new RegExp(`^from,to,tenant_id,kind,quantity,cost_usd\r\n.*,${tenant.id},sms_segment_outbound,1,0.0079\r\n`),
  );
  await page.getByRole('button', { name: 'Period' }).click();
  await page.getByRole('option', { name: 'Last month' }).click();
  await page.getByText('Nothing was used in this period').waitFor();
  assert.match(page.url(), /period=last-month/);
  await page.reload();
  await page.getByText('Nothing was used in this period').waitFor();
  await page.getByRole('tab', { name: 'Prices' }).click();
  await page.getByRole('row', { name: /Text segments sent segment \$0.0079/ }).waitFor();
});
