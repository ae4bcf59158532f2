/** Checks of every page. The account that the pages show has a script in each text field of the API. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccess, checkColours } from '../support/accessibility.ts';
import { useReceiver } from '../support/receiver.ts';
import { INSTALLED_KINDS } from './support/installation.ts';
import { checkWidth, useConsole } from './support/open-console.ts';
import { storeOperatorScripts } from './support/operator-scripts.ts';
import { makeOwnAccount } from './support/own-account.ts';
import { addressOf, follow, PLACES, settled, watchRequests } from './support/places.ts';
import { makeScripts, storeScripts } from './support/scripts.ts';

/** Pages that are checked together with their frame. The other pages have the same frame. */
const WITH_FRAME = [PLACES[0], PLACES.find(({ isOperator }) => isOperator)];

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 360, height: 740 };

const console = await useConsole({ adapterKinds: INSTALLED_KINDS });
const { harness, skip } = console;
const scripts = makeScripts();
/** The text that all pages have shown. */
let shown = '';
/** The scripts that ran, and the dialogs that opened. */
const ran: string[] = [];

async function fillPages() {
  const desk = await makeOwnAccount(console);
  const ids = await storeScripts(desk, scripts, await useReceiver());
  const operatorIds = await storeOperatorScripts(harness, scripts);
  // Skips the first place: each place is opened from another.
  const page = console.browser.keep(await desk.openPage('clock'));
  page.on('dialog', (dialog) => {
    ran.push(dialog.message());
    void dialog.dismiss();
  });
  await page.exposeFunction('run', (field: string) => ran.push(field));
  const quiet = watchRequests(page);
  const load = async (path: string) => {
    await page.goto(`${harness.context.settings.publicUrl}${path}`);
    await settled(page);
    await quiet();
  };
  const go = async (path: string) => {
    await follow(page, path);
    await settled(page);
    await quiet();
  };
  return { desk, page, load, go, quiet, ids: { ...ids, ...operatorIds } };
}

const filled = skip === false ? await fillPages() : undefined;
const use = () => filled ?? assert.fail('there is no browser');

/** Fails if a stored text has become a part of the page. Adds what the page shows as text. */
async function inspect(at: Page): Promise<void> {
  const found = await at.evaluate(() => {
    const nodes = document.querySelectorAll('[src="x"], [onerror], [onload], script:not([src]), a[href]');
    const parts = [...nodes].filter((node) => !(node instanceof HTMLAnchorElement)).map((node) => node.outerHTML);
    const links = [...document.querySelectorAll('a[href]')].map((link) => (link as HTMLAnchorElement).href);
    const fields = [...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value);
    const titles = [...document.querySelectorAll('[title]')].map((node) => (node as HTMLElement).title);
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not shown
    return { parts, links, text: [document.body.innerText, ...fields, ...titles].join('\n') };
  });
  assert.deepEqual(found.parts, [], at.url());
  const running = found.links.filter((link) => !/^(?:https?|blob):/.test(link));
  assert.deepEqual(running, [], at.url());
  assert.deepEqual(ran, [], at.url());
  shown += `\n${found.text}`;
}

test('the pages are known', () => assert.ok(PLACES.length > 3));

for (const place of PLACES) {
  test(`the page ${place.name} runs no script, is accessible in light and dark, and fits 360 px`, {
    skip,
  }, async () => {
    const { page, desk, ids, quiet, go } = use();
    await go(addressOf(place, desk.account.id, ids));
    await inspect(page);
    const part = WITH_FRAME.includes(place) ? 'html' : 'main';
    await checkAccess(page, part);
    await page.emulateMedia({ colorScheme: 'dark' });
    await checkColours(page, part);
    await page.setViewportSize(NARROW);
    await checkWidth(page);
    await page.setViewportSize(WIDE);
    await page.emulateMedia({ colorScheme: 'light' });
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await quiet();
      await inspect(page);
    }
  });
}

/** Windows above pages: the page, the button that opens the window, and the tab that has the button. */
const WINDOWS: readonly (readonly [path: string, button: string, tab?: string])[] = [
  ['inbox', 'Template'],
  ['inbox', 'Details'],
  ['forms', 'Show', 'Submissions'],
];

