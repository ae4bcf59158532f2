/** The console in a browser beside its server. The test command has built it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium, noChromium } from '../../support/chromium.ts';
import { closeAfterTests } from '../../support/close-after-tests.ts';
import { signIn } from '../../support/console.ts';
import type { Json } from '../../support/events.ts';
import { type Harness, type HarnessOptions, useHarness } from '../../support/harness.ts';
import { freePort } from '../../support/ports.ts';
import type { Send } from './believable.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Findings of these weights fail a test. */
const SERIOUS = new Set(['serious', 'critical']);

type Account = { readonly id: string; readonly test_key: string };

type OpenOptions = BrowserContextOptions & {
  /** The first account by default. */
  readonly account?: Account;
  readonly mode?: 'test' | 'live';
  /** True for a browser without a session. */
  readonly isSignedOut?: boolean;
  /** The session of the browser; that of an operator by default. */
  readonly session?: { readonly cookie: string };
};

export type Console = {
  readonly harness: Harness;
  /** False, or why there is no browser here: the `skip` of a test. */
  readonly skip: string | false;
  /** Opens a page of an account, such as `calls`, signed in as an operator. A path from / is taken as it is. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** Returns what sends requests with an account's test key, and fails unless they succeed. */
  sender(account?: Account): Send;
};

/**
 * Starts a server and a browser for the tests of the file. After them it fails if a page threw, wrote an error to its
 * log or broke its Content-Security-Policy.
 */
export async function useConsole(options: HarnessOptions = {}): Promise<Console> {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const harness = await useHarness({ ...options, port, settings: { publicUrl, ...options.settings } });
  const skip = noChromium;
  const browser: Browser | undefined = skip === false ? await launchChromium() : undefined;
  const problems: string[] = [];
  // Before the server closes: pages say that they have lost it.
  closeAfterTests(async () => browser?.close());
  after(() => assert.deepEqual(problems, []));
  const operator = await signIn(harness);
  return {
    harness,
    skip,
    open: async (path, { account = harness.account, mode = 'test', isSignedOut, session = operator, ...look } = {}) => {
      const context = await (browser ?? assert.fail('there is no browser')).newContext(look);
      const [name = '', value = ''] = session.cookie.split('=');
      if (!isSignedOut) await context.addCookies([{ name, value, url: `${publicUrl}/console` }]);
      const page = await context.newPage();
      noteProblems(page, problems);
      const place = path.startsWith('/') ? path : `/console/${mode}/${account.id}${path === '' ? '' : `/${path}`}`;
      await page.goto(`${publicUrl}${place}`);
      return page;
    },
    sender: (account = harness.account) => createSender(harness, account),
  };
}

function noteProblems(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error}`));
  page.on('console', (line) => {
    // The browser logs every refusal of the API; pages show them.
    const isReply = line.text().startsWith('Failed to load resource');
    if (line.type() === 'error' && !isReply) problems.push(`${page.url()}: ${line.text()}`);
  });
}

function createSender(harness: Harness, { test_key: key }: Account): Send {
  return async (method, path, body) => {
    const { status, body: reply } = await harness.call(method, path, { key, ...(body !== undefined && { body }) });
    assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(reply)}`);
    return reply as Json;
  };
}

/** Fails if axe-core finds something serious on the page, with what and where. */
export async function checkAccess(page: Page): Promise<void> {
  // Not a script element: the Content-Security-Policy of the page would refuse it.
  await page.evaluate(AXE);
  const findings = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, impact, help, nodes }) => ({ id, impact, help, where: nodes.map(({ html }) => html.slice(0, 200)).slice(0, 3) })))',
  )) as { id: string; impact: string; help: string; where: string[] }[];
  assert.deepEqual(
    findings.filter(({ impact }) => SERIOUS.has(impact)),
    [],
    page.url(),
  );
}

/** Fails if the page is wider than its window. */
export async function checkWidth(page: Page): Promise<void> {
  const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  assert.ok((beyond as number) <= 0, `${page.url()} is ${beyond} px wider than the window`);
}
