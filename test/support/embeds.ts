/** Pages of a platform, on another origin, with the elements of an installation. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { type TestBrowser, troublesOf } from './browser.ts';
import type { Json } from './events.ts';
import type { Harness } from './harness.ts';
import { servePages } from './web-client-page.ts';

/** Mints a browser session of a tenant. */
export async function mintSession(harness: Harness, tenantId: string, fields: object = {}): Promise<Json> {
  const abilities = ['conversations:read', 'messages:send', 'calls:read', 'calls:place', 'events:read', 'phone'];
  const body = { tenant_id: tenantId, abilities, ...fields };
  const reply = await harness.call('POST', '/v1/browser_sessions', { body });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

export type EmbedPage = {
  readonly page: Page;
  readonly element: Locator;
  readonly origin: string;
  /** Sets the session of the element as the page's own script does. */
  setSession(session: Json): Promise<void>;
  /** Closes the page, and fails if it had an error, or broke its policy. */
  close(): Promise<void>;
  /** Closes the page, and ignores its errors. */
  leave(): Promise<void>;
};

type EmbedOptions = {
  readonly browser: TestBrowser;
  readonly harness: Harness;
  readonly name: 'inbox' | 'phone';
  /** The address of the installation for the page, if it is not that of the harness. */
  readonly baseUrl?: string;
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** The `lang` of the page; by default English. An empty value leaves the attribute out. */
  readonly lang?: string;
  /** The language of the browser. */
  readonly locale?: string;
  /** Attributes of the element in addition to its address. */
  readonly attributes?: string;
};

/** Serves a page with one element, and opens it. The page's policy allows no inline scripts and styles. */
export async function openEmbed(options: EmbedOptions): Promise<EmbedPage> {
  const { browser, harness, name, width = 1_000, height = 720, colorScheme = 'light', attributes = '' } = options;
  const { lang = 'en', locale = 'en-US' } = options;
  const url = options.baseUrl ?? harness.url;
  const policy = [
    "default-src 'none'",
    `script-src ${url} blob:`,
    `connect-src ${url} ${url.replace('http', 'ws')}`,
    `media-src ${url}`,
    'img-src * data:',
    "base-uri 'none'",
  ].join('; ');
  const pages = await servePages({
    policy,
    page: `<!doctype html><html${lang && ` lang="${lang}"`}><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>Desk</title>
<script type="module" src="${url}/embeds/${name}.js"></script>
<main><h1>Desk</h1><dialplane-${name} base-url="${url}" ${attributes}></dialplane-${name}></main></html>`,
  });
  const page = await browser.newPage({ viewport: { width, height }, colorScheme, locale });
  await page.goto(pages.url);
  const element = page.locator(`dialplane-${name}`);
  const leave = async () => {
    await page.close();
    pages.close();
  };
  return {
    page,
    element,
    origin: pages.url,
    setSession: (session) =>
      element.evaluate((it, given) => {
        Reflect.set(it, 'session', given);
      }, session),
    close: async () => {
      await leave();
      const { errors, refusals } = troublesOf(page);
      assert.deepEqual([...errors, ...refusals], []);
    },
    leave,
  };
}
