/** Erasures of people. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccess } from '../support/accessibility.ts';
import { useConsole } from './support/open-console.ts';
import { makeOwnAccount, pick } from './support/own-account.ts';

const console = await useConsole();
const { skip } = console;
const DANA = '+16025550143';

test('a person is erased after a question, and the list shows what was removed', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const { send, line } = desk;
  await send('POST', '/v1/test/inbound_messages', { from: DANA, to: line.number.phone_number, body: 'Hello' });
  const page = await desk.openPage('erasures');
  await page.getByText('No person was erased').waitFor();
  await checkAccess(page);
  await page.getByRole('button', { name: 'Erase a person' }).first().click();
  const dialog = page.getByRole('dialog');
  await pick(page, 'Tenant', 'Tenant');
  await dialog.getByRole('textbox', { name: 'Their number' }).fill('(602) 555-0143');
  await dialog.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByText('This cannot be undone').waitFor();
  await page.getByRole('button', { name: 'Erase the person', exact: true }).click();
  const row = page.getByRole('table', { name: 'Erasures' }).getByRole('row').nth(1);
  await row.getByText('completed', { exact: true }).waitFor();
  assert.match((await row.textContent()) ?? '', /1 texts, 1 conversations/);
});
