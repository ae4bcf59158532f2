/** Empty lists of the console. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useConsole } from './support/open-console.ts';

const { harness, skip, open } = await useConsole();

/** Pages whose head has a button or a link that makes an item of the list, and the text of that button or link. */
const MAKERS: Readonly<Record<string, string>> = {
  tenants: 'New tenant',
  contacts: 'New contact',
  templates: 'New template',
  'opt-outs': 'Add an opt-out',
  exports: 'Export a person',
  erasures: 'Erase a person',
  routing: 'New routing',
  queues: 'New queue',
  'web-clients': 'New web client',
  numbers: 'Buy a number',
  'port-ins': 'New port-in',
  e911: 'New address',
  brands: 'New brand',
  campaigns: 'New campaign',
  forms: 'New form',
  webhooks: 'New endpoint',
};

test('on an empty list the button that makes one stands once, in the head of the page', { skip }, async () => {
  const account = await harness.secondAccount();
  const page = await open('', { account });
  const found: Record<string, number[]> = {};
  for (const [path, text] of Object.entries(MAKERS)) {
    await page.goto(page.url().replace(/\/test\/([^/]+).*$/, `/test/$1/${path}`));
    const main = page.getByRole('main');
    await main.getByRole('heading', { level: 2 }).first().waitFor();
    const maker = (within: typeof main) =>
      within.getByRole('button', { name: text, exact: true }).or(within.getByRole('link', { name: text, exact: true }));
    found[path] = [await maker(main).count(), await maker(main.locator('header')).count()];
  }
  assert.deepEqual(found, Object.fromEntries(Object.keys(MAKERS).map((path) => [path, [1, 1]])));
});
