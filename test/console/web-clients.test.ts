/** Web clients and recordings in the console, and the queue age on the overview. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signIn } from '../support/console.ts';
import { useConsole } from './support/open-console.ts';

const { harness, skip, open, sender } = await useConsole();

test('a web client is made, its page teaches how to log in, and it is revoked', { skip }, async () => {
  const account = await harness.secondAccount();
  const send = sender(account);
  const clinic = await send('POST', '/v1/tenants', { name: 'Desert Paws Clinic' });
  const garage = await send('POST', '/v1/tenants', { name: 'Mesa Auto Repair' });
  await send('POST', '/v1/web_clients', { tenant_id: garage.id, name: 'Workshop' });
  const page = await open('web-clients', { account });
  await page.getByRole('row', { name: /Workshop/ }).waitFor();
  await page.getByRole('button', { name: 'New web client' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make the web client' }).click();
  await dialog.locator('[aria-invalid=true][role=combobox]').waitFor();
  await dialog.getByRole('combobox', { name: 'Tenant' }).fill('Desert');
  await page.getByRole('option', { name: 'Desert Paws Clinic' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Front desk');
  await dialog.getByRole('button', { name: 'Make the web client' }).click();
  await page.getByRole('heading', { name: 'Front desk' }).waitFor();
  const [{ id }] = (await send('GET', `/v1/web_clients?tenant_id=${clinic.id}`)).data;
  const curl = page.getByRole('region', { name: 'The same by curl' });
  await curl.getByText(`/v1/web_clients/${id}/tokens`).waitFor();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('revoked', { exact: true }).waitFor();
  assert.equal((await send('GET', `/v1/web_clients?tenant_id=${clinic.id}`)).data[0].status, 'revoked');

  await page.goto(page.url().replace(`web-clients/${id}`, `web-clients?tenant_id=${clinic.id}`));
  await page.getByRole('row', { name: /Front desk.*revoked/ }).waitFor();
  assert.equal(await page.getByRole('row', { name: /Workshop/ }).count(), 0);
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox', { name: 'Find' }).fill(id);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Front desk' }).waitFor();
});

test('a recording is listed, and its page plays it and leads to its call', { skip }, async () => {
  const account = await harness.secondAccount();
  const send = sender(account);
  const tenant = await send('POST', '/v1/tenants', { name: 'Desert Paws Clinic' });
  const { data } = await send('GET', '/v1/phone_numbers/available?area_code=602&limit=1');
  const line = await send('POST', '/v1/phone_numbers', {
    tenant_id: tenant.id,
    phone_number: data[0].phone_number,
  });
  const page = await open('recordings', { account });
  await page.getByText('No recordings yet').waitFor();
  const body = { from: line.id, connect_to: '+16025550120', to: '+16025550143', record: true };
  const { id: callId } = await send('POST', '/v1/calls', body);
  const isRecorded = async () => (await send('GET', '/v1/recordings')).data.length > 0;
  for (let second = 0; second < 60 && !(await isRecorded()); second += 1) {
    await send('POST', '/v1/test/clock', { advance_seconds: 1 });
  }
  const row = page.getByRole('row', { name: /Desert Paws Clinic/ });
  await row.getByRole('link').first().click();
  const sound = page.waitForResponse((reply) => /\/v1\/recordings\/rec_\w+\/audio$/.test(reply.url()));
  await page.getByRole('button', { name: /^Play/ }).click();
  assert.ok((await sound).ok());
  await page.getByRole('link', { name: 'Open the call' }).click();
  await page.waitForURL(new RegExp(`calls/${callId}$`));
});

test('an operator sees on the overview how late the background work is; an account does not', { skip }, async () => {
  const page = await open('');
  await page.getByRole('link', { name: 'Queues of the installation' }).click();
  await page.getByRole('heading', { name: 'Queues' }).waitFor();
  const ofAccount = await open('', { session: await signIn(harness, harness.account.id) });
  await ofAccount.getByText('Texts delivered').waitFor();
  assert.equal(await ofAccount.getByText('Background work').count(), 0);
});