for (const [path, button, tab] of WINDOWS) {
  test(`no stored script runs in the window of ${button} on the page ${path}`, { skip }, async () => {
    const { page, desk, load, ids, quiet } = use();
    await load(`/console/test/${desk.account.id}/${path}/${ids[path]}`);
    if (tab !== undefined) await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('button', { name: button, exact: true }).first().click();
    await page.getByRole('dialog').waitFor();
    await quiet();
    await inspect(page);
  });
}

/** The windows on pages of operators. */
const OPERATOR_WINDOWS = [
  [`connections/${filled?.ids['connections']}`, 'Has it'],
  ['sessions', 'Revoke'],
] as const;

for (const [path, button] of OPERATOR_WINDOWS) {
  test(`no stored script runs in the window of ${button} on the page ${path.split('/')[0]} of operators`, {
    skip,
  }, async () => {
    const { page, load } = use();
    await load(`/console/operator/${path}`);
    await page.getByRole('button', { name: button, exact: true }).first().click();
    await page.getByRole('dialog').waitFor();
    await inspect(page);
  });
}

test('no stored script runs in the findings of a check', { skip }, async () => {
  const { page, load, ids } = use();
  await load(`/console/operator/connections/${ids['connections']}`);
  await page.getByRole('button', { name: 'Check the connection' }).click();
  await page.getByRole('list', { name: 'Findings' }).getByRole('listitem').first().waitFor();
  await inspect(page);
});

test('no script runs when an account is made whose name is one', { skip }, async () => {
  const { page, load } = use();
  await load('/console/operator/accounts');
  await page.getByRole('button', { name: 'New account', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(scripts.of('account.new_name'));
  await page.getByRole('button', { name: 'Make the account', exact: true }).click();
  await page.getByRole('region', { name: 'Test key' }).waitFor();
  await inspect(page);
  await page.getByRole('button', { name: 'I have stored them', exact: true }).click();
  await page.getByRole('row', { name: /account\.new_name/ }).waitFor();
  await inspect(page);
});

test('each field was shown as the text that it is', { skip }, () => {
  // Some addresses are stored in the form that browsers give them.
  const forms = (text: string) => [text, URL.parse(text)?.href ?? text];
  const lost = [...scripts.all].filter(([, text]) => !forms(text).some((form) => shown.includes(form)));
  assert.deepEqual(lost, []);
});

test('an address that runs in the page that opens it is stored by no field', { skip }, async () => {
  const { own, line } = use().desk;
  const url = 'javascript:run(1)';
  const tenant_id = line.tenantId;
  const open_behavior = { type: 'ring', targets: ['+16025550144'] };
  const refused: [string, object][] = [
    ['/v1/webhook_endpoints', { url }],
    ['/v1/messages', { from: line.number.id, to: '+16025550143', body: 'Hello', media_urls: [url] }],
    ['/v1/routing_configs', { tenant_id, name: 'Desk', open_behavior, hold_audio_url: url }],
    ['/v1/opt_in_forms', { tenant_id, name: 'Form', terms_url: url }],
    ['/v1/opt_in_forms', { tenant_id, name: 'Form', privacy_url: url }],
    ['/v1/opt_in_forms', { tenant_id, name: 'Form', logo_url: url }],
  ];
  for (const [path, body] of refused) {
    const reply = await own.call('POST', path, { body });
    assert.ok(reply.status >= 400 && reply.status < 500, `${path} ${JSON.stringify(body)}: ${reply.status}`);
  }
});

test('the address of media that a person sent is a link only to the web', { skip }, async () => {
  const { page, desk, load } = use();
  const { send, line } = desk;
  const media_urls = ['javascript:run(1)', 'data:text/html,run(1)'];
  const from = '+16025550149';
  const { conversation_id } = await send('POST', '/v1/test/inbound_messages', {
    ...{ from, to: line.number.phone_number, body: 'Look' },
    media_urls,
  });
  await load(`/console/test/${desk.account.id}/inbox/${conversation_id}`);
  await page
    .getByRole('article', { name: 'Received' })
    .getByText(media_urls[0] as string)
    .waitFor();
  await inspect(page);
  await load(`/console/test/${desk.account.id}/phones?phones=${encodeURIComponent(from)}`);
  await inspect(page);
});
