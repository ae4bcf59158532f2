/** The console in a browser, and its server. The test command has built it. */
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type TestBrowser, troublesOf, useBrowser, useReachableHarness } from '../../support/browser.ts';
import { noChromium } from '../../support/chromium.ts';
import { signIn } from '../../support/console.ts';
import type { Json } from '../../support/events.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import type { Send } from './believable.ts';

type Account = { readonly id: string; readonly test_key: string };

type OpenOptions = BrowserContextOptions & {
  /** The first account by default. */
  readonly account?: Account;
  readonly mode?: 'test' | 'live';
  /** True for a browser without a session. */
  readonly isSignedOut?: boolean;
  /** True for a new browser with an empty storage, which no other test has used. */
  readonly isAlone?: boolean;
  /** The session of the browser. Default: a session of an operator. */
  readonly session?: { readonly cookie: string };
};

export type Console = {
  readonly harness: Harness;
  /** False, or why there is no browser here: the `skip` of a test. */
  readonly skip: string | false;
  readonly browser: TestBrowser;
  /** Opens a page of an account, such as `calls`, signed in as an operator. A path from / is taken as it is. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** Returns a function that sends requests with an account's test key, and fails unless they succeed. */
  sender(account?: Account): Send;
};

/**
 * Starts a server for the tests of the file. A test fails if one of its pages threw, wrote an error to its log or broke
 * its Content-Security-Policy.
 */
export async function useConsole(options: HarnessOptions = {}): Promise<Console> {
  const skip = noChromium;
  const harness = await useReachableHarness(options);
  const browser = await useBrowser(harness);
  const operator = skip === false ? await signIn(harness) : { cookie: '' };
  const opened = new Set<Page>();
  afterEach(() => {
    const problems = [...opened].flatMap((page) => troublesOf(page).errors.map((line) => `${page.url()}: ${line}`));
    opened.clear();
    assert.deepEqual(problems, []);
  });
  return {
    harness,
    skip,
    browser,
    open: async (
      path,
      { account = harness.account, mode = 'test', isSignedOut, isAlone, session = operator, ...look } = {},
    ) => {
      const { publicUrl } = harness.context.settings;
      const storageState = { cookies: isSignedOut ? [] : [cookieOf(session, publicUrl)], origins: [] };
      const isOwn = isSignedOut || session !== operator || isAlone;
      const options = { ...look, storageState };
      const page = await (isOwn ? (await browser.newContext(options)).newPage() : browser.newPage(options));
      opened.add(page);
      const place = path.startsWith('/') ? path : `/console/${mode}/${account.id}${path === '' ? '' : `/${path}`}`;
      await page.goto(`${publicUrl}${place}`);
      return page;
    },
    sender: (account = harness.account) => createSender(harness, account),
  };
}

function cookieOf({ cookie }: { cookie: string }, publicUrl: string) {
  const [name = '', value = ''] = cookie.split('=');
  const place = { domain: new URL(publicUrl).hostname, path: '/console', expires: -1 };
  return { name, value, ...place, httpOnly: true, secure: false, sameSite: 'Strict' as const };
}

function createSender(harness: Harness, { test_key: key }: Account): Send {
  return async (method, path, body) => {
    const { status, body: reply } = await harness.call(method, path, { key, ...(body !== undefined && { body }) });
    assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(reply)}`);
    return reply as Json;
  };
}

/** Fails if the page is wider than its window. */
export async function checkWidth(page: Page): Promise<void> {
  const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  assert.ok((beyond as number) <= 0, `${page.url()} is ${beyond} px wider than the window`);
}
