/** Webhook endpoints that fail: the overview and the list show them, and all failed deliveries are tried again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { today } from '../../src/lib/time/time.ts';
import { checkAccess } from '../support/accessibility.ts';
import { until } from '../support/jobs.ts';
import { useReceiver } from '../support/receiver.ts';
import { useConsole } from './support/open-console.ts';
import { makeOwnAccount, pick, select } from './support/own-account.ts';

const console = await useConsole();
const { skip } = console;

test('an endpoint that fails is seen, and all that failed is tried again with progress', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const receiver = await useReceiver();
  const endpoint = await desk.send('POST', '/v1/webhook_endpoints', { url: receiver.url });
  const text = { from: '+16025550143', to: desk.line.number.phone_number };
  const page = await desk.openPage('webhooks');
  const tableOf = (name: string) => page.getByRole('table', { name, exact: true });
  receiver.answer({ status: 503 });
  for (const body of ['One', 'Two', 'Three']) await desk.send('POST', '/v1/test/inbound_messages', { ...text, body });
  const failed = async () =>
    (await desk.send('GET', `/v1/webhook_endpoints/${endpoint.id}/deliveries?status=failed`)).data.length;
  await until('a delivery has failed', async () => (await failed()) > 0);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).click();
  const notice = page.getByRole('region', { name: 'A webhook endpoint fails' });
  await notice.getByText(/\d+ of the last \d+ failed, last answer: 503, since/).waitFor();
  await checkAccess(page, 'main');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }).click();
  await tableOf('Endpoints').getByText('failing', { exact: true }).waitFor();
  await select(page, 'Status', 'disabled');
  await page.getByText('No endpoint has this status').waitFor();
  await select(page, 'Status', 'failing');
  await tableOf('Endpoints')
    .getByText(/last answer: 503/)
    .waitFor();
  await checkAccess(page, 'main');
  const work = await console.open('/console/operator/queues');
  const failing = work.getByRole('table', { name: 'Webhook endpoints that fail' });
  const ofAccount = failing.getByRole('row', { name: `${receiver.url} Second account Test failing` });
  await ofAccount.waitFor();
  await checkAccess(work, 'main');
  await ofAccount.getByRole('link').click();
  await work.waitForURL(`**/console/test/${desk.account.id}/webhooks/${endpoint.id}`);
  await tableOf('Endpoints').getByRole('link').click();
  await page.getByRole('heading', { name: receiver.url }).waitFor();
  await page.locator('header').getByText('failing', { exact: true }).waitFor();
  receiver.answer({});
  await page.getByRole('button', { name: 'Retry all failed now' }).click();
  await page.getByText(/^\d+ of \d+ were tried again\.$/).waitFor();
  await select(page, 'Status of deliveries', 'given up');
  await page.getByText('No delivery has this status').waitFor();
  await select(page, 'Status of deliveries', 'delivered');
  await tableOf('Deliveries').getByText('message.received').first().waitFor();
  await checkAccess(page, 'main');
  await until('the endpoint works', async () => {
    return (await desk.send('GET', `/v1/webhook_endpoints/${endpoint.id}`)).failing_since === null;
  });
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await notice.waitFor({ state: 'detached' });
});

test('the form of a replay begins before the events of deliveries that have failed for good', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const { id } = await desk.send('POST', '/v1/webhook_endpoints', { url: (await useReceiver()).url });
  const page = await desk.openPage(`webhooks/${id}`);
  await page.getByRole('button', { name: 'Replay events' }).click();
  const start = await page.getByRole('textbox', { name: 'From' }).inputValue();
  const retriedHours = (5 + 35 * 60) / 3_600 + 2 + 5 + 10 + 14 + 20 + 24;
  assert.ok(Date.parse(start) < today().getTime() - retriedHours * 3_600_000, start);
  await page.getByRole('checkbox', { name: 'Only what the endpoint has not accepted', checked: true }).waitFor();
});

test('endpoints are narrowed to those that get the events of a tenant', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const tenants: Record<string, string> = {};
  for (const name of ['Agave Vets', 'Saguaro Dental']) {
    tenants[name] = (await desk.send('POST', '/v1/tenants', { name })).id;
  }
  const make = (name: string, tenant?: string) =>
    desk.send('POST', '/v1/webhook_endpoints', {
      url: `https://platform.example/${name}`,
      ...(tenant !== undefined && { tenant_id: tenants[tenant] }),
    });
  await make('vets', 'Agave Vets');
  await make('dental', 'Saguaro Dental');
  await make('all');
  const page = await desk.openPage('webhooks');
  const links = page.getByRole('table', { name: 'Endpoints' }).getByRole('link');
  const shows = (...names: string[]) =>
    until(`it shows ${names}`, async () => {
      const urls = names.map((name) => `https://platform.example/${name}`);
      return (await links.allTextContents()).join() === urls.join();
    });
  await shows('all', 'dental', 'vets');
  await pick(page, 'Tenant', 'Agave Vets');
  await shows('all', 'vets');
  await page.reload();
  await shows('all', 'vets');
  await checkAccess(page, 'main');
});
