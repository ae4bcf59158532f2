/**
 * Measures how soon a page of the console is usable in Chromium: from the start of the navigation until the page has
 * its heading and its data. A first visit has an empty cache. A later visit has the files in the cache and reads the
 * data again. The reference is an empty page of a bare node:http server in the same browser.
 *
 *   --visits N   visits of each page, the first and the later ones
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { buildConsole, findOutdated, ROOT } from '../src/server/console/console-build.ts';
import { fillLedger, type Send } from '../test/console/support/believable.ts';
import { createCaller } from '../test/support/caller.ts';
import { openChromium } from '../test/support/chromium.ts';
import { makeToken, postToken } from '../test/support/console.ts';
import { freePort } from '../test/support/ports.ts';
import { median, startBenchPostgres } from './support/postgres.ts';
import { load } from './support/processes.ts';
import { startBenchProduct } from './support/product.ts';

const { values } = parseArgs({ options: { visits: { type: 'string', default: '10' } } });
const VISITS = Number(values.visits);
const TARGET_MS = 1_000;
const PAGES = ['', 'inbox', 'calls', 'webhooks'];

/**
 * Runs in every page before the page's own scripts. `usable` is the time of the first frame that shows a usable page.
 */
const NOTE_USABLE = `
  globalThis.usable = new Promise((resolve) => {
    const look = () => {
      const main = document.querySelector('main');
      const isUsable = main?.querySelector('h1') && !/Loading/.test(main.textContent);
      if (isUsable) resolve(performance.now());
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
`;

async function visit(page: Page, url: string): Promise<number> {
  await page.goto(url);
  return (await page.evaluate('globalThis.usable')) as number;
}

type Site = { readonly url: string; readonly cookie: { name: string; value: string; url: string } | undefined };

async function openContext(browser: Browser, { cookie }: Site): Promise<BrowserContext> {
  const context = await browser.newContext();
  await context.addInitScript(NOTE_USABLE);
  if (cookie !== undefined) await context.addCookies([cookie]);
  return context;
}

/** Returns the medians of first and of later visits, in ms. */
async function measure(browser: Browser, site: Site): Promise<{ firstMs: number; laterMs: number }> {
  const [first, later]: [number[], number[]] = [[], []];
  for (let n = 0; n < VISITS; n++) {
    const context = await openContext(browser, site);
    const page = await context.newPage();
    first.push(await visit(page, site.url));
    later.push(await visit(page, site.url));
    await context.close();
  }
  return { firstMs: median(first), laterMs: median(later) };
}

async function serveEmptyPage(): Promise<{ url: string; close(): void }> {
  const server = createServer((_, reply) => {
    reply.setHeader('content-type', 'text/html').end('<!doctype html><main><h1>Empty</h1></main>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

const outdated = await findOutdated(ROOT);
if (outdated !== undefined) await buildConsole({ root: ROOT, hash: outdated });
const postgres = await startBenchPostgres();
const port = await freePort();
const publicUrl = `http://127.0.0.1:${port}`;
const { product, accounts } = await startBenchProduct(postgres.url, {
  ...{ names: ['One'], work: true, serveMedia: true, port },
  settings: { publicUrl },
});
const browser = await openChromium();
const empty = await serveEmptyPage();
try {
  const account = accounts[0] ?? process.exit(1);
  const call = createCaller(publicUrl, account.test_key as string);
  const send: Send = async (method, path, body) => {
    const reply = await call(method, path, body === undefined ? {} : { body });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  await fillLedger(send, `${empty.url}hooks`);
  const place = { context: product.context, call };
  const session = await postToken(place, await makeToken(place));
  const [name = '', value = ''] = (session.headers.get('set-cookie') ?? '').split(';', 1)[0]?.split('=') ?? [];
  const cookie = { name, value, url: `${publicUrl}/console` };
  const bare = await measure(browser, { url: empty.url, cookie: undefined });
  console.log(`${load()}; empty page: ${bare.firstMs.toFixed(0)} ms, again ${bare.laterMs.toFixed(0)} ms`);
  for (const path of PAGES) {
    const url = `${publicUrl}/console/test/${account.id}${path === '' ? '' : `/${path}`}`;
    const { firstMs, laterMs } = await measure(browser, { url, cookie });
    console.log(
      `${path === '' ? 'overview' : path}: ${firstMs.toFixed(0)} ms (target ${TARGET_MS}; ` +
        `${(firstMs / bare.firstMs).toFixed(1)} times the empty page), again ${laterMs.toFixed(0)} ms`,
    );
  }
} finally {
  empty.close();
  await browser.close();
  await product.close();
  await postgres.stop();
}
