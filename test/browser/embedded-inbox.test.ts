/** The page of the example `embedded-inbox`, in a browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { troublesOf, useBrowser, useReachableHarness } from '../support/browser.ts';
import { noChromium } from '../support/chromium.ts';
import { startService } from '../support/examples.ts';
import { until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';

const skip = noChromium;
const harness = await useReachableHarness();
const browser = await useBrowser(harness);

test('a text appears on the page by itself, and the reply reaches the phone', { skip }, async () => {
  const service = await startService(harness, 'embedded-inbox', { INBOX_PORT: String(await freePort()) });
  await until('it prints the login', () => /http:\S+\/login\/\S+/.test(service.output()));
  const [login = ''] = /http:\S+\/login\/\S+/.exec(service.output()) ?? [];
  const page = await browser.newPage();
  await page.goto(login);
  await page.getByText('Connected').waitFor();

  const [number] = (await service.call('GET', '/v1/phone_numbers')).body.data;
  const [person, text] = ['+16025550143', '<b>Is Biscuit ready?</b>'];
  const arrive = async (to: string) => {
    const arrived = await service.call('POST', '/v1/test/inbound_messages', { body: { from: person, to, body: text } });
    assert.equal(arrived.status, 201, JSON.stringify(arrived.body));
  };
  await arrive(number.phone_number);
  await page.getByRole('button', { name: text }).click();
  await page
    .getByRole('listitem')
    .filter({ hasText: `They: ${text}` })
    .waitFor();
  await page.getByLabel('Reply').fill('Biscuit is ready.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('We: Biscuit is ready. (delivered)').waitFor();

  const { body: outbox } = await service.call('GET', `/v1/test/outbox?to=${encodeURIComponent(person)}`);
  assert.deepEqual(
    outbox.data.map(({ body }: { body: string }) => body),
    ['Biscuit is ready.'],
  );
  const { errors, refusals } = troublesOf(page);
  assert.deepEqual([...errors, ...refusals], []);

  const tenant = await service.call('POST', '/v1/tenants', { body: { name: 'Another' } });
  const onSale = await service.call('GET', '/v1/phone_numbers/available?area_code=602&limit=1');
  const body = { tenant_id: tenant.body.id, phone_number: onSale.body.data[0].phone_number };
  const other = await service.call('POST', '/v1/phone_numbers', { body });
  await arrive(other.body.phone_number);
  const { data } = (await service.call('GET', `/v1/conversations?tenant_id=${tenant.body.id}`)).body;
  const path = new URL(`/conversations/${data[0].id}`, login).href;
  const status = await page.evaluate(`fetch(${JSON.stringify(path)}).then(({ status }) => status)`);
  assert.equal(status, 404, "another tenant's conversation is not found");
  assert.equal(await page.getByRole('list', { name: 'Conversations' }).getByRole('listitem').count(), 1);
  service.stop();
  await service.ended;
});
