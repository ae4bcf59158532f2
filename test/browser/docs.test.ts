import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { SITE_PAGES } from '../../src/http/site/site-map.ts';
import { useBrowser, useReachableHarness } from '../support/browser.ts';
import { noChromium } from '../support/chromium.ts';

const skip = noChromium;
const harness = await useReachableHarness({ startWorkers: false });
const browser = await useBrowser(harness);

/** Opens a page, and collects its requests to other servers and its failures. */
async function open(path: string, options: { width?: number; dark?: boolean } = {}) {
  const { width = 1280, dark = false } = options;
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: dark ? 'dark' : 'light' });
  const problems: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== new URL(harness.url).origin) problems.push(url.href);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on(
    'response',
    (response) => response.status() >= 400 && problems.push(`${response.status()} ${response.url()}`),
  );
  await page.goto(`${harness.url}${path}`, { waitUntil: 'load' });
  return { page, problems };
}

const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth');

test('pages fit a screen of 360 pixels, and ask no other server for anything', { skip }, async () => {
  const { page, problems } = await open('/docs', { width: 360 });
  for (const { slug } of SITE_PAGES.filter(({ slug }) => slug !== 'api')) {
    await page.goto(`${harness.url}/docs/${slug}`, { waitUntil: 'load' });
    assert.equal(await overflow(page), 0, slug);
    assert.deepEqual(problems, [], slug);
  }
});

test('the search finds a passage, and leads to it by keys alone', { skip }, async () => {
  const { page, problems } = await open('/docs');
  await page.keyboard.press('/');
  await page.keyboard.type('verifying a signature');
  const first = page.locator('#found a').first();
  await first.waitFor();
  assert.match((await first.textContent()) ?? '', /Verifying a signature/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/webhooks#verifying-a-signature');
  await page.fill('.search input', 'zzqqxx');
  await page.getByText('Nothing was found.').waitFor();
  assert.deepEqual(problems, []);
});

const SEARCHES = [
  { query: 'recipient_opted_out', leadsTo: '/docs/errors/recipient_opted_out' },
  { query: 'after hours', leadsTo: '/docs/routing#after-hours' },
  { query: 'hang up', leadsTo: '/docs/voice#hang-up' },
  { query: 'whatsapp', leadsTo: '/docs/not-included' },
  { query: 'fax', leadsTo: '/docs/not-included' },
];

for (const { query, leadsTo } of SEARCHES) {
  test(`the search for "${query}" finds its page first, and shows no HTML`, { skip }, async () => {
    const { page } = await open('/docs');
    await page.fill('.search input', query);
    const first = page.locator('#found a').first();
    await first.waitFor();
    assert.equal(await first.getAttribute('href'), leadsTo);
    assert.doesNotMatch((await page.locator('#found').textContent()) ?? '', /<\/?a\b/);
  });
}

test('dark and light follow the system until one is chosen, which is kept', { skip }, async () => {
  const { page } = await open('/docs', { dark: true });
  const back = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const dark = await back();
  await page.getByRole('button', { name: 'Light' }).click();
  const light = await back();
  assert.notEqual(light, dark);
  await page.goto(`${harness.url}/docs/webhooks`);
  assert.equal(await back(), light);
});

test('the navigation stays in view while a page is read', { skip }, async () => {
  const { page } = await open('/docs/webhooks');
  await page.evaluate('scrollTo(0, 4000)');
  const box = await page.locator('.navigation a[aria-current="page"]').boundingBox();
  assert.ok(box !== null && box.y >= 0 && box.y < 900, JSON.stringify(box));
});

test('the API reference asks no other server, and sends a request with a test key', { skip }, async () => {
  const { page, problems } = await open('/docs/api#tag/tenants/GET/v1/tenants');
  await page.getByPlaceholder('Token').first().fill(harness.account.test_key);
  await page.locator('button', { hasText: 'Test Request' }).first().click();
  const answered = page.waitForResponse((response) => response.url().startsWith(`${harness.url}/v1/tenants`));
  await page
    .locator('button', { hasText: /^\s*Send/ })
    .first()
    .click();
  const reply = await answered;
  assert.deepEqual([reply.status(), (await reply.json()).data], [200, []]);
  assert.equal(await overflow(page), 0);
  assert.deepEqual(problems, []);
});

test('the API reference shows the samples of an operation', { skip }, async () => {
  const { page } = await open('/docs/api#tag/calls/POST/v1/calls/{call_id}/dtmf');
  await page.locator('code', { hasText: '/dtmf"' }).first().waitFor();
  await page.locator('code', { hasText: '"$API/calls/' }).first().waitFor();
});
