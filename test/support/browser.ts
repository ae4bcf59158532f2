/** The pages of a test file, in separate contexts in the browser of the run. */
import assert from 'node:assert/strict';
import { afterEach, type SuiteContext, type TestContext } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { noChromium, openChromium } from './chromium.ts';
import { closeAfterTests } from './close-after-tests.ts';
import { type Harness, type HarnessOptions, useHarness } from './harness.ts';
import { countPartner } from './in-flight.ts';
import { ringLonger } from './late-answers.ts';
import { freePort } from './ports.ts';

export type TestBrowser = {
  /**
   * Opens an empty page. Pages with the same options share a context, with its cookies, storage and cache. They also
   * share its process, which has already compiled the scripts of earlier pages.
   */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** Makes a context that is closed after the test. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Leaves a page open after the tests. */
  keep(page: Page): Page;
};

type BrowserUse = {
  /** True if tests of the file run concurrently, and close their pages themselves. */
  readonly isConcurrent?: boolean;
};

/** The errors of a page, in order. */
export type Troubles = {
  /** The errors that the page threw, and the errors in its log. */
  readonly errors: string[];
  /** Requests that a server refused. Tests of refusals cause these too. */
  readonly refusals: string[];
  readonly failedRequests: string[];
};

/** A page may take this long on a busy machine, where Chromium shares two cores with the other tests. */
const PAGE_LIMIT_MS = 90_000;
const SNAPSHOT_CHARS_MAX = 6_000;
const SNAPSHOT_LIMIT_MS = 10_000;

const fail = () => assert.fail(String(noChromium));

/** If there is no Chromium, all tests of the file are skipped. */
const NO_BROWSER: TestBrowser = { newPage: fail, newContext: fail, keep: fail };

const troubles = new WeakMap<Page, Troubles>();

/** Returns the errors of a page so far. */
export function troublesOf(page: Page): Troubles {
  const known = troubles.get(page) ?? { errors: [], refusals: [], failedRequests: [] };
  troubles.set(page, known);
  return known;
}

/**
 * Opens the browser for the tests of the file, and a server that they visit. After each test its pages are closed. If
 * the test failed, the text of its pages is printed first, with their errors and failed requests.
 */
export async function useBrowser(server: Pick<Harness, 'url'>, use: BrowserUse = {}): Promise<TestBrowser> {
  if (noChromium !== false) return NO_BROWSER;
  const browser = await openChromium();
  // Pages run in real time.
  const release = countPartner();
  closeAfterTests(async () => {
    await browser.close();
    release();
  });
  const shared = new Map<string, Promise<BrowserContext>>();
  const idle = new Set<Page>();
  const kept = new Set<Page>();
  const ofTest = new Set<BrowserContext>();
  const makeContext = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(PAGE_LIMIT_MS);
    noteTroubles(context);
    return context;
  };
  const shareContext = async (options: BrowserContextOptions) => {
    const context = await makeContext(options);
    // The process of a context ends with the last page of the server.
    const page = await context.newPage();
    idle.add(page);
    await page.goto(`${server.url}/healthz`);
    return context;
  };
  afterEach(async (test) => {
    const contexts = browser.contexts();
    const pages = contexts.flatMap((context) => context.pages()).filter((page) => !idle.has(page));
    if (!hasPassed(test)) for (const page of pages) console.error(await describePage(page));
    if (use.isConcurrent) return;
    const closing = [...ofTest, ...pages.filter((page) => !kept.has(page) && !ofTest.has(page.context()))];
    ofTest.clear();
    await Promise.all(closing.map((each) => each.close()));
  });
  return {
    newPage: async (options = {}) => {
      const name = JSON.stringify(options);
      const context = shared.get(name) ?? shareContext(options);
      shared.set(name, context);
      return await (await context).newPage();
    },
    newContext: async (options) => {
      const context = await makeContext(options);
      ofTest.add(context);
      return context;
    },
    keep: (page) => {
      kept.add(page);
      return page;
    },
  };
}

function noteTroubles(context: BrowserContext): void {
  const of = (page: Page | null) => (page === null ? undefined : troublesOf(page));
  context.on('weberror', (error) => of(error.page())?.errors.push(String(error.error())));
  context.on('console', (line) => {
    if (line.type() !== 'error') return;
    // The browser logs each reply with a status of 400 or more.
    const isReply = line.text().startsWith('Failed to load resource');
    if (isReply) of(line.page())?.refusals.push(`${line.location().url}: ${line.text()}`);
    else of(line.page())?.errors.push(line.text());
  });
  context.on('requestfailed', (request) => {
    // A navigation that fails is an error of the test.
    if (request.isNavigationRequest()) return;
    const why = request.failure()?.errorText;
    of(request.frame().page())?.failedRequests.push(`${request.method()} ${request.url()}: ${why}`);
  });
}

function hasPassed(test: TestContext | SuiteContext): boolean {
  return !('passed' in test) || test.passed;
}

/** Returns the facts about a page that a reader of a failed test needs. */
async function describePage(page: Page): Promise<string> {
  const { errors, refusals, failedRequests } = troublesOf(page);
  // The navigation of the console is outside these parts.
  const parts = await page.locator('main, [role=dialog]').all();
  const seen = await Promise.all((parts.length > 0 ? parts : [page.locator('body')]).map(describePart));
  return [
    `the page ${page.url()} has`,
    ...seen,
    ...errors.map((line) => `error: ${line}`),
    ...refusals.map((line) => `refused request: ${line}`),
    ...failedRequests.map((line) => `failed request: ${line}`),
  ].join('\n');
}

async function describePart(part: Locator): Promise<string> {
  try {
    return (await part.ariaSnapshot({ timeout: SNAPSHOT_LIMIT_MS })).slice(0, SNAPSHOT_CHARS_MAX);
  } catch (error) {
    return `a part that cannot be read: ${error}`;
  }
}

/**
 * Starts a harness for the tests of the file. Its public addresses, including those of its sockets, open in a browser.
 * Phones ring longer, for pages on a busy machine. Without a Chromium it starts nothing, and all tests of the file are
 * skipped.
 */
export async function useReachableHarness({
  settings,
  port: wanted,
  ...options
}: HarnessOptions = {}): Promise<Harness> {
  if (noChromium !== false) return {} as Harness;
  const port = wanted ?? (await freePort());
  const [publicUrl, mediaUrl] = [`http://127.0.0.1:${port}`, `ws://127.0.0.1:${port}`];
  const harness = await useHarness({ ...options, port, settings: { publicUrl, mediaUrl, ...settings } });
  await ringLonger(harness.context.db);
  return harness;
}
